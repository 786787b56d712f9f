"""Losses, regularisers and contradictions of the U-SVM: measures and tables."""

from __future__ import annotations

import pandas as pd

from ...verdicts.claims import measure
from ...verdicts.rules import IdentityEvidence, OrderingEvidence, ShapeEvidence

__all__ = ["contradiction_table", "general", "on_the_hyperplane", "wins"]

DOCUMENT = "universum"
LOSSES, REGULARISERS = f"{DOCUMENT}/losses", f"{DOCUMENT}/regularisers"
CONTRADICTIONS = f"{DOCUMENT}/contradictions"

# ---- losses -------------------------------------------------------------------------------------


@measure
def two_hinges(frames):
    """Largest difference of ``U_eps[f]`` and ``H_-eps[f] + H_-eps[-f]`` on the grid."""
    rows = frames[LOSSES]
    rows = rows[rows["part"] == "shapes"]
    gap = rows["universum"] - rows["copy_positive"] - rows["copy_negative"]
    return IdentityEvidence(float(gap.abs().max()), scale=float(rows["universum"].max()))


@measure
def trained_twice(frames, columns):
    """Largest difference of the U-SVM and another method on doubled points, in any column."""
    rows = frames[LOSSES]
    rows = rows[rows["part"] == "machines"]
    # an intercept that the dual does not tell is missing
    return IdentityEvidence(float(rows[columns].max().max()))


# ---- regularisers -------------------------------------------------------------------------------


@measure
def given_weights(frames, regulariser):
    """Relative difference of universum term and regulariser for given hyperplanes."""
    rows = frames[REGULARISERS]
    rows = rows[(rows["part"] == "given") & (rows["regulariser"] == regulariser)]
    return IdentityEvidence(float(rows.loc[rows["violated"] == "none", "identity"].max()))


@measure
def conditions_needed(frames, least):
    """Whether the two sides differ by `least` or more as soon as a condition does not hold."""
    rows = frames[REGULARISERS]
    rows = rows[(rows["part"] == "given") & (rows["violated"] != "none")]
    found = rows.groupby(["regulariser", "violated"])["identity"].median()
    words = [f"{name} ({what}) {gap:.2g}" for (name, what), gap in found.items()]
    return ShapeEvidence(
        bool((found >= least).all()), f"median relative difference: {', '.join(words)}"
    )


@measure
def same_machine(frames, regulariser, columns):
    """Largest relative difference of the trained U-SVM and the SVM without a universum."""
    rows = frames[REGULARISERS]
    rows = rows[(rows["part"] == "quadratic") & (rows["regulariser"] == regulariser)]
    return IdentityEvidence(float(rows[columns].max().max()))


def _paths(frames):
    rows = frames[REGULARISERS]
    return rows[(rows["part"] == "absolute") & (rows["feature"] == 0)]


@measure
def one_norm_excess(frames, C_universum):
    """Excess of the U-SVM over the smallest 1-norm objective, relatively, at a large cost."""
    rows = _paths(frames)
    return IdentityEvidence(float(rows.loc[rows["C_universum"] == C_universum, "excess"].max()))


@measure
def one_norm_bound(frames):
    """Whether the excess falls with C_universum and is nowhere above its bound."""
    rows = _paths(frames)
    # what the two solvers leave
    within = rows["excess"] <= rows["bound"] + 1e-6
    median = rows.groupby("C_universum")["excess"].median()
    falls = bool((median.diff().dropna() <= 1e-6).all())
    return ShapeEvidence(
        bool(within.all()) and falls,
        f"above the bound in {int((~within).sum())} of {len(rows)} cases; median excess "
        + ", ".join(f"{100 * value:.2g} % at {cost:g}" for cost, value in median.items()),
    )


@measure
def same_zeros(frames, C_universum):
    """Zero weights of the U-SVM, of the 1-norm SVM by linear programme, and of the SVM."""
    rows = _paths(frames)
    rows = rows[rows["C_universum"] == C_universum]
    same = (rows["zeros"] == rows["zeros_programme"]).all()
    found = rows[["zeros", "zeros_programme", "zeros_svm"]].mean()
    return ShapeEvidence(
        bool(same and found["zeros"] > 0 and found["zeros_svm"] == 0),
        f"on average {found['zeros']:.2f} weights are zero, {found['zeros_programme']:.2f} of the "
        f"1-norm SVM and {found['zeros_svm']:.2f} of the SVM; in "
        f"{int((rows['zeros'] == rows['zeros_programme']).sum())} of {len(rows)} draws as many as "
        "of the 1-norm SVM",
    )


# ---- contradictions -----------------------------------------------------------------------------


def general(frame, dimension=None):
    """Rows of the machines on points in general position, of one dimension or all."""
    rows = frame[frame["part"] == "general"]
    return rows if dimension is None else rows[rows["dimension"] == dimension]


def on_the_hyperplane(frame):
    """Rows of the machines whose universum is on a hyperplane that has the training labels."""
    return frame[frame["part"] == "flat"]


def _by_draw(frames, dimension, column):
    return general(frames[CONTRADICTIONS], dimension).pivot(
        index="draw", columns="C_universum", values=column
    )


def wins(frame, dimension, C_universum):
    """In how many draws the machine's class has most contradictions and the SVM's not; reverse."""
    rows = general(frame, dimension)
    most = rows.assign(most=rows["contradictions"] == rows["most"]).pivot(
        index="draw", columns="C_universum", values="most"
    )
    ours, svm = most[C_universum].astype(bool), most[0.0].astype(bool)
    return int((ours & ~svm).sum()), int((svm & ~ours).sum())


@measure
def more_contradictions(frames, dimension, C_universum):
    """Contradictions of the U-SVM's class less those of the SVM's, draw by draw."""
    counts = _by_draw(frames, dimension, "contradictions")
    return OrderingEvidence(differences=(counts[C_universum] - counts[0.0]).to_numpy())


@measure
def more_often_most(frames, dimension, C_universum):
    """Draws in which the U-SVM's class has most contradictions and the SVM's has not; reverse."""
    ours, svm = wins(frames[CONTRADICTIONS], dimension, C_universum)
    return OrderingEvidence(wins=ours, losses=svm)


@measure
def often_not_always(frames, dimension, C_universum):
    """Whether the U-SVM's class is nearer to the best than to the average, and not always best."""
    rows = general(frames[CONTRADICTIONS], dimension)
    rows = rows[rows["C_universum"] == C_universum]
    reached = rows["contradictions"] == rows["most"]
    ours, most, average = (rows[name].mean() for name in ("contradictions", "most", "mean"))
    return ShapeEvidence(
        bool(most - ours < ours - average and not reached.all()),
        f"on average {ours:.2f} contradictions, {most:.2f} in the best class, {average:.2f} in the "
        f"average one; the best is reached in {int(reached.sum())} of {len(rows)} draws",
    )


@measure
def hits_are_nearer(frames, dimension):
    """Distance from the SVM's hyperplane: points not contradicted less those contradicted."""
    rows = general(frames[CONTRADICTIONS], dimension)
    rows = rows[rows["C_universum"] == 0.0]
    # draws in which all or none are contradicted have nothing to compare
    gap = (rows["distance_rest"] - rows["distance_hit"]).dropna()
    return OrderingEvidence(differences=gap.to_numpy())


@measure
def small_values_are_contradicted(frames):
    """Points whose value is smaller than any on the sample: how many are not contradicted."""
    rows = general(frames[CONTRADICTIONS])
    return IdentityEvidence(float((rows["certain"] - rows["certain_hit"]).sum()))


@measure
def counts_agree(frames):
    """Largest difference of the contradictions enumerated and those by linear programmes."""
    rows = general(frames[CONTRADICTIONS])
    return IdentityEvidence(float((rows["contradictions"] - rows["programme"]).abs().max()))


@measure
def loss_falls(frames):
    """Whether the sum of the losses never grows with C_universum."""
    rows = general(frames[CONTRADICTIONS])
    sums = rows.pivot(index=["dimension", "draw"], columns="C_universum", values="loss_sum")
    steps = sums.diff(axis=1).iloc[:, 1:]
    held = (steps <= 1e-6 * sums.iloc[:, :-1].to_numpy()).all(axis=1)
    return ShapeEvidence(
        bool(held.all()),
        f"in {int(held.sum())} of {len(sums)} draws; on average {sums[0.0].mean():.3g} for the "
        f"SVM, {sums.iloc[:, -1].mean():.3g} at the largest cost",
    )


@measure
def reaches_the_hyperplane(frames, loss, largest):
    """Whether growing costs put a universum on a hyperplane there, with all points contradicted."""
    rows = on_the_hyperplane(frames[CONTRADICTIONS])
    rows = rows[rows["loss"] == loss]
    last = rows[rows["C_universum"] == rows["C_universum"].max()]
    first = rows[rows["C_universum"] == 0.0]
    worst, all_of_it = last["largest"].max(), last["programme"] == last["most"]
    return ShapeEvidence(
        bool(worst <= largest and all_of_it.all()),
        f"at the largest cost |f| is at most {worst:.1g} and all points are contradicted in "
        f"{int(all_of_it.sum())} of {len(last)} draws; for the SVM in "
        f"{int((first['programme'] == first['most']).sum())}",
    )


def contradiction_table(frame):
    """Classes and contradictions by dimension and C_universum, means over the draws.

    Parameters
    ----------
    frame : DataFrame
        Rows of the experiment.

    Returns
    -------
    DataFrame
        Index: dimension, C_universum (0 for the SVM). Classes with the training labels,
        contradictions of the machine's class, of the best and of the average class, per cent of
        draws in which the machine's is the best, classes with more than it, mean distance of the
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
