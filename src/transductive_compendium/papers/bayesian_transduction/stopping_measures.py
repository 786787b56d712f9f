"""Evidence for the claims on equation (8): how many bounces, and what they guarantee."""

from __future__ import annotations

import math

import numpy as np

from ...verdicts.claims import measure
from ...verdicts.rules import ShapeEvidence


def bounces_by_equation_8(epsilon, eta):
    """Bounces after which p+ is too high by `epsilon` with probability `eta` at most."""
    return math.ceil(math.log(1.0 / eta) / (2.0 * epsilon**2))


def binomial_tail(k, n, probability):
    """P(X >= k) for the successes X of `n` trials: the p-value of an exact one-sided test."""
    log_odds, total = math.log(probability) - math.log1p(-probability), 0.0
    for i in range(k, n + 1):
        log_ways = math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1)
        total += math.exp(log_ways + i * log_odds + n * math.log1p(-probability))
    return min(total, 1.0)


@measure
def equation_8_bounces(frames, epsilon, eta, about):
    """Whether the formula gives about as many bounces."""
    n = bounces_by_equation_8(epsilon, eta)
    return ShapeEvidence(
        abs(n / about - 1.0) <= 0.1, f"{n} bounces by the formula, within 10 % of {about} or not"
    )


@measure
def equation_8_coverage(frames, bounces, epsilon, eta, rule):
    """Whether runs of that many bounces are too high by epsilon as rarely as eta says."""
    frame = frames["bayesian_transduction/stopping"]
    frame = frame[(frame["bounces"] == bounces) & (frame["rule"] == rule)]
    details, holds = [], True
    for case, rows in frame.groupby("case"):
        missed = rows["time_ratio"] - rows["truth"] - 2 * rows["truth_error"] >= epsilon
        p = binomial_tail(int(missed.sum()), len(rows), eta)
        holds &= p > 0.05
        details.append(
            f"{case}: {missed.sum()} of {len(rows)} runs too high by {epsilon} or more "
            f"(at most {eta:.0%} promised; p = {p:.1g})"
        )
    return ShapeEvidence(holds, "; ".join(details))


@measure
def equation_8_expectation(frames, bounces):
    """Whether the fractions of the segments have p+ as their mean, under the unbiased flight."""
    frame = frames["bayesian_transduction/stopping"]
    frame = frame[(frame["bounces"] == bounces) & (frame["rule"] == "refreshed, drawn start")]
    details, holds = [], True
    for case, rows in frame.groupby("case"):
        mean, standard = rows["mean_of_fractions"].mean(), rows["mean_of_fractions"].sem()
        truth = rows["truth"].iloc[0]
        z = (mean - truth) / np.hypot(standard, rows["truth_error"].iloc[0])
        holds &= bool(abs(z) < 3.5)
        ratio = rows["time_ratio"].mean()
        details.append(
            f"{case}: p+ = {truth:.3f}, mean of the fractions {mean:.3f} ({z:+.0f} standard "
            f"errors), ratio of the times {ratio:.3f}"
        )
    return ShapeEvidence(holds, "; ".join(details))
