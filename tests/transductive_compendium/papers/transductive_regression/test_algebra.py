"""Experiments on the algebra of leave-one-out, on small sizes."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import transductive_compendium.papers.transductive_regression.algebra as algebra
from transductive.leave_one_out import LowRankRidge, RidgeSpectrum
from transductive.leave_one_out import _loo_reference as reference
from transductive_compendium.datasets import load
from transductive_compendium.runner import get

DOCUMENT = "transductive_regression"
ITEMS = ("identities", "small_ridge", "low_rank", "basis_functions")


@pytest.fixture(scope="module")
def standins():
    return {name: load("diabetes") for name in ("boston", "kin32fh", "diabetes")}


def rows_of(item, key, data, seed=0):
    experiment = get(f"{DOCUMENT}/{item}")
    data = {name: data[name] for name in experiment.datasets}
    return pd.DataFrame(experiment.run_unit(key, {}, data, np.random.default_rng(seed)))


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(algebra, "N_TRAIN", 12)
    monkeypatch.setattr(algebra, "N_WORKING", 5)
    monkeypatch.setattr(algebra, "N_POINTS", 8)
    monkeypatch.setattr(algebra, "RANKS", (5, 20, 50))


@pytest.mark.parametrize("item", ITEMS)
def test_tiers_and_standins(item):
    experiment = get(f"{DOCUMENT}/{item}")
    smoke, paper = (experiment.unit_keys({}, tier) for tier in ("smoke", "paper"))
    assert 0 < len(smoke) < len(paper)
    assert set(experiment.substitute) == set(experiment.datasets) - {"diabetes"}


def gram(n=9, seed=0, log_sigma=0.5):
    rng = np.random.default_rng(seed)
    return algebra.gaussian_gram(rng.standard_normal((n, 3)), log_sigma), rng.standard_normal(n)


# ---- identities ---------------------------------------------------------------------------------


def test_identities_hold(standins, few):
    rows = rows_of("identities", {"dataset": "boston", "split": 0}, standins)
    assert list(rows["gamma"]) == list(algebra.GAMMAS)
    exact = rows.drop(columns=["gamma", "printed_conforms", "printed_excess"])
    assert exact.to_numpy().max() < 1e-8
    assert not rows["printed_conforms"].any() and np.all(rows["printed_excess"] > 0)


@pytest.mark.parametrize("gamma", [1e-4, 0.1, 10.0])
def test_closed_form_without_the_basis_function(gamma):
    K, y = gram()
    found = RidgeSpectrum(K, symmetric=True).loo_residuals_without_basis(y, gamma)
    refits = algebra.refits_without_basis_functions(K, y, gamma, "coefficients")
    np.testing.assert_allclose(found[:, 0], refits, atol=1e-8)
    # which is not what (15) gives
    assert np.abs(found[:, 0] - reference.loo_residuals(K, y, gamma)).max() > 1e-3


def test_the_numerical_minimum_knows_no_matrix():
    K, y = gram(14, seed=1)
    form, y0, values = algebra.transduction(K, y[:9], 0.1)
    found = algebra.numerical_minimum(RidgeSpectrum(K, symmetric=True), y[:9], y0, 0.1)
    np.testing.assert_allclose(found, values, rtol=1e-9)
    assert algebra.functional(form, y[:9], y0, found) <= algebra.functional(
        form, y[:9], y0, found + 0.01
    )
    # a defect in (34) would show
    assert algebra.deviation(y0, found) > 1e-2


def test_printed_equation():
    K, y = gram(14, seed=2)
    form, y0, _ = algebra.transduction(K, y[:9], 0.1)
    assert algebra.printed(form, y[:9], y0) is None
    form, y0, values = algebra.transduction(K, y[:7], 0.1)
    wrong = algebra.printed(form, y[:7], y0)
    assert np.abs(wrong - values).max() > 1e-2
    cost = algebra.functional(form, y[:7], y0, values)
    assert algebra.functional(form, y[:7], y0, wrong) > cost
    residuals = reference.refitted_residuals(K, np.r_[y[:7], values], 0.1)
    expected = residuals @ residuals + 0.1 * np.sum((values - y0) ** 2)
    assert cost == pytest.approx(expected, rel=1e-8)


# ---- small ridges -------------------------------------------------------------------------------


def by_fractions(K, y, gamma):
    """C of (26) in rational arithmetic, by Gauss-Jordan elimination."""
    n = len(K)
    K = [[Fraction(float(v)) for v in row] for row in K]
    rows = [[sum(a * b for a, b in zip(r, s, strict=True)) for s in K] for r in K]
    for i in range(n):
        rows[i][i] += Fraction(gamma)
        rows[i] += [Fraction(gamma) * (i == j) for j in range(n)]
    for k in range(n):
        rows[k] = [v / rows[k][k] for v in rows[k]]
        for i in range(n):
            if i != k:
                rows[i] = [a - rows[i][k] * b for a, b in zip(rows[i], rows[k], strict=True)]
    C = [row[n:] for row in rows]
    image = [sum(c * Fraction(float(v)) for c, v in zip(row, y, strict=True)) for row in C]
    form = sum(a * Fraction(float(v)) for a, v in zip(image, y, strict=True))
    residuals = [float(image[i] / C[i][i]) for i in range(n)]
    return np.array(residuals), np.sqrt([float(form / C[i][i]) for i in range(n)])


@pytest.mark.parametrize("gamma", [1.0, 1e-10, 1e-30])
@pytest.mark.parametrize("log_sigma", [0.5, 4.0])
def test_decimal_arithmetic_is_exact(gamma, log_sigma):
    K, y = gram(6, log_sigma=log_sigma)
    residuals, sizes = algebra.exact_loo(K, y, gamma)
    expected, expected_sizes = by_fractions(K, y, gamma)
    np.testing.assert_allclose(residuals, expected, rtol=1e-13)
    np.testing.assert_allclose(sizes, expected_sizes, rtol=1e-13)
    assert np.all(np.abs(residuals) <= sizes * (1 + 1e-12))


def test_small_ridges(standins, few):
    key = {"dataset": "boston", "wider": 4.0, "split": 0}
    rows = rows_of("small_ridge", key, standins)
    assert set(rows["route"]) == set(algebra.ROUTES)
    table = rows.pivot(index="gamma", columns="route", values="error")
    # all routes are right where nothing is small, and one is lost where another is not
    assert table.loc[1.0].max() < 1e-9
    lost = table["K'K formed"] > 1
    assert lost.any() and table["factor of K"][lost].min() < 1e-6
    refused = rows[rows["route"] == "factor of K"].set_index("gamma")["refused"]
    assert not refused[refused.index > 1e-15].any()
    np.testing.assert_array_equal(rows["error"].isna(), rows["refused"])


# ---- low rank -----------------------------------------------------------------------------------


def test_error_of_the_complement_against_eigenvalues():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((20, 2))

    def kernel(A, B):
        return np.exp(-0.2 * np.sum((A[:, None] - B[None]) ** 2, axis=2))

    gamma = 0.1
    spectrum = RidgeSpectrum(kernel(X, X), symmetric=True)
    C = reference.complement(kernel(X, X), gamma)
    found = []
    for rank in (1, 5, 12):
        low = LowRankRidge(X, kernel, gamma, "coefficients", rank)
        T = low.factor @ low.half
        ratios = np.linalg.eigvals(np.linalg.solve(C, np.eye(20) - T @ T.T)).real
        found.append(algebra.complement_error(spectrum, gamma, low.factor))
        expected = max(ratios.max(), 1 / ratios.min()) - 1
        assert found[-1] == pytest.approx(expected, rel=1e-6, abs=1e-8)
    assert found[0] > 1 and found[-1] < 0.1
    whole = np.linalg.cholesky(kernel(X, X) + 1e-14 * np.eye(20))
    assert algebra.complement_error(spectrum, gamma, whole) < 1e-10


def test_low_rank(standins, few):
    rows = rows_of("low_rank", {"n": 90, "split": 0}, standins)
    assert set(rows["rank"]) == {5, 20, 50}
    assert np.all(rows["complement"] <= rows["bound"] * (1 + 1e-9) + 1e-10)
    for _, part in rows.groupby("log_sigma"):
        assert np.all(np.diff(part["truncation"]) < 0) and np.all(np.diff(part["complement"]) < 0)
        assert part["transduction"].iloc[-1] < part["transduction"].iloc[0]
    eta = rows["truncation"]
    # the squared stretch of a shear by eta
    stretch = [np.linalg.norm([[1.0, 0.0], [e, 1.0]], 2) ** 2 - 1 for e in eta]
    np.testing.assert_allclose(rows["bound"], stretch, rtol=1e-6, atol=1e-9)


# ---- whose basis function goes ------------------------------------------------------------------


def test_basis_functions(standins, monkeypatch):
    monkeypatch.setattr(algebra, "BASIS_GAMMAS", np.array([1e-5, 0.1]))
    monkeypatch.setattr(algebra, "BASIS_LOG_SIGMAS", (1.4,))
    rows = rows_of("basis_functions", {"dataset": "boston", "split": 0}, standins)
    assert len(rows) == 2
    # the same rows drawn again, and every column by its definition
    X, targets = algebra.draw("boston", standins, None, np.random.default_rng(0))
    n = 3 * len(X) // 4
    y, truth = targets[:n] - targets[:n].mean(), targets[n:] - targets[:n].mean()
    K = algebra.gaussian_gram(X, 1.4)
    last = rows.iloc[1]
    fitted = K[n:, :n] @ reference.coefficients(K[:n, :n], y, 0.1)
    assert last["test"] == pytest.approx(np.mean((fitted - truth) ** 2), rel=1e-8)
    dual = K[n:, :n] @ np.linalg.solve(K[:n, :n] + 0.1 * np.eye(n), y)
    assert last["test_norm"] == pytest.approx(np.mean((dual - truth) ** 2), rel=1e-8)
    assert last["kept"] == pytest.approx(reference.loo_error(K[:n, :n], y, 0.1), rel=1e-8)
    residuals = RidgeSpectrum(K[:n, :n], symmetric=True).loo_residuals_without_basis(y, 0.1)
    assert last["dropped"] == pytest.approx(np.mean(residuals**2), rel=1e-10)
    refits = []
    for i in range(5):
        keep = np.arange(n) != i
        part = K[:n, :n][np.ix_(keep, keep)]
        refits.append(y[i] - K[i, :n][keep] @ reference.coefficients(part, y[keep], 0.1))
    np.testing.assert_allclose(residuals[:5, 0], refits, rtol=1e-7)
    assert rows["kept"].iloc[0] > 1.2 * rows["dropped"].iloc[0]


def test_same_rows_for_the_same_seed(standins, few):
    key = {"dataset": "kin32fh", "split": 1}
    pd.testing.assert_frame_equal(
        rows_of("identities", key, standins), rows_of("identities", key, standins)
    )
