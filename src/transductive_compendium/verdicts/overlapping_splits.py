"""Random splits that share points: the variance that the common pool adds to a mean over them.

Splits that use a share f of one pool have a correlation of at most f, whatever a point's effects:
if its effects as a training point and as a validation point have standard deviations a and b, the
correlation is ``(a + b)^2 / (a^2 / f_train + b^2 / f_validation)``, which by the Cauchy-Schwarz
inequality is at most ``f_train + f_validation``. So both kinds of points count as used. The spread
between splits contains only ``1 - f`` of the variance, and the mean over n splits has the variance
``s^2 (1/n + f / (1 - f))``.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import stdtrit

from .rules import LEVEL

__all__ = ["half_width", "mean_over_sizes", "overlap"]


def half_width(differences, overlap=0.0):
    """Half of the 95 % interval of a mean over splits, by Student's t with s^2 (1/n + overlap).

    Parameters
    ----------
    differences : array-like of shape (n,)
    overlap : float, default 0
        Result of `overlap`: what sharing one pool adds to 1/n.

    Returns
    -------
    float
    """
    values = np.asarray(differences, dtype=float)
    spread = values.std(ddof=1) * math.sqrt(1 / len(values) + overlap)
    return float(stdtrit(len(values) - 1, 1 - LEVEL / 2) * spread)


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


def mean_over_sizes(overlaps):
    """Overlap for a mean over k sizes whose splits are drawn independently of each other.

    Let p be the variance of the pool's part, which is the same at each size, and ``e_a`` that of a
    split's own part at the size a: ``o_a = p / e_a``. For the mean over sizes the own variance is
    ``sum(e_a) / k^2``, while that of the pool is still p. Their ratio is ``k^2 / sum(1 / o_a)``, k
    times the harmonic mean. (If a split's larger subset contains the smaller one, own parts do not
    average out, and the largest of the overlaps is enough.)

    Parameters
    ----------
    overlaps : sequence of float
        One for each size.

    Returns
    -------
    float
    """
    return len(overlaps) ** 2 / sum(1.0 / o for o in overlaps)
