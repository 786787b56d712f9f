"""Modes of the posterior by sample size: their number, and how far they are from the teacher."""

import numpy as np
import pandas as pd

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats
from .sphere_points import LAWS


def mode_table(frame):
    """Figure 1's statistics over training sets: a row for each flip rate, law and size.

    Parameters
    ----------
    frame : DataFrame
        Rows of the modes.

    Returns
    -------
    DataFrame
        Median number of modes, of modes that a picture shows, and of pieces of the smallest set
        of levels with 95 % of the mass; the share of training sets with more than one of each;
        median angles from the teacher, in degrees, of the highest mode and of the posterior's mean.
    """
    counts = ["modes_cells", "modes_visible", "pieces"]
    angles = {f"{name}_degrees": np.degrees(frame[f"{name}_angle"]) for name in ("top", "mean")}
    more = {f"several_{name}": frame[name] > 1 for name in counts}
    groups = frame.assign(**angles, **more).groupby(["flip_rate", "points", "m"])
    medians = groups[[*counts, *angles]].median()
    return pd.concat([groups.size().rename("draws"), medians, groups[[*more]].mean()], axis=1)


@measure("kernel_gibbs_sampler/modes")
def number_of_modes(rows, m, several, points="beta", modes="cells"):
    """Number of modes minus one, for "multi-modal", or two minus it, for one mode; by set.

    Raises
    ------
    ValueError
        If no law of the points is called `points`.
    """
    if points not in LAWS:
        raise ValueError(f"points is {points!r}; it must be one of {LAWS}")
    rows = rows[(rows["flip_rate"] > 0.0) & (rows["m"] == m) & (rows["points"] == points)]
    count = rows[f"modes_{modes}"]
    gap = count - 1.0 if several else 2.0 - count
    shown = f"more than one mode in {100 * (count > 1).mean():.0f} % of the sets, "
    return Repeats(gap.to_numpy(), shown=shown + f"median {count.median():,.0f}")
