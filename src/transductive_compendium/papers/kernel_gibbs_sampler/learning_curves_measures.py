"""Areas under the learning curves of each strategy, and the errors at their ends."""

import numpy as np
import pandas as pd

from ...rejection_curves import TEST_TRAIN
from ...verdicts.claims import measure
from ...verdicts.rules import Repeats
from .difference_measures import half_width, yes_or_no
from .learning_curves import WHOLE_SPACE

# Test over training points: points of the sphere are generated anew for each replication, while
# heart and thyroid are split again and again.
OVERLAP = {"uniform": 0.0, "beta": 0.0, "heart": TEST_TRAIN, "thyroid": TEST_TRAIN}


def reach(differences):
    """Half the 90 % interval of each problem's mean, corrected for overlapping splits."""
    overlap = differences.columns.map(OVERLAP).to_numpy(dtype=float)
    return half_width(differences) * np.sqrt(1.0 + differences.count() * overlap)


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


def _curves(frames):
    return frames["kernel_gibbs_sampler/active_learning"]


@measure
def queries_alike(frames, strategy, problems, noise):
    """Area of another strategy minus that of the entropy, on each of these problems."""
    gap = areas_above_entropy(_curves(frames), strategy, noise)
    return Repeats(gap[list(problems)].dropna().to_numpy())


@measure
def queries_end_below(frames, labels, problems):
    """Whether, on average over these splits, queries by entropy end below random queries.

    If there are two kinds, in the span of the labelled points and in all space, both must.
    """
    details, holds = [], True
    for noise in (False, True):
        errors = error_curves(_curves(frames), noise)[labels].groupby(["problem", "strategy"])
        mean = errors.mean().unstack()
        for problem in problems:
            by_entropy = mean.loc[problem, ["entropy", WHOLE_SPACE]].dropna()
            at_random = mean.loc[problem, "random"]
            holds &= bool((by_entropy < at_random).all())
            what = "flipped labels" if noise else "labels as they are"
            details.append(
                f"{problem}, {what}: {' and '.join(f'{e:.1f} %' for e in by_entropy)} against "
                f"{at_random:.1f} %"
            )
    return yes_or_no(holds, f"after {labels} labels " + "; ".join(details))
