"""Measures of the greedy algorithm against the best of all labellings."""

import pandas as pd

from ...verdicts.claims import measure
from ...verdicts.rules import EquivalenceEvidence, OrderingEvidence, ShapeEvidence

ITEM = "transductive_svm/greedy"
#: Share of the smallest table (thyroid, 215 rows) in the largest sample, 22 points, over the rest.
OVERLAP = 22 / (215 - 22)
#: Two objectives that differ relatively by less are the same.
SAME_OBJECTIVE = 1e-4


def _greedy(frames, C, C_star):
    frame = frames[ITEM]
    return frame[(frame["C"] == C) & (frame["C_star"] == C_star)]


def excess(frame, upper, lower):
    """How far one labelling's objective is above another's, in per cent of the latter."""
    return 100.0 * (frame[f"objective_{upper}"] / frame[f"objective_{lower}"] - 1.0)


def _by_sample(values, frame):
    """Mean over data sets and sizes of the samples with each number."""
    return values.groupby(frame["draw"]).mean().to_numpy()


@measure
def objective_above(frames, upper, lower, C, C_star):
    """Objective of one labelling above another's, in per cent, sample by sample."""
    frame = _greedy(frames, C, C_star)
    gap = _by_sample(excess(frame, upper, lower), frame)
    return OrderingEvidence(differences=gap, test_train_ratio=OVERLAP)


@measure
def objective_excess(frames, upper, lower, C, C_star):
    """The same, as a difference that the claim says is small."""
    frame = _greedy(frames, C, C_star)
    return EquivalenceEvidence(_by_sample(excess(frame, upper, lower), frame), OVERLAP)


@measure
def missed_by_more(frames, more, less):
    """What the greedy algorithm misses at one pair of costs less what it misses at another."""
    found = [_greedy(frames, *costs) for costs in (more, less)]
    gaps = [_by_sample(excess(frame, "greedy", "count"), frame) for frame in found]
    return OrderingEvidence(differences=gaps[0] - gaps[1], test_train_ratio=OVERLAP)


@measure
def count_costs_more(frames, C, C_star):
    """What the number of positive labels costs less what the greedy algorithm misses."""
    frame = _greedy(frames, C, C_star)
    gap = excess(frame, "count", "any") - excess(frame, "greedy", "count")
    return OrderingEvidence(differences=_by_sample(gap, frame), test_train_ratio=OVERLAP)


@measure
def same_accuracy(frames, one, other, C, C_star):
    """Wrong labels of one labelling less those of another, in per cent of the working points."""
    frame = _greedy(frames, C, C_star)
    gap = 100.0 * (frame[f"wrong_{one}"] - frame[f"wrong_{other}"]) / frame["working"]
    return EquivalenceEvidence(_by_sample(gap, frame), OVERLAP)


@measure
def fewer_wrong_labels(frames, better, worse, C, C_star):
    """Wrong labels of one labelling less those of another, in per cent of the working points."""
    gap = same_accuracy(frames, worse, better, C, C_star)
    return OrderingEvidence(differences=gap.differences, test_train_ratio=gap.test_train_ratio)


@measure
def machines_grow(frames, times, share):
    """Whether the search trains ever more SVMs, though few in relation to the labellings."""
    median = frames[ITEM].groupby("working")["machines"].median()
    few, many = median.index.min(), median.index.max()
    return ShapeEvidence(
        bool(median[many] >= times * median[few] and median[many] < share * 2.0**many),
        f"median number of SVMs trained {median[few]:g} at {few} working points, {median[many]:g} "
        f"at {many}, of {2**many} labellings",
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
        "start_optimal": 100.0 * (start <= 100.0 * SAME_OBJECTIVE),
        "optimal": 100.0 * (greedy <= 100.0 * SAME_OBJECTIVE),
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
