"""The toy picture, computed."""

import numpy as np
import pytest
from paper_rooms import unit_rows


def test_toy_rows_hold_the_picture():
    rows = unit_rows("transductive_svm/toy", {"gap": 1.0}, problem=7)
    points = rows[rows["label"] != 0]
    assert points["kind"].value_counts().to_dict() == {"test": 40, "training": 4}
    line = rows[rows["kind"] == "transductive"].iloc[0]
    values = points["x1"] * line["x1"] + points["x2"] * line["x2"] + line["offset"]
    assert np.abs(values).min() == pytest.approx(1.0, abs=1e-3)
