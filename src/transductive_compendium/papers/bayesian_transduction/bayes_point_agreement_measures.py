"""Evidence for the claim on the version spaces of the splits."""

from __future__ import annotations

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics


@measure
def version_space_exists(frames):
    """Training samples that leave room for a ball in version space."""
    frame = frames["bayesian_transduction/bayes_point"]
    return Mathematics(true=int((frame["radius"] > 0).sum()), cases=len(frame))
