"""Low rank: errors of C against their bound, and of the transduction."""

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics

ITEM = "transductive_regression/low_rank"


@measure
def truncation_bounds(frames):
    """Whether the error of C is within its bound in every row."""
    rows = frames[ITEM]
    # what rounding adds where nothing is left out
    holds = rows["complement"] <= rows["bound"] * (1 + 1e-6) + 1e-9
    share = rows["complement"] / rows["bound"]
    shown = f"between {share.min():.2g} and {share.max():.2g} of the bound"
    return Mathematics(true=int(holds.sum()), cases=len(rows), shown=shown)


@measure
def values_within(frames, truncation, error):
    """Whether Y* is right to `error` standard deviations wherever the truncation is small."""
    rows = frames[ITEM]
    rows = rows[rows["truncation"] <= truncation]
    shown = f"largest error {rows['transduction'].max():.1g} standard deviations"
    return Mathematics(
        true=int((rows["transduction"] <= error).sum()), cases=len(rows), shown=shown
    )
