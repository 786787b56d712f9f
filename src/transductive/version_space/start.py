"""Starts of walks in version space: feasibility and first points."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog, nnls

__all__ = [
    "EmptyVersionSpaceError",
    "IllConditionedError",
    "interior_point",
    "max_margin_point",
    "separating_direction",
]


class EmptyVersionSpaceError(ValueError):
    """No function of the class has zero training error."""


class IllConditionedError(ValueError):
    """Version space is thinner than double precision can resolve, if it is not empty."""


# A smallest margin (of points of unit length) below this is rounding.
MIN_MARGIN = 1e-10
# Least distance, in rounding errors of a margin, of a billiard's first point from the nearest wall.
ROOM_IN_ROUNDING = 10
# Above this condition number of the kept spectrum "no margin" does not imply "not separable".
MAX_CONDITION = 1e10

REMEDIES = (
    "allow for label noise (q='infer' or q > 0), add a ridge to the diagonal "
    "(ridge > 0 lets the ball penetrate walls), use a narrower or richer kernel, or remove the "
    "contradiction"
)


def interior_point(span, n_walls):
    """A point with positive margin at every wall.

    If the walls are linearly independent, it is the point whose margins are
    all equal. Otherwise a linear programme maximises the smallest margin.

    Parameters
    ----------
    span : FeatureSpan
        Label-signed points, the walls first.
    n_walls : int
        Number of walls.

    Returns
    -------
    a : ndarray of shape (n_points,)
        Coefficients of a unit vector.

    Raises
    ------
    EmptyVersionSpaceError
        If there is no such point; the message says why and names remedies.
    IllConditionedError
        If rounding hides whether there is one.
    """
    walls = span.gram[:n_walls, :n_walls]
    lengths = np.sqrt(np.diag(walls))
    if not np.all(lengths > 0):
        where = int(np.argmin(lengths))
        raise EmptyVersionSpaceError(
            f"training point {where} has length zero in feature space, so it can have no sign; "
            "remove it or use another kernel"
        )
    a = np.zeros(span.n_points)
    if span.is_regular:
        a[:n_walls] = span.with_unit_margins(n_walls)
        if (walls @ a[:n_walls]).min() > 0.5:
            return a / span.norm(a)
    _refuse_contradictions(walls)
    points = span.coordinates[:n_walls] / lengths[:, None]
    w = _widest_in_box(points)
    if w is not None:
        a = span.coefficients(w)
        if (span.gram[:n_walls] @ a / lengths).min() > MIN_MARGIN:
            return a
    if span.condition > MAX_CONDITION:
        _refuse_blur(span)
    raise EmptyVersionSpaceError(_not_separable(n_walls, span.rank))


def room(span, n_walls, a):
    """Distance of a point to the nearest wall; an error if rounding moves walls that far.

    Parameters
    ----------
    span : FeatureSpan
    n_walls : int
    a : array of shape (n_points,)
        Coefficients of a unit vector inside version space.

    Returns
    -------
    distance : float

    Raises
    ------
    IllConditionedError
        If version space is not empty, but double precision cannot measure its volumes.
    """
    distance = float((span.gram[:n_walls] @ a / span.lengths[:n_walls]).min())
    if distance < ROOM_IN_ROUNDING * span.rounding(a):
        _refuse_blur(span)
    return distance


def separating_direction(points):
    """A unit vector with positive inner product with every row.

    Parameters
    ----------
    points : array of shape (m, r)
        Label-signed points in orthonormal coordinates.

    Returns
    -------
    w : ndarray of shape (r,)

    Raises
    ------
    EmptyVersionSpaceError
        If there is no such vector; the message names remedies.
    IllConditionedError
        If rounding hides whether there is one.
    """
    points = points / np.linalg.norm(points, axis=1, keepdims=True)
    w = _widest_in_box(points)
    margin = -1.0 if w is None else (points @ w).min()
    if margin > MIN_MARGIN:
        return w
    if margin > 0.0:
        raise IllConditionedError(
            f"the largest smallest margin found is {margin:.2g}: version space, if it is not "
            f"empty, is thinner than rounding; {REMEDIES}"
        )
    raise EmptyVersionSpaceError(_not_separable(*points.shape))


def _widest_in_box(points):
    """Unit vector with the largest smallest margin in a box, or None if the solver finds none."""
    m, size = points.shape
    solution = linprog(
        c=np.r_[np.zeros(size), -1.0],
        A_ub=np.c_[-points, np.ones(m)],
        b_ub=np.zeros(m),
        bounds=[(-1, 1)] * size + [(None, 1)],
        method="highs",
    )
    # the solver's margin is accurate only to its tolerance (1e-7): the caller recomputes it
    w = solution.x[:-1] if solution.status == 0 else np.zeros(size)
    length = np.linalg.norm(w)
    return w / length if length > 0 else None


def _not_separable(n_walls, rank):
    return (
        "version space is empty: no hyperplane through the origin of feature space separates "
        f"the {n_walls} training points (rank {rank}); {REMEDIES}"
    )


def _refuse_blur(span):
    raise IllConditionedError(
        f"the training points can hardly be distinguished in feature space (condition number "
        f"{span.condition:.2g}, numerical rank {span.rank} of {span.n_points}): version space, if "
        f"it is not empty, is thinner than rounding; {REMEDIES}"
    )


def _refuse_contradictions(walls):
    """Raise if one point occurs with both labels (an antipodal pair of signed points)."""
    square = np.diag(walls)
    gap = square[:, None] + square[None, :] + 2.0 * walls
    pairs = np.argwhere(np.triu(gap < 1e-14 * (square[:, None] + square[None, :]), 1))
    if len(pairs):
        shown = ", ".join(f"({i}, {j})" for i, j in pairs[:5])
        more = "" if len(pairs) <= 5 else f" and {len(pairs) - 5} more"
        raise EmptyVersionSpaceError(
            f"version space is empty: the same point occurs with both labels, at training points "
            f"{shown}{more}; {REMEDIES}"
        )


def max_margin_point(span, n_walls):
    """The hard-margin support vector machine without bias: centre of the largest ball.

    Solves ``min |w|`` subject to all margins at least one, by non-negative
    least squares on the dual. With points of equal length the solution is the
    centre of the largest ball in version space.

    Parameters
    ----------
    span : FeatureSpan
        Label-signed points, the walls first.
    n_walls : int

    Returns
    -------
    a : ndarray of shape (n_points,)
        Coefficients, non-negative, of the vector whose smallest margin is one
        (not of unit length: its inner products are the outputs of the SVM).

    Raises
    ------
    EmptyVersionSpaceError
        If the points are not separable.
    IllConditionedError
        If the margin is below what double precision resolves.
    """
    interior_point(span, n_walls)
    points = span.coordinates[:n_walls]
    # Dual: min |X'a|^2 / 2 - 1'a over a >= 0. NNLS on [X'; c 1'] against (0, c'): the minimiser
    # of |X'a|^2 + (1'a - 1)^2 is the same ray, and scaling to smallest margin one ends it.
    scale = float(np.sqrt(np.mean(np.sum(points**2, axis=1))))
    system = np.vstack([points.T / scale, np.ones(n_walls)])
    target = np.zeros(len(system))
    target[-1] = 1.0
    ray, _ = nnls(system, target, maxiter=100 * n_walls)
    a = np.zeros(span.n_points)
    a[:n_walls] = ray
    smallest = (span.gram[:n_walls, :n_walls] @ ray).min()
    if not smallest > 0:
        # separable, or interior_point would have raised
        _refuse_blur(span)
    return a / smallest
