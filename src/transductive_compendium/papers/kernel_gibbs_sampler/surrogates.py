"""Substitutes for the unpublished points of figure 3."""

import numpy as np

from .crescents import crescents


def clouds(n, rng):
    """Two normal clouds of unit variance in the plane, means 2 apart, half of the points each."""
    y = np.where(np.arange(n) % 2, -1, 1)
    return rng.standard_normal((n, 2)) + np.column_stack([y, np.zeros(n)]), y


def substitute(surrogate, n, rng, n_test=0):
    """Points and labels, then `n_test` test points, under an option of the choice "surrogate".

    "clouds", "crescents", or "flipped": crescents, a tenth of the n labels wrong.
    """
    X, y = clouds(n + n_test, rng) if surrogate == "clouds" else crescents(n + n_test, rng)
    if surrogate == "flipped":
        y = y.copy()
        y[rng.permutation(n)[: round(0.1 * n)]] *= -1
    return X, y
