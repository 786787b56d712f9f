"""Figure 4: test errors of Bayes point machine and soft-margin SVM, and their differences."""

from ...verdicts.claims import measure
from ...verdicts.rules import EquivalenceEvidence, OrderingEvidence
from .difference_measures import furthest, least_clear
from .figure_4_design import FLIP_RATE, SHARED_VALUES


def error_table(frame, method, labels="flipped"):
    """Test errors in per cent: a row for each set, a column for each q or lambda.

    Parameters
    ----------
    frame : DataFrame
        Rows of figure 4, or those of the angles under one interpretation.
    method : str
        "bpm", "exact" (the Bayes point without sampling) or "svm".
    labels : str, default "flipped"
        Test labels as published, "flipped" at the rate of the training labels, or "unflipped".
    """
    column = {"flipped": f"{method}_error", "unflipped": f"{method}_true_error"}[labels]
    errors = 100.0 * frame.pivot(index="set", columns="value", values=column)
    return errors.dropna(axis=1, how="all")  # the BPM takes no q of 0.5 or more


def svm_less_bpm(frame, labels="flipped"):
    """SVM error at each lambda less that of the BPM at the true flip rate, in per cent."""
    bpm = error_table(frame, "bpm", labels)[FLIP_RATE]
    return error_table(frame, "svm", labels).sub(bpm, axis=0)


def other_q_less_right_q(frame, labels="flipped", method="bpm"):
    """Error of the Bayes point at each wrong q less that at the true flip rate, in per cent."""
    errors = error_table(frame, method, labels)
    return errors.drop(columns=FLIP_RATE).sub(errors[FLIP_RATE], axis=0)


def samples_less_exact(frame):
    """Error of the samples' mean less that of the exact Bayes point at each q, in per cent."""
    return error_table(frame, "bpm", "flipped") - error_table(frame, "exact", "flipped")


def _figure_4(frames):
    return frames["kernel_gibbs_sampler/figure_4"]


@measure
def figure_4_below(frames, labels, beyond):
    """SVM less BPM at the lambda where it is least clear, of the shared abscissa or of all."""
    gap = svm_less_bpm(_figure_4(frames), labels)
    return OrderingEvidence(differences=least_clear(gap if beyond else gap[list(SHARED_VALUES)]))


@measure
def figure_4_robust(frames):
    """Error at the wrong q that may be furthest off, less that at the true flip rate."""
    return EquivalenceEvidence(furthest(other_q_less_right_q(_figure_4(frames))))


@measure
def figure_4_samples(frames, q):
    """Error of the mean of the samples less that of the exact Bayes point."""
    return EquivalenceEvidence(samples_less_exact(_figure_4(frames))[q])


@measure
def figure_4_samples_lose(frames, q):
    """The same, to be shown positive."""
    return OrderingEvidence(differences=samples_less_exact(_figure_4(frames))[q])
