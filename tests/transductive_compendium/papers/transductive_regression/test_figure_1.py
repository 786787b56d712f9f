"""Figure 1: groups of working points, and rows on small sizes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from paper_rooms import unit_rows

from transductive import TransductiveRidge
from transductive.kernels import gram_matrix, rbf_gamma
from transductive.leave_one_out import LooForm, RidgeSpectrum
from transductive_compendium.papers.transductive_regression import figure_1
from transductive_compendium.papers.transductive_regression.regression_setting import (
    INTERPRETATIONS,
    N_TEST,
    scale,
)


@given(st.integers(1, 60), st.data())
def test_groups_have_their_size_and_cover_every_point_once(n, data):
    size = data.draw(st.integers(1, n))
    covered = []
    for group, kept in figure_1.groups(n, size):
        assert len(set(group)) == size
        covered += list(group[:kept])
    assert covered == list(range(n))


@pytest.mark.parametrize(("reading", "factor"), [("norm", 1), ("written", 1), ("rescaled", None)])
def test_errors_are_those_of_the_estimator(reading, factor, substitutes):
    split = figure_1.Split("boston", substitutes, np.random.default_rng(3))
    rows = np.random.default_rng(3).permutation(442)[: split.n_train + 25]
    train, test = rows[: split.n_train], rows[split.n_train :]
    penalty, scaling, centred, _ = INTERPRETATIONS[reading]
    X, y = scale(substitutes["boston"].X, scaling), substitutes["boston"].y
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


def test_published_parameters_are_among_the_abscissae():
    for name, log_sigma in (("boston", [0.7]), ("kin32fh", [2.0, 2.75])):
        assert set(log_sigma) <= set(figure_1.LOG_SIGMAS[name].round(2))
        assert max(figure_1.SIZES[name]) == N_TEST[name]


def test_rows_over_sigma(substitutes, monkeypatch):
    monkeypatch.setitem(figure_1.LOG_SIGMAS, "boston", np.array([0.7, 1.05]))
    rows = unit_rows("transductive_regression/figure_1a", {"split": 0}, substitutes)
    assert len(rows) == 2 * 3 * 2
    assert np.isfinite(rows[["ridge", "transductive"]].to_numpy()).all()
    # ridge regression has no joint set, and gamma l in (9) is gamma in (8)
    own = rows[rows.source == "leave-one-out"].set_index(["reading", "log_sigma"])
    np.testing.assert_allclose(own.ridge["written"], own.ridge["rescaled"], rtol=0.02)
    assert (own.transductive["written"] != own.transductive["rescaled"]).all()


def test_rows_over_sizes(substitutes):
    rows = unit_rows("transductive_regression/figure_1b", {"split": 0}, substitutes)
    wide = rows[rows.source == "published"].pivot(index="size", columns="reading")
    # ridge regression at the same points, whatever their number
    assert np.ptp(wide["ridge"], axis=0).max() < 1e-9
    # all points make one group
    last = rows[rows["size"] == 25]
    np.testing.assert_allclose(last.transductive, last.transductive_first)
    np.testing.assert_allclose(last.ridge, last.ridge_first)
    assert (wide["transductive"] != wide["transductive_fixed"]).all(axis=None)
    # the sweep over sigma has the same fits, at gamma* = 10
    split = figure_1.Split("boston", substitutes, np.random.default_rng(0))
    _, (fixed,) = split.errors("norm", 0.005, 0.7, 25, [10.0])
    assert wide["transductive_fixed"]["norm"][25] == pytest.approx(fixed.mean())


def test_a_small_substitute_has_fewer_sizes(substitutes):
    rows = unit_rows("transductive_regression/figure_1d", {"split": 0}, substitutes)
    assert rows["size"].max() <= 442 // 4
