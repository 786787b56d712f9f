"""Measures of the objective along the greedy algorithm's two loops."""

from ...verdicts.claims import measure
from ...verdicts.rules import ShapeEvidence

ITEM = "transductive_svm/descent"


@measure
def objective_falls(frames):
    """Whether every switch lowers the objective, before and after training."""
    frame = frames[ITEM]
    before = frame.groupby(["dataset", "draw"])["objective"].shift()
    switch = frame["switch"].astype(bool)
    first = (before - frame["switched_objective"])[switch]
    second = (frame["switched_objective"] - frame["objective"])[switch]
    return ShapeEvidence(
        bool((first > 0).all() and (second >= 0).all() and len(first) > 0),
        f"{len(first)} switches in {frame.groupby(['dataset', 'draw']).ngroups} fits: at the old "
        f"hyperplane the objective rises in {(first <= 0).sum()}, by training anew in "
        f"{(second < 0).sum()}",
    )


@measure
def switch_left(frames):
    """Whether in some fit a switch is still possible at C*."""
    frame = frames[ITEM].groupby(["dataset", "draw"])["switch_possible"].first()
    return ShapeEvidence(bool(frame.any()), f"in {frame.sum()} of {len(frame)} fits")
