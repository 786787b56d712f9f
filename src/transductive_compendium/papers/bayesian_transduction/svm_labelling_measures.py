"""Evidence for the claim on the labelling that the largest margin picks."""

from __future__ import annotations

from ...verdicts.claims import measure
from ...verdicts.rules import OrderingEvidence


@measure
def margin_picks_joint(frames):
    """Where joint and label-wise optimum differ: how often the margin picks one or the other."""
    frame = frames["bayesian_transduction/svm_labelling"]
    differ = frame[frame["differ"] == 1]
    return OrderingEvidence(
        wins=int(differ["is_joint"].sum()), losses=int(differ["is_marginal"].sum())
    )
