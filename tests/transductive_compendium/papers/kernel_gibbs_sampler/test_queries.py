"""The start of the chain in queries, under the option that it is an SVM."""

import numpy as np
import pytest
from sklearn.svm import LinearSVC

from transductive_compendium.papers.kernel_gibbs_sampler.queries import START_PENALTY, _start


@pytest.mark.parametrize("n", [4, 44])
def test_the_start_is_the_quadratic_soft_margin(n):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, 3))
    y = np.where(np.arange(n) % 2, 1, -1)
    other = LinearSVC(
        loss="squared_hinge",
        dual=False,
        fit_intercept=False,
        C=1 / (2 * START_PENALTY),
        tol=1e-10,
        max_iter=10_000,
    ).fit(X, y)
    expected = other.coef_[0] / np.linalg.norm(other.coef_)
    np.testing.assert_allclose(_start(X, y), expected, atol=1e-6)


def test_labels_of_one_class_have_a_start_too():
    X = np.eye(3) + 0.1
    assert (X @ _start(X, np.ones(3)) > 0).all()
