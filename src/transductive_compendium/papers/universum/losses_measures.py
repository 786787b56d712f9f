"""What the U-SVM equals: an SVM on doubled points, regularised SVMs, a projected-kernel SVM."""

from __future__ import annotations

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics

ITEM = "universum/losses"
REGULARISERS, LIMIT = "universum/regularisers", "universum/projection"


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


@measure
def given_weights(frames, regularisers):
    """Relative difference of universum term and regulariser for given hyperplanes."""
    rows = frames[REGULARISERS]
    rows = rows[(rows["part"] == "given") & rows["regulariser"].isin(regularisers)]
    return Mathematics(error=float(rows.loc[rows["violated"] == "none", "identity"].max()))


@measure
def same_machine(frames, columns):
    """Largest relative difference of the trained U-SVM and the SVM without a universum."""
    rows = frames[REGULARISERS]
    rows = rows[rows["part"] == "quadratic"]
    return Mathematics(error=float(rows[columns].max().max()))


@measure
def one_norm_bound(frames):
    """Whether the excess falls with C_universum and is nowhere above its bound."""
    rows = frames[REGULARISERS]
    rows = rows[(rows["part"] == "absolute") & (rows["feature"] == 0)]
    # the inaccuracy of the two solvers
    within = rows["excess"] <= rows["bound"] + 1e-6
    median = rows.groupby("C_universum")["excess"].median()
    falls = (median.diff().dropna() <= 1e-6).to_list()
    return Mathematics(
        true=int(within.sum()) + sum(falls),
        cases=len(rows) + len(falls),
        shown=f"above the bound in {int((~within).sum())} of {len(rows)} cases; median excess "
        + ", ".join(f"{100 * value:.2g} % at {cost:g}" for cost, value in median.items()),
    )


@measure
def limit_reached(frames):
    """Largest distance between U-SVM and projected-kernel SVM above the threshold."""
    rows = frames[LIMIT]
    rows = rows[(rows["loss"] == "epsilon_insensitive") & (rows["ratio"] > 1.0)]
    return Mathematics(error=float(rows["distance"].max()))


@measure
def squared_limit(frames):
    """Squared loss: ratio times the largest universum value minus a half, where the ratio is 1000.

    f at a universum point is its signed dual over 2 C_universum.
    """
    rows = frames[LIMIT]
    rows = rows[(rows["loss"] == "squared") & (rows["ratio"] == rows["ratio"].max())]
    rows = rows[rows["kernel"] == "rbf"]
    return Mathematics(error=float((rows["ratio"] * rows["largest"] - 0.5).abs().max()), scale=0.5)
