"""Measures that compare the SVMs' labellings with the joint and the label-wise Bayes optimum."""

import pandas as pd

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics, Repeats

ITEM = "transductive_svm/joint_or_marginal"


def _joint(frame, method, dimension, points):
    frame = frame[(frame["method"] == method) & (frame["differ"] == 1)]
    return frame[(frame["dimension"] == dimension) & (frame["points"] == points)]


@measure(ITEM)
def joint_rather(rows, method, dimension, points):
    """Where the optima differ: how often a method gives the joint one, and how often the other."""
    frame = _joint(rows, method, dimension, points)
    gaps = (frame["wrong_joint"] == 0).astype(float) - (frame["wrong_marginal"] == 0)
    return Repeats(gaps.to_numpy())


@measure(ITEM)
def marginal_rather(rows, method, dimension, points):
    """The reverse of `joint_rather`."""
    return Repeats(-joint_rather(rows, method, dimension, points).gaps)


@measure(ITEM)
def exact_in_the_plane(frame):
    """Unit vectors in the plane: most labels in which an SVM differs from its optimum."""
    frame = frame[(frame["dimension"] == 2) & (frame["points"] == "unit")]
    transductive = frame.loc[frame["method"] == "exhaustive", "wrong_joint"].max()
    inductive = frame.loc[frame["method"] == "inductive", "wrong_marginal"].max()
    return Mathematics(error=float(max(transductive, inductive)))


def joint_summary(frame):
    """Each method's labellings where the joint and the label-wise optimum differ.

    Returns
    -------
    DataFrame
        Index: dimension, points, method. Number of such problems in which the method gave labels;
        in per cent how often it gives the joint and the label-wise optimum; mean number of labels
        other than theirs; its probability over the joint optimum's and its label-wise risk over
        the smallest, means in per cent; how often no function gives it.
    """
    frame = frame[frame["differ"] == 1]
    columns = {
        "problems": 1,
        "is_joint": 100.0 * (frame["wrong_joint"] == 0),
        "is_marginal": 100.0 * (frame["wrong_marginal"] == 0),
        "wrong_joint": frame["wrong_joint"],
        "wrong_marginal": frame["wrong_marginal"],
        "probability": 100.0 * frame["probability"] / frame["probability_joint"],
        "risk": 100.0 * frame["risk"] / frame["risk_marginal"],
        "impossible": 100.0 * (frame["probability"] == 0),
    }
    keys = [frame[name] for name in ("dimension", "points", "method")]
    grouped = pd.DataFrame(columns, index=frame.index).groupby(keys, sort=False)
    return grouped.mean().assign(problems=grouped.size())
