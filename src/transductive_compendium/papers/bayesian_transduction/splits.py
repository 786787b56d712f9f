"""Recorded splits of thyroid and heart: Gram matrices, and p+ by the library's billiard.

Graepel et al. (2000), section 4. All experiments share the same recorded splits, so their results
on a split are comparable; the seed affects only the billiard. Figure 2 has a p+ of its own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from transductive.kernels import gram_matrix, rbf_gamma
from transductive.version_space import FlightTimes, KernelBilliard
from transductive.version_space.billiard import SOUND_REFRESH

from ...datasets.recorded_splits import partition, scaled

N_SPLITS = 100
SIGMA = {"thyroid": 3.0, "heart": 10.0}
# Largest standard error of a converged p+, the balls between which it is measured, and the events
# for each wall that all balls together may meet.
CONVERGED, BALLS, BUDGET = 0.01, 16, 100_000


class Split(NamedTuple):
    """A recorded split.

    Parameters
    ----------
    test : array of shape (m,)
        Rows of the test points in the data set.
    signs, truth : arrays of shape (l,) and (m,)
        Labels of the training and test points, -1 and +1.
    gram, cross : arrays of shape (l, l) and (l, m)
        Label-signed RBF Gram matrix of the training points, and its columns for the test points.
    """

    test: np.ndarray
    signs: np.ndarray
    truth: np.ndarray
    gram: np.ndarray
    cross: np.ndarray


#: Columns of heart that hold categories.
CATEGORIES = ("chest_pain", "ecg", "thal")
#: Whether they get a column for each value, by option of the open choice `categories`.
ONE_HOT = {"numbers": False, "one_hot": True}
#: Whether features are scaled by the training part alone, by option of `statistics`.
OF_TRAINING = {"whole": False, "training": True}


def encoded(table, one_hot):
    """Features of a table; those of `CATEGORIES` as a column for each value, or as numbers."""
    if not one_hot:
        return table.X
    parts = [
        x[:, None] == np.unique(x) if name in CATEGORIES else x[:, None]
        for name, x in zip(table.feature_names, table.X.T, strict=True)
    ]
    return np.hstack(parts).astype(float)


def split_of(
    table,
    number,
    sigma,
    scaling="standardised",
    thyroid_class="normal",
    categories="numbers",
    statistics="whole",
):
    """A recorded split of a data set.

    Parameters
    ----------
    table : Dataset
    number : int
        Number of the split.
    sigma : float
        Width of the RBF kernel, in scaled features.
    scaling : str
        See `recorded_splits.scaled`.
    thyroid_class : str
        Class of thyroid with the label +1; "normal" leaves the data set as it is.
    categories, statistics : str
        Keys of `ONE_HOT` and `OF_TRAINING`.

    Returns
    -------
    Split
    """
    if thyroid_class != "normal":
        table = table.with_positive_class(thyroid_class)
    train, test = partition(len(table.y), number)
    rows = train if OF_TRAINING[statistics] else slice(None)
    X = scaled(encoded(table, ONE_HOT[categories]), scaling, rows)
    signs = table.y[train].astype(float)
    gamma = rbf_gamma(sigma)
    gram = gram_matrix(X[train], gamma=gamma) * np.outer(signs, signs)
    cross = gram_matrix(X[test], X[train], gamma=gamma).T * signs[:, None]
    return Split(test, signs, table.y[test], gram, cross)


def p_plus_on_great_circles(split, n_bounces, rng):
    """p+ of the test points by a ball of the library's billiard, refreshed, from the SVM."""
    billiard = KernelBilliard(
        split.gram,
        start="max_margin",
        velocity="coefficients",
        refresh=float(np.pi),
        random_state=_seed(rng),
    )
    return billiard.run(n_bounces).flight_times(split.cross).probability


def converged_p_plus(split, rng):
    """p+ of the test points by refreshed balls, until each has a standard error below `CONVERGED`.

    Raises
    ------
    RuntimeError
        If the budget ends before.
    """
    billiard = KernelBilliard(
        split.gram, refresh=SOUND_REFRESH, n_chains=BALLS, random_state=_seed(rng)
    )
    n_walls, parts = len(split.gram), []
    for _ in range(BUDGET // (150 * BALLS)):
        parts.append(billiard.run(150 * n_walls).flight_times(split.cross))
        fields = zip(*((part.positive, part.total, part.chain) for part in parts), strict=True)
        times = FlightTimes(*map(np.concatenate, fields))
        if times.standard_error("chain").max() < CONVERGED:
            return times.probability
    raise RuntimeError(f"standard errors are not below {CONVERGED} after {BUDGET} events a wall")


def _seed(rng):
    return np.random.SeedSequence(rng.integers(2**63))
