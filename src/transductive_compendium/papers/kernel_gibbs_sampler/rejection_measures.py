"""Error when the closest votes are rejected, and the SVM's at equal rejection."""

from ...rejection_curves import error_at_rejection, error_curves, outcomes
from ...verdicts.claims import measure
from ...verdicts.rules import Repeats
from .difference_measures import yes_or_no
from .vote import FLIP_RATE


def _rejection(frames, dataset, q):
    frame = frames["kernel_gibbs_sampler/rejection"]
    return frame[(frame["dataset"] == dataset) & (frame["q"] == q)]


def bayes_point_outcomes(frame):
    """Like `outcomes`, with the Bayes point instead of the SVM."""
    return outcomes(frame.assign(f=frame["bayes_point"]))


def rejection_fall(frame, rate):
    """Relative decrease of each split's error when the closest votes are rejected, in per cent.

    It is relative to the error on all points, because splits differ in difficulty; splits without
    an error are left out.

    Parameters
    ----------
    frame : DataFrame
        Rows of the rejection for one data set and q.
    rate : float
    """
    o = outcomes(frame)
    error = error_at_rejection(o.confidence, o.wrong, [0.0, rate])
    error = error[error[:, 0] > 0]
    return 100.0 * (1.0 - error[:, 1] / error[:, 0])


@measure
def no_version_space(frames):
    """Whether no training sample has a classifier without error."""
    empty = frames["kernel_gibbs_sampler/rejection"].groupby(["dataset", "split"])["empty"].all()
    counts = empty.groupby(level="dataset").agg(["sum", "size"])
    return yes_or_no(
        bool(empty.all()),
        "no version space in "
        + ", ".join(
            f"{some} of {size} splits ({name})" for name, some, size in counts.itertuples()
        ),
    )


@measure
def votes_against_margins(frames, dataset):
    """SVM error minus the vote's at equal rejection, mean over rates up to 60 %, split by split."""
    _, vote, svm = error_curves(outcomes(_rejection(frames, dataset, FLIP_RATE)))
    return Repeats(100.0 * (svm - vote).mean(axis=1))
