"""The picture of the slides as a random problem, and the line of each method on it."""

import numpy as np

from transductive.margin import TransductiveSVC

from .widest_margin import (
    KKT_TOLERANCE,
    NEARLY_HARD_C,
    Line,
    classes_left,
    hard_margin,
    widest,
)

#: Points of each cloud: two labelled, the others unlabelled (dots).
N_LABELLED, N_DOTS = 2, 20
#: Distances of the clouds.
GAPS = (1.0, 0.5, 0.25, 0.0)


def two_clouds(gap, rng):
    """Two clouds in the plane, long and parallel, with a gap between them.

    Parameters
    ----------
    gap : float
        Distance of the strips, 1 wide and 4 long, in which the clouds are uniform.
    rng : numpy.random.Generator

    Returns
    -------
    X : ndarray of shape (44, 2)
        Two labelled points of either cloud, then the others.
    y : ndarray of shape (44,)
        The clouds, -1 and +1.
    """
    n = N_LABELLED + N_DOTS
    along, across = rng.uniform(-2.0, 2.0, (2, n)), gap / 2 + rng.uniform(0.0, 1.0, (2, n))
    sides = np.array([-1.0, 1.0])[:, None]
    angle = rng.uniform(0.0, 2.0 * np.pi)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    clouds = np.stack([along, sides * across], axis=-1) @ turn
    y = np.broadcast_to(sides, (2, n))
    cut = N_LABELLED
    X = np.concatenate([clouds[:, :cut].reshape(-1, 2), clouds[:, cut:].reshape(-1, 2)])
    return X, np.concatenate([y[:, :cut].ravel(), y[:, cut:].ravel()])


def lines_by_method(X, y, X_working):
    """Labels of the working points and line by each method, and the number of classes left."""
    left = classes_left(X, y, X_working)
    inductive = hard_margin(X, y)
    # the training labels are one half positive, and so are the clouds
    known = left[(left > 0).sum(axis=1) == len(X_working) // 2]
    as_printed = {"n_positive": "sample", "kernel": "linear", "first_costs": "slides"}
    greedy = TransductiveSVC(NEARLY_HARD_C, NEARLY_HARD_C, tol=KKT_TOLERANCE, **as_printed)
    greedy.fit(X, y, X_working)
    lines = {
        "inductive": (np.where(inductive.values(X_working) > 0, 1.0, -1.0), inductive),
        "transductive": widest(X, y, X_working, left),
        "transductive, number known": widest(X, y, X_working, known),
        "greedy": (greedy.transduction_, Line(greedy.coef_, greedy.intercept_)),
    }
    return lines, len(left)
