"""Substitutes for the unpublished points of figure 3."""

import numpy as np

from ...runner import Parameter
from .crescents import crescents

SURROGATE = Parameter(
    "clouds", str, "substitute points of figure 3", choices=("clouds", "crescents", "flipped")
)
SURROGATE_OPTIONS = {name: {"surrogate": name} for name in ("crescents", "flipped")}


def clouds(n, rng):
    """Two normal clouds of unit variance in the plane, means 2 apart, half of the points each."""
    y = np.where(np.arange(n) % 2, -1, 1)
    return rng.standard_normal((n, 2)) + np.column_stack([y, np.zeros(n)]), y


def substitute(name, n, rng, n_test=0):
    """Points and labels, then `n_test` test points. "flipped": a tenth of the n labels is wrong."""
    X, y = clouds(n + n_test, rng) if name == "clouds" else crescents(n + n_test, rng)
    if name == "flipped":
        y = y.copy()
        y[rng.permutation(n)[: round(0.1 * n)]] *= -1
    return X, y
