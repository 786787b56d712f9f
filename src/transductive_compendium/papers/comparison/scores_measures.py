"""Scores of the methods compared split by split: gains, their intervals and evidence."""

from ...verdicts import overlapping_splits
from ...verdicts.claims import measure
from ...verdicts.overlapping_splits import gain_table
from ...verdicts.rules import Repeats
from .methods import N_LABELS_OF_METHODS
from .problems import CLASS_SIZES, REUTERS_TRAINING_ROWS, n_working
from .working_points import AS_DRAWN, N_LABELS_OF_WORKING_POINTS

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


def _n_labels(frame):
    return N_LABELS_OF_WORKING_POINTS if "working" in frame else N_LABELS_OF_METHODS


def _differences(frame, problem, better, worse, score, **where):
    """`worse` minus `better`, split by split; `where` picks labels, working points or share."""
    keep = frame["problem"] == problem
    for column, value in where.items():
        keep &= frame[column] == value
    table = scores(frame[keep], score)
    return (table[worse] - table[better]).to_numpy()


@measure()
def cmp_difference(frames, problem, first, second, score="error", **where):
    """Score of `second` minus that of `first`; `where` picks labels, working points or share."""
    (frame,) = frames.values()
    return Repeats(_differences(frame, problem, first, second, score, **where))


@measure()
def cmp_gain_changes(frames, problem, better, worse, varied, more, less, score="error"):
    """Gain of `better` over `worse` where `varied` is `more`, minus that where it is `less`."""
    (frame,) = frames.values()
    fixed = {"share": AS_DRAWN} if varied == "working" else {}
    gain_more, gain_less = (
        _differences(frame, problem, better, worse, score, **fixed, **{varied: value})
        for value in (more, less)
    )
    return Repeats(gain_more - gain_less)


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
        Index: problem and `by`; columns gain, half (half the interval's width, corrected for the
        overlap of the splits; missing for one split) and worse (its mean score).
    """
    gains, means = {}, []
    for (problem, value), part in frame.groupby(["problem", by], sort=False):
        table = scores(part, score)
        labels = value if by == "labels" else _n_labels(frame)
        at = {"share": float(value)} if by == "share" else {}
        size = part["working"].iloc[0] if "working" in part else None
        shared = overlap(problem, int(labels), size, **at)
        gains[problem, value] = table[worse] - table[better], shared
        means.append(table[worse].mean())
    return gain_table(gains, ["problem", by]).assign(worse=means)
