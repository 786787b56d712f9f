"""Text: errors by method, size and way of tuning, and what a universum gains."""

from __future__ import annotations

import pandas as pd

from ...verdicts import overlapping_splits
from ...verdicts.claims import load_claims, measure
from ...verdicts.rules import EquivalenceEvidence, NotTestable, OrderingEvidence, half_width
from .text_design import CONDITIONS, RCV1_VALIDATION, SVM, WINMAC_VALIDATION

PAPER = "universum"
#: How parameters were chosen, and the column of the error.
PROTOCOLS = {
    "validation": "error",
    "cross-validation": "error_cv",
    "test": "error_oracle",
    "default": "error_default",
}


def published(item):
    """Published errors in per cent, by method and size, from the claims on Reuters or WinMac."""
    return {
        (c.arguments["method"], c.arguments["n_train"]): c.published["value"]
        for c in load_claims([PAPER])
        if c.item == item and c.kind == "value"
    }


def overlap(frame, n_train, protocols):
    """What random splits of a size add to 1/n as they share documents that errors depend on.

    Those to validate on count where a protocol uses them. The error is that on the rest of the
    table; it says nothing about other documents.
    """
    (n_pool,) = frame["n_pool"].unique()
    n_validation = min(WINMAC_VALIDATION if "features" in frame else RCV1_VALIDATION, n_pool // 5)
    return overlapping_splits.overlap(n_train + n_validation * ("validation" in protocols), n_pool)


def part(frame, features=CONDITIONS[0][0], drawn=CONDITIONS[0][1]):
    """Rows of one kind of features and of splits, where a frame has several."""
    if "features" not in frame:
        return frame
    return frame[(frame["features"] == features) & (frame["drawn"] == drawn)]


def errors(frame, method, n_train, protocol="validation"):
    """Errors in per cent by split.

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


def gain_and_overlap(frame, sizes, better, worse, protocols):
    """Error of `worse` less that of `better` by split, mean over sizes; and their overlap."""
    gaps = [
        errors(frame, worse, n, protocols[1]) - errors(frame, better, n, protocols[0])
        for n in sizes
    ]
    # sizes are drawn independently
    shared = overlapping_splits.mean_over_sizes([overlap(frame, n, protocols) for n in sizes])
    return sum(gaps) / len(gaps), shared


def table(frame, columns):
    """Errors in per cent, mean and standard error over splits, with a column for each size.

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
    """What each method gains on the SVM, in percentage points, with 90 % intervals.

    Returns
    -------
    DataFrame
        Index: method, training documents; columns gain and half, half of the interval's width.
    """
    rows = []
    for method in methods:
        for n in frame["n_train"].unique():
            gap, ratio = gain_and_overlap(frame, [n], method, SVM, ("validation",) * 2)
            rows.append((method, n, gap.mean(), half_width(gap, ratio)))
    names = ["method", "n_train", "gain", "half"]
    return pd.DataFrame(rows, columns=names).set_index(names[:2])


@measure
def text_gain(frames, item, better, worse, sizes, protocols=("validation",) * 2, **condition):
    """Error of `worse` less that of `better`, in percentage points.

    `protocols` are those of `better` and of `worse`.
    """
    frame = part(frames[f"{PAPER}/{item}"], **condition)
    gap, ratio = gain_and_overlap(frame, sizes, better, worse, protocols)
    return OrderingEvidence(gap, test_train_ratio=ratio)


@measure
def text_no_gain(frames, item, method, than, sizes, protocols=("validation",) * 2, **condition):
    """Error of `than` less that of `method`, said to be negligible."""
    frame = part(frames[f"{PAPER}/{item}"], **condition)
    gap, ratio = gain_and_overlap(frame, sizes, method, than, protocols)
    return EquivalenceEvidence(gap, test_train_ratio=ratio)


@measure
def rcv1_full(frames, method, n_train):
    """All of RCV1-v2 was not at hand when results were recorded."""
    values = errors(frames[f"{PAPER}/rcv1"], method, n_train)
    return NotTestable(
        "the full RCV1 was not at hand.",
        f"on 6000 stories by 500 words {method} {values.mean():.1f} ± {values.sem():.1f} %",
    )
