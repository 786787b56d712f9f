"""Measures of the toy picture: which line separates the test points by cloud."""

import numpy as np

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics


def lines(frame):
    """Distances of the test points from each line, positive on the side of their cloud.

    Parameters
    ----------
    frame : DataFrame
        Rows of the toy picture with one gap.

    Returns
    -------
    dict of str to ndarray
        By method.
    """
    points = frame[frame["kind"] == "test"]
    found = {}
    for _, line in frame[frame["label"] == 0].iterrows():
        values = points["x1"] * line["x1"] + points["x2"] * line["x2"] + line["offset"]
        length = np.hypot(line["x1"], line["x2"])
        found[line["kind"]] = (points["label"] * values / length).to_numpy()
    return found


@measure
def toy_lines(frames, gap):
    """Whether one line separates all test points by cloud and the other does not."""
    frame = frames["transductive_svm/toy"]
    found = lines(frame[frame["gap"] == gap])
    between, through = found["transductive"], found["inductive"]
    nearest = [np.abs(distance).min() for distance in (between, through)]
    return Mathematics(
        true=int((between > 0).all() and (through < 0).any() and nearest[0] > nearest[1]),
        cases=1,
        shown=f"test points on the wrong side: transductive {(between < 0).sum()}, inductive "
        f"{(through < 0).sum()} of {len(between)}; distance of the nearest one {nearest[0]:.3g} "
        f"and {nearest[1]:.3g}",
    )
