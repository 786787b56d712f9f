"""One view of transduction: gains with intervals, reliability, and evidence for each check."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ...verdicts import overlapping_splits as draws
from ...verdicts.claims import measure
from ...verdicts.rules import EquivalenceEvidence, OrderingEvidence, half_width
from . import gains as few
from .methods import N_LABELS
from .problems import n_working
from .scores import BINS

__all__ = ["NAMES", "gains", "overconfidence", "overlap", "reliability", "scores"]

#: Names of the methods for people, in the order of tables.
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
#: Positive and negative rows that working points are drawn from.
_CLASSES = {
    "thyroid": (150, 65),
    "heart": (120, 150),
    "banana": (2376, 2924),
    "mnist 5 / 8": (6825, 6313),
    "reuters earn": (1087, 2212),
    "reuters acq": (719, 2580),
}
#: Rows that the labelled documents are drawn from; elsewhere they are those of the working points.
_REUTERS_TRAIN = 9603


def overlap(problem, labels, working=None, share=None):
    """What draws from one pool add to 1/n in the variance of their mean: f / (1 - f).

    The share f of the pool that a draw uses bounds the correlation of two draws.

    Parameters
    ----------
    problem : str
    labels : int
    working : int, optional
        By default the whole working set.
    share : float, optional
        Of positives, where it is not as drawn: the class that is used more counts.

    Returns
    -------
    float
    """
    classes = _CLASSES[problem]
    n = sum(classes)
    working = n_working(n) if working is None else working
    parts = [working / n]
    if share is not None:
        parts = [share * working / classes[0], (1.0 - share) * working / classes[1]]
    f = labels / (_REUTERS_TRAIN if problem.startswith("reuters") else n) + max(parts)
    return draws.overlap(f, 1.0)


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
        A column for each method; index: problem, draw, and what else the experiment varies.
    """
    varied = [c for c in ("labels", "working", "share") if c in frame]
    table = frame.pivot(index=["problem", *varied, "draw"], columns="method", values=score)
    return table * (100.0 if score in _PER_CENT else 1.0)


def _name(frames):
    (name,) = frames
    return name


def _n_labels(frame):
    return few.N_LABELS if "working" in frame else N_LABELS


def _differences(frames, problem, better, worse, score, labels=None, working=None, share=None):
    """`worse` less `better`, draw by draw, and the ratio by which draws overlap."""
    frame = frames[_name(frames)]
    keep = frame["problem"] == problem
    for column, value in (("labels", labels), ("working", working), ("share", share)):
        if value is not None:
            keep &= frame[column] == value
    table = scores(frame[keep], score)
    ratio = None if share in (None, few.DRAWN) else float(share)
    size = frame.loc[keep, "working"].iloc[0] if ratio is not None else working
    labels = _n_labels(frame) if labels is None else labels
    return (table[worse] - table[better]).to_numpy(), overlap(problem, labels, size, ratio)


@measure
def cmp_lower(frames, problem, better, worse, score="error", **where):
    """Score of `worse` less that of `better`; `where` picks labels, working points or share."""
    differences, ratio = _differences(frames, problem, better, worse, score, **where)
    return OrderingEvidence(differences=differences, test_train_ratio=ratio)


@measure
def cmp_same(frames, problem, first, second, score="error", **where):
    """Score of `second` less that of `first`, said to be negligible."""
    differences, ratio = _differences(frames, problem, first, second, score, **where)
    return EquivalenceEvidence(differences=differences, test_train_ratio=ratio)


@measure
def cmp_gain_changes(frames, problem, better, worse, varied, more, less, score="error"):
    """Gain of `better` on `worse` where `varied` is `more`, less that where it is `less`."""
    fixed = {"share": few.DRAWN} if varied == "working" else {}
    found = [
        _differences(frames, problem, better, worse, score, **fixed, **{varied: value})
        for value in (more, less)
    ]
    return OrderingEvidence(
        differences=found[0][0] - found[1][0], test_train_ratio=max(o for _, o in found)
    )


@measure
def cmp_overconfident(frames, problem, method):
    """Mean claimed confidence less the share of right labels."""
    gap = overconfidence(frames[_name(frames)])[method].loc[problem]
    return OrderingEvidence(gap.to_numpy(), test_train_ratio=overlap(problem, N_LABELS))


def overconfidence(frame):
    """Mean claimed confidence less the share of right labels, in points, by problem and draw."""
    frame = frame.dropna(subset="claimed")
    gap = frame.assign(gap=100.0 * (frame["claimed"] - 1.0 + frame["error"]))
    return gap.pivot(index=["problem", "draw"], columns="method", values="gap")


def gains(frame, better, worse, by, score="error"):
    """Mean gain of `better` on `worse`, in points, with 90 % intervals.

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
        Index: problem and `by`; columns gain, half (of the interval's width, corrected for the
        overlap of the draws; missing with one draw) and worse (the mean score).
    """
    rows = []
    for (problem, value), part in frame.groupby(["problem", by], sort=False):
        table = scores(part, score)
        labels = value if by == "labels" else _n_labels(frame)
        at = {"share": float(value)} if by == "share" else {}
        size = part["working"].iloc[0] if "working" in part else None
        gap = table[worse] - table[better]
        ratio = overlap(problem, int(labels), size, **at)
        half = half_width(gap, ratio) if len(gap) > 1 else np.nan
        rows.append((problem, value, gap.mean(), half, table[worse].mean()))
    names = ["problem", by, "gain", "half", "worse"]
    return pd.DataFrame(rows, columns=names).set_index(names[:2])


def reliability(frame, problems):
    """Share of right labels by class of claimed confidence, over all draws.

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
    ends = [round(100 * b) for b in BINS]
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
