"""Wrong universa: the classifiers compared."""

import pandas as pd
import pytest
from paper_rooms import unit_rows

from transductive_compendium.datasets import load
from transductive_compendium.papers.universum.controls import FIXED
from transductive_compendium.papers.universum.mnist_validation import UNIVERSUM_COSTS


@pytest.fixture(scope="module")
def data():
    return {"mnist": load("digits")}


def test_controls_have_the_same_u_svms_at_two_costs(data):
    rows = unit_rows("universum/controls", {"draw": 0, "universum": "fives"}, data).set_index(
        "method"
    )
    assert tuple(rows.loc["fixed", ["C_universum", "epsilon"]]) == FIXED
    assert rows.at["largest", "C_universum"] == max(UNIVERSUM_COSTS)
    assert rows.at["chosen", "error_validation"] <= rows.at["fixed", "error_validation"]
    plain = (
        unit_rows("universum/controls", {"draw": 0, "universum": "Rest"}, data)
        .set_index("method")
        .loc["SVM"]
    )
    pd.testing.assert_series_equal(plain, rows.loc["SVM"])
