"""Measures of the learning curves on Reuters: gains of the TSVM by number of documents."""

import numpy as np

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats
from .reuters_learning import FEW, MANY
from .reuters_table_measures import mean_over_categories

ITEM = "transductive_svm/reuters_learning"


def curve(frame, over, column):
    """Learning curve of averages over the ten categories.

    Parameters
    ----------
    frame : DataFrame
        Rows of the experiment.
    over : {"n_train", "n_test"}
        Number that varies; the other one is the paper's.
    column : str

    Returns
    -------
    DataFrame
        A column for each number of documents, a row for each training set; NaN for missing ones.
    """
    other, number = ("n_test", frame["n_test"].max()) if over == "n_train" else ("n_train", FEW)
    return mean_over_categories(frame[frame[other] == number], over, column)


def gain(frame, over):
    """Gain of the TSVM over the SVM: as for `curve`."""
    return curve(frame, over, "tsvm") - curve(frame, over, "svm")


@measure(ITEM)
def reuters_gain_falls(rows, few=FEW, many=MANY):
    """The gain with few training documents, and minus that with many, paired by number alone."""
    gains = gain(rows, "n_train")[[few, many]].dropna()
    return _lead(gains[few], gains[many], f"{few} and {many} training documents")


@measure(ITEM)
def reuters_gain_rises(rows):
    """The gain with all test documents, and minus that with fewest, of the same training sets."""
    gains = gain(rows, "n_test")
    fewest, most = gains.columns.min(), gains.columns.max()
    gains = gains[[fewest, most]].dropna()
    return _lead(gains[most], gains[fewest], f"{most} and {fewest} test documents")


def _lead(one, other, where):
    shown = f"lead {one.mean():+.1f} and {other.mean():+.1f} percentage points at {where}"
    return Repeats(np.column_stack([one, one - other]), shown=shown)
