"""Deviations of the estimated evidence from exact values, in stated standard errors."""

import numpy as np
from scipy.special import chdtrc

from ...verdicts.claims import measure
from .difference_measures import yes_or_no


def squares_tail(z):
    """Probability that a sum of squares of independent standard normals is at least as large."""
    z = np.asarray(z, dtype=float)
    return float(chdtrc(len(z), np.sum(z**2)))


def describe_squares(z):
    """Deviations in standard errors, in words."""
    return f"root mean square {np.sqrt(np.mean(z**2)):.2f}, largest {np.abs(z).max():.1f}"


@measure
def evidence_within_error(frames, volume, false_alarms):
    """Whether deviations from exact values are consistent with the stated standard errors.

    At each q a chi-squared test of the squared deviations in standard errors, one for each sample
    and run; the smallest p-value, times the number of tests, decides. For the volume, q = 0, the
    estimate must call exactly the empty version spaces empty.
    """
    rows = frames["kernel_gibbs_sampler/evidence_exact"]
    rows = rows[(rows["q"] == 0.0) == volume]
    empty = rows["empty"].astype(bool)
    recognised = bool((np.isneginf(rows["log_evidence"]) == empty).all())
    some = rows[~empty]
    smallest = min(squares_tail(part["z"]) for _, part in some.groupby("q"))
    n_levels = some["q"].nunique()
    off = (some["log_evidence"] - some["exact"]).abs()
    return yes_or_no(
        recognised and smallest * n_levels >= false_alarms,
        f"{len(some)} estimates at {n_levels} values of q: deviations in standard errors "
        f"{describe_squares(some['z'])}; smallest p = {smallest:.2g} (an estimate without fault "
        f"falls below {false_alarms / n_levels:.2g} with probability {false_alarms:g} at most); "
        f"deviations of the log evidence {off.mean():.3f} on average, {off.max():.2f} at most"
        + (f"; {empty.sum()} empty version spaces, " * volume)
        + ("all recognised" if recognised else "not all recognised") * volume,
    )
