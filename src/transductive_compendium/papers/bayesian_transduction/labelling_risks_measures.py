"""Evidence for the claims on losses and labellings."""

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics, Repeats


@measure("bayesian_transduction/labellings")
def labelwise_gains_nothing(frame):
    """Best of all 2^m labellings by (3) compared with deciding each point by its own posterior."""
    gap = frame["labelwise_risk_alone"] - frame["labelwise_risk_best"]
    return Mathematics(float(gap.abs().max()))


@measure("bayesian_transduction/labellings")
def labelwise_risk_by_marginals(frame):
    """Label-wise risk of the marginal labels compared with the best, and with its third line."""
    own = frame["labelwise_risk_marginal"]
    gaps = [(own - frame[f"labelwise_risk_{other}"]).abs().max() for other in ("best", "alone")]
    return Mathematics(float(max(gaps)))


@measure("bayesian_transduction/labellings")
def exact_risk_closed_form(rows):
    """Risk of the exact loss summed over all labellings, compared with 1 - P(b)."""
    return Mathematics(float(rows["exact_risk_identity"].max()))


@measure("bayesian_transduction/labellings")
def exact_loss_gains(frame):
    """Whether deciding jointly lowers the exact-labelling risk wherever the labellings differ."""
    differ = frame[frame["differ"] == 1]
    gain = differ["exact_risk_marginal"] - differ["exact_risk_joint"]
    lower = (gain > 0) & (differ["working"] > 1)
    return Mathematics(
        true=int(lower.sum()),
        cases=len(differ),
        shown=f"labellings differ in {len(differ)} of {len(frame)} samples, never for one point",
    )


@measure("bayesian_transduction/svm_labelling")
def margin_picks_joint(frame):
    """Where the optima differ: 1 if the margin picks the joint one, -1 if the label-wise one."""
    differ = frame[frame["differ"] == 1]
    joint, marginal = differ["is_joint"], differ["is_marginal"]
    return Repeats(
        (joint - marginal).to_numpy(dtype=float),
        shown=f"jointly best in {100 * joint.mean():.0f} %, label-wise best in "
        f"{100 * marginal.mean():.0f} % of {len(differ)} samples",
    )


@measure("bayesian_transduction/cells")
def labellings_bounded(frame):
    """Whether version space has at most as many labellings as the growth function, at most 2^m."""
    inside = frame["labellings_in_version_space"] <= frame["growth_function"]
    inside &= frame["growth_function"] <= frame["all_labellings"]
    return Mathematics(true=int(inside.sum()), cases=len(frame))
