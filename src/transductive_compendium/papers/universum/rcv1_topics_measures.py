"""Text: errors by method, size and way of tuning, and gains of a universum."""

from __future__ import annotations

import pandas as pd

from ...verdicts import overlapping_splits
from ...verdicts.claims import load_statements, measure, of_rows
from ...verdicts.overlapping_splits import half_width
from ...verdicts.rules import NotTestable, Repeats
from .rcv1_topics import N_VALIDATION
from .text_selection import SVM

PAPER, ITEM = "universum", "universum/rcv1"
#: How parameters were chosen, and the column of the error.
PROTOCOLS = {"validation": "error", "test": "error_oracle"}


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
def errors(frame, method, n_train, protocol="validation"):
    """Errors in per cent by split.

    Parameters
    ----------
    frame : DataFrame
        Rows of an experiment.
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


def gain_and_overlap(frame, sizes, better, worse):
    """Error of `worse` minus that of `better` by split, mean over sizes; and their overlap."""
    gaps = [errors(frame, worse, n) - errors(frame, better, n) for n in sizes]
    # sizes are drawn independently
    shared = overlapping_splits.mean_over_sizes([overlap(frame, n) for n in sizes])
    return sum(gaps) / len(gaps), shared


def table(frame, columns):
    """Errors in per cent, mean and standard error over splits, with a column for each size.

    Parameters
    ----------
    frame : DataFrame
        Rows of an experiment.
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
    """Gain of each method over the SVM, in percentage points, with 90 % intervals.

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
    return Repeats(gain_and_overlap(frames[ITEM], sizes, better, worse)[0])


@measure
def text_no_gain(frames, method, than, sizes):
    """Error of `than` minus that of `method`, claimed to be negligible."""
    return Repeats(gain_and_overlap(frames[ITEM], sizes, method, than)[0])


@measure
def rcv1_full(frames, methods, sizes):
    """The whole RCV1-v2 was not available when the results were recorded."""
    frame = frames[ITEM]
    means = {name: [errors(frame, name, n).mean() for n in sizes] for name in (SVM, *methods)}
    words = "; ".join(
        f"{name} {', '.join(f'{x:.1f}' for x in values)} %" for name, values in means.items()
    )
    return NotTestable(
        "the full RCV1 is not at hand.",
        f"6000 stories by 500 words, {', '.join(map(str, sizes))} documents: {words}",
    )
