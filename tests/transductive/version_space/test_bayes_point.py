"""BayesPointMachine: the centre of mass of version space as a classifier."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import parametrize_with_checks

from transductive import BayesianTransduction, BayesPointMachine
from transductive.kernels import gram_matrix
from transductive_compendium.exact.volumes import centroid


@pytest.fixture
def sample():
    X, y = make_classification(60, 4, n_informative=3, n_redundant=0, random_state=0)
    return X[:40], y[:40], X[40:]


@parametrize_with_checks(
    [BayesPointMachine(n_chains=1, tol=0.2, random_state=0, q=0, gamma="scale")]
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@pytest.mark.parametrize("sampler", ["billiard", "hit_and_run"])
def test_linear_bayes_point_is_the_exact_centroid(sampler):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((10, 3))
    y = np.where(X @ [1.0, -1.0, 0.5] > 0, 1, -1)
    bpm = BayesPointMachine("linear", sampler=sampler, random_state=0, q=0)
    w = bpm.fit(X, y).dual_coef_ @ X
    assert np.linalg.norm(w) == pytest.approx(1.0)
    # repeats spread by a third of this
    assert np.linalg.norm(w - centroid(X, y).direction) < 0.02
    new = rng.standard_normal((20, 3))
    np.testing.assert_allclose(bpm.decision_function(new), new @ w, atol=1e-10)


def test_bayes_point_is_inside_version_space_and_of_unit_length(sample):
    X, y, _ = sample
    bpm = BayesPointMachine(gamma=0.3, random_state=0, q=0).fit(X, y)
    K = gram_matrix(X, gamma=0.3)
    assert bpm.dual_coef_ @ K @ bpm.dual_coef_ == pytest.approx(1.0)
    # version space is convex
    assert np.min(bpm.decision_function(X) * np.where(y == 1, 1, -1)) > 0
    np.testing.assert_array_equal(bpm.predict(X), y)
    np.testing.assert_array_equal(bpm.flip_proba_, 0.0)
    assert bpm.q_ == 0.0


def test_threads_change_no_number(sample):
    X, y, _ = sample
    one, two = (
        BayesPointMachine(gamma=0.3, n_jobs=n_jobs, random_state=0, q=0).fit(X, y)
        for n_jobs in (None, 2)
    )
    np.testing.assert_array_equal(one.dual_coef_, two.dual_coef_)


def test_bayes_point_agrees_with_the_vote(sample):
    X, y, new = sample
    p = BayesianTransduction(gamma=0.3, random_state=0, q=0).fit(X, y, new).transduction_proba_
    f = BayesPointMachine(gamma=0.3, random_state=0, q=0).fit(X, y).decision_function(new)
    clear = np.abs(p[:, 1] - 0.5) > 0.15
    assert clear.sum() >= 10
    np.testing.assert_array_equal(f[clear] > 0, p[clear, 1] > 0.5)


def test_in_use(sample):
    pd = pytest.importorskip("pandas")
    X, y, new = sample
    names = np.array(["a", "b"], dtype=object)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bpm = BayesPointMachine(gamma=0.3, random_state=0, q=0)
        bpm.fit(pd.DataFrame(X, columns=list("wxyz")), names[y])
        labels = bpm.predict(pd.DataFrame(new, columns=list("wxyz")))
    again = BayesPointMachine(gamma=0.3, random_state=0, q=0).fit(X, y)
    np.testing.assert_array_equal(labels, names[again.predict(new)])
    K = gram_matrix(X, gamma=0.3)
    pre = BayesPointMachine("precomputed", random_state=0, q=0).fit(K, y)
    np.testing.assert_array_equal(pre.dual_coef_, again.dual_coef_)
    search = GridSearchCV(again, {"gamma": [0.1, 1.0]}, cv=3)
    assert np.isfinite(search.fit(X, y).best_score_)
