"""Error when the closest votes are rejected, and the SVM's at equal rejection."""

from ...rejection_curves import error_curves, outcomes
from ...verdicts.claims import measure
from ...verdicts.rules import Repeats
from .rejection import FLIP_RATE


def _rejection(frames, dataset, q):
    frame = frames["kernel_gibbs_sampler/rejection"]
    return frame[(frame["dataset"] == dataset) & (frame["q"] == q)]


def bayes_point_outcomes(frame):
    """Like `outcomes`, with the Bayes point instead of the SVM."""
    return outcomes(frame.assign(f=frame["bayes_point"]))


@measure
def votes_against_margins(frames, dataset):
    """SVM error minus the vote's at equal rejection, mean over rates up to 60 %, split by split."""
    _, vote, svm = error_curves(outcomes(_rejection(frames, dataset, FLIP_RATE)))
    return Repeats(100.0 * (svm - vote).mean(axis=1))
