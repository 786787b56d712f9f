"""Scores of the methods split by split: gains with their intervals, and calibration."""

import numpy as np
import pandas as pd

from ...verdicts import overlapping_splits
from ...verdicts.overlapping_splits import gain_table
from .methods import N_LABELS_OF_METHODS
from .problems import CLASS_SIZES, REUTERS_TRAINING_ROWS, n_working
from .scores import CONFIDENCE_ENDS
from .working_points import N_LABELS_OF_WORKING_POINTS

#: Displayed names of the methods, in the order of tables.
NAMES = {
    "svm": "SVM",
    "tsvm": "TSVM",
    "tsvm, true number": "TSVM, true number",
    "usvm": "U-SVM",
    "platt": "SVM, Platt",
    "ridge": "LD",
    "tld": "TLD",
    "bpm": "Bayes point",
    "bt": "Bayesian transduction",
    "kgs": "Gibbs vote",
}
#: Scores in per cent.
_PER_CENT = ("error", "error_told", "error_kept", "risk_area")


def overlap(problem, labels, working=None, share=None):
    """Overlap f / (1 - f) that splits of one pool add to 1/n in the variance of their mean.

    f is the share of the pool that a split uses; it bounds the correlation of two splits.

    Parameters
    ----------
    problem : str
    labels : int
    working : int, optional
        By default the whole working set.
    share : float, optional
        Share of positives, if it is set: the class with the larger overlap counts.

    Returns
    -------
    float
    """
    classes = CLASS_SIZES[problem]
    n = sum(classes)
    working = n_working(n) if working is None else working
    parts = [working / n]
    if share is not None:
        parts = [share * working / classes[0], (1.0 - share) * working / classes[1]]
    f = labels / (REUTERS_TRAINING_ROWS if problem.startswith("reuters") else n) + max(parts)
    return overlapping_splits.overlap(f, 1.0)


def scores(frame, score="error"):
    """One score of all methods; errors in per cent.

    Parameters
    ----------
    frame : DataFrame
        Rows of one of the experiments.
    score : str
        A column.

    Returns
    -------
    DataFrame
        A column for each method; index: problem, draw, and the experiment's other variables.
    """
    varied = [c for c in ("labels", "working", "share") if c in frame]
    table = frame.pivot(index=["problem", *varied, "draw"], columns="method", values=score)
    return table * (100.0 if score in _PER_CENT else 1.0)


def gains(frame, better, worse, by, score="error"):
    """Mean gain of `better` over `worse`, in percentage points, with 95 % intervals.

    Parameters
    ----------
    frame : DataFrame
        Rows of one of the experiments.
    better, worse : str
        Methods.
    by : str
        Column that is varied.
    score : str

    Returns
    -------
    DataFrame
        Index: problem and `by`; columns gain and half (half the interval's width, corrected for
        the overlap of the splits; missing for one split).
    """
    gains = {}
    fixed = N_LABELS_OF_WORKING_POINTS if "working" in frame else N_LABELS_OF_METHODS
    for (problem, value), part in frame.groupby(["problem", by], sort=False):
        table = scores(part, score)
        labels = value if by == "labels" else fixed
        at = {"share": float(value)} if by == "share" else {}
        size = part["working"].iloc[0] if "working" in part else None
        shared = overlap(problem, int(labels), size, **at)
        gains[problem, value] = table[worse] - table[better], shared
    return gain_table(gains, ["problem", by])


def overconfidence(frame):
    """Claimed confidence minus the share of right labels, in percentage points, split by split."""
    frame = frame.dropna(subset="claimed")
    gap = frame.assign(gap=100.0 * (frame["claimed"] - 1.0 + frame["error"]))
    return gap.pivot(index=["problem", "draw"], columns="method", values="gap")


def reliability(frame, problems):
    """Share of right labels by class of claimed confidence, over all splits.

    Parameters
    ----------
    frame : DataFrame
        Rows of ``comparison/methods``.
    problems : list of str

    Returns
    -------
    DataFrame
        Index: method, upper end of the class in per cent; columns points and right (NaN without
        points).
    """
    frame = frame[frame["problem"].isin(problems)].dropna(subset="claimed")
    ends = [round(100 * b) for b in CONFIDENCE_ENDS]
    sums = frame.groupby("method", sort=False)[
        [f"{what}_{e}" for e in ends for what in ("points", "right")]
    ].sum()
    rows = {
        (method, e): (row[f"points_{e}"], row[f"right_{e}"] / row[f"points_{e}"])
        if row[f"points_{e}"]
        else (0.0, np.nan)
        for method, row in sums.iterrows()
        for e in ends
    }
    table = pd.DataFrame.from_dict(rows, orient="index", columns=["points", "right"])
    table.index = pd.MultiIndex.from_tuples(table.index, names=["method", "to"])
    return table
