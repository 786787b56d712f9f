"""Evidence for the claim on the ridge of the conclusion."""

from __future__ import annotations

from ...verdicts.claims import measure
from ...verdicts.rules import ShapeEvidence


@measure
def ridge_allows_errors(frames):
    """Whether contradictions leave no version space without a ridge, and one with it."""
    frame = frames["bayesian_transduction/ridge"]
    broken = frame[frame["contradiction"]]
    none = broken.loc[broken["ridge"] == 0.0, "version_space"]
    some = broken.loc[broken["ridge"] > 0.0, "version_space"]
    error = 100.0 * broken.groupby("ridge")["error"].mean().dropna()
    return ShapeEvidence(
        bool((none == 0).all() and (some == 1).all()),
        f"with one point in both classes: no version space without a ridge in {len(none)} splits, "
        f"one in all {len(some)} with; errors "
        + ", ".join(f"{e:.1f} % at {r:g}" for r, e in error.items()),
    )
