"""Errors of S and of the log evidence from few samples."""

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats


@measure
def entropy_from_samples(frames):
    """The 95 % quantile, over candidates, of the deviation of S, in bits."""
    off = frames["kernel_gibbs_sampler/estimates"]["entropy_off_95"].to_numpy()
    return Repeats(off, shown=f"95 of 100 candidates within {off.mean():.2f} bits on average")


@measure
def evidence_from_samples(frames):
    """Size of the deviation of the log evidence."""
    rows = frames["kernel_gibbs_sampler/estimates"]
    off = (rows["log_evidence"] - rows["exact"]).abs().to_numpy()
    return Repeats(off, shown=f"off by {off.mean():.2f} in the logarithm on average")
