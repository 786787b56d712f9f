"""Calibration of the methods' probabilities."""

import numpy as np
import pandas as pd

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats
from .scores import CONFIDENCE_ENDS


@measure("comparison/methods")
def cmp_overconfident(rows, problem, method):
    """Mean claimed confidence minus the share of right labels."""
    gap = overconfidence(rows)[method].loc[problem]
    return Repeats(gap.to_numpy())


def overconfidence(frame):
    """Claimed confidence minus the share of right labels, in percentage points, split by split."""
    frame = frame.dropna(subset="claimed")
    gap = frame.assign(gap=100.0 * (frame["claimed"] - 1.0 + frame["error"]))
    return gap.pivot(index=["problem", "draw"], columns="method", values="gap")


def reliability(frame, problems):
    """Share of right labels by class of claimed confidence, over all splits.

    Parameters
    ----------
    frame : DataFrame
        Rows of ``comparison/methods``.
    problems : list of str

    Returns
    -------
    DataFrame
        Index: method, upper end of the class in per cent; columns points and right (NaN without
        points).
    """
    frame = frame[frame["problem"].isin(problems)].dropna(subset="claimed")
    ends = [round(100 * b) for b in CONFIDENCE_ENDS]
    sums = frame.groupby("method", sort=False)[
        [f"{what}_{e}" for e in ends for what in ("points", "right")]
    ].sum()
    rows = {
        (method, e): (row[f"points_{e}"], row[f"right_{e}"] / row[f"points_{e}"])
        if row[f"points_{e}"]
        else (0.0, np.nan)
        for method, row in sums.iterrows()
        for e in ends
    }
    table = pd.DataFrame.from_dict(rows, orient="index", columns=["points", "right"])
    table.index = pd.MultiIndex.from_tuples(table.index, names=["method", "to"])
    return table
