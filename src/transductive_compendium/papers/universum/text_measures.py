"""Text: errors by method, size and way of tuning, and what a universum gains."""

from __future__ import annotations

import pandas as pd

from ...verdicts import overlapping_splits as draws
from ...verdicts.claims import load_claims, measure
from ...verdicts.rules import (
    EquivalenceEvidence,
    IdentityEvidence,
    NotTestable,
    OrderingEvidence,
    ValueEvidence,
    half_width,
)
from .text import CONDITIONS, SVM

__all__ = ["PROTOCOLS", "errors", "gain_table", "overlap", "part", "published", "table"]

DOCUMENT = "universum"
#: How parameters were chosen, and the column of the error.
PROTOCOLS = {
    "validation": "error",
    "cross-validation": "error_cv",
    "test": "error_oracle",
    "default": "error_default",
}
#: Documents to validate on, of RCV1 and of WinMac, unless a table is small.
N_VALIDATION = 500, 200
#: Labelled points are on the margin if they are no farther off: the solver's tolerance.
ON_MARGIN = 1e-4


def published(item):
    """Published errors in per cent, by method and size, from the claims on Reuters or WinMac."""
    return {
        (c.arguments["method"], c.arguments["n_train"]): c.published["value"]
        for c in load_claims([DOCUMENT])
        if c.item == item and c.kind == "value"
    }


def overlap(frame, n_train, protocols):
    """What the draws of a size add to 1/n as they share documents that errors depend on.

    Those to validate on count where a protocol uses them. The error is that on the rest of the
    table; it says nothing about other documents.
    """
    (n_pool,) = frame["n_pool"].unique()
    n_validation = min(N_VALIDATION["features" in frame], n_pool // 5)
    return draws.overlap(n_train + n_validation * ("validation" in protocols), n_pool)


def part(frame, features=CONDITIONS[0][0], drawn=CONDITIONS[0][1]):
    """Rows of one kind of features and of draws, where a frame has several."""
    if "features" not in frame:
        return frame
    return frame[(frame["features"] == features) & (frame["drawn"] == drawn)]


def errors(frame, method, n_train, protocol="validation"):
    """Errors in per cent by draw.

    Parameters
    ----------
    frame : DataFrame
        Rows of one `part` of an experiment.
    method : str
    n_train : int
    protocol : str
        One of `PROTOCOLS`.

    Returns
    -------
    Series
    """
    rows = frame[(frame["method"] == method) & (frame["n_train"] == n_train)]
    return 100.0 * rows.set_index("draw")[PROTOCOLS[protocol]].sort_index()


def _gain(frame, sizes, better, worse, protocols):
    """Error of `worse` less that of `better` by draw, mean over sizes; and their overlap."""
    gaps = [
        errors(frame, worse, n, protocols[1]) - errors(frame, better, n, protocols[0])
        for n in sizes
    ]
    # sizes are drawn independently
    shared = draws.mean_over_sizes([overlap(frame, n, protocols) for n in sizes])
    return sum(gaps) / len(gaps), shared


def table(frame, columns):
    """Errors in per cent, mean and standard error over draws, with a column for each size.

    Parameters
    ----------
    frame : DataFrame
        Rows of one `part` of an experiment.
    columns : dict of str to (str, str)
        Name of each row of the table: its method and protocol.

    Returns
    -------
    DataFrame of str
    """
    rows = {}
    for name, (method, protocol) in columns.items():
        for n in frame["n_train"].unique():
            values = errors(frame, method, n, protocol)
            spread = f" ± {values.sem():.1f}" if len(values) > 1 else ""
            rows.setdefault(name, {})[n] = f"{values.mean():.1f}{spread}"
    return pd.DataFrame(rows).T.rename_axis(columns="training documents")


def gain_table(frame, methods):
    """What each method gains on the SVM, in points, with 90 % intervals.

    Returns
    -------
    DataFrame
        Index: method, training documents; columns gain and half, half of the interval's width.
    """
    rows = []
    for method in methods:
        for n in frame["n_train"].unique():
            gap, ratio = _gain(frame, [n], method, SVM, ("validation",) * 2)
            rows.append((method, n, gap.mean(), half_width(gap, ratio)))
    names = ["method", "n_train", "gain", "half"]
    return pd.DataFrame(rows, columns=names).set_index(names[:2])


# ---- evidence ------------------------------------------------------------------------------------


@measure
def text_error(frames, item, method, n_train, protocol="validation", **condition):
    """Error in per cent."""
    return ValueEvidence(
        errors(part(frames[f"{DOCUMENT}/{item}"], **condition), method, n_train, protocol)
    )


@measure
def text_gain(frames, item, better, worse, sizes, protocols=("validation",) * 2, **condition):
    """Error of `worse` less that of `better`, in points; `protocols` in the order of the names."""
    frame = part(frames[f"{DOCUMENT}/{item}"], **condition)
    gap, ratio = _gain(frame, sizes, better, worse, protocols)
    return OrderingEvidence(gap, test_train_ratio=ratio)


@measure
def text_no_gain(frames, item, method, than, sizes, protocols=("validation",) * 2, **condition):
    """The same difference, said to be negligible."""
    frame = part(frames[f"{DOCUMENT}/{item}"], **condition)
    gap, ratio = _gain(frame, sizes, method, than, protocols)
    return EquivalenceEvidence(gap, test_train_ratio=ratio)


@measure
def text_gain_below(frames, item, gain, better, worse, sizes, protocols):
    """By how much our gain is below a given one, in points."""
    ours = text_gain(frames, item, better, worse, sizes, protocols)
    return OrderingEvidence(gain - ours.differences, test_train_ratio=ours.test_train_ratio)


@measure
def rcv1_full(frames, method, n_train):
    """All of RCV1-v2 was not at hand when results were recorded."""
    values = errors(frames[f"{DOCUMENT}/rcv1"], method, n_train)
    return NotTestable(
        "the full RCV1 was not at hand.",
        f"on 6000 stories by 500 words {method} {values.mean():.1f} ± {values.sem():.1f} %",
    )


@measure
def winmac_unmoved(frames, method):
    """Largest change of a decision value by the universum where all labels are on the margin."""
    frame = frames[f"{DOCUMENT}/winmac"]
    rows = frame[(frame["method"] == method) & (frame["off_margin"] <= ON_MARGIN)]
    return IdentityEvidence(rows["moved"].max())


@measure
def winmac_gain_falls(frames, better, worse, sizes):
    """The gain in random draws less that in balanced ones, by number of the draw.

    They are independent, so that variances add up, and the overlap of either is the same.
    """
    frame, gaps = frames[f"{DOCUMENT}/winmac"], []
    for drawn in ("random", "balanced"):
        gap, ratio = _gain(part(frame, drawn=drawn), sizes, better, worse, ("validation",) * 2)
        gaps.append(gap)
    return OrderingEvidence(gaps[0] - gaps[1], test_train_ratio=ratio)
