"""Experiments on the sampled posterior: modes, steps, diversity, votes, rejection."""

import itertools

import numpy as np
import pandas as pd
import pytest

from transductive._exact.arrangement import Arrangement
from transductive.kernels import gram_matrix
from transductive.version_space import KernelGibbsSampler
from transductive_compendium.datasets import available
from transductive_compendium.papers.kernel_gibbs_sampler.posterior import (
    POINTS,
    folded_points,
    highest_density_pieces,
    prominences,
)
from transductive_compendium.papers.kernel_gibbs_sampler.votes import N_SAMPLES, crescents
from transductive_compendium.rejection_curves import outcomes
from transductive_compendium.runner import get, run

DOCUMENT = "kernel_gibbs_sampler"
real_data = pytest.mark.skipif(
    not (available("thyroid") and available("heart")), reason="the data are not at hand"
)


def rows_of(item, tmp_path, **params):
    done = run(f"{DOCUMENT}/{item}", params=params, progress=False, store=tmp_path)
    return done.rows


def cells_and_pairs(m, flip_rate, seed, points="uniform"):
    cells = Arrangement(folded_points(points, m, flip_rate, np.random.default_rng(seed)))
    return cells, cells.neighbours()


def components(nodes, pairs):
    """Connected components by plain search: a list of sets."""
    near = {i: set() for i in nodes}
    for u, v in pairs.T.tolist():
        if u in near and v in near:
            near[u].add(v)
            near[v].add(u)
    found = []
    while near:
        piece, rim = set(), {next(iter(near))}
        while rim:
            piece |= rim
            rim = set().union(*(near.pop(i) for i in rim)) - piece
        found.append(piece)
    return found


# ---- cells of the sphere ------------------------------------------------------------------------


@pytest.mark.parametrize("points", POINTS)
def test_neighbours_differ_in_one_point(points):
    m = 9
    cells, pairs = cells_and_pairs(m, 0.2, 1, points)
    right = cells.interior @ cells.points.T > 0
    expected = {
        (u, v)
        for u, v in itertools.combinations(range(len(right)), 2)
        if np.sum(right[u] != right[v]) == 1
    }
    found = [tuple(sorted(pair)) for pair in pairs.T.tolist()]
    assert len(found) == len(set(found)) == 2 * m * (m - 1)
    assert set(found) == expected


def test_prominences_on_a_path():
    errors = np.array([2, 1, 2, 3, 2, 1, 0, 1, 2, 1, 2])
    pairs = np.array([np.arange(10), np.arange(1, 11)])
    modes, prominence = prominences(errors, pairs)
    assert modes.tolist() == [1, 6, 9]
    assert prominence.tolist() == [2.0, np.inf, 1.0]


@pytest.mark.parametrize("seed", range(4))
def test_prominences_by_flooding(seed):
    """Below every level, the modes that are left are the pieces of what is flooded."""
    cells, pairs = cells_and_pairs(25, 0.3, seed)
    modes, prominence = prominences(cells.errors, pairs)
    assert modes.tolist() == np.flatnonzero(cells.is_mode).tolist()
    assert np.sum(np.isinf(prominence)) == 1
    bottom = cells.errors[modes]
    for level in np.unique(cells.errors):
        pieces = components(np.flatnonzero(cells.errors <= level).tolist(), pairs)
        assert len(pieces) == np.sum((bottom <= level) & (bottom + prominence > level))


def test_one_mode_without_label_noise():
    """Towards a separating vector the errors fall, and never rise, from wherever one starts."""
    noisy = 0
    for seed in range(20):
        cells, pairs = cells_and_pairs(12, 0.0, seed)
        assert len(prominences(cells.errors, pairs)[0]) == 1
        noisy += cells_and_pairs(12, 0.2, seed)[0].is_mode.sum() > 1
    assert noisy >= 10


@pytest.mark.parametrize("mass", [0.3, 0.95])
def test_highest_density_pieces(mass):
    cells, pairs = cells_and_pairs(20, 0.3, 3)
    posterior = cells.posterior(0.2)
    level = next(k for k in range(21) if posterior[cells.errors <= k].sum() >= mass)
    expected = components(np.flatnonzero(cells.errors <= level).tolist(), pairs)
    pieces = highest_density_pieces(posterior, cells.errors, pairs, mass)
    assert pieces == pytest.approx(sorted(posterior[list(p)].sum() for p in expected)[::-1])


# ---- figures 1 and 2 ----------------------------------------------------------------------------


def test_figure_1_is_a_density(tmp_path):
    rows = rows_of("figure_1", tmp_path, resolution=60)
    for (_, m), field in rows.groupby(["points", "m"]):
        assert len(field) == 60 * 120
        if m == 10:
            part = np.sin(field.longitude) * (np.pi / 60) ** 2 / (4 * np.pi)
            assert np.exp(field.log_posterior) @ part == pytest.approx(1.0, abs=0.05)
        # log posterior and error count are the same up to scale: beta = log 4
        slope = np.polyfit(field.errors, field.log_posterior, 1)[0]
        assert slope == pytest.approx(-np.log(4.0))
        # many points: the highest field is near the teacher, the middle of the map
        if m == 1000:
            best = field.loc[field.log_posterior.idxmax()]
            assert abs(best.longitude - np.pi / 2) < 0.3
            assert abs(best.latitude - np.pi) < 0.3


def test_modes_are_many_and_low(tmp_path):
    rows = rows_of("modes", tmp_path)
    assert (rows.modes >= rows.modes_2).all() and (rows.modes_10 >= 1).all()
    assert (rows.modes > 1).any() and (rows.modes == 1).any()
    assert (rows.fewest <= rows.errors_of_teacher).all()
    keys = get(f"{DOCUMENT}/modes").unit_keys({}, "full")
    assert {key["m"] for key in keys} == {10, 30, 100, 300, 1000}


def test_figure_2_shows_one_circle(tmp_path):
    rows = rows_of("figure_2", tmp_path)
    kinds = {kind: part for kind, part in rows.groupby("kind")}
    place = {kind: part[["x", "y", "z"]].to_numpy() for kind, part in kinds.items()}
    folded = kinds["point"].label.to_numpy()[:, None] * place["point"]
    w, v, drawn = place["position"][0], place["direction"][0], place["draw"][0]
    assert np.array([w @ w, v @ v, drawn @ drawn, w @ v]) == pytest.approx([1, 1, 1, 0])
    crossed = folded[kinds["hit"]["index"]]
    assert np.abs(np.sum(crossed * place["hit"], axis=1)).max() < 1e-12
    arcs = kinds["arc"]
    assert len(arcs) == 2 * len(folded)
    assert (arcs.stop - arcs.start).sum() == pytest.approx(2 * np.pi)
    assert (arcs.stop - arcs.start) @ arcs.density == pytest.approx(1.0)
    middles = 0.5 * (arcs.start + arcs.stop).to_numpy()
    W = np.cos(middles)[:, None] * w + np.sin(middles)[:, None] * v
    assert arcs.errors.tolist() == np.sum(W @ folded.T <= 0, axis=1).tolist()
    angle = kinds["draw"].start.iloc[0]
    np.testing.assert_allclose(np.cos(angle) * w + np.sin(angle) * v, drawn, atol=1e-12)
    # the flipped label cannot be fitted
    assert Arrangement(folded).errors.min() == 1


def test_error_counts_of_steps(tmp_path):
    rows = rows_of("steps", tmp_path, n_steps=20)
    assert (rows.largest_difference == 0).all()
    assert (rows.largest_angle_difference < 1e-12).all()
    assert (rows.printed_wrong > 0.5).all()


# ---- votes --------------------------------------------------------------------------------------


def test_crescents():
    X, y = crescents(76, np.random.default_rng(0))
    assert X.shape == (76, 2) and np.sum(y == 1) == 38
    # a version space for q = 0 to sample
    gibbs = KernelGibbsSampler(gamma=0.5, q=0.0, n_samples=50, thin=1, random_state=0)
    with pytest.warns(UserWarning, match="mixed"):
        gibbs.fit(X, y)
    assert gibbs.samples_.errors.max() == 0


def test_figure_3_holds_unit_vectors(tmp_path):
    rows = rows_of("figure_3", tmp_path, thin=5)
    points = rows[rows.kind == "point"]
    X, y = crescents(76, np.random.default_rng(0))
    np.testing.assert_array_equal(points[["x1", "x2"]], X)
    assert points.label.tolist() == y.tolist()
    outputs = rows[rows.kind == "sample"].output.to_numpy().reshape(N_SAMPLES, 76)
    gram = gram_matrix(X, gamma=0.5)
    # the outputs at the training points tell all of w: w = sum of a_i x_i with K a = outputs
    coefficients = np.linalg.solve(gram, outputs.T)
    assert np.sum(coefficients * outputs.T, axis=0) == pytest.approx(np.ones(N_SAMPLES), abs=1e-6)


def test_diversity_grows_with_noise(tmp_path):
    rows = rows_of("diversity", tmp_path, thin=3)
    assert rows.q.tolist() == [0.0, 0.05, 0.1, 0.2, 0.3]
    assert rows.disagreement_training.is_monotonic_increasing
    assert rows.disagreement_training[0] == rows.training_error[0] == 0.0
    # 2 p (1 - p) is at most the entropy in bits over two
    assert (rows.disagreement_plane <= rows.entropy_plane / 2 + 1e-12).all()


@real_data
def test_vote_and_point_agree(tmp_path):
    rows = rows_of("vote", tmp_path, n_samples=20)
    assert len(rows) == 3 * 2 * 4
    heart = rows[rows.dataset == "heart"]
    assert heart["empty"].tolist() == 2 * [True, False, False, False]
    assert rows[rows["empty"]].agreement.isna().all()
    sampled = rows[~rows["empty"]]
    assert (np.abs(sampled.vote_error - sampled.point_error) <= 1 - sampled.agreement + 1e-12).all()
    assert sampled.agreement.mean() > 0.9


@real_data
def test_rejection_without_version_space(tmp_path):
    rows = rows_of("rejection", tmp_path, n_samples=20, thin=5)
    assert rows["empty"].all()
    for (_, _), part in rows.groupby(["dataset", "q"]):
        o = outcomes(part)
        assert o.confidence.shape[0] == 2
        unsure = o.confidence < np.median(o.confidence)
        assert o.wrong[unsure].mean() > o.wrong[~unsure].mean()
    assert pd.unique(rows.label).tolist() in ([-1, 1], [1, -1])
