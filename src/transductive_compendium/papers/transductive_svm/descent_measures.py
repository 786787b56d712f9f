"""Measures of the objective along the greedy algorithm's two loops."""

import numpy as np

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics

ITEM = "transductive_svm/descent"
#: First value of C_-*.
FIRST_COST = 1e-5


@measure(ITEM)
def objective_falls(frame):
    """Number of switches in which the objective falls, before and after training.

    A switch that is undone counts as one in which it does not fall.
    """
    before = frame.groupby(["dataset", "draw"])["objective"].shift()
    switch = frame["switch"].astype(bool)
    first = (before - frame["switched_objective"])[switch]
    second = (frame["switched_objective"] - frame["objective"])[switch]
    true = int(((first > 0) & (second >= 0)).sum())
    fits = _fits(frame)
    taken_back = sum(fit["taken_back"].iloc[0] for fit in fits)
    cases = len(first) + int(taken_back)
    return Mathematics(
        true=true,
        cases=cases,
        shown=f"the objective falls in {true} of {cases} switches, of {len(fits)} fits; "
        f"{taken_back} taken back",
    )


def _fits(rows):
    return [fit for _, fit in rows.groupby(["dataset", "draw"])]


@measure(ITEM)
def loops_end(rows, n_working, C_star):
    """Number of fits in which Loop 1 doubles as often as the first costs imply, and Loop 2 ends.

    A fit has one solution without a switch for each pair of costs, and one more at C*. If a switch
    is undone, Loop 2 does not end as printed.
    """
    true = 0
    for fit in _fits(rows):
        num_plus = fit["num_plus"].iloc[0]
        least = FIRST_COST * min(1.0, num_plus / (n_working - num_plus))
        levels = (~fit["switch"].astype(bool)).sum() - 1
        doubled = levels == np.ceil(np.log2(C_star / least))
        true += bool(doubled and fit["taken_back"].iloc[0] == 0)
    return Mathematics(true=true, cases=len(_fits(rows)))


@measure(ITEM)
def positives_are_num_plus(frame):
    """Largest difference of the number of positive labels from num_+, the share of ten labels.

    It is taken over the start, all switches and the end.
    """
    error = float((frame["positive"] - frame["num_plus"]).abs().max())
    shown = f"off by {error:.0f} at most, at {len(frame)} solutions of {len(_fits(frame))} fits"
    return Mathematics(error=error, shown=shown)


@measure(ITEM)
def switch_left(rows):
    """Whether a switch is still possible at C* in some fit."""
    frame = rows.groupby(["dataset", "draw"])["switch_possible"].first()
    return Mathematics(
        true=int(frame.any()), cases=1, shown=f"in {frame.sum()} of {len(frame)} fits"
    )
