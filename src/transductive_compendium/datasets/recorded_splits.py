"""The recorded splits of thyroid and heart that several papers' experiments share."""

import numpy as np


def partition(n, number):
    """Training and test rows of the recorded split `number`: 60 % and 40 % of n rows."""
    order = np.random.default_rng(np.random.SeedSequence([1999, number])).permutation(n)
    cut = round(0.6 * n)
    return order[:cut], order[cut:]


#: Features in the scalings that papers without a word on it leave open.
SCALINGS = {
    "raw": lambda X, of: X,
    "standardised": lambda X, of: (X - of.mean(axis=0)) / of.std(axis=0),
}


def scaled(X, scaling, rows=slice(None)):
    """Features in one of the `SCALINGS`, by mean and variance of some rows."""
    return SCALINGS[scaling](X, X[rows])
