"""Disagreement of sampled classifiers, and its growth with the assumed noise."""

from ...verdicts.claims import measure
from ...verdicts.rules import OrderingEvidence
from .difference_measures import least_clear


def disagreement(frame, where):
    """Share of pairs of classifiers that differ at a point, in per cent; a row a training set.

    Parameters
    ----------
    frame : DataFrame
        Rows of the diversity.
    where : str
        "training" points, or those of a grid in the "plane".
    """
    return 100.0 * frame.pivot(index="draw", columns="q", values=f"disagreement_{where}")


@measure
def diversity_grows(frames, where):
    """Growth from one q to the next, at the step where it is least clear."""
    steps = disagreement(frames["kernel_gibbs_sampler/diversity"], where).diff(axis=1)
    return OrderingEvidence(differences=least_clear(steps.iloc[:, 1:]))
