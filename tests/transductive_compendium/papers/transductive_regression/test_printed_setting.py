"""Section 4.1 as printed, against the equations written out."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from transductive.kernels import gram_matrix
from transductive.leave_one_out import LooForm, RidgeSpectrum
from transductive_compendium.datasets import available, load
from transductive_compendium.exact import loo_reference as reference
from transductive_compendium.papers.transductive_regression import printed_setting as printed
from transductive_compendium.papers.transductive_regression.figure_1 import places
from transductive_compendium.runner import get, load_recorded
from transductive_compendium.runner.seeding import unit_rng


def test_delve_divides_by_the_mean_absolute_deviation_from_the_median():
    train = np.array([[0.0, 1.0], [1.0, 0.0], [5.0, 1.0]])
    test = np.array([[2.0, 0.0]])
    a, b = printed.encoded(train, test, "delve")
    # median 1, deviations 1, 0, 4 over n - 1; two values become -1 and 1
    np.testing.assert_allclose(a[:, 0], [-0.4, 0.0, 1.6])
    np.testing.assert_allclose(b[0], [0.4, -1.0])
    np.testing.assert_allclose(a[:, 1], [1.0, -1.0, 1.0])
    a, _ = printed.encoded(train, test, "variance")
    assert a[:, 0].mean() == pytest.approx(0.0) and a[:, 0].std(ddof=1) == pytest.approx(1.0)
    a, _ = printed.encoded(train, test, "unit_range")
    assert (a[:, 0].min(), a[:, 0].max()) == (-1.0, 1.0)
    assert printed.encoded(train, test, "raw")[0] is train
    # both features have mean 0 and variance 1, whichever scaling the other choice names
    a, b = printed.encoded(train, test, "delve", binary="standardised")
    np.testing.assert_allclose([a.mean(axis=0), a.var(axis=0, ddof=1)], [[0, 0], [1, 1]], atol=1e-9)
    np.testing.assert_allclose(b[0, 1], -2 / 3 / np.sqrt(1 / 3))
    with pytest.raises(KeyError):
        printed.encoded(train, test, "delve", binary="no such option")


@pytest.mark.skipif(not available("boston"), reason="needs boston")
def test_dividing_by_n_moves_no_gain(monkeypatch):
    item, gains = "transductive_regression/figure_1a", {1: [], 0: []}
    for ddof, found in gains.items():
        scaling = {"variance": lambda x, n=ddof: (x.mean(axis=0), x.std(axis=0, ddof=n))}
        monkeypatch.setattr(printed, "SCALINGS", scaling)
        for seed in range(8):
            rng = np.random.default_rng(seed)
            split = printed.PrintedSplit(load("boston"), "boston", get(item).defaults, rng)
            fit = split.at(0.7)
            values = [fit.ridge_values(0.005), *fit.transduced(0.005, np.arange(25), [10.0])]
            found.append(-np.diff(((values - split.truth) ** 2).mean(axis=1))[0])
    moves, rows = np.subtract(gains[0], gains[1]), load_recorded(item)[0].query("place == 'named'")
    interval = 2 * 1.96 * (rows["ridge"] - rows["transductive"]).sem()
    assert abs(moves.mean()) + 3 * moves.std(ddof=1) / np.sqrt(8) < interval / 10


@settings(max_examples=30)
@given(
    st.integers(2, 30), st.integers(1, 40), st.floats(1e-3, 10), st.floats(0, 100), st.integers(0)
)
def test_joining_gives_what_the_joint_factorisation_gives(l, m, alpha, alpha_star, seed):
    rng = np.random.default_rng(seed)
    X, y, y0 = rng.standard_normal((l + m, 3)), rng.standard_normal(l), rng.standard_normal(m)
    gram, group = gram_matrix(X, gamma=0.2), rng.permutation(m)[: rng.integers(1, m + 1)]
    ridge, rows = RidgeSpectrum(gram[:l, :l]), np.r_[:l, l + group]
    joining = printed.JoiningPoints(ridge, gram[:l, l:], gram[l:, l:], y, alpha)
    (values,) = joining.transduce(group, y0[group], [alpha_star])
    joint = LooForm(RidgeSpectrum(gram[np.ix_(rows, rows)]), alpha, l)
    expected = joint.transduce(y, y0[group], alpha_star)
    np.testing.assert_allclose(values, expected, rtol=1e-6, atol=1e-7)


ITEM = "transductive_regression/figure_1c"


def split_of(table, **options):
    params = {name: p.default for name, p in get(ITEM).parameters.items()} | options
    return printed.PrintedSplit(table, "kin32fh", params, np.random.default_rng(0))


@pytest.mark.parametrize("scale", ["closed_form", "functional"])
@pytest.mark.parametrize("basis", ["training", "all"])
def test_values_are_those_of_the_equations(diabetes, scale, basis):
    split = split_of(diabetes, gamma_scale=scale, y0_basis=basis)
    gamma, log_sigma, group = 0.1, 2.0, np.arange(7)
    fit = split.at(log_sigma)
    X = np.vstack([split.X, split.X_test[group]])
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / (2 * np.exp(log_sigma) ** 2))
    n = split.n_train
    times, joint_times = (n, n + 7) if scale == "functional" else (1, 1)
    part = slice(None) if basis == "all" else slice(n)
    alpha = reference.coefficients(K[:n, part], split.y, gamma * times)
    y0 = K[n:, part] @ alpha
    np.testing.assert_allclose(fit.start(gamma, group), y0, rtol=1e-6)
    M = reference.loo_matrix(reference.complement(K, gamma * joint_times))
    expected = reference.transduce(M, split.y, y0, 0.3)
    np.testing.assert_allclose(fit.transduced(gamma, group, [0.3])[0], expected, rtol=1e-5)
    # what is plotted of ridge regression has the training basis functions
    plain = K[n:, :n] @ reference.coefficients(K[:n, :n], split.y, gamma * times)
    np.testing.assert_allclose(fit.ridge_values(gamma)[group], plain, rtol=1e-6)
    loo = [np.mean(reference.loo_residuals(K[:n, :n], split.y, g * times) ** 2) for g in (0.1, 10)]
    np.testing.assert_allclose(fit.ridge.loo_errors(split.y, np.array([0.1, 10]) * times), loo)


def test_the_target_is_centred_by_the_training_cases(diabetes):
    assert np.median(split_of(diabetes).y) == 0.0
    assert split_of(diabetes, target="mean").y.mean() == pytest.approx(0.0, abs=1e-9)
    assert split_of(diabetes, target="raw").y.min() > 0


def test_places_of_the_curves():
    wide, narrow = {"sigma_range": "wide"}, {"sigma_range": "narrow"}
    quantiles = {f"q{q}": -0.3 + q / 50 for q in range(10, 100, 10)}
    assert places("boston", wide, 0.7) == pytest.approx({"named": 0.7} | quantiles)
    quantiles = {f"q{q}": 1.0 + q / 50 for q in range(10, 100, 20)}
    others = {"named": 2.0, "figure 1d": 2.75}
    assert places("kin32fh", wide, 2.0) == pytest.approx(quantiles | others)
    assert places("boston", narrow, 0.7)["q10"] == pytest.approx(0.46)


@pytest.mark.parametrize("item", ["figure_1b", "figure_1d"])
def test_blocks_count_every_test_point_once(item, substitutes):
    experiment = get(f"transductive_regression/{item}")
    params = {name: parameter.default for name, parameter in experiment.parameters.items()}

    def rows(**options):
        rng = np.random.default_rng(0)
        return experiment.run_unit({"split": 0}, params | options, substitutes, rng)

    subset, blocks = rows(), rows(sizes="blocks")
    # ridge regression's error does not depend on the size where all points count
    assert len({row["ridge"] for row in blocks}) == 1 < len({row["ridge"] for row in subset})
    if item == "figure_1b":  # the largest size is the whole test set
        assert subset[-1]["transductive"] == pytest.approx(blocks[-1]["transductive"])


@pytest.mark.parametrize("name", printed.DATASETS)
def test_recorded_errors_are_those_of_a_plain_second_program(name):
    """(9), (17), (26), (27) and (34) line by line, on one division, against the recorded row."""
    item, n, m, gamma, log_sigma, gamma_star = {
        "boston": ("transductive_regression/figure_1a", 481, 25, 0.005, 0.7, 10.0),
        "kin32fh": ("transductive_regression/figure_1c", 64, 256, 0.1, 2.0, 0.1),
    }[name]
    if not available(name):
        pytest.skip(f"the {name} data are not at hand")
    table = load(name)
    order = unit_rng(get(item).stream, 0, {"split": 1}).permutation(len(table.y))[: n + m]
    X, y = table.X[order], table.y[order]
    Z = (X - X[:n].mean(axis=0)) / X[:n].std(axis=0, ddof=1)
    if name == "boston":  # CHAS
        Z[:, 3] = 2.0 * X[:, 3] - 1.0
    y = y - np.median(y[:n])
    squares = np.sum(Z**2, axis=1)
    squares = squares[:, None] + squares - 2.0 * Z @ Z.T
    K = np.exp(-np.maximum(squares, 0.0) / (2.0 * np.exp(log_sigma) ** 2))
    train = K[:n, :n]
    alpha = np.linalg.solve(train.T @ train + gamma * np.eye(n), train.T @ y[:n])
    y0 = K[n:, :n] @ alpha
    C = np.eye(n + m) - K @ np.linalg.solve(K.T @ K + gamma * np.eye(n + m), K.T)
    M = (C / np.diag(C) ** 2) @ C
    values = np.linalg.solve(
        gamma_star * np.eye(m) + M[n:, n:], gamma_star * y0 - M[:n, n:].T @ y[:n]
    )
    (row,) = load_recorded(item)[0].query("split == 1 and place == 'named'").itertuples()
    assert row.ridge == pytest.approx(np.mean((y0 - y[n:]) ** 2), rel=1e-5)
    assert row.transductive == pytest.approx(np.mean((values - y[n:]) ** 2), rel=1e-5)
