"""WinMac: errors and gains as printed, and under other means and ways of tuning."""

from __future__ import annotations

import numpy as np

from ...verdicts.claims import measure
from ...verdicts.rules import Column, Mathematics, Repeats, Value
from .rcv1_topics_measures import errors, gain_and_overlap, part, text_gain
from .text_design import SVM

ITEM, PRINTED_ITEM = "universum/winmac", "universum/winmac_printed"
#: Labelled points within this distance of the margin (the solver's tolerance) count as on it.
ON_MARGIN = 1e-4


# ---- as printed ---------------------------------------------------------------------------------


def printed_gains(frame, sizes, method="Mean"):
    """Error of the SVM minus that with means, a row for each split and a column for each size."""
    return np.column_stack([errors(frame, SVM, n) - errors(frame, method, n) for n in sizes])


@measure
def winmac_gains(frames, sizes):
    """Gain of means over the SVM at each size, in percentage points."""
    frame = frames[PRINTED_ITEM]
    gaps = printed_gains(frame, sizes)
    words = ", ".join(
        f"{errors(frame, 'Mean', n).mean():.1f} (SVM {errors(frame, SVM, n).mean():.1f}) at {n}"
        for n in sizes
    )
    return Repeats(gaps, shown=f"{words} %", gain=gaps.mean(axis=1))


@measure
def winmac_gains_fall(frames, sizes):
    """Decrease of the gain from size to size."""
    gaps = printed_gains(frames[PRINTED_ITEM], sizes)
    words = ", ".join(f"{x:+.1f}" for x in gaps.mean(axis=0))
    return Repeats(gaps[:, :-1] - gaps[:, 1:], shown=f"gains {words} percentage points")


@measure
def winmac_table(frames, sizes):
    """Errors by size and method."""
    frame = frames[PRINTED_ITEM]
    return Column(
        {f"{n} {name}": Value(errors(frame, name, n)) for n in sizes for name in (SVM, "Mean")}
    )


# ---- other means and ways of tuning -------------------------------------------------------------


@measure
def text_error(frames, item, method, n_train, protocol="validation", **condition):
    """Error in per cent."""
    return Value(errors(part(frames[f"universum/{item}"], **condition), method, n_train, protocol))


@measure
def text_gain_below(frames, item, gain, better, worse, sizes, protocols):
    """A given gain minus the gain, in percentage points."""
    return Repeats(gain - text_gain(frames, item, better, worse, sizes, protocols).gaps)


@measure
def winmac_unmoved(frames, method):
    """Largest change of decision values by the universum, if all labels are on the margin."""
    frame = frames[ITEM]
    rows = frame[(frame["method"] == method) & (frame["off_margin"] <= ON_MARGIN)]
    return Mathematics(error=float(rows["moved"].max()))


@measure
def winmac_gain_falls(frames, better, worse, sizes):
    """The gain in random splits minus that in balanced ones, by number of the split."""
    frame, tuned = frames[ITEM], ("validation",) * 2
    random, balanced = (
        gain_and_overlap(part(frame, drawn=drawn), sizes, better, worse, tuned)[0]
        for drawn in ("random", "balanced")
    )
    return Repeats(random - balanced)
