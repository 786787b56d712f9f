"""Evidence for the claims on the number of cells and labellings."""

from __future__ import annotations

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics


@measure
def cells_by_cover(frames):
    """Largest difference between the counted cells and Cover's number, in general position."""
    frame = frames["bayesian_transduction/cells"]
    return Mathematics(float((frame["cells"] - frame["cover"]).abs().max()))


@measure
def labellings_bounded(frames):
    """Whether version space has at most as many labellings as the growth function, at most 2^m."""
    frame = frames["bayesian_transduction/cells"]
    inside = frame["labellings_in_version_space"] <= frame["growth_function"]
    inside &= frame["growth_function"] <= frame["all_labellings"]
    return Mathematics(true=int(inside.sum()), cases=len(frame))
