"""The recorded splits of thyroid and heart that several papers' experiments share."""

import numpy as np


def partition(n, number):
    """Training and test rows of the recorded split `number`: 60 % and 40 % of n rows."""
    order = np.random.default_rng(np.random.SeedSequence([1999, number])).permutation(n)
    cut = round(0.6 * n)
    return order[:cut], order[cut:]


def scaled(X, scaling, train):
    """Features in one of the scalings that papers without a word on it leave open."""
    if scaling == "raw":
        return X
    if scaling == "range 0 to 1":
        return (X - X.min(axis=0)) / np.ptp(X, axis=0)
    if scaling == "range -1 to 1":
        return 2.0 * (X - X.min(axis=0)) / np.ptp(X, axis=0) - 1.0
    rows = X[train] if scaling == "standardised on the training part" else X
    return (X - rows.mean(axis=0)) / rows.std(axis=0)
