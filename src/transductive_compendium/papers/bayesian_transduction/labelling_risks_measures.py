"""Evidence for the claims on losses and labellings."""

from __future__ import annotations

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics, Repeats


@measure
def labelwise_gains_nothing(frames):
    """Best of all 2^m labellings by (3) compared with deciding each point by its own posterior."""
    frame = frames["bayesian_transduction/labellings"]
    gap = frame["labelwise_risk_alone"] - frame["labelwise_risk_best"]
    return Mathematics(float(gap.abs().max()))


@measure
def labelwise_risk_by_marginals(frames):
    """Label-wise risk of the marginal labels compared with the best, and with its third line."""
    frame = frames["bayesian_transduction/labellings"]
    own = frame["labelwise_risk_marginal"]
    gaps = [(own - frame[f"labelwise_risk_{other}"]).abs().max() for other in ("best", "alone")]
    return Mathematics(float(max(gaps)))


@measure
def exact_risk_closed_form(frames):
    """Risk of the exact loss summed over all labellings, compared with 1 - P(b)."""
    return Mathematics(
        float(frames["bayesian_transduction/labellings"]["exact_risk_identity"].max())
    )


@measure
def exact_loss_gains(frames):
    """Whether deciding jointly lowers the exact-labelling risk wherever the labellings differ."""
    frame = frames["bayesian_transduction/labellings"]
    differ = frame[frame["differ"] == 1]
    gain = differ["exact_risk_marginal"] - differ["exact_risk_joint"]
    lower = (gain > 0) & (differ["working"] > 1)
    return Mathematics(
        true=int(lower.sum()),
        cases=len(differ),
        shown=f"labellings differ in {len(differ)} of {len(frame)} samples, never for one point",
    )


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


@measure
def labellings_bounded(frames):
    """Whether version space has at most as many labellings as the growth function, at most 2^m."""
    frame = frames["bayesian_transduction/cells"]
    inside = frame["labellings_in_version_space"] <= frame["growth_function"]
    inside &= frame["growth_function"] <= frame["all_labellings"]
    return Mathematics(true=int(inside.sum()), cases=len(frame))
