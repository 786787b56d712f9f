"""Measures of the counts of equivalence classes, and of the widest class's margin."""

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics

ITEM = "transductive_svm/equivalence_classes"


@measure(ITEM)
def classes_by_cover(frame):
    """Largest difference between the counted classes and Cover's number, in general position."""
    gap = (frame["classes"] - frame["cover"]).abs()
    return Mathematics(
        error=float(gap.max()),
        shown=f"as many classes as Cover's number in {(gap == 0).sum()} of {len(frame)} problems",
    )


@measure(ITEM)
def widest_class(rows):
    """Margin of the widest class minus that of the best of all labellings."""
    frame = rows.dropna(subset="margin")
    gap = (frame["margin"] / frame["margin_exhaustive"] - 1.0).abs()
    error = float(gap.max())
    return Mathematics(
        error=error, shown=f"largest relative difference {error:.1g}, in {len(frame)} problems"
    )
