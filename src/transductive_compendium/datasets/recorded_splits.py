"""The recorded splits of thyroid and heart that several papers' experiments share."""

import numpy as np


def partition(n, number):
    """Training and test rows of the recorded split `number`: 60 % and 40 % of n rows."""
    order = np.random.default_rng(np.random.SeedSequence([1999, number])).permutation(n)
    cut = round(0.6 * n)
    return order[:cut], order[cut:]


def _standardised(X, rows):
    """X with the mean 0 and the variance 1 over some rows."""
    return (X - rows.mean(axis=0)) / rows.std(axis=0)


#: Features in the scalings that papers without a word on it leave open.
SCALINGS = {
    "raw": lambda X, train: X,
    "standardised": lambda X, train: _standardised(X, X),
    "standardised on the training part": lambda X, train: _standardised(X, X[train]),
    "range 0 to 1": lambda X, train: (X - X.min(axis=0)) / np.ptp(X, axis=0),
    "range -1 to 1": lambda X, train: 2.0 * (X - X.min(axis=0)) / np.ptp(X, axis=0) - 1.0,
}


def scaled(X, scaling, train):
    """Features in one of the `SCALINGS`."""
    return SCALINGS[scaling](X, train)
