"""Low rank: errors of C against their bound, and of the transduction."""

from ...verdicts.claims import measure
from ...verdicts.rules import ShapeEvidence

ITEM = "transductive_regression/low_rank"


@measure
def truncation_bounds(frames):
    """Whether the error of C is within its bound in every row."""
    rows = frames[ITEM]
    # what rounding adds where nothing is left out
    holds = rows["complement"] <= rows["bound"] * (1 + 1e-6) + 1e-9
    share = rows["complement"] / rows["bound"]
    return ShapeEvidence(
        bool(holds.all()),
        f"{int((~holds).sum())} of {len(rows)} cases above; between {share.min():.2g} and "
        f"{share.max():.2g} of the bound",
    )


@measure
def values_within(frames, truncation, error):
    """Whether Y* is right to `error` standard deviations wherever the truncation is small."""
    rows = frames[ITEM]
    rows = rows[rows["truncation"] <= truncation]
    worst = rows["transduction"].max()
    return ShapeEvidence(
        bool(len(rows) and worst <= error),
        f"largest error {worst:.1g} standard deviations in {len(rows)} cases",
    )
