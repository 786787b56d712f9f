"""Tuned ridge regression and transduction: rows on small sizes, and against definitions."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import unit_rows

from transductive.kernels import gram_matrix, rbf_gamma
from transductive.leave_one_out import LooForm, RidgeSpectrum
from transductive_compendium.exact import loo_reference as reference
from transductive_compendium.papers.transductive_regression import tuned_transduction
from transductive_compendium.papers.transductive_regression.tuned_transduction import (
    ALPHAS,
    SETTINGS,
    compare,
)
from transductive_compendium.papers.transductive_regression.tuned_transduction_measures import (
    choice,
    overlap,
)


def test_tuning_takes_the_least_leave_one_out_error(diabetes):
    X, y = diabetes.X[:60] / diabetes.X.std(axis=0), diabetes.y[:60]
    gamma, log_sigma = tuned_transduction.tuned(X, y, "coefficients")
    gram = gram_matrix(X, gamma=rbf_gamma(np.exp(log_sigma)))
    widths = np.median(np.linalg.norm(X[:, None] - X, axis=2)[np.triu_indices(60, 1)])
    grams = [gram_matrix(X, gamma=rbf_gamma(width)) for width in widths * tuned_transduction.WIDTHS]
    least = min(reference.loo_error(K, y, a) for K in grams for a in ALPHAS)
    assert reference.loo_error(gram, y, gamma) == pytest.approx(least, rel=1e-6)


@pytest.mark.parametrize(
    ("where", "least", "most"), [("gap", 60, 60), ("outside", 0, 0), ("everywhere", 1, 59)]
)
def test_the_sine_has_its_gap(where, least, most):
    (X, y), (_, noisy) = (
        tuned_transduction.sample_sine(where, noise, np.random.default_rng(0))
        for noise in (0.0, 0.2)
    )
    gap = (X[:, 0] > 0.4) & (X[:, 0] < 0.6)
    assert not gap[:30].any() and least <= gap[30:].sum() <= most
    np.testing.assert_allclose(y, np.sin(2 * np.pi * X[:, 0]))
    np.testing.assert_allclose(noisy[30:], y[30:])
    assert 0.1 < np.std(noisy[:30] - y[:30]) < 0.3


def test_both_settings_see_the_same_split(diabetes, monkeypatch):
    monkeypatch.setitem(tuned_transduction.SETTINGS, "written", tuned_transduction.SETTINGS["norm"])
    key = {"dataset": "diabetes", "split": 0}
    rows = unit_rows("transductive_regression/inductive", key, {"diabetes": diabetes})
    first, second = (rows[rows["setting"] == name] for name in SETTINGS)
    columns = rows.columns.drop("setting")
    np.testing.assert_allclose(first[columns], second[columns], rtol=1e-9)


def test_each_split_has_its_own_choice():
    rows = [
        {"split": split, "alpha_star": alpha_star, "loo": loo}
        for split in range(5)
        for alpha_star, loo in ((0.1, 0.8), (10.0, 0.9), (np.inf, 0.0 if split == 3 else 1.0))
    ]
    assert choice(pd.DataFrame(rows))["alpha_star"].to_list() == [0.1, 0.1, 0.1, np.inf, 0.1]


def test_overlap_of_splits():
    """A part of a large table: its share f gives f / (1 - f), whatever is judged."""
    shares = {"boston": 25 / 481, "diabetes": 142 / 300, "usps": 800 / 8498}
    shares |= {"kin32fh": 320 / 7872, "sine, outside": 0.0}
    assert {name: overlap(name) for name in shares} == pytest.approx(shares)


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


def test_own_gives_each_working_point_its_basis_function_and_no_other(problem):
    """Equation (15) speaks of points that have a basis function, as working points have in (24)."""
    K, y = problem
    found = compare(K, y[:24], 0.05, "coefficients")
    residual = reference.loo_residuals(K[:25, :25], y, 0.05)[24]
    assert y[24] - residual == pytest.approx(found.own[0])
    for j in range(24, 40):
        points = np.r_[:24, j]
        alone = compare(K[np.ix_(points, points)], y[:24], 0.05, "coefficients")
        assert alone.joint[0] == pytest.approx(found.own[j - 24])
