"""The toy picture: which line separates the test points by cloud."""

import numpy as np


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
