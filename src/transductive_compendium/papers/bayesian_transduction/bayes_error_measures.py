"""Evidence for the check on the error at theta = 1: is it a floor?"""

from __future__ import annotations

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats


@measure
def bayes_error_reached(frames, few, many):
    """Error at theta = 1 after more bounces minus that after fewer; 0 if it is a Bayes error."""
    frame = frames["bayesian_transduction/bayes_error"]
    error = 100.0 * frame.pivot(index="split", columns="method", values="error")
    later, sooner = (error[f"theta = 1 after {n} bounces"] for n in (many, few))
    both = later.notna() & sooner.notna()
    return Repeats(
        (later - sooner)[both].to_numpy(),
        shown=f"{sooner.mean():.1f} % after {few} bounces, {later.mean():.1f} % after {many}",
    )
