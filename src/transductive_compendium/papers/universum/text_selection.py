"""Text: random splits, and U-SVMs with a linear kernel chosen by validation.

Inference with the Universum, experiments: the poster gives neither features, kernel, number of
universum points nor tuning.
"""

from __future__ import annotations

import numpy as np

from .grid_search import best, error, grid

#: Methods without a universum: the SVM, and the SVM with its threshold at 0.
SVM, THROUGH_ZERO = "svm", "svm, no intercept"
#: The grids, for documents of unit length and a linear kernel. The universum's begin nearest the
#: SVM.
COSTS = (0.1, 0.3, 1.0, 3.0, 10.0)
UNIVERSUM_GRID = {"universum_costs": (0.001, 0.01, 0.1, 1.0), "epsilons": (0.1, 0.0)}
_CHOSEN = ("error", "error_validation", "C", "C_universum", "epsilon")
#: One document more or less may change the choice among the grid. With vectors changed by one
#: part in a million, means over a unit's rows changed by 0.003 at most.
AGREEMENT = dict.fromkeys(
    ("error", "error_validation", "error_oracle", "C", "C_universum", "epsilon"), "chaotic"
)


def linear_grid(X, y, universum, points, **options):
    """All SVMs or U-SVMs of the grid, with a linear kernel.

    Parameters
    ----------
    X : csr_array of shape (l, d)
    y : ndarray of shape (l,)
    universum : csr_array of shape (u, d), or None
    points : dict of str to csr_array
    **options
        Of `grid`.

    Returns
    -------
    list of Fit
    """
    costs = {"costs": COSTS} | ({} if universum is None else UNIVERSUM_GRID)
    return grid(X, y, universum, points, kernel="linear", **(costs | options))


def by_validation(fits, y_validation, y_test):
    """Recorded row of a grid: the classifier with fewest validation errors, and the best one."""
    fit = best(fits, y_validation)
    chosen = error(fit.values["test"], y_test), error(fit.values["validation"], y_validation)
    row = dict(zip(_CHOSEN, (*chosen, fit.C, fit.C_universum, fit.epsilon), strict=True))
    oracle = best(fits, y_test, "test")
    return row | {"error_oracle": error(oracle.values["test"], y_test)}


def random_split(y, n_train, n_most, n_validation, rng, n_test=None):
    """Training, validation and test rows.

    Drawn without stratification, and again until the training subset has both classes.

    Parameters
    ----------
    y : ndarray of shape (n,)
    n_train, n_most : int
        Size of the training subset, and of the largest: the rows between are left out, so that all
        sizes have the same test rows.
    n_validation : int
    rng : Generator
    n_test : int, optional
        Largest number of test rows; by default all remaining rows.

    Returns
    -------
    train, validation, test : ndarray of int
    """
    order = rng.permutation(len(y))
    while len(np.unique(y[order[:n_train]])) < 2:
        order = rng.permutation(len(y))
    end = n_most + n_validation
    stop = len(y) if n_test is None else end + n_test
    return order[:n_train], order[n_most:end], order[end:stop]
