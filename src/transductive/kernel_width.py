"""A kernel's width from labelled points: the widest that predicts left-out labels well."""

from __future__ import annotations

import numpy as np

from .leave_one_out.spectrum import RidgeSpectrum

__all__ = ["gamma_by_loo"]

# Kernel coefficients to choose from, widest first, as multiples of gamma="scale".
MULTIPLES = (1 / 3, 1.0, 3.0, 9.0)
# Ridges over the mean of the Gram matrix's diagonal.
RIDGES = np.geomspace(1e-3, 1e2, 21)
# Of more points, evenly spaced ones choose the width: its cost grows with their number cubed.
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
    step = -(-len(X) // MOST_POINTS)
    X, columns = X[::step], np.reshape(targets, (len(X), -1))[::step].T
    gammas = [multiple * scale for multiple in MULTIPLES]
    errors = [_squared_loo_errors(kernel(X, gamma), columns) for gamma in gammas]
    best = min(errors, key=np.mean)
    for gamma, one in zip(gammas, errors, strict=True):
        excess = one - best
        if excess.mean() <= excess.std(ddof=1) / np.sqrt(len(excess)):
            return gamma
    raise AssertionError("the best is within one standard error of itself")


def _squared_loo_errors(gram, columns):
    """Squared leave-one-out error of each point, mean over columns, at the best ridge."""
    alphas = RIDGES * np.trace(gram) / len(gram)
    spectrum = RidgeSpectrum(gram, symmetric=True, penalty="norm", overwrite=True)
    squares = np.mean([spectrum.loo_residuals(y, alphas) ** 2 for y in columns], axis=0)
    return squares[:, squares.mean(axis=0).argmin()]
