"""Contradictions of the classes of the SVM and U-SVM, and how far they are from the most."""

from __future__ import annotations

import pandas as pd

from ...verdicts.claims import measure
from ...verdicts.rules import IdentityEvidence, OrderingEvidence, ShapeEvidence

ITEM = "universum/contradictions"


def general(frame, dimension=None):
    """Rows of all SVMs and U-SVMs on points in general position, of one dimension or all."""
    rows = frame[frame["part"] == "general"]
    return rows if dimension is None else rows[rows["dimension"] == dimension]


def on_the_hyperplane(frame):
    """Rows in which the universum lies on a hyperplane that has the training labels."""
    return frame[frame["part"] == "flat"]


def _by_draw(frames, dimension, column):
    return general(frames[ITEM], dimension).pivot(
        index="draw", columns="C_universum", values=column
    )


def wins(frame, dimension, C_universum):
    """Samples in which only the U-SVM's class has most contradictions, and only the SVM's."""
    rows = general(frame, dimension)
    most = rows.assign(most=rows["contradictions"] == rows["most"]).pivot(
        index="draw", columns="C_universum", values="most"
    )
    u_svm, svm = most[C_universum].astype(bool), most[0.0].astype(bool)
    return int((u_svm & ~svm).sum()), int((svm & ~u_svm).sum())


@measure
def more_contradictions(frames, dimension, C_universum):
    """Contradictions of the U-SVM's class less those of the SVM's, sample by sample."""
    counts = _by_draw(frames, dimension, "contradictions")
    return OrderingEvidence(differences=(counts[C_universum] - counts[0.0]).to_numpy())


@measure
def more_often_most(frames, dimension, C_universum):
    """Samples in which only the U-SVM's class has most contradictions, against only the SVM's."""
    u_svm, svm = wins(frames[ITEM], dimension, C_universum)
    return OrderingEvidence(wins=u_svm, losses=svm)


@measure
def often_not_always(frames, dimension, C_universum):
    """Whether the U-SVM's class is nearer to the best than to the average, and not always best."""
    rows = general(frames[ITEM], dimension)
    rows = rows[rows["C_universum"] == C_universum]
    reached = rows["contradictions"] == rows["most"]
    own, most, average = (rows[name].mean() for name in ("contradictions", "most", "mean"))
    return ShapeEvidence(
        bool(most - own < own - average and not reached.all()),
        f"on average {own:.2f} contradictions, {most:.2f} in the best class, {average:.2f} in the "
        f"average one; the best is reached in {int(reached.sum())} of {len(rows)} samples",
    )


@measure
def hits_are_nearer(frames, dimension):
    """Distance from the SVM's hyperplane: points not contradicted less those contradicted."""
    rows = general(frames[ITEM], dimension)
    rows = rows[rows["C_universum"] == 0.0]
    # samples in which all or none are contradicted have nothing to compare
    gap = (rows["distance_rest"] - rows["distance_hit"]).dropna()
    return OrderingEvidence(differences=gap.to_numpy())


@measure
def small_values_are_contradicted(frames):
    """Points whose value is smaller than any on the sample: how many are not contradicted."""
    rows = general(frames[ITEM])
    return IdentityEvidence(float((rows["certain"] - rows["certain_hit"]).sum()))


@measure
def counts_agree(frames):
    """Largest difference of the contradictions enumerated and those by linear programmes."""
    rows = general(frames[ITEM])
    return IdentityEvidence(float((rows["contradictions"] - rows["programme"]).abs().max()))


@measure
def loss_falls(frames):
    """Whether the sum of the losses never grows with C_universum."""
    rows = general(frames[ITEM])
    sums = rows.pivot(index=["dimension", "draw"], columns="C_universum", values="loss_sum")
    steps = sums.diff(axis=1).iloc[:, 1:]
    held = (steps <= 1e-6 * sums.iloc[:, :-1].to_numpy()).all(axis=1)
    return ShapeEvidence(
        bool(held.all()),
        f"in {int(held.sum())} of {len(sums)} samples; on average {sums[0.0].mean():.3g} for the "
        f"SVM, {sums.iloc[:, -1].mean():.3g} at the largest cost",
    )


@measure
def reaches_the_hyperplane(frames, loss, largest):
    """Whether f tends to 0 on a flat universum as costs grow, with all points contradicted."""
    rows = on_the_hyperplane(frames[ITEM])
    rows = rows[rows["loss"] == loss]
    last = rows[rows["C_universum"] == rows["C_universum"].max()]
    first = rows[rows["C_universum"] == 0.0]
    worst, all_of_it = last["largest"].max(), last["programme"] == last["most"]
    return ShapeEvidence(
        bool(worst <= largest and all_of_it.all()),
        f"at the largest cost |f| is at most {worst:.1g} and all points are contradicted in "
        f"{int(all_of_it.sum())} of {len(last)} samples; for the SVM in "
        f"{int((first['programme'] == first['most']).sum())}",
    )


def contradiction_table(frame):
    """Classes and contradictions by dimension and C_universum, means over the samples.

    Parameters
    ----------
    frame : DataFrame
        Rows of the experiment.

    Returns
    -------
    DataFrame
        Index: dimension, C_universum (0 for the SVM). Classes with the training labels,
        contradictions of the solution's class, of the best and of the average class, per cent of
        samples in which the solution's is the best, classes with more than it, mean distance of the
        universum from its hyperplane.
    """
    rows = general(frame)
    columns = {
        "classes": rows["classes"],
        "contradictions": rows["contradictions"],
        "most": rows["most"],
        "average class": rows["mean"],
        "most reached (%)": 100.0 * (rows["contradictions"] == rows["most"]),
        "classes with more": rows["above"],
        "distance": rows["distance"],
    }
    return pd.DataFrame(columns).groupby([rows["dimension"], rows["C_universum"]]).mean()
