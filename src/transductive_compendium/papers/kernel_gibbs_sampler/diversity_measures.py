"""Diversity of sampled classifiers, and its growth with the assumed noise."""

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats

#: Noise levels of figure 3.
PRINTED = (0.0, 0.1, 0.2)
#: Columns by the options of the choice "diversity".
COLUMNS = {
    "disagreement": "disagreement_training",
    "entropy": "entropy_training",
    "plane": "disagreement_plane",
}


def disagreement(frame, where):
    """Share of pairs of classifiers that differ at a point, in per cent, by training set.

    Parameters
    ----------
    frame : DataFrame
        Rows of the diversity.
    where : str
        "training" points, or those of a grid in the "plane".
    """
    return 100.0 * frame.pivot(index="draw", columns="q", values=f"disagreement_{where}")


@measure("kernel_gibbs_sampler/diversity")
def diversity_grows(frame, diversity="disagreement"):
    """Increase of the diversity from one printed q to the next."""
    by_q = frame.pivot(index="draw", columns="q", values=COLUMNS[diversity])
    judged = 100.0 * by_q[list(PRINTED)]
    shown = "diversity " + ", ".join(f"{d:.1f} % at q = {q:g}" for q, d in judged.mean().items())
    return Repeats(judged.diff(axis=1).iloc[:, 1:].to_numpy(), shown=shown)
