"""Evidence for the claims on the exact and the label-wise loss."""

from __future__ import annotations

from ...verdicts.claims import measure
from ...verdicts.rules import IdentityEvidence, ShapeEvidence


@measure
def labelwise_gains_nothing(frames):
    """Best of all 2^m labellings by (3) against every point decided from its own posterior."""
    frame = frames["bayesian_transduction/labellings"]
    gap = (frame["labelwise_risk_alone"] - frame["labelwise_risk_best"]).abs().max()
    own = (frame["labelwise_risk_marginal"] - frame["labelwise_risk_best"]).abs().max()
    return IdentityEvidence(float(max(gap, own)))


@measure
def exact_risk_closed_form(frames):
    """Risk of the exact loss summed over all labellings against 1 - P(b)."""
    return IdentityEvidence(
        float(frames["bayesian_transduction/labellings"]["exact_risk_identity"].max())
    )


@measure
def exact_loss_gains(frames):
    """Whether deciding jointly lowers the exact-labelling risk where the labellings differ."""
    frame = frames["bayesian_transduction/labellings"]
    differ = frame[frame["differ"] == 1]
    gain = differ["exact_risk_marginal"] - differ["exact_risk_joint"]
    return ShapeEvidence(
        bool(
            len(differ) and (gain > 0).all() and (frame["working"][frame["differ"] == 1] > 1).all()
        ),
        f"the two labellings differ in {len(differ)} of {len(frame)} working samples, never for "
        f"m = 1; where they differ the joint one lowers the exact risk by {gain.mean():.3f} on "
        f"average and {gain.max():.3f} at most",
    )
