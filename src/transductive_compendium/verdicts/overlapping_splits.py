"""Random splits that share points: what the pool adds to the variance of a mean over them.

Splits that use a share f of one pool have a correlation of at most f, whatever a point does in
either: if a point's effects as a training point and as one to validate on have standard deviations
a and b, the correlation is ``(a + b)^2 / (a^2 / f_train + b^2 / f_validation)``, which by the
Cauchy-Schwarz inequality is at most ``f_train + f_validation``. So both kinds count as used. The
spread between splits shows ``1 - f`` of the variance only, and the mean over n splits has the
variance ``s^2 (1/n + f / (1 - f))``.
"""

from __future__ import annotations

import math

import numpy as np

from .distributions import student_t_quantile

__all__ = ["half_width", "mean_over_sizes", "overlap"]


def half_width(differences, overlap=0.0, level=0.1):
    """Half of the interval of a mean over splits, by Student's t with s^2 (1/n + overlap).

    Parameters
    ----------
    differences : array-like of shape (n,)
    overlap : float, default 0
        As `overlap` gives it: what sharing one pool adds to 1/n.
    level : float, default 0.1
        Probability that the interval misses.

    Returns
    -------
    float
    """
    values = np.asarray(differences, dtype=float)
    spread = values.std(ddof=1) * math.sqrt(1 / len(values) + overlap)
    return student_t_quantile(1 - level / 2, len(values) - 1) * float(spread)


def overlap(n_used, n_pool):
    """What splits of one pool add to 1/n in the variance of their mean: f / (1 - f).

    Parameters
    ----------
    n_used : float
        Points of a split that its error depends on: to train, validate or test on.
    n_pool : float
        Points of the pool.

    Returns
    -------
    float
    """
    return n_used / (n_pool - n_used)


def mean_over_sizes(overlaps):
    """The same for a mean over k sizes that are drawn independently of each other.

    Let p be the variance of the pool's part, the same at each size, as the pool is, and ``e_a``
    that of a split's own part at the size a: ``o_a = p / e_a``. The mean over sizes has the own
    variance ``sum(e_a) / k^2``, but still p of the pool. Their ratio is ``k^2 / sum(1 / o_a)``, k
    times the harmonic mean. (Where the larger subset of a split holds the smaller one, own parts do
    not average out, and the largest of the overlaps is enough.)

    Parameters
    ----------
    overlaps : sequence of float
        One for each size.

    Returns
    -------
    float
    """
    return len(overlaps) ** 2 / sum(1.0 / o for o in overlaps)
