"""Random splits that share points: the variance that the common pool adds to a mean over them.

Splits that use a share f of one pool have a correlation of at most f, whatever a point's effects:
if its effects as a training point and as a validation point have standard deviations a and b, the
correlation is ``(a + b)^2 / (a^2 / f_train + b^2 / f_validation)``, which by the Cauchy-Schwarz
inequality is at most ``f_train + f_validation``. So both kinds of points count as used. The spread
between splits contains only ``1 - f`` of the variance, and the mean over n splits has the variance
``s^2 (1/n + f / (1 - f))``.
"""

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from .rules import LEVEL

__all__ = ["gain_table", "half_width", "overlap"]


def half_width(differences, overlap=0.0):
    """Half of the 95 % interval of a mean over splits, by Student's t with s^2 (1/n + overlap).

    Parameters
    ----------
    differences : array-like of shape (n,) or DataFrame
        Missing values do not count.
    overlap : float, default 0
        Result of `overlap`: what sharing one pool adds to 1/n.

    Returns
    -------
    float, or Series with that of each column
        NaN for a single split.
    """
    table = differences if isinstance(differences, pd.DataFrame) else pd.Series(differences)
    n = table.count()
    return stdtrit(n - 1, 1 - LEVEL / 2) * table.std() * np.sqrt(1 / n + overlap)


def gain_table(gains, names):
    """Mean gains, each with half of its 95 % interval.

    Parameters
    ----------
    gains : dict of tuple to (Series, float)
        By key, the gain by split and the `overlap` of the splits.
    names : list of str
        What the parts of a key are.

    Returns
    -------
    DataFrame
        Indexed by the parts of the key; columns gain and half (half the interval's width).
    """
    rows = [(*key, gap.mean(), half_width(gap, shared)) for key, (gap, shared) in gains.items()]
    return pd.DataFrame(rows, columns=[*names, "gain", "half"]).set_index(names)


def overlap(n_used, n_pool):
    """Overlap f / (1 - f) that splits of one pool add to 1/n in the variance of their mean.

    Parameters
    ----------
    n_used : float
        Points of a split that its error depends on: training, validation or test points.
    n_pool : float
        Points of the pool.

    Returns
    -------
    float
    """
    return n_used / (n_pool - n_used)
