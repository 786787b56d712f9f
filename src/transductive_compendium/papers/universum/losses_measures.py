"""Losses of the U-SVM: its dual compared with other solvers, and its convexity."""

from __future__ import annotations

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics

ITEM = "universum/losses"


@measure
def two_hinges(frames):
    """Largest difference of ``U_eps[f]`` and ``H_-eps[f] + H_-eps[-f]`` on the grid."""
    rows = frames[ITEM]
    rows = rows[rows["part"] == "shapes"]
    gap = rows["universum"] - rows["copy_positive"] - rows["copy_negative"]
    return Mathematics(error=float(gap.abs().max()), scale=float(rows["universum"].max()))


@measure
def trained_twice(frames, columns):
    """Largest difference of the U-SVM and another method on doubled points, in any column."""
    rows = frames[ITEM]
    rows = rows[rows["part"] == "machines"]
    # an intercept that the dual does not determine is missing
    return Mathematics(error=float(rows[columns].max().max()))


@measure
def below_the_chord(frames):
    """Largest excess of the primal midway between two hyperplanes over the mean of their values."""
    rows = frames[ITEM]
    return Mathematics(error=float(rows.loc[rows["part"] == "convexity", "above_chord"].max()))
