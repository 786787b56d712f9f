"""Tables of differences, a column for each condition and a row for each independent repetition.

They write means with their errors.
"""

import numpy as np
import pandas as pd

from ...verdicts.distributions import student_t_quantile
from ...verdicts.rules import LEVEL, Repeats


def half_width(differences):
    """Half of the 90 % interval of each column's mean (or of a series'): NaN for a single row."""

    def quantile(count):
        return student_t_quantile(1 - LEVEL, int(count) - 1) if count > 1 else np.nan

    count = differences.count()
    t = quantile(count) if np.ndim(count) == 0 else count.map(quantile)
    return t * differences.sem()


def yes_or_no(holds, text):
    """Evidence for a statement in which nothing is random."""
    return Repeats(np.array([1.0 if holds else -1.0]), shown=text)


def mean_with_error(differences, digits=2):
    """Mean and standard error of each column (or of a series), as text."""
    mean, error = differences.mean(), differences.sem()
    if np.ndim(mean) == 0:
        return f"{mean:.{digits}f} ± {error:.{digits}f}"
    return pd.Series(
        [f"{m:.{digits}f} ± {e:.{digits}f}" for m, e in zip(mean, error, strict=True)], mean.index
    )
