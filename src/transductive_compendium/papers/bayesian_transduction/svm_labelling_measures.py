"""Evidence for the claim on the labelling that the largest margin picks."""

from __future__ import annotations

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats


@measure
def margin_picks_joint(frames):
    """Where the optima differ: 1 if the margin picks the joint one, -1 if the label-wise one."""
    frame = frames["bayesian_transduction/svm_labelling"]
    differ = frame[frame["differ"] == 1]
    joint, marginal = differ["is_joint"], differ["is_marginal"]
    return Repeats(
        (joint - marginal).to_numpy(dtype=float),
        shown=f"jointly best in {100 * joint.mean():.0f} %, label-wise best in "
        f"{100 * marginal.mean():.0f} % of {len(differ)} samples",
    )
