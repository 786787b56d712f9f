"""The toy picture, equivalence classes, the greedy algorithm, joint or label-wise: evidence."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ...verdicts.claims import measure
from ...verdicts.rules import (
    EquivalenceEvidence,
    IdentityEvidence,
    OrderingEvidence,
    ShapeEvidence,
)

__all__ = ["excess", "greedy_summary", "joint_summary", "lines"]

DOCUMENT = "transductive_svm"
#: Share of the smallest table (thyroid, 215 rows) in a draw of 22 points, over the rest.
OVERLAP = 22 / (215 - 22)
#: Two objectives, relatively, or two margins that differ by less are the same.
SAME = 1e-4


# ---- equivalence classes ------------------------------------------------------------------------


@measure
def classes_by_cover(frames):
    """Largest difference between classes counted and Cover's number, in general position."""
    frame = frames[f"{DOCUMENT}/equivalence_classes"]
    return IdentityEvidence(float((frame["classes"] - frame["cover"]).abs().max()))


@measure
def classes_drawn(frames):
    """Whether random functions show no more classes than were counted."""
    frame = frames[f"{DOCUMENT}/equivalence_classes"]
    return ShapeEvidence(
        bool((frame["drawn"] <= frame["classes"]).all()),
        f"in {len(frame)} problems random functions show {frame['drawn'].sum()} of "
        f"{frame['classes'].sum()} classes, of {frame['labellings'].sum()} labellings",
    )


@measure
def classes_left_by_cover(frames):
    """Classes that training labels leave: on average by Cover, for given labels by programmes."""
    frame = frames[f"{DOCUMENT}/equivalence_classes"]
    average = (frame["left_mean"] - frame["left_cover"]).abs().max()
    given = (frame["left"] - frame["separable"]).abs().max()
    return IdentityEvidence(float(max(average, given)))


@measure
def widest_class(frames):
    """Margin of the widest class less that of the best of all labellings."""
    frame = frames[f"{DOCUMENT}/equivalence_classes"].dropna(subset="margin")
    gap = (frame["margin"] / frame["margin_exhaustive"] - 1.0).abs()
    return IdentityEvidence(float(gap.max()))


# ---- the toy picture ----------------------------------------------------------------------------


def lines(frame):
    """Distances of the test points from each line, positive on the side of their cloud.

    Parameters
    ----------
    frame : DataFrame
        Rows of the toy picture with one gap.

    Returns
    -------
    dict of str to ndarray
        By method.
    """
    points = frame[frame["kind"] == "test"]
    found = {}
    for _, line in frame[frame["label"] == 0].iterrows():
        values = points["x1"] * line["x1"] + points["x2"] * line["x2"] + line["offset"]
        length = np.hypot(line["x1"], line["x2"])
        found[line["kind"]] = (points["label"] * values / length).to_numpy()
    return found


@measure
def toy_lines(frames, gap):
    """Whether one line leaves all test points with their clouds and the other does not."""
    frame = frames[f"{DOCUMENT}/toy"]
    found = lines(frame[frame["gap"] == gap])
    between, through = found["transductive"], found["inductive"]
    nearest = [np.abs(distance).min() for distance in (between, through)]
    return ShapeEvidence(
        bool((between > 0).all() and (through < 0).any() and nearest[0] > nearest[1]),
        f"test points on the wrong side: transductive {(between < 0).sum()}, inductive "
        f"{(through < 0).sum()} of {len(between)}; distance of the nearest one {nearest[0]:.3g} "
        f"and {nearest[1]:.3g}",
    )


def _by_method(frames, column, gap=None):
    frame = frames[f"{DOCUMENT}/clouds"]
    frame = frame if gap is None else frame[frame["gap"] == gap]
    return frame.pivot(index=["gap", "draw"], columns="method", values=column)


@measure
def widest_of_all(frames):
    """Whether no other method's margin on all points exceeds the transductive one's."""
    margins = _by_method(frames, "margin_joint")
    others = margins.drop(columns="transductive").max(axis=1)
    ratio = others / margins["transductive"]
    return ShapeEvidence(
        bool((ratio <= 1.0 + SAME).all()),
        f"in {len(ratio)} draws; the inductive line's margin on all points is "
        f"{(margins['inductive'] / margins['transductive']).mean():.0%} of it on average",
    )


@measure
def fewer_wrong(frames, gap, better, worse):
    """Test points on the wrong side by `worse` less those by `better`."""
    wrong = _by_method(frames, "wrong", gap)
    return OrderingEvidence(differences=(wrong[worse] - wrong[better]).to_numpy())


# ---- the greedy algorithm -----------------------------------------------------------------------


@measure
def objective_falls(frames):
    """Whether every switch lowers the objective, before and after training."""
    frame = frames[f"{DOCUMENT}/descent"]
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
    frame = frames[f"{DOCUMENT}/descent"].groupby(["dataset", "draw"])["switch_possible"].first()
    return ShapeEvidence(bool(frame.any()), f"in {frame.sum()} of {len(frame)} fits")


def _greedy(frames, C, C_star):
    frame = frames[f"{DOCUMENT}/greedy"]
    return frame[(frame["C"] == C) & (frame["C_star"] == C_star)]


def excess(frame, upper, lower):
    """How far one labelling's objective is above another's, in per cent of the latter."""
    return 100.0 * (frame[f"objective_{upper}"] / frame[f"objective_{lower}"] - 1.0)


def _per_draw(values, frame):
    """Mean over data sets and sizes of each draw."""
    return values.groupby(frame["draw"]).mean().to_numpy()


@measure
def objective_above(frames, upper, lower, C, C_star):
    """Objective of one labelling above another's, in per cent, draw by draw."""
    frame = _greedy(frames, C, C_star)
    gap = _per_draw(excess(frame, upper, lower), frame)
    return OrderingEvidence(differences=gap, test_train_ratio=OVERLAP)


@measure
def objective_excess(frames, upper, lower, C, C_star):
    """The same, as a difference that the claim says is small."""
    frame = _greedy(frames, C, C_star)
    return EquivalenceEvidence(_per_draw(excess(frame, upper, lower), frame), OVERLAP)


@measure
def missed_by_more(frames, more, less):
    """What the greedy algorithm misses at one pair of costs less what it misses at another."""
    found = [_greedy(frames, *costs) for costs in (more, less)]
    gaps = [_per_draw(excess(frame, "greedy", "count"), frame) for frame in found]
    return OrderingEvidence(differences=gaps[0] - gaps[1], test_train_ratio=OVERLAP)


@measure
def count_costs_more(frames, C, C_star):
    """What the number of positive labels costs less what the greedy algorithm misses."""
    frame = _greedy(frames, C, C_star)
    gap = excess(frame, "count", "any") - excess(frame, "greedy", "count")
    return OrderingEvidence(differences=_per_draw(gap, frame), test_train_ratio=OVERLAP)


@measure
def same_accuracy(frames, one, other, C, C_star):
    """Wrong labels of one labelling less those of another, in per cent of the working points."""
    frame = _greedy(frames, C, C_star)
    gap = 100.0 * (frame[f"wrong_{one}"] - frame[f"wrong_{other}"]) / frame["working"]
    return EquivalenceEvidence(_per_draw(gap, frame), OVERLAP)


@measure
def fewer_wrong_labels(frames, better, worse, C, C_star):
    """Wrong labels of one labelling less those of another, in per cent of the working points."""
    gap = same_accuracy(frames, worse, better, C, C_star)
    return OrderingEvidence(differences=gap.differences, test_train_ratio=gap.test_train_ratio)


@measure
def machines_grow(frames, times, share):
    """Whether the search trains ever more machines, though few in relation to the labellings."""
    median = frames[f"{DOCUMENT}/greedy"].groupby("working")["machines"].median()
    few, many = median.index.min(), median.index.max()
    return ShapeEvidence(
        bool(median[many] >= times * median[few] and median[many] < share * 2.0**many),
        f"median number of machines {median[few]:g} at {few} working points, {median[many]:g} at "
        f"{many}, of {2**many} labellings",
    )


def greedy_summary(frame, by):
    """How often the greedy algorithm is optimal, and what it misses.

    Parameters
    ----------
    frame : DataFrame
        Rows of the experiment.
    by : list of str
        Columns to group by.

    Returns
    -------
    DataFrame
        In per cent: how often the ranking of the inductive SVM and the greedy labels have the
        best objective with this number of positive labels; mean excess of the ranking, of the
        greedy labels, the 95th percentile of the latter, and the mean with balanced first costs;
        mean excess of the best with this number over the best with any; how often a switch is
        still possible at C*; wrong labels of each.
    """
    start, greedy = excess(frame, "start", "count"), excess(frame, "greedy", "count")
    columns = {
        "start_optimal": 100.0 * (start <= 100.0 * SAME),
        "optimal": 100.0 * (greedy <= 100.0 * SAME),
        "start_excess": start,
        "excess": greedy,
        "balanced_excess": excess(frame, "balanced", "count"),
        "count_excess": excess(frame, "count", "any"),
        "switch_possible": 100.0 * frame["switch_possible"],
    } | {
        f"wrong_{name}": 100.0 * frame[f"wrong_{name}"] / frame["working"]
        for name in ("inductive", "start", "greedy", "count", "any")
    }
    keys = [frame[name] for name in by]
    table = pd.DataFrame(columns).groupby(keys, sort=False).mean()
    worst = greedy.groupby(keys, sort=False).quantile(0.95)
    table.insert(4, "excess_95", worst)
    return table


# ---- joint or label-wise ------------------------------------------------------------------------


def _joint(frames, method, dimension, points):
    frame = frames[f"{DOCUMENT}/joint_or_marginal"]
    frame = frame[(frame["method"] == method) & (frame["differ"] == 1)]
    return frame[(frame["dimension"] == dimension) & (frame["points"] == points)]


@measure
def joint_rather(frames, method, dimension, points):
    """Where the optima differ: how often a method gives the joint one, how often the other."""
    frame = _joint(frames, method, dimension, points)
    return OrderingEvidence(
        wins=int((frame["wrong_joint"] == 0).sum()),
        losses=int((frame["wrong_marginal"] == 0).sum()),
    )


@measure
def marginal_rather(frames, method, dimension, points):
    """The reverse of `joint_rather`."""
    found = joint_rather(frames, method, dimension, points)
    return OrderingEvidence(wins=found.losses, losses=found.wins)


@measure
def joint_nearer(frames, method, dimension, points):
    """Where they differ: labels other than the label-wise optimum's less the joint one's."""
    frame = _joint(frames, method, dimension, points)
    return OrderingEvidence(differences=(frame["wrong_marginal"] - frame["wrong_joint"]).to_numpy())


@measure
def exact_in_the_plane(frames):
    """Unit vectors in the plane: labels of either SVM that are not its optimum's, at most."""
    frame = frames[f"{DOCUMENT}/joint_or_marginal"]
    frame = frame[(frame["dimension"] == 2) & (frame["points"] == "unit")]
    transductive = frame.loc[frame["method"] == "exhaustive", "wrong_joint"].max()
    inductive = frame.loc[frame["method"] == "inductive", "wrong_marginal"].max()
    return IdentityEvidence(float(max(transductive, inductive)))


def joint_summary(frame):
    """What each method's labelling is, where the joint and the label-wise optimum differ.

    Returns
    -------
    DataFrame
        Index: dimension, points, method. Number of such problems in which the method gave labels;
        in per cent how often it gives the joint and the label-wise optimum; mean number of labels
        other than theirs; its probability over the joint optimum's and its label-wise risk over
        the smallest, means in per cent; how often no function gives it.
    """
    frame = frame[frame["differ"] == 1]
    columns = {
        "problems": 1,
        "is_joint": 100.0 * (frame["wrong_joint"] == 0),
        "is_marginal": 100.0 * (frame["wrong_marginal"] == 0),
        "wrong_joint": frame["wrong_joint"],
        "wrong_marginal": frame["wrong_marginal"],
        "probability": 100.0 * frame["probability"] / frame["probability_joint"],
        "risk": 100.0 * frame["risk"] / frame["risk_marginal"],
        "impossible": 100.0 * (frame["probability"] == 0),
    }
    keys = [frame[name] for name in ("dimension", "points", "method")]
    grouped = pd.DataFrame(columns, index=frame.index).groupby(keys, sort=False)
    return grouped.mean().assign(problems=grouped.size())
