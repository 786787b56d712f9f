"""Measures of the learning curves on Reuters: gains of the TSVM by number of documents."""

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats
from .reuters_design import N_TRAIN
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
    other, number = ("n_test", frame["n_test"].max()) if over == "n_train" else ("n_train", N_TRAIN)
    return mean_over_categories(frame[frame[other] == number], over, column)


def _gain(frame, over, reading, at_all=False):
    end = "_all" if at_all else ""
    return curve(frame, over, f"{reading}{end}") - curve(frame, over, f"svm{end}")


@measure
def reuters_gain_at(frames, n_train, reading="tsvm"):
    """Gain of the TSVM over the SVM with all test documents and `n_train` training documents."""
    return Repeats(_gain(frames[ITEM], "n_train", reading)[n_train].dropna().to_numpy())


@measure
def reuters_gain_falls(frames, few, many, reading="tsvm"):
    """The gain with few training documents minus that with many, paired by their number alone."""
    gain = _gain(frames[ITEM], "n_train", reading)[[few, many]].dropna()
    return _lead(gain[few], gain[many], f"{few} and {many} training documents")


@measure
def reuters_gain_rises(frames, reading="tsvm", at_all=False):
    """The gain with all test documents minus that with fewest; training documents are the same."""
    gain = _gain(frames[ITEM], "n_test", reading, at_all)
    fewest, most = gain.columns.min(), gain.columns.max()
    gain = gain[[fewest, most]].dropna()
    return _lead(gain[most], gain[fewest], f"{most} and {fewest} test documents")


def _lead(one, other, where):
    shown = f"lead {one.mean():+.1f} and {other.mean():+.1f} percentage points at {where}"
    return Repeats((one - other).to_numpy(), shown=shown)
