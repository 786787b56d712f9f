"""LD and TLD of Table 1 by refits and least squares: under other options, and as recorded."""

import numpy as np
import pytest
from sklearn.model_selection import KFold

from transductive import TransductiveRidge
from transductive_compendium.datasets import available, load
from transductive_compendium.papers.transductive_regression import table_1_discriminants
from transductive_compendium.papers.transductive_regression.table_1_chosen import CHOSEN
from transductive_compendium.papers.transductive_regression.table_1_discriminants import (
    Discriminants,
)
from transductive_compendium.runner import load_recorded


@pytest.fixture
def sample():
    rng = np.random.default_rng(5)
    X, X_working = rng.standard_normal((18, 2)), rng.standard_normal((7, 2))
    return X, np.sign(X[:, 0] + 0.5 * rng.standard_normal(18)), X_working


def gram(A, B, sigma=1.5):
    return np.exp(-((A[:, None] - B) ** 2).sum(axis=2) / (2.0 * sigma**2))


def fitted(K, gamma):
    """What turns targets into coefficients: a minimum of |K a - y|^2 + gamma |a|^2."""
    return np.linalg.solve(K.T @ K + gamma * np.eye(K.shape[1]), K.T)


def transduced(K, y, y0, gamma, gamma_star):
    """Y* of least |leave-one-out residuals|^2 + gamma* |Y* - Y0|^2, K the design of all pairs."""
    residuals = np.eye(len(K))  # as a matrix on the targets: each pair left out and predicted
    whole = K.T @ K + gamma * np.eye(K.shape[1])
    for i in range(len(K)):
        rest = np.delete(np.arange(len(K)), i)
        residuals[i, rest] -= K[rest] @ np.linalg.solve(whole - np.outer(K[i], K[i]), K[i])
    known, free = residuals[:, : len(y)], residuals[:, len(y) :]
    system = np.vstack([free, np.sqrt(gamma_star) * np.eye(len(y0))])
    return np.linalg.lstsq(system, np.r_[-known @ y, np.sqrt(gamma_star) * y0], rcond=None)[0]


def test_the_defaults_are_transductive_ridge(sample):
    one = TransductiveRidge(0.3, 0.7, gamma=1 / (2 * 1.5**2)).fit(*sample)
    both = Discriminants(*sample, 1.5)
    np.testing.assert_allclose(both.start(0.3), one.inductive_)
    np.testing.assert_allclose(both.transduced(0.3, [0.7])[0], one.transduction_)


@pytest.mark.parametrize(
    ("options", "times"),
    [
        ({"tld_basis": "linear", "y0_basis": "all"}, (1, 1)),
        ({"y0_basis": "all"}, (1, 1)),
        ({"gamma_scale": "functional"}, (18, 25)),
    ],
)
def test_options_are_refits_with_other_functions_or_gammas(sample, options, times):
    """Linear functions are the inputs and a constant; gamma is times the points that are fitted."""
    X, y, X_working = sample
    points = np.vstack([X, X_working])
    linear = "tld_basis" in options
    design = np.c_[points, np.ones(25)] if linear else gram(points, points)
    of_start = design if "y0_basis" in options else design[:, :18]
    both = Discriminants(*sample, 1.5, **options)
    start = of_start[18:] @ fitted(of_start[:18], 0.05 * times[0]) @ y
    np.testing.assert_allclose(both.start(0.05), start)
    expected = transduced(design, y, start, 0.05 * times[1], 0.7)
    np.testing.assert_allclose(both.transduced(0.05, [0.7])[0], expected)
    default = Discriminants(*sample, 1.5)
    ridge = start if linear else default.ridge(0.05 * times[0])
    np.testing.assert_allclose(both.ridge(0.05), ridge)
    if not linear:
        errors = default.loo_errors([0.05 * times[0]])
        np.testing.assert_allclose(both.loo_errors([0.05]), errors)


@pytest.mark.parametrize("tld_basis", ["rbf", "linear"])
def test_low_rank_loses_nothing(sample, monkeypatch, tld_basis):
    sample = (*sample[:2], np.random.default_rng(2).standard_normal((80, 2)))
    both = Discriminants(*sample, 30.0, tld_basis=tld_basis)
    full = both.transduced(1.0, [0.5])[0]
    monkeypatch.setattr(table_1_discriminants, "MIN_LOW_RANK", 1)
    assert isinstance(both._form(1.0), table_1_discriminants.LowRankLooForm)
    np.testing.assert_allclose(both.transduced(1.0, [0.5])[0], full, rtol=1e-6, atol=1e-9)


def n_wrong(table, train, test, sigma, gamma, gamma_star):
    """Wrong signs of Y* on the test rows, half of a sign where the value is zero."""
    points = np.vstack([table.X[train], table.X[test]])
    y, K = table.y[train], gram(points, points, sigma)
    l = len(train)
    y0 = K[l:, :l] @ fitted(K[:l, :l], gamma) @ y
    values = transduced(K, y, y0, gamma, gamma_star)
    return np.sum(values * table.y[test] < -1e-9) + 0.5 * np.sum(np.abs(values) <= 1e-9)


def recorded(item, dataset):
    """Rows and data, if these are at hand."""
    if not available(dataset):
        pytest.skip(f"the {dataset} data are not at hand")
    rows = load_recorded(f"transductive_regression/{item}")[0]
    return rows[rows["dataset"] == dataset], load(dataset)


@pytest.mark.parametrize("name", ["ida_heart", "ida_thyroid"])
def test_recorded_errors_are_those_of_refits(name):
    rows, table = recorded("table_1", name)
    for split, train in enumerate(table.partitions[:3]):
        test = np.setdiff1d(np.arange(len(table.y)), train)
        wrong = n_wrong(table, train, test, *CHOSEN["least_mean"][name]["TLD"])
        error = rows.set_index("split").loc[split, "tld_error"]
        assert error == pytest.approx(100.0 * wrong / len(test))


def test_recorded_validation_errors_are_those_of_refits():
    """The candidate chosen and one beside it, on the first training set."""
    rows, table = recorded("table_1_choice", "ida_heart")
    rows = rows.query("method == 'TLD' and working == 'fold' and training_set == 0")
    counts = rows.set_index(["sigma", "gamma", "gamma_star"])["wrong"]
    train = table.partitions[0]
    folds = list(KFold(5, shuffle=True, random_state=0).split(train))
    for candidate in (CHOSEN["least_mean"]["ida_heart"]["TLD"], (1.8, 0.01, 1.0)):
        assert counts[candidate] == sum(
            n_wrong(table, train[fit], train[held], *candidate) for fit, held in folds
        )
