"""Measures of the objective along the greedy algorithm's two loops."""

import numpy as np

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics

ITEM = "transductive_svm/descent"
#: C_-* begins with it.
FIRST_COST = 1e-5
#: Test points of a fit.
N_WORKING = 200


@measure
def objective_falls(frames):
    """In how many switches the objective falls, before and after training."""
    frame = frames[ITEM]
    before = frame.groupby(["dataset", "draw"])["objective"].shift()
    switch = frame["switch"].astype(bool)
    first = (before - frame["switched_objective"])[switch]
    second = (frame["switched_objective"] - frame["objective"])[switch]
    true = int(((first > 0) & (second >= 0)).sum())
    return Mathematics(
        true=true,
        cases=len(first),
        shown=f"the objective falls in {true} of {len(first)} switches, of "
        f"{frame.groupby(['dataset', 'draw']).ngroups} fits",
    )


def _fits(frames):
    return [fit for _, fit in frames[ITEM].groupby(["dataset", "draw"])]


@measure
def loops_end(frames, n_working, C_star):
    """In how many fits Loop 1 doubles as often as the first costs say, and Loop 2 ends at each.

    A fit's solutions without a switch are one for each pair of costs, and one more at C*.
    """
    true = 0
    for fit in _fits(frames):
        num_plus = fit["num_plus"].iloc[0]
        least = FIRST_COST * min(1.0, num_plus / (n_working - num_plus))
        levels = (~fit["switch"].astype(bool)).sum() - 1
        true += bool(levels == np.ceil(np.log2(C_star / least)))
    return Mathematics(true=true, cases=len(_fits(frames)))


@measure
def positives_are_num_plus(frames):
    """Largest difference of the number of positive labels at the end from num_+ at the start.

    The first costs tell the latter: their ratio is num_+ / (k - num_+). The column `num_plus` does
    not, it is counted at the end.
    """
    fits = frames[ITEM].groupby(["dataset", "draw"]).first()
    start = N_WORKING * fits["C_plus"] / (fits["C_minus"] + fits["C_plus"])
    error = float((fits["positive"] - start).abs().max())
    return Mathematics(error=error, shown=f"off by {error:.0f} at most, in {len(fits)} fits")


@measure
def switch_left(frames):
    """Whether in some fit a switch is still possible at C*."""
    frame = frames[ITEM].groupby(["dataset", "draw"])["switch_possible"].first()
    return Mathematics(
        true=int(frame.any()), cases=1, shown=f"in {frame.sum()} of {len(frame)} fits"
    )
