"""Evidence on noise: the error at theta = 1, and the ridge of the conclusion."""

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics, Repeats


@measure("bayesian_transduction/bayes_error")
def bayes_error_reached(frame, few, many):
    """Error at theta = 1 after more bounces minus that after fewer; 0 if it is a Bayes error."""
    error = 100.0 * frame.pivot(index="split", columns="method", values="error")
    later, sooner = (error[f"theta = 1 after {n} bounces"] for n in (many, few))
    both = later.notna() & sooner.notna()
    return Repeats(
        (later - sooner)[both].to_numpy(),
        shown=f"{sooner.mean():.1f} % after {few} bounces, {later.mean():.1f} % after {many}",
    )


@measure("bayesian_transduction/ridge")
def ridge_allows_errors(frame):
    """Whether with contradictions version space is empty without a ridge and not empty with it."""
    broken = frame[frame["contradiction"]]
    right = broken["version_space"] == (broken["ridge"] > 0.0)
    # in a version space with a contradictory pair one of the two is misclassified throughout
    return Mathematics(
        true=int(right.sum()),
        cases=len(broken),
        shown="a version space of a contradictory pair at every lambda > 0, none at 0",
    )
