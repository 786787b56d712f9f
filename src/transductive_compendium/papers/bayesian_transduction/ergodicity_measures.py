"""Evidence on rules of flight in version spaces whose p+ is known: do they sample volumes?"""

from __future__ import annotations

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics


@measure
def billiard_in_general(frames, rule):
    """Number of runs whose p+ is within four standard errors of the exact value."""
    frame = frames["bayesian_transduction/ergodicity"]
    frame = frame[frame["rule"] == rule]
    close = (frame["time_ratio"] - frame["exact"]).abs() <= 4 * frame["error"]
    means = frame.groupby("geometry")[["exact", "time_ratio"]].mean()
    shown = "; ".join(f"{n}: {r.time_ratio:.3f}, exact {r.exact:.3f}" for n, r in means.iterrows())
    return Mathematics(true=int(close.sum()), cases=len(frame), shown=shown)
