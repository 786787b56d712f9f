"""Figure 4 under every interpretation of the angles: the least clear of its differences."""

from ...verdicts.claims import measure
from ...verdicts.rules import ShapeEvidence
from .difference_measures import least_clear, mean_with_error
from .figure_4_measures import svm_less_bpm


@measure
def angles_below(frames):
    """Whether the mean error of the BPM is below the SVM's wherever there are two classes."""
    details, holds = [], True
    for interpretation, rows in frames["kernel_gibbs_sampler/angles"].groupby(
        "reading", sort=False
    ):
        positive = 100.0 * rows["positive"].mean()
        if positive in (0.0, 100.0):
            details.append(f"{interpretation}: one class")
            continue
        gap = svm_less_bpm(rows, "unflipped")
        gap = gap[gap.columns[gap.columns < 0.5]]
        holds &= bool((gap.mean() > 0).all())
        details.append(f"{interpretation}: {mean_with_error(least_clear(gap))}")
    return ShapeEvidence(
        holds and any("±" in text for text in details),
        "SVM less BPM, in points of error on the labels before flipping, at the lambda where it is "
        "least clear: " + "; ".join(details),
    )
