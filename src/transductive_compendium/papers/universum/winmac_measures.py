"""WinMac: errors, and gains of means of pairs."""

from __future__ import annotations

import numpy as np

from ...verdicts.claims import measure
from ...verdicts.rules import Column, Repeats, Value
from .rcv1_topics_measures import errors
from .text_selection import SVM

ITEM = "universum/winmac"


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
