"""BayesPointMachine: the centre of mass of version space as a classifier."""

import numpy as np
import pytest
from sklearn.datasets import make_classification

from transductive import BayesPointMachine
from transductive.kernels import gram_matrix
from transductive_compendium.exact.volumes import centroid


@pytest.fixture
def sample():
    X, y = make_classification(60, 4, n_informative=3, n_redundant=0, random_state=0)
    return X[:40], y[:40], X[40:]


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
