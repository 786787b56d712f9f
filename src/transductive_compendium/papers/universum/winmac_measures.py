"""Texts: errors by method and size, and gains of a universum."""

import numpy as np

from ...verdicts.claims import measure, of_rows, printed
from ...verdicts.overlapping_splits import gain_table
from ...verdicts.rules import Column, NotTestable, Repeats, Value
from .text_selection import SVM
from .winmac import TRAINING_SIZES

PAPER, ITEM, REUTERS = "universum", "universum/winmac", "universum/rcv1"


def published(claim):
    """Published errors in per cent of a table, by method and size; cells are "50 svm"."""
    cells = ((*name.split(), x) for name, x in printed(PAPER)[claim].published.cells.items())
    return {(method, int(n)): x for n, method, x in cells}


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


def gains(frame, methods):
    """Gain of each method over the SVM, in percentage points, with 95 % intervals.

    Returns
    -------
    DataFrame
        Index: method, training documents; columns gain and half (half the interval's width,
        over splits, as in the verdicts).
    """
    gains = {
        (method, n): (errors(frame, SVM, n) - errors(frame, method, n), 0.0)
        for method in methods
        for n in frame["n_train"].unique()
    }
    return gain_table(gains, ["method", "n_train"])


@measure(REUTERS)
def rcv1_full(frame, methods, sizes):
    """The whole RCV1-v2 was not available when the results were recorded."""
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


@measure(ITEM)
def winmac_gains(frame, sizes=TRAINING_SIZES):
    """Gain of means over the SVM at each size, in percentage points."""
    gaps = gains_by_size(frame, sizes)
    words = ", ".join(
        f"{errors(frame, 'Mean', n).mean():.1f} (SVM {errors(frame, SVM, n).mean():.1f}) at {n}"
        for n in sizes
    )
    return Repeats(gaps, shown=f"{words} %", gain=gaps.mean(axis=1))


@measure(ITEM)
def winmac_gains_fall(rows, sizes=TRAINING_SIZES):
    """Decrease of the gain from size to size."""
    gaps = gains_by_size(rows, sizes)
    words = ", ".join(f"{x:+.1f}" for x in gaps.mean(axis=0))
    return Repeats(gaps[:, :-1] - gaps[:, 1:], shown=f"gains {words} percentage points")


@measure(ITEM)
def winmac_table(frame, sizes=TRAINING_SIZES):
    """Errors by size and method."""
    return Column(
        {f"{n} {name}": Value(errors(frame, name, n)) for n in sizes for name in (SVM, "Mean")}
    )
