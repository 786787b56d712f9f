"""Working sets: errors compared split by split, and shares of a gain."""

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats

ITEM = "transductive_regression/working_sets"


def errors(frames, method, m, setting, place="chosen", shift="none"):
    """Mean squared errors by split.

    Parameters
    ----------
    frames : dict of str to DataFrame
    method : str
        A column without its ``_mse``.
    m : int
        Size of the working set.

    Returns
    -------
    Series
        Index: the unit's key.
    """
    frame = frames[ITEM]
    frame = frame[(frame["setting"] == setting) & (frame["place"] == place) & (frame["m"] == m)]
    frame = frame[frame["shift"] == shift]
    return frame.set_index(["largest", "split"])[f"{method}_mse"]


@measure
def lower_error(frames, better, worse, m, setting, place="chosen", shift="none", worse_m=None):
    """Error of `worse` minus that of `better`, where working sets of both sizes were tried."""
    gap = errors(frames, worse, worse_m or m, setting, place, shift) - errors(
        frames, better, m, setting, place, shift
    )
    return Repeats(gap.dropna())


@measure
def same_error(frames, one, other, m, setting):
    """Error of `one` minus that of `other`, in percent of the mean error of ridge regression."""
    gap = errors(frames, one, m, setting) - errors(frames, other, m, setting)
    scale = errors(frames, "rr", m, setting).mean()
    return Repeats(100.0 * gap / scale)


@measure
def share_of_gain(frames, part, whole, share, setting, place="chosen", shift="none"):
    """Gain of `part` over ridge regression, minus a share of the gain of `whole`.

    Parameters
    ----------
    part, whole : list
        Method and size of the working set.
    """
    gains = []
    for method, m in (part, whole):
        of = {"m": m, "setting": setting, "place": place, "shift": shift}
        gains.append(errors(frames, "rr", **of) - errors(frames, method, **of))
    gap = (gains[0] - share * gains[1]).dropna()
    return Repeats(gap)
