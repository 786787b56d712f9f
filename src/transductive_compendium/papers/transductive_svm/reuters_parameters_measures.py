"""Measures of the Reuters table's dependence on parameters: averages by change."""

import pandas as pd

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics
from .reuters_parameters import AS_PRINTED
from .reuters_table_measures import PRINTED_METHODS, mean_over_categories


def changes_table(frame):
    """Averages over the ten categories by change, and differences on the same training sets.

    Returns
    -------
    DataFrame
        A row for each change: means of the methods; TSVM minus SVM, and TSVM minus the TSVM with
        nothing changed, each with its standard error over training sets.
    """
    tables = []
    for changed, rows in frame.groupby("changed", sort=False):
        means = {
            method: mean_over_categories(rows, "change", column)
            for method, column in PRINTED_METHODS.items()
        }
        table = pd.DataFrame({method: values.mean() for method, values in means.items()})
        tsvm = means["TSVM"]
        less = {"SVM": means["SVM"], "unchanged": tsvm[["nothing"]].to_numpy()}
        for than, other in less.items():
            gain = tsvm - other
            table[f"TSVM less {than}"], table[f"error of TSVM less {than}"] = (
                gain.mean(),
                gain.sem(),
            )
        tables.append(pd.concat({changed: table}, names=["changed"]))
    return pd.concat(tables)


@measure
def reuters_order_stays(frames, method, than):
    """Whether a method's average is above another's under every change but `AS_PRINTED`."""
    table = changes_table(frames["transductive_svm/reuters_parameters"])
    table = table[~table.index.get_level_values("change").isin(AS_PRINTED)]
    gains = table[method] - table[than]
    words = [f"{change}: {gain:+.1f}" for (_, change), gain in gains.items()]
    return Mathematics(true=int((gains > 0).sum()), cases=len(gains), shown=", ".join(words))
