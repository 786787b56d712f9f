"""Texts: errors by method and size, and gains of a universum."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ...verdicts import overlapping_splits
from ...verdicts.claims import load_statements, measure, of_rows
from ...verdicts.overlapping_splits import half_width
from ...verdicts.rules import Column, NotTestable, Repeats, Value
from .rcv1_topics import N_VALIDATION
from .text_selection import SVM

PAPER, ITEM, REUTERS = "universum", "universum/winmac", "universum/rcv1"


def published(claim):
    """Published errors in per cent of a table, by method and size; cells are "50 svm"."""
    (found,) = [c for c in load_statements([PAPER])[PAPER].claims if c.id == claim]
    cells = ((*name.split(), x) for name, x in found.published.cells.items())
    return {(method, int(n)): x for n, method, x in cells}


def overlap(frame, n_train):
    """Overlap that random splits of a size add to 1/n because they share documents.

    Validation documents count. The error is that on the rest of the table; it does not extend to
    other documents.
    """
    (n_pool,) = frame["n_pool"].unique()
    return overlapping_splits.overlap(n_train + min(N_VALIDATION, n_pool // 5), n_pool)


@of_rows
def errors(frame, method, n_train):
    """Errors in per cent by split.

    Parameters
    ----------
    frame : DataFrame
        Rows of an experiment.
    method : str
    n_train : int

    Returns
    -------
    Series
    """
    rows = frame[(frame["method"] == method) & (frame["n_train"] == n_train)]
    return 100.0 * rows.set_index("draw")["error"].sort_index()


def gain_and_overlap(frame, sizes, better, worse):
    """Error of `worse` minus that of `better` by split, mean over sizes; and their overlap."""
    gaps = [errors(frame, worse, n) - errors(frame, better, n) for n in sizes]
    # sizes are drawn independently
    shared = overlapping_splits.mean_over_sizes([overlap(frame, n) for n in sizes])
    return sum(gaps) / len(gaps), shared


def gain_table(frame, methods):
    """Gain of each method over the SVM, in percentage points, with 95 % intervals.

    Returns
    -------
    DataFrame
        Index: method, training documents; columns gain and half (half the interval's width).
    """
    rows = []
    for method in methods:
        for n in frame["n_train"].unique():
            gap, ratio = gain_and_overlap(frame, [n], method, SVM)
            rows.append((method, n, gap.mean(), half_width(gap, ratio)))
    names = ["method", "n_train", "gain", "half"]
    return pd.DataFrame(rows, columns=names).set_index(names[:2])


@measure
def text_gain(frames, better, worse, sizes):
    """Error of `worse` minus that of `better`, in percentage points, mean over sizes."""
    return Repeats(gain_and_overlap(frames[REUTERS], sizes, better, worse)[0])


@measure
def rcv1_full(frames, methods, sizes):
    """The whole RCV1-v2 was not available when the results were recorded."""
    frame = frames[REUTERS]
    means = {name: [errors(frame, name, n).mean() for n in sizes] for name in (SVM, *methods)}
    words = "; ".join(
        f"{name} {', '.join(f'{x:.1f}' for x in values)} %" for name, values in means.items()
    )
    return NotTestable(
        "the full RCV1 is not at hand.",
        f"6000 stories by 500 words, {', '.join(map(str, sizes))} documents: {words}",
    )


def gains_by_size(frame, sizes, method="Mean"):
    """Error of the SVM minus that with means, a row for each split and a column for each size."""
    return np.column_stack([errors(frame, SVM, n) - errors(frame, method, n) for n in sizes])


@measure
def winmac_gains(frames, sizes):
    """Gain of means over the SVM at each size, in percentage points."""
    frame = frames[ITEM]
    gaps = gains_by_size(frame, sizes)
    words = ", ".join(
        f"{errors(frame, 'Mean', n).mean():.1f} (SVM {errors(frame, SVM, n).mean():.1f}) at {n}"
        for n in sizes
    )
    return Repeats(gaps, shown=f"{words} %", gain=gaps.mean(axis=1))


@measure
def winmac_gains_fall(frames, sizes):
    """Decrease of the gain from size to size."""
    gaps = gains_by_size(frames[ITEM], sizes)
    words = ", ".join(f"{x:+.1f}" for x in gaps.mean(axis=0))
    return Repeats(gaps[:, :-1] - gaps[:, 1:], shown=f"gains {words} percentage points")


@measure
def winmac_table(frames, sizes):
    """Errors by size and method."""
    frame = frames[ITEM]
    return Column(
        {f"{n} {name}": Value(errors(frame, name, n)) for n in sizes for name in (SVM, "Mean")}
    )
