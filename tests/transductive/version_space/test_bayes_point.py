"""BayesPointMachine: the centre of mass of version space as a classifier."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import parametrize_with_checks

from transductive import BayesianTransduction, BayesPointMachine
from transductive.kernels import gram_matrix
from transductive.version_space import EmptyVersionSpaceError
from transductive_compendium.exact.volumes import centroid


@pytest.fixture
def sample():
    X, y = make_classification(60, 4, n_informative=3, n_redundant=0, random_state=0)
    return X[:40], y[:40], X[40:]


# one of the billiard's two estimators is checked as it is: see BayesianTransduction
@parametrize_with_checks(
    [BayesPointMachine(n_starts=1, n_bounces=1000, random_state=0, q=0, gamma="scale")]
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def test_linear_bayes_point_is_the_exact_centroid():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((10, 3))
    y = np.where(X @ [1.0, -1.0, 0.5] > 0, 1, -1)
    exact = centroid(X, y)
    bpm = BayesPointMachine(
        "linear", refresh=np.pi, n_starts=8, n_bounces=3000, random_state=0, q=0
    ).fit(X, y)
    w = bpm.dual_coef_ @ X
    assert np.linalg.norm(w) == pytest.approx(1.0)
    # the repeats below spread by half of this
    assert np.linalg.norm(w - exact.direction) < 0.01
    others = [
        BayesPointMachine(
            "linear", refresh=np.pi, n_starts=1, n_bounces=3000, random_state=seed, q=0
        )
        .fit(X, y)
        .dual_coef_
        @ X
        for seed in range(8)
    ]
    assert np.std(others, axis=0).max() < 0.01
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


def test_same_answer_for_any_number_of_threads(sample):
    X, y, _ = sample
    one, two = (
        BayesPointMachine(gamma=0.3, n_bounces=300, n_jobs=n_jobs, random_state=0, q=0).fit(X, y)
        for n_jobs in (1, 2)
    )
    np.testing.assert_array_equal(one.dual_coef_, two.dual_coef_)
    assert one.trajectory_.chains.max() == 3
    assert len(BayesPointMachine(gamma=0.3, q=0).fit(X, y).trajectory_.arcs) == 4 * 3000


def test_bayes_point_stands_for_the_vote(sample):
    X, y, new = sample
    settings = dict(gamma=0.3, refresh=np.pi, n_starts=4, n_bounces=5000, random_state=0)
    p = BayesianTransduction(**settings, q=0).fit(X, y).predict_proba(new)[:, 1]
    f = BayesPointMachine(**settings, q=0).fit(X, y).decision_function(new)
    clear = np.abs(p - 0.5) > 0.15
    assert clear.sum() >= 10
    np.testing.assert_array_equal(f[clear] > 0, p[clear] > 0.5)


def test_ridge_is_in_the_norm_and_not_in_the_output(sample):
    X, y, new = sample
    bpm = BayesPointMachine(gamma=0.3, ridge=0.5, random_state=0, q=0).fit(X, y)
    K = gram_matrix(X, gamma=0.3)
    assert bpm.dual_coef_ @ (K + 0.5 * np.eye(40)) @ bpm.dual_coef_ == pytest.approx(1.0)
    cross = gram_matrix(new, X, gamma=0.3)
    np.testing.assert_allclose(bpm.decision_function(new), cross @ bpm.dual_coef_, atol=1e-10)


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
    search = GridSearchCV(
        BayesPointMachine(n_bounces=100, random_state=0, q=0, gamma="scale"),
        {"gamma": [0.1, 1.0]},
        cv=3,
    )
    assert np.isfinite(search.fit(X, y).best_score_)


def test_errors(sample):
    X, y, _ = sample
    with pytest.raises(EmptyVersionSpaceError, match="both labels"):
        BayesPointMachine(gamma=0.3, q=0).fit(np.vstack([X, X[:1]]), np.r_[y, 1 - y[:1]])
    with pytest.raises(ValueError, match="The 'n_bounces' parameter"):
        BayesPointMachine(n_bounces=0, q=0, gamma="scale").fit(X, y)
    with pytest.raises(ValueError, match="The 'start' parameter"):
        BayesPointMachine(start="here", q=0, gamma="scale").fit(X, y)
    with pytest.raises(ValueError, match="The 'ridge' parameter"):
        BayesPointMachine(ridge=-0.1, q=0, gamma="scale").fit(X, y)
