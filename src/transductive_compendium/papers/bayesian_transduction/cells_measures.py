"""Evidence for the claims on the number of cells and labellings."""

from __future__ import annotations

from ...verdicts.claims import measure
from ...verdicts.rules import IdentityEvidence, ShapeEvidence


@measure
def cells_by_cover(frames):
    """Largest difference between cells counted and Cover's number, in general position."""
    frame = frames["bayesian_transduction/cells"]
    return IdentityEvidence(float((frame["cells"] - frame["cover"]).abs().max()))


@measure
def labellings_bounded(frames):
    """Whether version space holds no more labellings than the growth function allows."""
    frame = frames["bayesian_transduction/cells"]
    inside = frame["labellings_in_version_space"] <= frame["growth_function"]
    degenerate = (frame["cells_degenerate"] < frame["cover"]).sum()
    return ShapeEvidence(
        bool(inside.all() and (frame["cells_degenerate"] <= frame["cover"]).all()),
        f"in all {len(frame)} arrangements; with three points on one great circle there are fewer "
        f"cells in {degenerate} of them",
    )
