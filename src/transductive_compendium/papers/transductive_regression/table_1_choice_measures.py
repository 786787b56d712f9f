"""Table 1: free parameters that the validation errors choose."""

import numpy as np
import pandas as pd

from .table_1_chosen import FREE

#: Rules that put the five choices together, as the options of the open choice are called.
RULES = ("median", "least_mean")


def _middle(errors):
    """The candidate with the fewest errors that is nearest to the middle of their logarithms.

    The middle is the median of each parameter; the first of equally near candidates is taken.
    """
    best = errors.index[errors == errors.min()].to_frame().to_numpy()
    logs = np.log(best)
    distances = np.linalg.norm(logs - np.median(logs, axis=0), axis=1)
    return best[np.argmin(distances.round(9))]


def _median_of_choices(errors):
    return np.exp(np.median([np.log(_middle(errors[s])) for s in errors], axis=0))


def _best_on_all(errors):
    return _middle(errors.sum(axis=1))


#: The choice from errors on five training sets, by option of "choice"; "leave_one_out" has fixed
#: sigma and gamma before.
_CHOICES = {
    "median": _median_of_choices,
    "least_mean": _best_on_all,
    "leave_one_out": _best_on_all,
}


def choose(rows, method, rule):
    """Free parameters of a method on one data set, from `table_1_choice`.

    Parameters
    ----------
    rows : DataFrame
        Rows of one data set and one kind of working sample.
    method : {"SVM", "LD", "TLD"}
    rule : {"median", "least_mean", "leave_one_out"}
        Median of the five training sets' choices, for each parameter (Raetsch, Onoda, Mueller); the
        candidate with the smallest error on all five together; or sigma and gamma of LD and TLD by
        the least (15) on all five, and gamma* by the smallest error.

    Returns
    -------
    parameters : ndarray
        In the order of `FREE`.
    """
    if rule == "leave_one_out" and method != "SVM":
        sigma, gamma = rows.groupby(FREE["LD"])["loo_error"].sum(min_count=1).idxmin()
        rows = rows[(rows["sigma"] == sigma) & (rows["gamma"] == gamma)]
    errors = rows[rows["method"] == method].pivot(
        index=FREE[method], columns="training_set", values="wrong"
    )
    return _CHOICES[rule](errors)


def chosen_table(choice):
    """Free parameters by data set, working sample, method and rule, from `table_1_choice`."""
    rows = {}
    for (dataset, working), candidates in choice.groupby(["dataset", "working"], sort=False):
        for method in candidates["method"].unique():
            for rule in RULES:
                found = choose(candidates, method, rule)
                rows[dataset, working, method, rule] = dict(zip(FREE[method], found, strict=True))
    table = pd.DataFrame(rows).T
    table.index.names = ["dataset", "working", "method", "rule"]
    return table
