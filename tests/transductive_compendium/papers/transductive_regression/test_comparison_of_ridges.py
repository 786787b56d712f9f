"""Transduction beside other kinds of ridge regression, against definitions."""

import numpy as np
import pytest

from transductive.kernels import gram_matrix
from transductive.leave_one_out import LooForm, RidgeSpectrum
from transductive_compendium.exact import loo_reference as reference
from transductive_compendium.papers.transductive_regression import tuned_transduction
from transductive_compendium.papers.transductive_regression.tuned_transduction import compare


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 2))
    return gram_matrix(X, gamma=0.4), np.sin(X[:25, 0]) + 0.1 * rng.standard_normal(25)


def test_joint_ridge_is_equation_9_with_basis_functions_at_all_points(problem):
    K, y = problem
    found = compare(K, y, 0.05, "coefficients")
    expected = K[25:] @ reference.coefficients(K[:25], y, 0.05)
    np.testing.assert_allclose(found.joint, expected, rtol=1e-8)
    assert np.abs(found.joint - found.ridge).max() > 1e-3


def test_the_penalty_on_the_norm_leaves_other_basis_functions_alone(problem):
    """Representer theorem: minimising over all l + m coefficients gives the same values."""
    K, y = problem
    found = compare(K, y, 0.05, "norm")
    # minimise |y - K_l a|^2 + 0.05 a'K a in coordinates b = K^(1/2) a
    values, vectors = np.linalg.eigh(K)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    b = np.linalg.solve(root[:25].T @ root[:25] + 0.05 * np.eye(40), root[:25].T @ y)
    np.testing.assert_allclose(found.ridge, root[25:] @ b, atol=1e-9)
    np.testing.assert_array_equal(found.joint, found.ridge)
    np.testing.assert_array_equal(found.own, found.ridge)


@pytest.mark.parametrize("penalty", ["coefficients", "norm"])
def test_an_infinite_alpha_star_is_ridge_regression(problem, penalty):
    K, y = problem
    found = compare(K, y, 0.05, penalty, (0.1, 1e9, np.inf))
    sample = RidgeSpectrum(K[:25, :25], penalty=penalty)
    np.testing.assert_allclose(found.transduced[2], K[25:, :25] @ sample.coefficients(y, 0.05))
    assert found.loo[2] == pytest.approx(sample.loo_errors(y, 0.05)[0])
    np.testing.assert_allclose(found.transduced[1], found.transduced[2], atol=1e-6)
    assert found.loo[1] == pytest.approx(found.loo[2], rel=1e-6)
    assert np.abs(found.transduced[0] - found.ridge).max() > 1e-3


def test_retuned_ridge_is_the_best_by_leave_one_out(problem, monkeypatch):
    K, y = problem
    errors = [reference.loo_error(K[:25, :25], y, a) for a in (1e-3, 1e-1, 10.0)]
    best = (1e-3, 1e-1, 10.0)[int(np.argmin(errors))]
    monkeypatch.setattr(tuned_transduction, "ALPHAS", np.array([1e-3, 1e-1, 10.0]))
    found = compare(K, y, 5.0, "coefficients")
    expected = reference.inductive_values(K[:25, :25], K[25:, :25], y, best)
    np.testing.assert_allclose(found.retuned, expected, rtol=1e-6)


@pytest.mark.parametrize(("penalty", "power"), [("coefficients", 2), ("norm", 1)])
def test_without_a_pull_transduction_is_a_smoother_ridge_regression(penalty, power):
    """Where all leverages are equal and gamma* is 0, Y* is kernel ridge regression again.

    Its kernel is 2 S + S^2 for S = K^2 / gamma, or K / gamma, over all points, its ridge one.
    """
    angles = 2.0 * np.pi * np.random.default_rng(1).permutation(30) / 30
    K = np.exp(np.cos(angles[:, None] - angles) - 1.0)
    y = np.sign(np.sin(3.0 * angles[:12]))
    form = LooForm(RidgeSpectrum(K, penalty=penalty), 0.2, 12)
    S = np.linalg.matrix_power(K, power) / 0.2
    smooth = 2.0 * S + S @ S
    expected = smooth[12:, :12] @ np.linalg.solve(smooth[:12, :12] + np.eye(12), y)
    np.testing.assert_allclose(form.transduce(y, np.zeros(18), 0.0), expected, atol=1e-8)


def test_a_left_out_pair_leaves_its_basis_function(problem):
    """Equation (15) speaks of points that have a basis function, as working points have in (24)."""
    K, y = problem
    i, rest = 24, np.arange(24)
    with_own = K[i, :25] @ reference.coefficients(K[:24, :25], y[:24], 0.05)
    without = K[i, :24] @ reference.coefficients(K[np.ix_(rest, rest)], y[:24], 0.05)
    residual = reference.loo_residuals(K[:25, :25], y, 0.05)[i]
    assert y[i] - residual == pytest.approx(with_own)
    assert abs(with_own - without) > 1e-3
    # `own` gives each working point its own, and no other
    found = compare(K, y[:24], 0.05, "coefficients")
    assert found.own[0] == pytest.approx(with_own)
    for j in range(24, 40):
        points = np.r_[:24, j]
        alone = compare(K[np.ix_(points, points)], y[:24], 0.05, "coefficients")
        assert alone.joint[0] == pytest.approx(found.own[j - 24])
