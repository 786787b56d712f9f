"""Tables of differences, a column for each condition and a row for each independent repetition.

They write means with their errors.
"""

import numpy as np
import pandas as pd

from ...verdicts.rules import Repeats


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
