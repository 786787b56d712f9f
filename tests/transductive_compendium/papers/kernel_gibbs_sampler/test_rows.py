"""What recorded rows say of themselves: densities, circles, unit vectors, shares of flips."""

import numpy as np
import pytest

from transductive.kernels import gram_matrix
from transductive_compendium.exact.arrangement import Arrangement
from transductive_compendium.papers.kernel_gibbs_sampler.diversity import N_SAMPLES
from transductive_compendium.papers.kernel_gibbs_sampler.figure_4 import (
    PENALTIES_BEYOND,
    SHARED_VALUES,
)
from transductive_compendium.papers.kernel_gibbs_sampler.surrogates import substitute
from transductive_compendium.runner import get, load_recorded


def recorded(name):
    return load_recorded(f"kernel_gibbs_sampler/{name}")[0]


def test_figure_1_is_a_density():
    for (_, m), field in recorded("figure_1").groupby(["points", "m"]):
        assert len(field) == 45 * 90
        if m == 10:
            part = np.sin(field.latitude) * (np.pi / 45) ** 2 / (4 * np.pi)
            assert np.exp(field.log_posterior) @ part == pytest.approx(1.0, abs=0.05)
        # log posterior and error count are the same up to scale: beta = log 4
        slope = np.polyfit(field.errors, field.log_posterior, 1)[0]
        assert slope == pytest.approx(-np.log(4.0))
        # many points: the highest field is near the teacher, the pole
        if m == 1000:
            assert field.loc[field.log_posterior.idxmax()].latitude > np.pi - 0.3


def test_figure_2_shows_one_circle():
    kinds = {kind: part for kind, part in recorded("figure_2").groupby("kind")}
    place = {kind: part[["x", "y", "z"]].to_numpy() for kind, part in kinds.items()}
    signed = kinds["point"].label.to_numpy()[:, None] * place["point"]
    w, v, drawn = place["position"][0], place["direction"][0], place["draw"][0]
    assert np.array([w @ w, v @ v, drawn @ drawn, w @ v]) == pytest.approx([1, 1, 1, 0])
    crossed = signed[kinds["hit"]["index"].astype(int)]
    assert np.abs(np.sum(crossed * place["hit"], axis=1)).max() < 1e-12
    arcs = kinds["arc"]
    assert len(arcs) == 2 * len(signed)
    assert (arcs.stop - arcs.start).sum() == pytest.approx(2 * np.pi)
    assert (arcs.stop - arcs.start) @ arcs.density == pytest.approx(1.0)
    middles = 0.5 * (arcs.start + arcs.stop).to_numpy()
    W = np.cos(middles)[:, None] * w + np.sin(middles)[:, None] * v
    assert arcs.errors.tolist() == np.sum(W @ signed.T <= 0, axis=1).tolist()
    angle = kinds["draw"].start.iloc[0]
    np.testing.assert_allclose(np.cos(angle) * w + np.sin(angle) * v, drawn, atol=1e-12)
    # the flipped label cannot be fitted
    assert Arrangement(signed).errors.min() == 1


def test_figure_3_holds_unit_vectors():
    X, y = substitute("clouds", 76, np.random.default_rng(0))
    gram = gram_matrix(X, gamma=0.5)
    for _, rows in recorded("figure_3").groupby("q"):
        points = rows[rows.kind == "point"]
        np.testing.assert_array_equal(points[["x1", "x2"]], X)
        assert points.label.tolist() == y.tolist()
        outputs = rows[rows.kind == "sample"].output.to_numpy().reshape(N_SAMPLES, 76)
        # the outputs at the training points tell all of w: w = sum of a_i x_i with K a = outputs
        squares = np.sum(np.linalg.solve(gram, outputs.T) * outputs.T, axis=0)
        assert squares == pytest.approx(np.ones(N_SAMPLES), abs=1e-6)


def test_figure_4_rows():
    rows = recorded("figure_4")
    rows = rows[rows.set < 3]
    assert list(rows.value) == list(SHARED_VALUES + PENALTIES_BEYOND) * 3
    shared = rows[rows.value.isin(SHARED_VALUES)]
    assert rows[~rows.value.isin(SHARED_VALUES)].bpm_error.isna().all()
    assert shared.notna().all(axis=None)
    # what 100 samples lose
    assert (shared.bpm_true_error - shared.exact_true_error).abs().mean() < 0.01
    for name in ("bpm", "exact", "svm"):
        true, noisy = shared[f"{name}_true_error"], shared[f"{name}_error"]
        assert (true < 0.1).all()
        # flips cost at most their share, 5 % of 1000, here within five standard deviations
        assert ((noisy - true).abs() < 0.085).all() and noisy.mean() > true.mean()


def test_diversity_grows_with_noise():
    rows = recorded("diversity")
    levels = rows.groupby("q").disagreement_training.mean()
    assert levels.index.tolist() == [0.0, 0.05, 0.1, 0.2, 0.3]
    assert (np.diff(levels) > 0).all()
    none = rows[rows.q == 0.0]
    assert not none.disagreement_training.any() and not none.training_error.any()
    # 2 p (1 - p) is at most the entropy in bits over two
    assert (rows.disagreement_plane <= rows.entropy_plane / 2 + 1e-12).all()


def test_both_rates_of_flips_see_the_same_points():
    """The rise by noise is one of the same sets; there are no flips where there is no noise."""
    rows = recorded("uses")
    svm = rows[rows["kind"] == "svm"]
    assert set(svm.loc[svm["flip_rate"] == 0.0, "level"]) == {0.0}
    assert svm.loc[svm["flip_rate"] > 0.0, "level"].nunique() == 9
    points = rows[rows["kind"] == "majority"].groupby(["set", "flip_rate"])["points"].sum()
    assert (points == 1000).all()


def test_modes_are_many_and_low():
    rows = recorded("modes")
    assert (rows.modes_cells >= rows.modes_2).all() and (rows.modes_10 >= 1).all()
    assert (rows.modes_cells > 1).any() and (rows.modes_cells == 1).any()
    assert (rows.fewest <= rows.errors_of_teacher).all()
    keys = get("kernel_gibbs_sampler/modes").unit_keys({}, "full")
    assert {key["m"] for key in keys} == {10, 30, 100, 300, 1000}
