"""Digits with few labels: errors by method, and gains of transduction."""

from ...verdicts import overlapping_splits
from ...verdicts.overlapping_splits import gain_table
from .digits import TASK_SIZES, n_working


def overlap(dataset, task, labels):
    """Overlap that random splits add to 1/n because they share rows, labelled or working."""
    rows = TASK_SIZES[dataset, task]
    return overlapping_splits.overlap(labels + n_working(rows), rows)


def errors(frame, labels, kernel):
    """Errors in per cent.

    Parameters
    ----------
    frame : DataFrame
        Rows of the experiment.

    Returns
    -------
    DataFrame
        Index: data set, task, draw; a column for each method.
    """
    frame = frame[(frame["labels"] == labels) & (frame["kernel"] == kernel)]
    index = ["dataset", "task", "draw"]
    return 100.0 * frame.pivot(index=index, columns="method", values="error")


def gains(frame, labels, kernel):
    """Gain of each method over the SVM, in percentage points, with 95 % intervals.

    Returns
    -------
    DataFrame
        Index: data set, task, method; columns gain and half (half the interval's width, corrected
        for the overlap of the splits).
    """
    table = errors(frame, labels, kernel)
    gains = {
        (*task, method): (part["svm"] - part[method], overlap(*task, labels))
        for task, part in table.groupby(level=["dataset", "task"], sort=False)
        for method in table.columns.drop("svm")
    }
    return gain_table(gains, ["dataset", "task", "method"])


def missed_number(frame):
    """Error of the number of positives, in per cent of the working points.

    At least this share of the labels is wrong.

    Returns
    -------
    Series
        In the order of the frame's rows.
    """
    m = [n_working(TASK_SIZES[key]) for key in zip(frame["dataset"], frame["task"], strict=True)]
    return 100.0 * (frame["positive"] - frame["positive_true"]).abs() / m
