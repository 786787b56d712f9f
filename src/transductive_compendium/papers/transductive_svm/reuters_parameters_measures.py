"""The Reuters table's dependence on parameters: averages by change."""

import pandas as pd

from ...verdicts.overlapping_splits import half_width
from .reuters_table_measures import METHODS, mean_over_categories


def changes_table(frame):
    """Averages over the ten categories by change, and differences on the same training sets.

    Returns
    -------
    DataFrame of str
        A row for each change: means of the methods; TSVM minus SVM, and TSVM minus the TSVM with
        nothing changed, each with half of its 95 % interval.
    """
    tables = []
    for changed, rows in frame.groupby("changed", sort=False):
        means = {
            method: mean_over_categories(rows, "change", column)
            for method, column in METHODS.items()
        }
        table = pd.DataFrame({method: values.mean() for method, values in means.items()})
        table, tsvm = table.map("{:.1f}".format), means["TSVM"]
        less = {"SVM": means["SVM"], "unchanged": tsvm[["nothing"]].to_numpy()}
        for than, other in less.items():
            gain = tsvm - other
            pairs = zip(gain.mean().round(1) + 0.0, half_width(gain), strict=True)
            table[f"TSVM less {than}"] = [f"{mean:.1f} ± {half:.1f}" for mean, half in pairs]
        tables.append(pd.concat({changed: table}, names=["changed"]))
    return pd.concat(tables)
