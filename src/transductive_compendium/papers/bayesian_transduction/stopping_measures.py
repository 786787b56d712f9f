"""Evidence on equation (8): how many bounces, and what they guarantee."""

from __future__ import annotations

import math

from scipy.stats import binom

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics, Repeats


@measure
def equation_8_bounces(frames, epsilon, eta, about):
    """Whether the formula gives about as many bounces, one-sided and two-sided."""
    n = [math.log(sides / eta) / (2.0 * epsilon**2) for sides in (1, 2)]
    return Mathematics(
        true=sum(abs(x / about - 1.0) <= 0.1 for x in n),
        cases=2,
        shown=f"{math.ceil(n[0])}; two-sided {math.ceil(n[1])}",
    )


@measure
def hoeffding_holds(frames):
    """Cases in which the exact tail of a binomial law is within Hoeffding's bound."""
    cases = [
        (n, p, epsilon)
        for n in (10, 30, 100, 300, 1000, 2000)
        for p in (0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95)
        for epsilon in (0.01, 0.05, 0.1, 0.2)
    ]
    true = sum(
        binom.sf(math.ceil(n * (p + epsilon) - 1e-9) - 1, n, p)
        <= math.exp(-2.0 * n * epsilon**2) + 1e-12
        for n, p, epsilon in cases
    )
    return Mathematics(true=true, cases=len(cases))


@measure
def equation_8_coverage(frames, bounces, epsilon, eta, rule):
    """eta minus the share of runs that are too high by epsilon, of each version space."""
    frame = frames["bayesian_transduction/stopping"]
    frame = frame[(frame["bounces"] == bounces) & (frame["rule"] == rule)]
    missed = frame["time_ratio"] - frame["truth"] - 2 * frame["truth_error"] >= epsilon
    table = missed.groupby([frame["repeat"], frame["case"]]).first().unstack()
    shown = "; ".join(f"{case}: {100 * x:.1f} % of runs" for case, x in table.mean().items())
    return Repeats(eta - table.to_numpy(dtype=float), shown=f"too high {shown}")
