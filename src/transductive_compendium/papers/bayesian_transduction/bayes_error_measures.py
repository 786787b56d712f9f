"""Evidence for the claims on the Bayes error of the function class."""

from __future__ import annotations

from ...rejection_curves import TEST_TRAIN
from ...verdicts.claims import measure
from ...verdicts.rules import EquivalenceEvidence


def _difference(frames, method, less):
    """Error of one method less that of another, in percentage points, of each split with both."""
    frame = frames["bayesian_transduction/bayes_error"]
    error = frame.pivot(index="split", columns="method", values="error")
    gap = 100.0 * (error[method] - error[less])
    return EquivalenceEvidence(gap.dropna().to_numpy(), test_train_ratio=TEST_TRAIN)


@measure
def bayes_error_reached(frames, few, many):
    """Error at theta = 1 after more bounces less that after fewer: 0 at a Bayes error."""
    return _difference(frames, f"theta = 1 after {many} bounces", f"theta = 1 after {few} bounces")


@measure
def bayes_error_of_class(frames, few):
    """Error of a tuned perceptron on all points less the error at theta = 1 on those kept."""
    return _difference(
        frames, "perceptron, ridge by cross-validation", f"theta = 1 after {few} bounces"
    )
