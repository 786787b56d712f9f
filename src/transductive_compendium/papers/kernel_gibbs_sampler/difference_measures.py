"""Means of differences with their errors."""

import numpy as np
import pandas as pd


def mean_with_error(differences, digits=2):
    """Mean and standard error of each column (or of a series), as text."""
    mean, error = differences.mean(), differences.sem()
    if np.ndim(mean) == 0:
        return f"{mean:.{digits}f} ± {error:.{digits}f}"
    return pd.Series(
        [f"{m:.{digits}f} ± {e:.{digits}f}" for m, e in zip(mean, error, strict=True)], mean.index
    )
