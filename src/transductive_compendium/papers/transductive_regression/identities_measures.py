"""Equations checked by refits: the largest deviations, and (34) as printed."""

from ...verdicts.claims import measure
from ...verdicts.rules import IdentityEvidence, ShapeEvidence

ITEM = "transductive_regression/identities"


@measure
def largest_deviation(frames, columns):
    """The largest relative difference in any of the columns."""
    return IdentityEvidence(error=float(frames[ITEM][columns].to_numpy().max()))


@measure
def printed_is_wrong(frames, excess):
    """Whether (34) as printed never conforms with l != m, and is worse by `excess` with l = m."""
    rows = frames[ITEM]
    conforms, least = int(rows["printed_conforms"].sum()), rows["printed_excess"].min()
    return ShapeEvidence(
        bool(conforms == 0 and least >= excess),
        f"conforms in {conforms} of {len(rows)} cases with more training than working points; as "
        f"many of both: (30) exceeds its minimum by {least:.1%} to "
        f"{rows['printed_excess'].max():.3g} times",
    )
