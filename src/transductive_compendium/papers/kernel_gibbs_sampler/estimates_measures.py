"""Errors of S and of the log evidence from few samples."""

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats


@measure("kernel_gibbs_sampler/estimates")
def entropy_from_samples(rows):
    """The 95 % quantile, over candidates, of the deviation of S, in bits."""
    off = rows["entropy_off_95"].to_numpy()
    return Repeats(off, shown=f"95 of 100 candidates within {off.mean():.2f} bits on average")


@measure("kernel_gibbs_sampler/estimates")
def evidence_from_samples(rows):
    """Size of the deviation of the log evidence."""
    off = (rows["log_evidence"] - rows["exact"]).abs().to_numpy()
    return Repeats(off, shown=f"off by {off.mean():.2f} in the logarithm on average")
