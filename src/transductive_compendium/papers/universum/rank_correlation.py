"""Rank correlations over universa, and tests that permute the universa.

Random splits share the universa, so the spread over splits does not describe other universa: a
chance correlation of fourteen universa appears in every split. The tests treat the universa as the
sample.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd

#: Random permutations, whose seed is fixed.
N_PERMUTATIONS = 50_000
_ROUNDING = 1e-12


def _scores(values):
    """Ranks by row, of mean 0 and length 1; 0 where all are equal."""
    ranks = pd.DataFrame(np.atleast_2d(values)).rank(axis=1).to_numpy()
    ranks = ranks - ranks.mean(axis=1, keepdims=True)
    length = np.linalg.norm(ranks, axis=1, keepdims=True)
    return np.divide(ranks, length, out=np.zeros_like(ranks), where=length > 0)


def mean_correlation(left, right):
    """Mean over splits of Spearman's correlation over universa, which is 0 for a constant.

    Parameters
    ----------
    left, right : arrays of shape (splits, universa)

    Returns
    -------
    float
    """
    return float((_scores(left) * _scores(right)).sum(axis=1).mean())


def permutation_p(left, right):
    """One-sided p-value of a positive mean correlation, by permutations of the universa.

    A permutation is the same in all splits, which keeps the splits' dependence.

    Parameters
    ----------
    left, right : arrays of shape (splits, universa)

    Returns
    -------
    float
        Share of permutations, including the given order, with at least this mean correlation.
    """
    products = _scores(left).T @ _scores(right) / len(left)
    universa = np.arange(len(products))
    orders = np.random.default_rng(0).permuted(np.tile(universa, (N_PERMUTATIONS, 1)), axis=1)
    found = products[universa, orders].sum(axis=1)
    return (1 + int((found >= np.trace(products) - _ROUNDING).sum())) / (1 + N_PERMUTATIONS)


def swap_p(gain, first, second):
    """One-sided p-value of a larger mean correlation of `gain` with `first` than with `second`.

    If neither predictor is better, exchanging their ranks of a universum changes nothing in law.

    Parameters
    ----------
    gain, first, second : arrays of shape (splits, universa)

    Returns
    -------
    float
        Share of the 2^universa exchanges, including none, with at least this difference.
    """
    gaps = (_scores(gain) * (_scores(first) - _scores(second))).mean(axis=0)
    found = np.array(list(product((1.0, -1.0), repeat=len(gaps)))) @ gaps
    return float((found >= gaps.sum() - _ROUNDING).mean())
