"""Measures that compare the greedy algorithm with the best of all labellings."""

import numpy as np
import pandas as pd

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats

ITEM = "transductive_svm/greedy"
#: Two objectives with a smaller relative difference count as equal.
SAME_OBJECTIVE = 1e-4
#: Test documents of the slides' table.
N_TEST = 3299


def excess(frame, upper, lower):
    """Excess of one labelling's objective over another's, in per cent of the latter."""
    return 100.0 * (frame[f"objective_{upper}"] / frame[f"objective_{lower}"] - 1.0)


@measure(ITEM)
def machines_grow(rows):
    """Trainings of branch and bound, mean logarithm over sources: growth and extrapolation."""
    frame = rows[(rows["C"] == 1.0) & (rows["C_star"] == 1.0)]
    logs = np.log10(frame["machines"]).groupby([frame["draw"], frame["working"]]).mean().unstack()
    few, middle, many = logs[4], logs[8], logs[12]
    at_all = many + (many - few) / 8 * (N_TEST - 12)
    gaps = np.column_stack([middle - few, many - middle, at_all - 9.0])
    means = ", ".join(f"{10 ** logs[k].mean():.0f}" for k in (4, 8, 12))
    return Repeats(gaps, shown=f"{means} trainings for 4, 8, 12 test points, geometric means")


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
