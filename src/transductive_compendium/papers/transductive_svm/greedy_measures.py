"""Measures that compare the greedy algorithm with the best of all labellings."""

from math import comb, log10

import numpy as np
import pandas as pd

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics, Repeats

ITEM = "transductive_svm/greedy"
#: Two objectives with a smaller relative difference count as equal.
SAME_OBJECTIVE = 1e-4
#: Test documents of the slides' table, and an infeasible number of trainings.
N_TEST, TOO_MANY = 3299, 1e18


def _greedy(frame, C, C_star):
    return frame[(frame["C"] == C) & (frame["C_star"] == C_star)]


def excess(frame, upper, lower):
    """Excess of one labelling's objective over another's, in per cent of the latter."""
    return 100.0 * (frame[f"objective_{upper}"] / frame[f"objective_{lower}"] - 1.0)


def _by_sample(values, frame):
    """Mean over data sets and sizes of the samples with each number."""
    return values.groupby(frame["draw"]).mean().to_numpy()


@measure(ITEM)
def count_costs_more(rows, C, C_star):
    """Excess from fixing the number of positive labels minus that of the greedy algorithm."""
    frame = _greedy(rows, C, C_star)
    gap = excess(frame, "count", "any") - excess(frame, "greedy", "count")
    return Repeats(_by_sample(gap, frame))


@measure(ITEM)
def more_wrong_labels(rows, one, other, C, C_star):
    """Wrong labels of one labelling minus those of another, in per cent of the working points."""
    frame = _greedy(rows, C, C_star)
    gap = 100.0 * (frame[f"wrong_{one}"] - frame[f"wrong_{other}"]) / frame["working"]
    return Repeats(_by_sample(gap, frame))


@measure(ITEM)
def machines_grow(rows):
    """Trainings of branch and bound, mean logarithm over sources: growth and extrapolation."""
    frame = _greedy(rows, 1.0, 1.0)
    logs = np.log10(frame["machines"]).groupby([frame["draw"], frame["working"]]).mean().unstack()
    few, middle, many = logs[4], logs[8], logs[12]
    at_all = many + (many - few) / 8 * (N_TEST - 12)
    gaps = np.column_stack([middle - few, many - middle, at_all - 9.0])
    means = ", ".join(f"{10 ** logs[k].mean():.0f}" for k in (4, 8, 12))
    return Repeats(gaps, shown=f"{means} trainings for 4, 8, 12 test points, geometric means")


@measure(ITEM)
def all_labellings(rows):
    """Trainings needed to try all labellings: as counted, and infeasibly many for the table."""
    frame = rows.dropna(subset="tried")
    counted = frame["tried"] == 2.0 ** frame["working"]
    fewest = comb(N_TEST, round(N_TEST / 17))
    return Mathematics(
        true=int(counted.sum()) + (fewest > TOO_MANY),
        cases=len(frame) + 1,
        shown=f"{frame['tried'].max():.0f} trainings for {frame['working'].max()} test points; "
        f"10^{log10(fewest):.0f} for {N_TEST}, one in 17 of them positive",
    )


@measure(ITEM)
def trying_all_is_best(rows):
    """Difference of trying all labellings from branch and bound; no greedy objective is lower."""
    frame = rows.dropna(subset="tried")
    gap = (frame["objective_any"] / frame["objective_tried"] - 1.0).abs().max()
    below = (1.0 - frame["objective_greedy"] / frame["objective_tried"]).max()
    error = float(max(gap, below, 0.0))
    return Mathematics(
        error=error, shown=f"largest relative difference {error:.1g}, in {len(frame)} problems"
    )


def greedy_summary(frame, by):
    """How often the greedy algorithm is optimal, and its excess.

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
        mean excess of the best with this number over the best with any.
    """
    start, greedy = excess(frame, "start", "count"), excess(frame, "greedy", "count")
    columns = {
        "start_optimal": 100.0 * (start <= 100.0 * SAME_OBJECTIVE),
        "optimal": 100.0 * (greedy <= 100.0 * SAME_OBJECTIVE),
        "start_excess": start,
        "excess": greedy,
        "balanced_excess": excess(frame, "balanced", "count"),
        "count_excess": excess(frame, "count", "any"),
    }
    keys = [frame[name] for name in by]
    table = pd.DataFrame(columns).groupby(keys, sort=False).mean()
    worst = greedy.groupby(keys, sort=False).quantile(0.95)
    table.insert(4, "excess_95", worst)
    return table
