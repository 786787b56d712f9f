"""Evidence for the claim on the ridge of the conclusion."""

from __future__ import annotations

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics


@measure
def ridge_allows_errors(frames):
    """Whether with contradictions version space is empty without a ridge and not empty with it."""
    frame = frames["bayesian_transduction/ridge"]
    broken = frame[frame["contradiction"]]
    right = broken["version_space"] == (broken["ridge"] > 0.0)
    # in a version space with a contradictory pair one of the two is misclassified throughout
    return Mathematics(
        true=int(right.sum()),
        cases=len(broken),
        shown="a version space of a contradictory pair at every lambda > 0, none at 0",
    )
