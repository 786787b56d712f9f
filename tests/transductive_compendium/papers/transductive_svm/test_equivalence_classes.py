"""Equivalence classes, counted."""

import pytest
from paper_rooms import unit_rows


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_counts_of_classes_agree(dimension):
    key = {"dimension": dimension, "working": 4}
    row = unit_rows("transductive_svm/equivalence_classes", key, seed=5).loc[0]
    assert row["classes"] == row["cover"] >= row["drawn"] > 0.7 * row["cover"]
    assert row["left"] == row["separable"] < 2**4
    assert row["left_mean"] == pytest.approx(row["left_cover"])
    assert row["same_labels"] == 1
    if dimension < 3:
        assert row["margin"] == pytest.approx(row["margin_exhaustive"], rel=1e-4)
