"""Working sets: errors compared split by split, and shares of a gain."""

from ...verdicts import overlapping_splits
from ...verdicts.claims import measure
from ...verdicts.rules import Repeats
from .regression_setting import N_ROWS, PUBLISHED
from .working_sets import N_JUDGED

ITEM = "transductive_regression/working_sets"
#: Share of its rows that a shifted split of kin-32fh has in common with another: more than
#: uniform splits do, since rows of large weight come again and again.
SHARED = {"mild": 0.043, "strong": 0.205, "strong, aside": 0.210}


def overlap(m, shift="none"):
    """Overlap of splits of kin-32fh that shared rows add to 1/n, for intervals of means.

    Parameters
    ----------
    m : int
        Size of the working sets.
    shift : str, default "none"
        Shift of the working sets; the overlap is that of 256 working points, and about right for
        fewer.
    """
    if shift != "none":
        return overlapping_splits.overlap(SHARED[shift], 1.0)
    used = PUBLISHED["kin32fh"][0] + max(m, N_JUDGED)
    return overlapping_splits.overlap(used, N_ROWS["kin32fh"])


def errors(frame, method, m, setting, place="chosen", shift="none"):
    """Mean squared errors by split.

    Parameters
    ----------
    frame : DataFrame
        Rows of the experiment.
    method : str
        A column without its ``_mse``.
    m : int
        Size of the working set.

    Returns
    -------
    Series
        Index: the unit's key.
    """
    frame = frame[(frame["setting"] == setting) & (frame["place"] == place) & (frame["m"] == m)]
    frame = frame[frame["shift"] == shift]
    return frame.set_index(["largest", "split"])[f"{method}_mse"]


@measure(ITEM)
def lower_error(rows, better, worse, m, setting, shift="none"):
    """Error of `worse` minus that of `better`."""
    high, low = (errors(rows, method, m, setting, shift=shift) for method in (worse, better))
    return Repeats(high - low)


@measure(ITEM)
def share_of_gain(rows, part, whole, share, setting, place="chosen", shift="none"):
    """Gain of `part` over ridge regression, minus a share of the gain of `whole`.

    Parameters
    ----------
    part, whole : list
        Method and size of the working set.
    """
    gains = []
    for method, m in (part, whole):
        of = {"m": m, "setting": setting, "place": place, "shift": shift}
        gains.append(errors(rows, "rr", **of) - errors(rows, method, **of))
    gap = (gains[0] - share * gains[1]).dropna()
    return Repeats(gap)
