"""Learning curves of each strategy, and the areas under them."""

import numpy as np
import pandas as pd

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats


def _rows_at_true_noise(frame, noise):
    """Rows with or without flips where the true rate of flips was assumed."""
    return frame[(frame["q"] == frame["flip_rate"]) & ((frame["flip_rate"] > 0) == noise)]


def error_curves(frame, noise, column="error"):
    """Errors in per cent: a row for each problem, strategy and replication.

    A column for each number of labels.

    Parameters
    ----------
    frame : DataFrame
        Rows of the active learning experiment.
    noise : bool
        Whether to take the rows with flipped labels or those without.
    column : str, default "error"
        "error" of the Bayes point; "error_vote" of the vote; "error_svm" of an SVM that learns from
        the same labels.
    """
    index = ["problem", "strategy", "replication"]
    return 100.0 * _rows_at_true_noise(frame, noise).pivot(
        index=index, columns="labels", values=column
    )


def areas(frame, noise, column="error"):
    """Area under each learning curve, as mean error from first to last number of labels.

    By the trapezoidal rule; a row for each replication, columns (problem, strategy). The data sets
    have fewer replications than the toy problems; missing ones are NaN.
    """
    errors = error_curves(frame, noise, column)
    labels = errors.columns.to_numpy(dtype=float)
    area = np.trapezoid(errors.to_numpy(), labels, axis=1) / np.ptp(labels)
    return pd.Series(area, errors.index).unstack(["problem", "strategy"])


def areas_above_entropy(frame, strategy, noise, column="error"):
    """Area of a strategy minus that of queries by entropy, a column for each problem."""
    area = areas(frame, noise, column)
    return area.xs(strategy, axis=1, level="strategy") - area.xs(
        "entropy", axis=1, level="strategy"
    )


@measure
def queries_alike(frames, strategy, problems, noise):
    """Area of another strategy minus that of the entropy, on each of these problems."""
    gap = areas_above_entropy(frames["kernel_gibbs_sampler/active_learning"], strategy, noise)
    return Repeats(gap[list(problems)].dropna().to_numpy())
