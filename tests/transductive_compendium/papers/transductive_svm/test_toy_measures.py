"""The toy picture: what the measures make of rows."""

import numpy as np
import pandas as pd

from transductive_compendium.papers.transductive_svm import toy_measures as measures


def toy(transductive=(0.0, 1.0), inductive=(1.0, 1.0)):
    """Test points at (0, +-1) and (2, +-1), labelled by the second coordinate."""
    points = [(x, y) for x in (0.0, 2.0) for y in (-1.0, 1.0)]
    rows = [("test", x, y, np.nan, int(y)) for x, y in points]
    rows += [("training", 9.0, 1.0, np.nan, 1)]
    rows += [("transductive", *transductive, 0.0, 0), ("inductive", *inductive, 0.0, 0)]
    columns = ["kind", "x1", "x2", "offset", "label"]
    frame = pd.DataFrame(rows, columns=columns).assign(gap=1.0)
    other = frame.assign(gap=0.0, label=-frame["label"])
    return {"transductive_svm/toy": pd.concat([frame, other], ignore_index=True)}


def test_distances_from_a_line():
    frame = toy()["transductive_svm/toy"]
    found = measures.lines(frame[frame["gap"] == 1.0])
    np.testing.assert_allclose(found["transductive"], 1.0)
    np.testing.assert_allclose(found["inductive"], np.array([1, 1, -1, 3]) / np.sqrt(2))
