"""Experiments beyond the transductive regression document: controls, shifts, divisions."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression

import transductive_compendium.papers.transductive_regression.beyond as beyond
from transductive.kernels import gram_matrix, rbf_gamma
from transductive.leave_one_out import LooForm, RidgeSpectrum
from transductive.leave_one_out import _loo_reference as reference
from transductive_compendium.datasets import load
from transductive_compendium.runner import get

ITEMS = ("working_sets", "alpha_star", "inductive")


@pytest.fixture(scope="module")
def diabetes():
    return load("diabetes")


def _rows(item, key, data, seed=0, **params):
    run_unit = get(f"transductive_regression/{item}").run_unit
    return pd.DataFrame(run_unit(key, params, data, np.random.default_rng(seed)))


@pytest.mark.parametrize("item", ITEMS)
def test_smoke_is_the_beginning_of_paper(item):
    experiment = get(f"transductive_regression/{item}")
    smoke, paper, full = (experiment.unit_keys({}, t) for t in ("smoke", "paper", "full"))
    assert 0 < len(smoke) < len(paper) < len(full)


# ---- the comparison -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 2))
    return gram_matrix(X, gamma=0.4), np.sin(X[:25, 0]) + 0.1 * rng.standard_normal(25)


def test_joint_ridge_is_equation_9_with_basis_functions_at_all_points(problem):
    K, y = problem
    found = beyond.compare(K, y, 0.05, "coefficients")
    expected = K[25:] @ reference.coefficients(K[:25], y, 0.05)
    np.testing.assert_allclose(found.joint, expected, rtol=1e-8)
    assert np.abs(found.joint - found.ridge).max() > 1e-3


def test_the_penalty_on_the_norm_leaves_other_basis_functions_alone(problem):
    """Representer theorem: minimising over all l + m coefficients gives the same values."""
    K, y = problem
    found = beyond.compare(K, y, 0.05, "norm")
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
    found = beyond.compare(K, y, 0.05, penalty, (0.1, 1e9, np.inf))
    sample = RidgeSpectrum(K[:25, :25], symmetric=True, penalty=penalty)
    np.testing.assert_allclose(found.transduced[2], K[25:, :25] @ sample.coefficients(y, 0.05))
    assert found.loo[2] == pytest.approx(sample.loo_errors(y, 0.05)[0])
    np.testing.assert_allclose(found.transduced[1], found.transduced[2], atol=1e-6)
    assert found.loo[1] == pytest.approx(found.loo[2], rel=1e-6)
    assert np.abs(found.transduced[0] - found.ridge).max() > 1e-3


def test_retuned_ridge_is_the_best_by_leave_one_out(problem, monkeypatch):
    K, y = problem
    errors = [reference.loo_error(K[:25, :25], y, a) for a in (1e-3, 1e-1, 10.0)]
    best = (1e-3, 1e-1, 10.0)[int(np.argmin(errors))]
    monkeypatch.setattr(beyond, "ALPHAS", np.array([1e-3, 1e-1, 10.0]))
    found = beyond.compare(K, y, 5.0, "coefficients")
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
    form = LooForm(RidgeSpectrum(K, symmetric=True, penalty=penalty), 0.2, 12)
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
    found = beyond.compare(K, y[:24], 0.05, "coefficients")
    assert found.own[0] == pytest.approx(with_own)
    for j in range(24, 40):
        points = np.r_[:24, j]
        alone = beyond.compare(K[np.ix_(points, points)], y[:24], 0.05, "coefficients")
        assert alone.joint[0] == pytest.approx(found.own[j - 24])


# ---- working sets -------------------------------------------------------------------------------


def test_the_shift_is_as_strong_as_asked_and_keeps_both_parts_apart():
    z = np.random.default_rng(0).standard_normal(40_000)
    found = []
    for strength in (0.0, 0.5, 1.0):
        order = beyond.draw_shifted(z, 50, 200, strength, np.random.default_rng(1))
        assert len(np.unique(order)) == 250
        found.append(z[order[50:]].mean() - z[order[:50]].mean())
    # of a normal variable, exponential weights move the mean by the strength
    np.testing.assert_allclose(found, [0.0, 1.0, 2.0], atol=0.6)


def test_directions_are_standardised_and_one_follows_the_target(diabetes):
    X = (diabetes.X - diabetes.X.mean(axis=0)) / diabetes.X.std(axis=0)
    for which in ("target", "principal"):
        z = beyond.direction(diabetes.X, diabetes.y, which)
        assert (z.mean(), z.std()) == pytest.approx((0.0, 1.0), abs=1e-12)
        if which == "target":  # no direction correlates more
            best = np.sqrt(LinearRegression().fit(X, diabetes.y).score(X, diabetes.y))
            assert np.corrcoef(z, diabetes.y)[0, 1] == pytest.approx(best)
        else:  # and none explains more of the features
            top = np.linalg.eigvalsh(X.T @ X / len(X))[-1]
            assert np.linalg.norm(X.T @ z / len(z)) == pytest.approx(np.sqrt(top))
            assert np.abs(X.T @ z).max() == (X.T @ z).max()  # its sign is not left to LAPACK


@pytest.fixture(scope="module")
def working_sets(diabetes):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(beyond, "N_JUDGED", 8)
        patch.setattr(beyond, "SIZES", (1, 8, 64))
        key = {"shift": "none", "largest": 64, "split": 0}
        yield _rows("working_sets", key, {"kin32fh": diabetes})


def test_every_size_is_judged_at_the_same_points(working_sets):
    assert np.isfinite(working_sets.select_dtypes("number").to_numpy()).all()
    groups = working_sets.groupby(["reading", "place"])
    assert (groups["m"].agg(list).map(tuple) == (1, 8, 64)).all()
    for column in ("rr_mse", "rr_retuned_mse", "rr_loo"):
        np.testing.assert_allclose(groups[column].max(), groups[column].min(), rtol=1e-9)
    assert (groups["tr_loose_mse"].max() > 1.0001 * groups["tr_loose_mse"].min()).all()
    norm = working_sets[working_sets["reading"] == "norm"]
    np.testing.assert_array_equal(norm["rr_mse"], norm["rr_joint_mse"])


def test_a_working_set_of_one_is_a_rule(working_sets, diabetes, monkeypatch):
    """Its values do not depend on which other points are asked about."""
    monkeypatch.setattr(beyond, "N_JUDGED", 8)
    monkeypatch.setattr(beyond, "SIZES", (1,))
    key = {"shift": "none", "largest": 8, "split": 0}
    alone = _rows("working_sets", key, {"kin32fh": diabetes})
    ones = working_sets[working_sets["m"] == 1]
    for column in ("tr_loose_mse", "tr_fixed_mse", "tr_chosen_mse"):
        np.testing.assert_allclose(alone[column], ones[column], rtol=1e-9)


def test_a_promise_is_what_the_choice_gains_by_leave_one_out(working_sets):
    assert (working_sets["promised"] >= 0).all()
    always = working_sets["ridge_chosen"] == 1.0
    assert (working_sets["promised"][always] == 0).all() and not always.all()
    np.testing.assert_allclose(
        working_sets["tr_chosen_mse"][always], working_sets["rr_mse"][always]
    )


# ---- gamma* and tuned ridge ---------------------------------------------------------------------


def test_tuning_takes_the_least_of_all(diabetes):
    X, y = diabetes.X[:60] / diabetes.X.std(axis=0), diabetes.y[:60]
    gamma, log_sigma = beyond.tuned(X, y, "coefficients")
    gram = gram_matrix(X, gamma=rbf_gamma(np.exp(log_sigma)))
    widths = np.median(np.linalg.norm(X[:, None] - X, axis=2)[np.triu_indices(60, 1)])
    grams = [gram_matrix(X, gamma=rbf_gamma(width)) for width in widths * beyond.WIDTHS]
    least = min(reference.loo_error(K, y, a) for K in grams for a in beyond.ALPHAS)
    assert reference.loo_error(gram, y, gamma) == pytest.approx(least, rel=1e-6)


def test_the_sine_has_its_gap():
    draws = {
        where: beyond.draw_sine(where, 0.0, np.random.default_rng(0))
        for where in beyond.SINE.values()
    }
    gap = {where: (X[:, 0] > 0.4) & (X[:, 0] < 0.6) for where, (X, _) in draws.items()}
    assert not any(inside[:30].any() for inside in gap.values())
    assert gap["gap"][30:].all() and not gap["outside"].any()
    assert 0 < gap["everywhere"][30:].sum() < 60
    X, y = draws["everywhere"]
    np.testing.assert_allclose(y, np.sin(2 * np.pi * X[:, 0]))
    _, noisy = beyond.draw_sine("everywhere", 0.2, np.random.default_rng(0))
    np.testing.assert_allclose(noisy[30:], y[30:])
    assert 0.1 < np.std(noisy[:30] - y[:30]) < 0.3


def test_both_readings_see_the_same_division(diabetes, monkeypatch):
    monkeypatch.setitem(beyond.READINGS, "written", beyond.READINGS["norm"])
    rows = _rows("inductive", {"dataset": "diabetes", "split": 0}, {"diabetes": diabetes})
    first, second = (rows[rows["reading"] == name] for name in beyond.COMPARED)
    columns = rows.columns.drop("reading")
    np.testing.assert_allclose(first[columns], second[columns], rtol=1e-9)


def test_rows_end_with_ridge_regression(diabetes):
    key = {"dataset": "kin32fh", "split": 0}
    rows = _rows("alpha_star", key, {"kin32fh": diabetes})
    assert np.isfinite(rows.drop(columns=["reading", "alpha_star"]).to_numpy()).all()
    for reading, group in rows.groupby("reading"):
        assert (np.diff(group["alpha_star"]) > 0).all() and np.isinf(group["alpha_star"].iloc[-1])
        gamma, log_sigma = beyond.CHOSEN["kin32fh"][reading]
        assert (group["gamma"] == gamma).all() and (group["log_sigma"] == log_sigma).all()
    ridge = rows[np.isinf(rows["alpha_star"])].set_index("reading")
    assert ridge.loc["norm", "mse"] == ridge.loc["norm", "rr_joint_mse"]


def test_the_noise_is_a_parameter():
    key = {"dataset": "sine, outside", "split": 0}
    quiet, loud = (_rows("inductive", key, {}, noise=noise) for noise in (0.01, 1.0))
    assert quiet["loo"].min() < 0.1 * loud["loo"].min()
    assert quiet["mse"].min() < 0.1 * loud["mse"].min()
