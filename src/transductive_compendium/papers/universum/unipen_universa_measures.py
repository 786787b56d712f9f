"""Characters, a against b: errors by universum, and gains over the SVM."""

from ...verdicts.claims import measure
from ...verdicts.overlapping_splits import gain_table
from ...verdicts.rules import NotTestable
from .unipen_universa import NO_UNIVERSUM, UNIVERSA

ITEM = "universum/unipen"


def errors(frame, column="error"):
    """A column in per cent.

    Parameters
    ----------
    frame : DataFrame
        Rows of the experiment.
    column : {"error", "error_validation", "error_oracle"}

    Returns
    -------
    DataFrame
        Index: n_train, draw; a column for each method.
    """
    values = frame.pivot(index=["n_train", "draw"], columns="method", values=column)
    return 100.0 * values[[NO_UNIVERSUM, *UNIVERSA]]


@measure(ITEM)
def abcdetc_not_public(rows):
    """Numbers from a collection that cannot be downloaded."""
    return NotTestable("AbcdEtc is not public any more.", "UNIPEN characters.")


def gains(frame):
    """Gain of each universum over the SVM, in percentage points, with 95 % intervals.

    Returns
    -------
    DataFrame
        Index: n_train, method; columns gain and half (half the interval's width, over splits,
        as in the verdicts).
    """
    gains = {
        (n, method): (part[NO_UNIVERSUM] - part[method], 0.0)
        for n, part in errors(frame).groupby(level="n_train")
        for method in UNIVERSA
    }
    return gain_table(gains, ["n_train", "method"])
