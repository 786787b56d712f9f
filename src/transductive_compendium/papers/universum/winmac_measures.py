"""WinMac: errors, and the gain of means of pairs under several ways of tuning."""

from __future__ import annotations

from ...verdicts.claims import measure
from ...verdicts.rules import IdentityEvidence, OrderingEvidence, ValueEvidence
from .rcv1_topics_measures import errors, gain_and_overlap, part, text_gain

ITEM = "universum/winmac"
#: Labelled points no farther from the margin count as on it: the solver's tolerance.
ON_MARGIN = 1e-4


@measure
def text_error(frames, item, method, n_train, protocol="validation", **condition):
    """Error in per cent."""
    return ValueEvidence(
        errors(part(frames[f"universum/{item}"], **condition), method, n_train, protocol)
    )


@measure
def text_gain_below(frames, item, gain, better, worse, sizes, protocols):
    """By how much the gain is below a given one, in percentage points."""
    found = text_gain(frames, item, better, worse, sizes, protocols)
    return OrderingEvidence(gain - found.differences, test_train_ratio=found.test_train_ratio)


@measure
def winmac_unmoved(frames, method):
    """Largest change of a decision value by the universum where all labels are on the margin."""
    frame = frames[ITEM]
    rows = frame[(frame["method"] == method) & (frame["off_margin"] <= ON_MARGIN)]
    return IdentityEvidence(rows["moved"].max())


@measure
def winmac_gain_falls(frames, better, worse, sizes):
    """The gain in random splits less that in balanced ones, by number of the split.

    They are independent, so that variances add up, and the overlap of either is the same.
    """
    frame, gaps, tuned = frames[ITEM], [], ("validation",) * 2
    for drawn in ("random", "balanced"):
        gap, ratio = gain_and_overlap(part(frame, drawn=drawn), sizes, better, worse, tuned)
        gaps.append(gap)
    return OrderingEvidence(gaps[0] - gaps[1], test_train_ratio=ratio)
