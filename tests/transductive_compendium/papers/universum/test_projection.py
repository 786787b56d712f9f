"""The limit of a large cost: rows."""

import numpy as np
from paper_rooms import unit_rows

from transductive_compendium.datasets import load


def test_projection_rows_reach_the_limit():
    key = {"draw": 0, "kernel": "rbf", "universum": "fives"}
    rows = unit_rows("universum/projection", key, {"mnist": load("digits")})
    exact = rows[rows["loss"] == "epsilon_insensitive"].set_index("ratio")
    assert (exact.loc[1.1:, "distance"] < 1e-4).all() and (exact.loc[1.1:, "largest"] < 1e-4).all()
    assert exact.at[0.0, "distance"] > 1e-2
    squared = rows[rows["loss"] == "squared"].set_index("ratio")["distance"]
    assert (np.diff(squared.loc[1.1:]) < 0).all()
