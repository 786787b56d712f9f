"""Evidence for the identities of the billiard."""

from __future__ import annotations

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics


@measure
def largest_ball(frames):
    """Largest excess of another ball's radius over the SVM's, and of the optimality conditions."""
    frame = frames["bayesian_transduction/identities"]
    excess = (frame["best_rival"] - frame["radius"]).clip(lower=0.0).max()
    return Mathematics(float(max(excess, frame["certificate"].max(), 0.0)))
