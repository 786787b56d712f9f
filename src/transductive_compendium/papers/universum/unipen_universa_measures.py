"""Characters, a against b: errors by universum, and gains over the SVM."""

import numpy as np

from ...verdicts import overlapping_splits
from ...verdicts.claims import measure
from ...verdicts.overlapping_splits import gain_table
from ...verdicts.rules import NotTestable
from .unipen_universa import N_VALIDATION, NO_UNIVERSUM, UNIVERSA

ITEM = "universum/unipen"
#: Images of a and of b in the source's training part, from which splits are drawn.
POOL = (1807, 503)


def overlap(n_train):
    """Overlap that random splits add to 1/n by shared images: by the mean share of a and b."""
    return overlapping_splits.overlap(
        np.mean([0.5 * (n_train + N_VALIDATION) / n for n in POOL]), 1.0
    )


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
        Index: n_train, method; columns gain and half (half the interval's width, corrected for
        the overlap of the splits).
    """
    gains = {
        (n, method): (part[NO_UNIVERSUM] - part[method], overlap(n))
        for n, part in errors(frame).groupby(level="n_train")
        for method in UNIVERSA
    }
    return gain_table(gains, ["n_train", "method"])
