"""Table 1: free parameters that the validation errors choose."""

import numpy as np
import pandas as pd

from .table_1_design import CHOSEN, FREE, SETS


def _middle(errors):
    """The candidate with the fewest errors that is nearest to the middle of their logarithms.

    The middle is the median of each parameter; the first of equally near candidates is taken.
    """
    best = errors.index[errors == errors.min()].to_frame().to_numpy()
    logs = np.log(best)
    distances = np.linalg.norm(logs - np.median(logs, axis=0), axis=1)
    return best[np.argmin(distances.round(9))]


def choose(rows, method, rule):
    """Free parameters of a method on one data set, from `table_1_choice`.

    Parameters
    ----------
    rows : DataFrame
        Rows of one data set and one kind of working sample.
    method : {"SVM", "LD", "TLD"}
    rule : {"median", "mean"}
        Median of the five training sets' choices, for each parameter (Raetsch, Onoda, Mueller), or
        the candidate with the smallest error on all five together.

    Returns
    -------
    parameters : ndarray
        In the order of `FREE`.
    """
    errors = rows[rows["method"] == method].pivot(
        index=FREE[method], columns="training_set", values="wrong"
    )
    if rule == "mean":
        return _middle(errors.sum(axis=1))
    return np.exp(np.median([np.log(_middle(errors[s])) for s in errors], axis=0))


def choose_under(rows, choice, method):
    """Free parameters of LD or TLD on one data set under another interpretation.

    Parameters
    ----------
    rows : DataFrame
        Rows of one data set and one option, from `table_1_choice_options`.
    choice : DataFrame
        Rows of that data set from `table_1_choice`, which choose gamma* if (15) chooses sigma and
        gamma.
    method : {"LD", "TLD"}

    Returns
    -------
    parameters : ndarray
        In the order of `FREE`.
    """
    if rows["loo_error"].isna().all():
        return choose(rows, method, "mean")
    least = rows.groupby(FREE["LD"])["loo_error"].sum().idxmin()
    if method == "LD":
        return np.array(least)
    choice = choice[(choice["working"] == "fold") & (choice["method"] == "TLD")]
    return choose(
        choice[(choice["sigma"] == least[0]) & (choice["gamma"] == least[1])], "TLD", "mean"
    )


def chosen_table(choice):
    """Free parameters by data set, working sample, method and rule, from `table_1_choice`."""
    rows = {}
    for (dataset, working), candidates in choice.groupby(["dataset", "working"], sort=False):
        for method in candidates["method"].unique():
            for rule in CHOSEN:
                found = choose(candidates, method, rule)
                rows[dataset, working, method, rule] = dict(zip(FREE[method], found, strict=True))
    table = pd.DataFrame(rows).T
    table.index.names = ["dataset", "working", "method", "rule"]
    return table


def validation_profile(choice, dataset, working="fold"):
    """Validation errors of TLD in per cent against gamma_star, at the best sigma and gamma.

    Mean over the five training sets; an infinite gamma_star gives LD.
    """
    rows = choice[(choice["dataset"] == dataset) & (choice["working"] == working)]
    rows = rows[rows["method"] != "SVM"]
    mean = rows.groupby(["sigma", "gamma", "gamma_star"])["wrong"].mean()
    return 100.0 / SETS[dataset] * mean.groupby("gamma_star").min()
