"""The limit of a large cost: the cost at which it is reached, and the errors there."""

from __future__ import annotations

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics, Repeats

ITEM = "universum/projection"


@measure
def limit_reached(frames):
    """Largest distance between U-SVM and projected-kernel SVM above the threshold."""
    rows = frames[ITEM]
    rows = rows[(rows["loss"] == "epsilon_insensitive") & (rows["ratio"] > 1.0)]
    return Mathematics(error=float(rows["distance"].max()))


@measure
def limit_not_before(frames):
    """Whether the two classifiers differ below the threshold, with the RBF kernel."""
    rows = frames[ITEM]
    part = rows[(rows["loss"] == "epsilon_insensitive") & (rows["kernel"] == "rbf")]
    below, above = (
        part.loc[keep, "distance"] for keep in (part["ratio"] == 0.9, part["ratio"] == 1.1)
    )
    return Mathematics(
        true=int(below.min() > 100.0 * above.max()),
        cases=1,
        shown=f"distance at least {below.min():.2g} at 0.9 of the threshold, at most "
        f"{above.max():.2g} at 1.1",
    )


@measure
def squared_limit(frames):
    """Squared loss: ratio times the largest universum value minus a half, where the ratio is 1000.

    f at a universum point is its signed dual over 2 C_universum.
    """
    rows = frames[ITEM]
    rows = rows[(rows["loss"] == "squared") & (rows["ratio"] == rows["ratio"].max())]
    rows = rows[rows["kernel"] == "rbf"]
    return Mathematics(error=float((rows["ratio"] * rows["largest"] - 0.5).abs().max()), scale=0.5)


@measure
def limit_hurts(frames, kernel, universum):
    """Test error in the limit minus that of the SVM, in percentage points."""
    rows = frames[ITEM]
    rows = rows[(rows["kernel"] == kernel) & (rows["universum"] == universum)]
    rows = rows[(rows["loss"] == "squared") & (rows["ratio"] == 0.0)].sort_values("draw")
    return Repeats(100.0 * (rows["error_projected"] - rows["error"]).to_numpy())
