"""What the U-SVM equals: an SVM on doubled points, regularised SVMs, a projected-kernel SVM."""

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics

ITEM = "universum/losses"
REGULARISERS, LIMIT = "universum/regularisers", "universum/projection"


@measure(ITEM)
def two_hinges(rows):
    """Largest difference of ``U_eps[f]`` and ``H_-eps[f] + H_-eps[-f]`` on the grid."""
    rows = rows[rows["part"] == "shapes"]
    gap = rows["universum"] - rows["copy_positive"] - rows["copy_negative"]
    return Mathematics(error=float(gap.abs().max()), scale=float(rows["universum"].max()))


@measure(ITEM)
def trained_twice(rows, columns):
    """Largest difference of the U-SVM and another method on doubled points, in any column."""
    rows = rows[rows["part"] == "machines"]
    # an intercept that the dual does not determine is missing
    return Mathematics(error=float(rows[columns].max().max()))


@measure(ITEM)
def below_the_chord(rows):
    """Largest excess of the primal midway between two hyperplanes over the mean of their values."""
    return Mathematics(error=float(rows.loc[rows["part"] == "convexity", "above_chord"].max()))


@measure(REGULARISERS)
def given_weights(rows, regularisers):
    """Relative difference of universum term and regulariser for given hyperplanes."""
    rows = rows[(rows["part"] == "given") & rows["regulariser"].isin(regularisers)]
    return Mathematics(error=float(rows.loc[rows["violated"] == "none", "identity"].max()))


@measure(REGULARISERS)
def same_machine(rows, columns):
    """Largest relative difference of the trained U-SVM and the SVM without a universum."""
    rows = rows[rows["part"] == "quadratic"]
    return Mathematics(error=float(rows[columns].max().max()))


@measure(REGULARISERS)
def one_norm_bound(rows):
    """Whether the excess falls with C_universum and is nowhere above its bound."""
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


@measure(LIMIT)
def limit_reached(rows):
    """Largest distance between U-SVM and projected-kernel SVM above the threshold."""
    rows = rows[(rows["loss"] == "epsilon_insensitive") & (rows["ratio"] > 1.0)]
    return Mathematics(error=float(rows["distance"].max()))


@measure(LIMIT)
def squared_limit(rows):
    """Squared loss: ratio times the largest universum value minus a half, where the ratio is 1000.

    f at a universum point is its signed dual over 2 C_universum.
    """
    rows = rows[(rows["loss"] == "squared") & (rows["ratio"] == rows["ratio"].max())]
    rows = rows[rows["kernel"] == "rbf"]
    return Mathematics(error=float((rows["ratio"] * rows["largest"] - 0.5).abs().max()), scale=0.5)
