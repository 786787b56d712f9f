"""Contradictions of the classes of the SVM and U-SVM, and their distance from the maximum."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics, Repeats

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
    """Numbers of samples where only the U-SVM's class has most contradictions, only the SVM's."""
    rows = general(frame, dimension)
    most = rows.assign(most=rows["contradictions"] == rows["most"]).pivot(
        index="draw", columns="C_universum", values="most"
    )
    u_svm, svm = most[C_universum].astype(bool), most[0.0].astype(bool)
    return int((u_svm & ~svm).sum()), int((svm & ~u_svm).sum())


@measure
def more_contradictions(frames, dimensions, C_universum):
    """Contradictions of the U-SVM's class minus those of the SVM's; and the fall of sum |f|."""
    gaps, words = [], []
    for d in dimensions:
        counts, sums = (_by_draw(frames, d, name) for name in ("contradictions", "loss_sum"))
        gaps += [counts[C_universum] - counts[0.0], sums[0.0] - sums[C_universum]]
        words.append(
            f"{counts[C_universum].mean():.2f} (SVM {counts[0.0].mean():.2f}) in dimension {d}"
        )
    return Repeats(np.column_stack(gaps), shown="contradictions on average " + ", ".join(words))


@measure
def more_often_most(frames, dimension, C_universum):
    """Whether the U-SVM's class has most contradictions, minus whether the SVM's has."""
    rows = general(frames[ITEM], dimension)
    most = rows.assign(most=rows["contradictions"] == rows["most"]).pivot(
        index="draw", columns="C_universum", values="most"
    )
    u_svm, svm = wins(frames[ITEM], dimension, C_universum)
    return Repeats(
        most[C_universum].astype(float) - most[0.0].astype(float),
        shown=f"only the U-SVM's in {u_svm} samples, only the SVM's in {svm}",
    )


@measure
def often_not_always(frames, dimension, C_universum):
    """Whether the U-SVM's class is nearer to the best than to the average, but not always best."""
    rows = general(frames[ITEM], dimension)
    rows = rows[rows["C_universum"] == C_universum]
    own, most, average = (rows[name] for name in ("contradictions", "most", "mean"))
    return Repeats(
        np.column_stack([2 * own - most - average, most - own]),
        shown=f"on average {own.mean():.2f} contradictions, {most.mean():.2f} in the best class, "
        f"{average.mean():.2f} in the average one; the best is reached in "
        f"{int((own == most).sum())} of {len(rows)} samples",
    )


@measure
def small_values_are_contradicted(frames):
    """Points whose value is smaller than any on the sample; and the least change that flips f.

    Among hyperplanes changed by less than |f| / sqrt(|x|^2 + 1), none flips the sign.
    """
    rows, flips = general(frames[ITEM]), frames["universum/losses"]
    flips = flips[flips["part"] == "convexity"]
    missed = float((rows["certain"] - rows["certain_hit"]).sum()) + flips["flipped_sooner"].sum()
    exact = flips[["flip_distance", "flip_value"]].max().max()
    return Mathematics(
        error=float(missed + exact),
        shown=f"{int(rows['certain'].sum())} such points, {int(missed)} not contradicted",
    )


@measure
def counts_agree(frames):
    """Largest difference between enumerated contradictions and those by linear programmes."""
    rows = general(frames[ITEM])
    return Mathematics(error=float((rows["contradictions"] - rows["programme"]).abs().max()))


@measure
def loss_falls(frames):
    """Number of samples in which the sum of the losses never grows with C_universum."""
    rows = general(frames[ITEM])
    sums = rows.pivot(index=["dimension", "draw"], columns="C_universum", values="loss_sum")
    steps = sums.diff(axis=1).iloc[:, 1:]
    held = (steps <= 1e-6 * sums.iloc[:, :-1].to_numpy()).all(axis=1)
    return Mathematics(true=int(held.sum()), cases=len(sums))


@measure
def reaches_the_hyperplane(frames, loss, largest):
    """Number of samples in which f tends to 0 on a flat universum and contradicts all points."""
    rows = on_the_hyperplane(frames[ITEM])
    rows = rows[rows["loss"] == loss]
    last = rows[rows["C_universum"] == rows["C_universum"].max()]
    first = rows[rows["C_universum"] == 0.0]
    there = (last["largest"] <= largest) & (last["programme"] == last["most"])
    return Mathematics(
        true=int(there.sum()),
        cases=len(last),
        shown=f"at the largest cost |f| is at most {last['largest'].max():.1g} and all points are "
        f"contradicted in {int((last['programme'] == last['most']).sum())} of {len(last)} samples; "
        f"for the SVM in {int((first['programme'] == first['most']).sum())}",
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
        Index: dimension, C_universum (0 for the SVM). Columns: classes with the training labels;
        contradictions of the solution's class, of the best and of the average class; samples in
        which the solution's class is the best, in per cent; classes with more contradictions; mean
        distance of the universum from the hyperplane.
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
