"""Equations checked by refits and by cases: largest deviations, and (34) as printed."""

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics

ITEM = "transductive_regression/identities"
DERIVATIONS = "transductive_regression/derivations"


@measure()
def largest_deviation(frames, columns):
    """The largest relative difference in any of the columns."""
    (rows,) = frames.values()
    error = float(rows[columns].to_numpy().max())
    return Mathematics(error=error, shown=f"largest deviation {error:.2g}")


@measure(DERIVATIONS)
def constrained_minimum(rows):
    """Largest deviation of the minimum under (29) from (34); 1 if gamma* does not fall with R."""
    falls = rows["falls_with_radius"].all()
    return Mathematics(error=float(rows["constraint"].max()) if falls else 1.0)


@measure(ITEM)
def printed_is_wrong(rows, excess):
    """Whether (34) as printed never conforms with l != m, and is worse by `excess` with l = m."""
    conforms, least = int(rows["printed_conforms"].sum()), rows["printed_excess"].min()
    wrong = ~rows["printed_conforms"] & (rows["printed_excess"] >= excess)
    return Mathematics(
        true=int(wrong.sum()),
        cases=len(rows),
        shown=f"conforms in {conforms} of {len(rows)} cases with more training than working "
        f"points; as many of both: (30) exceeds its minimum by {least:.1%} to "
        f"{rows['printed_excess'].max():.3g} times",
    )
