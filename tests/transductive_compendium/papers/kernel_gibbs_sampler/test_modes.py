"""Modes of the posterior on the sphere: exact counts against plain ones."""

import itertools

import numpy as np
import pytest

from transductive_compendium.exact.arrangement import Arrangement
from transductive_compendium.papers.kernel_gibbs_sampler.modes import (
    highest_density_pieces,
    prominences,
)
from transductive_compendium.papers.kernel_gibbs_sampler.sphere_points import LAWS, signed_points


def cells_and_pairs(m, flip_rate, seed, law="uniform"):
    cells = Arrangement(signed_points(law, m, flip_rate, np.random.default_rng(seed), "middle"))
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


@pytest.mark.parametrize("law", LAWS)
def test_neighbours_differ_in_one_point(law):
    m = 9
    cells, pairs = cells_and_pairs(m, 0.2, 1, law)
    right = cells.interior @ cells.points.T > 0
    every_pair = itertools.combinations(range(len(right)), 2)
    expected = {(u, v) for u, v in every_pair if np.sum(right[u] != right[v]) == 1}
    found = [tuple(sorted(pair)) for pair in pairs.T.tolist()]
    assert len(found) == len(set(found)) == 2 * m * (m - 1)
    assert set(found) == expected


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


@pytest.mark.claim("kgs-fig1-noise", "holds")
@pytest.mark.parametrize("law", LAWS)
def test_one_mode_without_label_noise(law):
    """Caption of figure 1: "multi-modal due to the label noise"; for every q < 1/2."""
    noisy = 0
    for seed in range(20):
        cells, pairs = cells_and_pairs(12, 0.0, seed, law)
        assert len(prominences(cells.errors, pairs)[0]) == cells.is_mode.sum() == 1
        noisy += cells_and_pairs(12, 0.2, seed, law)[0].is_mode.sum() > 1
    assert noisy >= 10


@pytest.mark.parametrize("mass", [0.3, 0.95])
def test_highest_density_pieces(mass):
    cells, pairs = cells_and_pairs(20, 0.3, 3)
    posterior = cells.posterior(0.2)
    level = next(k for k in range(21) if posterior[cells.errors <= k].sum() >= mass)
    expected = components(np.flatnonzero(cells.errors <= level).tolist(), pairs)
    pieces = highest_density_pieces(posterior, cells.errors, pairs, mass)
    assert pieces == pytest.approx(sorted(posterior[list(p)].sum() for p in expected)[::-1])
