"""Wrong universa: their gain or loss, at a fixed cost and at the chosen one."""

from __future__ import annotations

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats

ITEM = "universum/controls"


def control_errors(rows):
    """Errors in per cent: index draw, columns universum and method."""
    return 100.0 * rows.pivot(index="draw", columns=["universum", "method"], values="error_unseen")


@measure
def control_gain(frames, universum, method):
    """Error of the SVM minus that with a universum, in percentage points."""
    table = control_errors(frames[ITEM])[universum]
    return Repeats(table["SVM"] - table[method])


@measure
def control_loss(frames, universum, method):
    """Error with a universum minus that of the SVM: above 0 if the universum is harmful."""
    return Repeats(-control_gain(frames, universum, method).gaps)
