"""Figure 1 of transductive regression and the search for its parameters, on small sizes."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from transductive import TransductiveRidge
from transductive.kernels import gram_matrix, rbf_gamma
from transductive.leave_one_out import LooForm, RidgeSpectrum
from transductive_compendium.datasets import load
from transductive_compendium.papers.transductive_regression import regression as figures
from transductive_compendium.papers.transductive_regression import scaling_search as search
from transductive_compendium.runner import get
from transductive_compendium.runner.records import results_folder

DOCUMENT = "transductive_regression"


@pytest.fixture(scope="module")
def standins():
    return {"boston": load("diabetes"), "kin32fh": load("diabetes")}


def _rows(run_unit, key, data, seed=0):
    return pd.DataFrame(run_unit(key, {}, data, np.random.default_rng(seed)))


@pytest.mark.parametrize("item", ["parameter_search", "figure_1a", "figure_1b", "figure_1d"])
def test_smoke_is_the_beginning_of_paper(item):
    experiment = get(f"{DOCUMENT}/{item}")
    smoke, paper = (experiment.unit_keys({}, tier) for tier in ("smoke", "paper"))
    assert 0 < len(smoke) < len(paper)


# ---- scalings and readings ----------------------------------------------------------------------


def test_scalings_are_what_they_are_called(standins):
    X = standins["boston"].X
    np.testing.assert_array_equal(search.scale(X, "raw"), X)
    scaled = search.scale(X, "unit variance")
    np.testing.assert_allclose([scaled.mean(0), scaled.std(0)], [[0] * 10, [1] * 10], atol=1e-9)
    scaled = search.scale(X, "[-1, 1]")
    np.testing.assert_allclose([scaled.min(0), scaled.max(0)], [[-1] * 10, [1] * 10])
    np.testing.assert_allclose((search.scale(X, "unit mean square") ** 2).mean(0), 1.0)


@pytest.mark.parametrize(
    ("kernel", "divisor"), [("2 sigma^2", 2), ("sigma^2", 1), ("4 sigma^2", 4)]
)
@pytest.mark.parametrize("base", [np.e, 10.0, 2.0])
def test_a_reading_is_a_shift_of_ln_sigma(kernel, divisor, base, standins):
    """On [0, 1] with any kernel and base: the same Gram matrix as on [-1, 1] with the shift."""
    X = standins["boston"].X[:9]
    X01 = (X - X.min(0)) / np.ptp(X, axis=0)
    log_sigma = 0.7
    gram = gram_matrix(X01, gamma=1.0 / (divisor * base ** (2 * log_sigma)))
    family, shift = search.SCALINGS["[0, 1]"]
    ln = log_sigma * np.log(base) + shift + search.KERNELS[kernel]
    same = gram_matrix(search.scale(X, family), gamma=rbf_gamma(np.exp(ln)))
    np.testing.assert_allclose(gram, same, rtol=1e-10)


def test_the_published_point_of_every_reading_is_on_the_grid():
    for name, (n_train, gamma, log_sigma) in search.PUBLISHED.items():
        for factor in (1, n_train):
            assert np.abs(search.gammas(name) - gamma * factor).min() < 1e-9
        for family, shift in search.SCALINGS.values():
            for kernel in search.KERNELS.values():
                for base in search.BASES.values():
                    there = log_sigma * base + kernel + shift
                    assert np.abs(search.log_sigmas(name, family) - there).min() < 1e-9


def test_one_factorisation_serves_both_penalties(standins):
    X, y = search.scale(standins["boston"].X[:40], "unit variance"), standins["boston"].y[:40]
    gram = gram_matrix(X, gamma=0.1)
    for penalty, ridge in search.both_penalties(gram.copy()).items():
        alone = RidgeSpectrum(gram, symmetric=True, penalty=penalty)
        np.testing.assert_allclose(ridge.loo_errors(y, [0.1, 1]), alone.loo_errors(y, [0.1, 1]))
        np.testing.assert_allclose(ridge.coefficients(y, 0.1), alone.coefficients(y, 0.1))


def test_search_rows_are_means_over_the_splits(standins, monkeypatch):
    monkeypatch.setattr(search, "log_sigmas", lambda name, scaling: np.array([0.5]))
    rows = _rows(search._run_search, {"dataset": "kin32fh", "group": 0}, standins)
    assert len(rows) == 4 * len(search.gammas("kin32fh"))
    row = rows[(rows.scaling == "[-1, 1]") & (rows.gamma == 0.1)].iloc[0]
    rng = np.random.default_rng(0)
    X, errors = search.scale(standins["kin32fh"].X, "[-1, 1]"), []
    for _ in range(search.N_SPLITS):
        train = rng.permutation(442)[:64]
        gram = gram_matrix(X[train], gamma=rbf_gamma(np.exp(0.5)))
        y = standins["kin32fh"].y[train]
        inverse = np.linalg.inv(gram + 0.1 * np.eye(64))  # penalty "norm"
        errors.append(np.mean((inverse @ (y - y.mean()) / np.diag(inverse)) ** 2))
    assert row.norm_centred == pytest.approx(np.mean(errors))


def test_chosen_parameters_are_those_that_the_recorded_search_found():
    if not (path := results_folder() / DOCUMENT / "parameter_search.csv").is_file():
        pytest.skip("not recorded yet")
    rows = pd.read_csv(path)
    for name, readings in figures.CHOSEN.items():
        for reading, (gamma, log_sigma) in readings.items():
            penalty, scaling, centred, per_point = figures.READINGS[reading]
            column = f"{penalty}_{'centred' if centred else 'raw'}"
            surface = rows[(rows.dataset == name) & (rows.scaling == scaling)]
            best = surface.loc[surface[column].idxmin()]
            n_train = search.PUBLISHED[name][0] if per_point else 1
            assert best.gamma == pytest.approx(gamma * n_train)
            assert best.log_sigma == pytest.approx(log_sigma, abs=0.005)


# ---- working points that join -------------------------------------------------------------------


@given(st.integers(1, 60), st.data())
def test_groups_have_their_size_and_cover_every_point_once(n, data):
    size = data.draw(st.integers(1, n))
    covered = []
    for group, kept in figures.groups(n, size):
        assert len(set(group)) == size
        covered += list(group[:kept])
    assert covered == list(range(n))


@pytest.mark.parametrize(("reading", "factor"), [("norm", 1), ("written", 1), ("rescaled", None)])
def test_errors_are_those_of_the_estimator(reading, factor, standins):
    split = figures.Split("boston", standins, np.random.default_rng(3))
    rows = np.random.default_rng(3).permutation(442)[: split.n_train + 25]
    train, test = rows[: split.n_train], rows[split.n_train :]
    penalty, scaling, centred, _ = figures.READINGS[reading]
    X, y = search.scale(standins["boston"].X, scaling), standins["boston"].y
    shift = y[train].mean() if centred else 0.0
    ridge, (found,) = split.errors(reading, 0.05, 1.0, 25, [10.0])

    def fit(factor):
        model = TransductiveRidge(
            0.05 * factor, 10.0, gamma=rbf_gamma(np.e), penalty=penalty, rank=None
        )
        return model.fit(X[train], y[train] - shift, X[test])

    inductive = fit(factor or split.n_train).inductive_
    np.testing.assert_allclose(ridge, (inductive + shift - y[test]) ** 2, rtol=1e-5)
    if factor:
        np.testing.assert_allclose(found, (fit(1).transduction_ + shift - y[test]) ** 2, rtol=1e-5)
    else:
        # 1/l for ridge regression, 1/(l + m) for the joint set
        gram = gram_matrix(X[rows], gamma=rbf_gamma(np.e))
        n = len(rows)
        form = LooForm(RidgeSpectrum(gram, symmetric=True), 0.05 * n, split.n_train)
        values = form.transduce(y[train] - shift, inductive, 10.0)
        np.testing.assert_allclose(found, (values + shift - y[test]) ** 2, rtol=1e-5)


# ---- rows of the figures ------------------------------------------------------------------------


def test_published_parameters_are_among_the_abscissae():
    for name, log_sigma in (("boston", [0.7]), ("kin32fh", [2.0, 2.75])):
        assert set(log_sigma) <= set(figures.LOG_SIGMAS[name].round(2))
        assert max(figures.SIZES[name]) == search.N_TEST[name]


def test_rows_over_sigma(standins, monkeypatch):
    monkeypatch.setitem(figures.LOG_SIGMAS, "boston", np.array([0.7, 1.05]))
    rows = _rows(lambda *a: figures._run_sigmas("boston", *a), {"split": 0}, standins)
    assert len(rows) == 2 * 3 * 2
    assert np.isfinite(rows[["ridge", "transductive"]].to_numpy()).all()
    # ridge regression has no joint set, and gamma l in (9) is gamma in (8)
    own = rows[rows.source == "leave-one-out"].set_index(["reading", "log_sigma"])
    np.testing.assert_allclose(own.ridge["written"], own.ridge["rescaled"], rtol=0.02)
    assert (own.transductive["written"] != own.transductive["rescaled"]).all()


def test_rows_over_sizes(standins):
    rows = _rows(lambda *a: figures._run_sizes("boston", *a), {"split": 0}, standins)
    wide = rows[rows.source == "published"].pivot(index="size", columns="reading")
    # ridge regression at the same points, whatever their number
    assert np.ptp(wide["ridge"], axis=0).max() < 1e-9
    # all points make one group
    last = rows[rows["size"] == 25]
    np.testing.assert_allclose(last.transductive, last.transductive_first)
    np.testing.assert_allclose(last.ridge, last.ridge_first)
    assert (wide["transductive"] != wide["transductive_fixed"]).all(axis=None)
    # the sweep over sigma has the same fits, at gamma* = 10
    split = figures.Split("boston", standins, np.random.default_rng(0))
    _, (fixed,) = split.errors("norm", 0.005, 0.7, 25, [10.0])
    assert wide["transductive_fixed"]["norm"][25] == pytest.approx(fixed.mean())


def test_a_small_standin_has_fewer_sizes(standins):
    rows = _rows(lambda *a: figures._run_sizes("kin32fh", *a), {"split": 0}, standins)
    assert rows["size"].max() <= 442 // 4
