"""Modes of the posterior on the sphere in R^3 by sample size, counted exactly.

Graepel and Herbrich (2001), section 2 and figure 1.
"""

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree

from ...exact.arrangement import Arrangement
from ...runner import Parameter, experiment
from ...runner.companions import options
from .sphere_points import ASSUMED_NOISE, FLIP_RATE, LAWS, signed_points, teacher_of

#: Sample size -> number of training sets.
N_SETS = {10: 100, 30: 100, 100: 100, 300: 40, 1000: 20}
#: The same of figure 1, for the points of figure 4 with flips.
N_SETS_JUDGED = {10: 1000, 1000: 100}
LEAST_HEIGHT, LEAST_MASS = 0.1, 0.05
#: Noise on unit points whose great circles are not in general position to rounding.
MOVE = 1e-6
#: Number of moves tried before a set is skipped.
N_MOVES = 20


def basins(errors, pairs):
    """Local minima of the error count, and the one that each cell leads downhill to."""
    u, v = pairs
    first = errors[u] > errors[v]
    downhill = np.arange(len(errors))
    downhill[np.where(first, u, v)] = np.where(first, v, u)
    while np.any(downhill != downhill[downhill]):
        downhill = downhill[downhill]
    return np.unique(downhill, return_inverse=True)


def numbers_of_modes(cells, pairs, q):
    """Numbers of modes under each option of the choice "modes", by its name."""
    errors = cells.errors
    modes, basin = basins(errors, pairs)
    height = (q / (1.0 - q)) ** (errors[modes] - errors.min())
    return {
        "cells": len(modes),
        "tenth": int(np.sum(height >= LEAST_HEIGHT)),
        "mass": int(np.sum(np.bincount(basin, cells.posterior(q)) >= LEAST_MASS)),
        "highest": int(np.sum(errors == errors.min())),
    }


def prominences(errors, pairs):
    """Local minima of the error count, and their depths.

    Parameters
    ----------
    errors : array of int of shape (c,)
        Training errors in each cell; neighbours differ by one.
    pairs : array of int of shape (2, e)
        Neighbouring cells.

    Returns
    -------
    modes : ndarray of int of shape (k,)
        Cells with fewer errors than all neighbours.
    prominence : ndarray of shape (k,)
        Fewest additional errors on a path from the mode to one with fewer errors (or equally many,
        if that one counts as the higher). Infinite for the highest mode.
    """
    modes, basin = basins(errors, pairs)
    prominence = np.full(len(modes), np.inf)
    # the lowest pass between each two basins that touch
    ends = np.sort(basin[pairs], axis=0)
    apart = ends[0] != ends[1]
    low, high, passes = ends[0, apart], ends[1, apart], errors[pairs[:, apart]].max(axis=0)
    order = np.lexsort((passes, high, low))
    low, high, passes = low[order], high[order], passes[order]
    new = np.ones(len(low), dtype=bool)
    new[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    size = len(modes), len(modes)
    graph = coo_matrix((passes[new].astype(float), (low[new], high[new])), shape=size)
    tree = minimum_spanning_tree(graph.tocsr()).tocoo()
    # flood: where two basins meet, the one with more errors at its bottom ends
    bottom, root = errors[modes], list(range(len(modes)))

    def find(i):
        while root[i] != i:
            root[i] = root[root[i]]
            i = root[i]
        return i

    order = np.argsort(tree.data, kind="stable")
    for a, b, level in zip(
        tree.row[order].tolist(), tree.col[order].tolist(), tree.data[order], strict=True
    ):
        a, b = find(a), find(b)
        if bottom[a] > bottom[b]:
            a, b = b, a
        prominence[b] = level - bottom[b]
        root[b] = a
    return modes, prominence


def highest_density_pieces(posterior, errors, pairs, mass):
    """Connected pieces of the cells with fewest errors that hold a given mass together.

    Parameters
    ----------
    posterior, errors : arrays of shape (c,)
    pairs : array of int of shape (2, e)
    mass : float
        Whole levels of the error count are added until this mass is reached.

    Returns
    -------
    pieces : ndarray
        Posterior mass of each piece, descending.
    """
    level = np.searchsorted(np.cumsum(np.bincount(errors, posterior)), mass)
    inside = errors <= level
    u, v = pairs[:, inside[pairs].all(axis=0)]
    graph = coo_matrix((np.ones(len(u)), (u, v)), shape=(len(errors), len(errors)))
    n, piece = connected_components(graph, directed=False)
    counts = np.bincount(piece[inside], minlength=n)
    pieces = np.bincount(piece[inside], posterior[inside], n)[counts > 0]
    return np.sort(pieces)[::-1]


def _angle(a, b):
    return float(np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b))


def _mode_units(params, profile):
    recorded = [
        {"flip_rate": flip_rate, "m": m, "draw": draw, "points": law}
        for flip_rate, n_sets in ((FLIP_RATE, N_SETS), (0.0, {10: 100, 100: 100}))
        for m in n_sets
        for draw in range(n_sets[m])
        for law in LAWS
    ]
    recorded += [
        {"flip_rate": FLIP_RATE, "m": m, "draw": draw, "points": "beta"}
        for m, n in N_SETS_JUDGED.items()
        for draw in range(N_SETS[m], n)
    ]
    more = [
        {"flip_rate": 0.0, "m": m, "draw": draw, "points": law}
        for m in (10, 100)
        for draw in range(100, 200)
        for law in LAWS
    ]
    return {"smoke": recorded[:10], "paper": recorded, "full": recorded + more}[profile]


def _arrangement(signed, rng):
    """The cells; near the poles a thousand great circles may meet in a point to rounding."""
    moved = signed
    for _ in range(N_MOVES):
        try:
            return Arrangement(moved)
        except ValueError:
            moved = signed + MOVE * rng.standard_normal(signed.shape)
            moved /= np.linalg.norm(moved, axis=1, keepdims=True)
    return Arrangement(moved)


@experiment(
    "kernel_gibbs_sampler/modes",
    version=2,
    page="figure_1",
    title="Modes of the posterior on the sphere by sample size, counted exactly",
    parameters={
        "q": ASSUMED_NOISE,
        "visible": Parameter(
            0.1,
            float,
            "prominence, as a part of the range of the log posterior, that a picture shows",
            exclusive_minimum=0.0,
            maximum=1.0,
        ),
    },
    open_choices=("angles",),
    units=_mode_units,
)
def modes_of_posterior(key, params, data, rng):
    """One row: numbers of modes, their prominence and mass, and their angle to the teacher."""
    q, teacher = params["q"], teacher_of(params["angles"])
    signed = signed_points(key["points"], key["m"], key["flip_rate"], rng, params["angles"])
    cells = _arrangement(signed, rng)
    pairs = cells.neighbours()
    posterior = cells.posterior(q)
    _, prominence = prominences(cells.errors, pairs)
    pieces = highest_density_pieces(posterior, cells.errors, pairs, 0.95)
    fewest = int(cells.errors.min())
    highest = np.flatnonzero(cells.errors == fewest)
    top = highest[np.argmax(posterior[highest])]
    visible = params["visible"] * (key["m"] - 2 * fewest)
    mean = (posterior / cells.areas) @ cells.moments
    return [
        {
            **{f"modes_{how}": n for how, n in numbers_of_modes(cells, pairs, q).items()},
            **{f"modes_{t}": int(np.sum(prominence >= t)) for t in (2, 3, 5, 10)},
            "modes_visible": int(np.sum(prominence >= visible)),
            "fewest": fewest,
            "errors_of_teacher": int(np.sum(signed @ teacher <= 0)),
            "top_mass": float(posterior[top]),
            "pieces": len(pieces),
            "largest_piece": float(pieces[0] / pieces.sum()),
            "top_angle": _angle(cells.interior[top], teacher),
            "mean_angle": _angle(mean, teacher),
            "mean_length": float(np.linalg.norm(mean)),
        }
    ]


#: Training sets of each option: of 1000 points a few, they are slow.
N_OPTIONS = {10: 200, 1000: 8}
options(
    "kernel_gibbs_sampler/modes",
    keep=lambda key: (
        key["points"] == "beta"
        and key["flip_rate"] > 0.0
        and key["draw"] < N_OPTIONS.get(key["m"], 0)
    ),
)
