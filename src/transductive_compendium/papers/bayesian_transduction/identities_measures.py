"""Evidence for the identities of the billiard."""

from __future__ import annotations

from ...verdicts.claims import measure
from ...verdicts.rules import IdentityEvidence


@measure
def one_trajectory(frames):
    """Largest difference between p+ of points flown past together and one by one."""
    return IdentityEvidence(
        float(frames["bayesian_transduction/identities"]["one_trajectory"].max())
    )


@measure
def largest_ball(frames):
    """Largest excess of a rival's radius over the SVM's, and of the optimality conditions."""
    frame = frames["bayesian_transduction/identities"]
    excess = (frame["best_rival"] - frame["radius"]).clip(lower=0.0).max()
    return IdentityEvidence(float(max(excess, frame["certificate"].max(), 0.0)))
