"""Figure 1: the posterior on the sphere in R^3, and how many modes it has.

The Kernel Gibbs Sampler, section 2. The longitude is the polar angle, in [0, pi], and the latitude
the azimuth, in [0, 2 pi]: so the teacher's (pi/2, pi) is the middle of the map.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree
from scipy.special import xlog1py, xlogy

from transductive._exact.arrangement import Arrangement

from ...datasets.generators import flip_labels, points_on_sphere
from ...runner.declaration import Experiment, register
from ...runner.parameters import Parameter

TEACHER = np.array([-1.0, 0.0, 0.0])
# The document does not say where figure 1 has its points: as in its figure 4, or uniform.
POINTS = ("beta", "uniform")
# Points that share a great circle to rounding, as many Beta angles do, are moved by so much.
_JITTER = 1e-6
_NOISE = {
    "q": Parameter(0.2, float, "assumed label noise", exclusive_minimum=0.0, exclusive_maximum=0.5)
}
FLIP_RATE = 0.2


def folded_points(points, m, flip_rate, rng):
    """Points of unit length, folded with the teacher's labels, of which some are flipped.

    Parameters
    ----------
    points : {"beta", "uniform"}
        Beta-distributed angles, or uniform on the sphere.
    m : int
    flip_rate : float
    rng : numpy.random.Generator

    Returns
    -------
    folded : ndarray of shape (m, 3)
    """
    if points == "beta":
        X, teacher = points_on_sphere(m, rng)
        X = X + _JITTER * rng.standard_normal(X.shape)
    else:
        X, teacher = rng.standard_normal((m, 3)), TEACHER
    X = X / np.linalg.norm(X, axis=1, keepdims=True)
    return flip_labels(np.where(X @ teacher > 0, 1, -1), flip_rate, rng)[:, None] * X


# ---- figure 1 -----------------------------------------------------------------------------------


def _run_figure_1(key, params, data, rng):
    q, m = params["q"], key["m"]
    folded = folded_points(key["points"], m, FLIP_RATE, rng)
    evidence = Arrangement(folded).log_evidence(q)
    n = params["resolution"]
    # centres of the map's fields
    longitude, latitude = np.meshgrid(
        (np.arange(n) + 0.5) * np.pi / n, (np.arange(2 * n) + 0.5) * np.pi / n, indexing="ij"
    )
    W = np.stack(
        [
            np.sin(longitude) * np.cos(latitude),
            np.sin(longitude) * np.sin(latitude),
            np.cos(longitude),
        ],
        axis=-1,
    )
    errors = np.sum(W @ folded.T <= 0.0, axis=-1)
    log_posterior = xlogy(errors, q) + xlog1py(m - errors, -q) - evidence
    return [
        {"longitude": float(a), "latitude": float(b), "errors": int(k), "log_posterior": float(p)}
        for a, b, k, p in zip(
            longitude.flat, latitude.flat, errors.flat, log_posterior.flat, strict=True
        )
    ]


register(
    Experiment(
        name="kernel_gibbs_sampler/figure_1",
        version=1,
        title="Log posterior density over longitude and latitude, 10 and 1000 points",
        parameters={
            **_NOISE,
            "resolution": Parameter(45, int, "fields of the map along the longitude", minimum=2),
        },
        units=lambda params, profile: [
            {"points": points, "m": m} for m in (10, 1000) for points in POINTS
        ],
        run_unit=_run_figure_1,
    )
)


# ---- modes --------------------------------------------------------------------------------------


def prominences(errors, pairs):
    """Local minima of the error count, and how deep they are.

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
        How many errors more than its own must be made, at the least, on the way from the mode to
        one with fewer (or as many, if that one counts as the higher). Infinite for the highest.
    """
    # every cell leads downhill to one mode: the cells become that many basins
    u, v = pairs
    first = errors[u] > errors[v]
    downhill = np.arange(len(errors))
    downhill[np.where(first, u, v)] = np.where(first, v, u)
    while np.any(downhill != downhill[downhill]):
        downhill = downhill[downhill]
    modes, basin = np.unique(downhill, return_inverse=True)
    prominence = np.full(len(modes), np.inf)
    # the lowest pass between each two basins that touch
    ends = np.sort(basin[pairs], axis=0)
    apart = ends[0] != ends[1]
    low, high, passes = ends[0, apart], ends[1, apart], errors[pairs[:, apart]].max(axis=0)
    order = np.lexsort((passes, high, low))
    low, high, passes = low[order], high[order], passes[order]
    new = np.ones(len(low), dtype=bool)
    new[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    shape = len(modes), len(modes)
    graph = coo_matrix((passes[new].astype(float), (low[new], high[new])), shape=shape)
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
        Whole levels of the error count are taken until it is reached.

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


def _run_modes(key, params, data, rng):
    q = params["q"]
    folded = folded_points(key["points"], key["m"], key["flip_rate"], rng)
    cells = Arrangement(folded)
    pairs = cells.neighbours()
    posterior = cells.posterior(q)
    modes, prominence = prominences(cells.errors, pairs)
    pieces = highest_density_pieces(posterior, cells.errors, pairs, 0.95)
    fewest = int(cells.errors.min())
    highest = np.flatnonzero(cells.errors == fewest)
    top = highest[np.argmax(posterior[highest])]
    visible = params["visible"] * (key["m"] - 2 * fewest)
    mean = (posterior / cells.areas) @ cells.moments
    return [
        {
            "modes": len(modes),
            **{f"modes_{t}": int(np.sum(prominence >= t)) for t in (2, 3, 5, 10)},
            "modes_visible": int(np.sum(prominence >= visible)),
            "fewest": fewest,
            "errors_of_teacher": int(np.sum(folded @ TEACHER <= 0)),
            "top_mass": float(posterior[top]),
            "pieces": len(pieces),
            "largest_piece": float(pieces[0] / pieces.sum()),
            "top_angle": _angle(cells.interior[top], TEACHER),
            "mean_angle": _angle(mean, TEACHER),
            "mean_length": float(np.linalg.norm(mean)),
        }
    ]


DRAWS = {10: 100, 30: 100, 100: 100, 300: 40, 1000: 20}


def _mode_units(params, profile):
    recorded = [
        {"flip_rate": flip_rate, "m": m, "draw": draw, "points": points}
        for flip_rate, draws in ((FLIP_RATE, DRAWS), (0.0, {10: 100, 100: 100}))
        for m in draws
        for draw in range(draws[m])
        for points in POINTS
    ]
    more = [key | {"draw": key["draw"] + DRAWS[key["m"]]} for key in recorded]
    return {"smoke": recorded[:10], "paper": recorded, "full": recorded + more}[profile]


register(
    Experiment(
        name="kernel_gibbs_sampler/modes",
        version=1,
        title="Modes of the posterior on the sphere by sample size, counted exactly",
        parameters={
            **_NOISE,
            "visible": Parameter(
                0.1,
                float,
                "prominence, as a part of the range of the log posterior, that a picture shows",
                exclusive_minimum=0.0,
                maximum=1.0,
            ),
        },
        units=_mode_units,
        run_unit=_run_modes,
    )
)
