"""A kernel's width from labelled points: the widest that predicts left-out labels well."""

from __future__ import annotations

import numpy as np

from .blas_threads import one_blas_thread

__all__ = [
    "first_within_one_error",
    "gamma_by_loo",
    "gammas_around",
    "some_of_each_class",
    "squared_loo_errors",
]

# Kernel coefficients to choose from, widest first, as multiples of gamma="scale".
MULTIPLES = (1 / 3, 1.0, 3.0, 9.0)
# Ridges over the mean of the Gram matrix's diagonal.
RIDGES = np.geomspace(1e-3, 1e2, 21)
# Of more points, some of each class choose the width: its cost grows with their number cubed.
MOST_POINTS = 500


def gamma_by_loo(X, targets, kernel, scale):
    """Kernel coefficient by the leave-one-out error of ridge regression on the labels.

    The widest kernel whose mean squared error, at its best ridge, is within one standard error of
    the least (of the differences, pair by pair). Squared error is a proper score for labels that
    may be wrong, and on few points narrower kernels win by chance.

    Parameters
    ----------
    X : array of shape (n, d)
    targets : array of shape (n,) or (n, k)
        Labels, -1 and 1; a column for each class of several.
    kernel : callable
        ``kernel(X, gamma)`` gives the Gram matrix, (n, n).
    scale : float
        The coefficients to choose from are a third to nine times as large.

    Returns
    -------
    gamma : float

    References
    ----------
    Transductive Inference for Estimating Values of Functions (Chapelle, Vapnik, Weston), equation
    (15). Breiman, Friedman, Olshen, Stone, "Classification and Regression Trees" (1984), section
    3.4: one standard error.
    """
    columns = np.reshape(targets, (len(X), -1)).T
    kept = some_of_each_class(columns)
    X, columns = X[kept], columns[:, kept]
    gammas = gammas_around(scale)
    # the last bits depend on the number of threads, and a tie on the last bits
    with one_blas_thread():
        errors = [squared_loo_errors(kernel(X, gamma), columns) for gamma in gammas]
    return gammas[first_within_one_error(errors)]


def gammas_around(scale):
    """Kernel coefficients to choose from, widest first."""
    return [multiple * scale for multiple in MULTIPLES]


def some_of_each_class(columns):
    """Indices of at most `MOST_POINTS` points, whose targets are the columns of shape (k, n)."""
    # evenly spaced in each class, however the classes take turns in the sample
    return np.sort(np.lexsort(columns)[:: -(-columns.shape[1] // MOST_POINTS)])


def squared_loo_errors(gram, columns):
    """Squared leave-one-out error of each point, mean over columns, at the best ridge.

    Parameters
    ----------
    gram : array of shape (n, n)
        Overwritten.
    columns : array of shape (k, n)
        Targets.

    Returns
    -------
    squares : ndarray of shape (n,)
    """
    # here, because the estimators of its package import this module
    from .leave_one_out.spectrum import RidgeSpectrum

    # of a kernel that is 0 everywhere any ridge gives the same errors
    alphas = RIDGES * (np.trace(gram) or 1.0) / len(gram)
    spectrum = RidgeSpectrum(gram, penalty="norm", overwrite=True)
    squares = np.mean([spectrum.loo_residuals(y, alphas) ** 2 for y in columns], axis=0)
    return squares[:, squares.mean(axis=0).argmin()]


def first_within_one_error(errors):
    """Index of the first whose mean is within one standard error of the least, pair by pair.

    Parameters
    ----------
    errors : list of arrays of shape (n,)
        Errors of each candidate at the same points.

    Returns
    -------
    index : int
    """
    best = min(errors, key=np.mean)
    for index, one in enumerate(errors):
        excess = one - best
        if excess.mean() <= excess.std(ddof=1) / np.sqrt(len(excess)):
            return index
    raise AssertionError("the best is within one standard error of itself")
