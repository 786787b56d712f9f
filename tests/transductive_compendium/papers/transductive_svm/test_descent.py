"""The objective along the two loops."""

import numpy as np
from paper_rooms import unit_rows

from transductive_compendium.datasets import load


def test_descent_has_a_row_for_each_solution():
    key = {"dataset": "digits"}
    rows = unit_rows("transductive_svm/descent", key, {"digits": load("digits")}, seed=1)
    assert (rows["solution"] == np.arange(len(rows))).all() and rows["switch"].any()
    switch = rows["switch"].to_numpy()
    assert (rows["objective"].diff()[switch] < 0).all()
    assert (rows["C_minus"].diff()[1:] >= 0).all() and rows["C_minus"].iloc[-1] == 1.0
