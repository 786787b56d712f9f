"""Contradictions of the classes of the SVM and U-SVM, and their distance from the maximum."""

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


def _by_draw(rows, dimension, column):
    return general(rows, dimension).pivot(index="draw", columns="C_universum", values=column)


@measure(ITEM)
def more_contradictions(rows, dimensions, C_universum):
    """Contradictions of the U-SVM's class minus those of the SVM's; and the fall of sum |f|."""
    gaps, words = [], []
    for d in dimensions:
        counts, sums = (_by_draw(rows, d, name) for name in ("contradictions", "loss_sum"))
        gaps += [counts[C_universum] - counts[0.0], sums[0.0] - sums[C_universum]]
        words.append(
            f"{counts[C_universum].mean():.2f} (SVM {counts[0.0].mean():.2f}) in dimension {d}"
        )
    return Repeats(np.column_stack(gaps), shown="contradictions on average " + ", ".join(words))


@measure(ITEM)
def more_often_most(rows, dimensions, C_universum):
    """Whether the U-SVM's class has most contradictions, minus whether the SVM's has."""
    gaps, words = [], []
    for d in dimensions:
        reached = _by_draw(rows, d, "contradictions") == _by_draw(rows, d, "most")
        u_svm, svm = 100.0 * reached[C_universum], 100.0 * reached[0.0]
        gaps.append(u_svm - svm)
        words.append(f"{u_svm.mean():.0f} % (SVM {svm.mean():.0f} %) in dimension {d}")
    return Repeats(np.column_stack(gaps), shown="most contradictions in " + ", ".join(words))


@measure(ITEM, "universum/losses")
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
