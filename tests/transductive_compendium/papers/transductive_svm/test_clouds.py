"""Random toy pictures: the lines of the methods."""

import numpy as np
import pytest
from paper_rooms import unit_rows

from transductive_compendium.papers.transductive_svm.two_clouds import (
    N_DOTS,
    N_LABELLED,
    two_clouds,
)
from transductive_compendium.papers.transductive_svm.widest_margin import (
    KKT_TOLERANCE,
    class_margins,
    classes_left,
)

#: Share of the widest margin that a solve may lose as it stops at this KKT violation: the least
#: value is at least (1 - tolerance), the length of w at most (1 + tolerance) times the best one's.
LOST_BY_SOLVER = 2.1 * KKT_TOLERANCE


@pytest.mark.parametrize("seed", [2, 3])
def test_transductive_line_is_the_widest_and_keeps_the_training_labels(seed):
    """By geometry: where methods find the same labels, rounding decides whose line is wider."""
    rows = unit_rows("transductive_svm/clouds", {"gap": 0.25}, seed=seed).set_index("method")
    Z, truth = two_clouds(0.25, np.random.default_rng(seed))
    l = 2 * N_LABELLED
    known = Z[:l], truth[:l], Z[l:]
    widest = class_margins(*known, classes_left(*known)).max()
    assert rows.at["transductive", "margin_joint"] >= (1 - LOST_BY_SOLVER) * widest
    assert (rows["margin_joint"] <= (1 + 1e-12) * widest).all()
    assert rows.at["inductive", "margin_joint"] < 0.5 * widest
    assert rows["margin_training"].idxmax() == "inductive"
    assert rows.at["transductive, number known", "positive"] == N_DOTS
    assert rows.at["greedy", "positive"] == N_DOTS
    exact = rows.drop(index="greedy")
    assert (exact["margin_training"] >= exact["margin_joint"]).all() and exact["separates"].all()
