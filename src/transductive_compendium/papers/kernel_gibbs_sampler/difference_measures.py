"""Tables of differences, a column for each condition and a row for each independent repetition.

They say which column decides a claim about all of them, and write means with their errors.
"""

import numpy as np
import pandas as pd

from ...verdicts.distributions import student_t_quantile
from ...verdicts.rules import LEVEL


def half_width(differences):
    """Half of the 90 % interval of each column's mean (or of a series'): NaN for a single row."""

    def quantile(count):
        return student_t_quantile(1 - LEVEL, int(count) - 1) if count > 1 else np.nan

    count = differences.count()
    t = quantile(count) if np.ndim(count) == 0 else count.map(quantile)
    return t * differences.sem()


def least_clear(differences):
    """The column with the smallest t statistic.

    That all columns have a positive mean is an intersection: it is shown at a level as soon as
    each of them is shown at this level, and so as soon as this one is. No adjustment for their
    number is needed.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        t = differences.mean() / differences.sem()
    return differences[t.fillna(0.0).idxmin()]  # 0 / 0: no set differs


def furthest(differences):
    """The column whose 90 % interval reaches furthest from 0: all are within what it is within."""
    return differences[(differences.mean().abs() + half_width(differences)).idxmax()]


def mean_with_error(differences, digits=2):
    """Mean and standard error of each column (or of a series), as text."""
    mean, error = differences.mean(), differences.sem()
    if np.ndim(mean) == 0:
        return f"{mean:.{digits}f} ± {error:.{digits}f}"
    return pd.Series(
        [f"{m:.{digits}f} ± {e:.{digits}f}" for m, e in zip(mean, error, strict=True)], mean.index
    )
