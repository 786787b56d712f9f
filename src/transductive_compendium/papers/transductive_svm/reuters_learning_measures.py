"""Measures of the learning curves on Reuters: gains of the TSVM by number of documents."""

from ...verdicts import overlapping_splits
from ...verdicts.claims import measure
from ...verdicts.rules import OrderingEvidence
from .reuters_design import N_TRAIN, POOL
from .reuters_table_measures import mean_over_categories

ITEM = "transductive_svm/reuters_learning"


def curve(frame, over, column):
    """Learning curve of averages over the ten categories.

    Parameters
    ----------
    frame : DataFrame
        Rows of the experiment.
    over : {"n_train", "n_test"}
        The other number is the paper's.
    column : str

    Returns
    -------
    DataFrame
        A column for each number of documents, a row for each training set; NaN where there were
        fewer.
    """
    other, number = ("n_test", frame["n_test"].max()) if over == "n_train" else ("n_train", N_TRAIN)
    return mean_over_categories(frame[frame[other] == number], over, column)


def _gain(frame, over, reading, at_all=False):
    end = "_all" if at_all else ""
    return curve(frame, over, f"{reading}{end}") - curve(frame, over, f"svm{end}")


def overlap(n_train):
    """What training sets of so many of the `POOL` documents add to 1/n."""
    return overlapping_splits.overlap(n_train, POOL)


@measure
def reuters_gain_at(frames, n_train, reading="tsvm"):
    """Gain of the TSVM over the SVM with all test documents and this number to train on.

    Its training sets overlap: `overlap`.
    """
    gain = _gain(frames[ITEM], "n_train", reading)[n_train].dropna()
    return OrderingEvidence(gain, test_train_ratio=overlap(n_train))


@measure
def reuters_gain_falls(frames, few, many, reading="tsvm"):
    """The gain with few training documents less that with many.

    The training sets of either are independent of the other's and paired by their number alone,
    and the overlap of either goes with its own variance: s^2 r is the sum of both s^2 r.
    """
    gain = _gain(frames[ITEM], "n_train", reading)[[few, many]].dropna()
    spread = gain.var()
    ratio = sum(spread[n] * overlap(n) for n in (few, many)) / spread.sum()
    return OrderingEvidence(gain[few] - gain[many], test_train_ratio=ratio)


@measure
def reuters_gain_rises(frames, reading="tsvm", at_all=False):
    """The gain with all test documents less that with fewest; training documents are the same."""
    gain = _gain(frames[ITEM], "n_test", reading, at_all)
    return OrderingEvidence(gain[gain.columns.max()] - gain[gain.columns.min()])
