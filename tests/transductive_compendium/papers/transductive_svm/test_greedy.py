"""The greedy algorithm and the best of all labellings."""

import numpy as np
import pytest
from paper_rooms import unit_rows

from transductive.margin import TransductiveSVC
from transductive_compendium.datasets import load
from transductive_compendium.papers.transductive_svm.greedy import COSTS, objective


@pytest.fixture(scope="module")
def data():
    return {"banana": load("breast_cancer"), "digits": load("digits")}


def test_objective_is_that_of_the_estimator():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((12, 2)), np.where(np.arange(12) % 3 > 0, 1.0, -1.0)
    svm = TransductiveSVC(2.0, kernel="linear", tol=1e-6).fit(X, y)
    found = objective(X @ X.T, y, np.full(12, 2.0))
    assert found == pytest.approx(svm.objective_, rel=1e-5)


@pytest.mark.parametrize("name", ["banana", "digits"])
def test_exhaustive_labellings_are_no_worse(name, data):
    rows = unit_rows(
        "transductive_svm/greedy", {"dataset": name, "working": 6, "draw": 0}, data, seed=4
    )
    assert len(rows) == len(COSTS)
    slack = 1 + 1e-6
    assert (rows["objective_any"] <= rows["objective_count"] * slack).all()
    # all labellings one by one, where they are tried
    tried = rows.dropna(subset="tried").iloc[0]
    assert tried["tried"] == 64 and rows["tried"].count() == 1
    assert tried["objective_tried"] == pytest.approx(tried["objective_any"], rel=1e-4)
    for other in ("greedy", "start"):
        assert (rows["objective_count"] <= rows[f"objective_{other}"] * slack).all()
    # one may have the right number of positives and wrong labels, not the other way round
    gap = (rows["positive"] - rows["positive_true"]).abs()
    assert (gap <= rows[["wrong_start", "wrong_greedy", "wrong_count"]].min(axis=1)).all()
