"""The greedy algorithm and the best of all labellings."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of, unit_rows

from transductive.margin import TransductiveSVC
from transductive_compendium.datasets import load
from transductive_compendium.papers.transductive_svm.greedy import COSTS, objective
from transductive_compendium.papers.transductive_svm.greedy_measures import machines_grow
from transductive_compendium.papers.transductive_svm.small_samples import (
    CLOUDS,
    N_TRAIN,
    SETS,
    random_sample,
)
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED


@pytest.fixture(scope="module")
def data(digits):
    return dict.fromkeys(SETS, load("breast_cancer")) | digits


@pytest.mark.parametrize("name", ["ida_heart", CLOUDS])
def test_small_samples_have_both_classes_among_the_first(name, data):
    for seed in range(5):
        gram, y = random_sample(name, 20, data, np.random.default_rng(seed))
        assert gram.shape == (20, 20) and set(y[:N_TRAIN]) == {-1.0, 1.0}
        assert np.linalg.eigvalsh(gram).min() > -1e-9


def test_objective_is_that_of_the_estimator():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((12, 2)), np.where(np.arange(12) % 3 > 0, 1.0, -1.0)
    svm = TransductiveSVC(2.0, kernel="linear", tol=1e-6).fit(X, y)
    found = objective(X @ X.T, y, np.full(12, 2.0))
    assert found == pytest.approx(svm.objective_, rel=1e-5)


@pytest.mark.parametrize("name", ["banana", "digits"])
def test_exhaustive_labellings_are_no_worse(name, data):
    key = {"dataset": name, "working": 6, "draw": 0}
    rows = unit_rows("transductive_svm/greedy", key, data, seed=4)
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


@pytest.mark.parametrize(
    ("machines", "outcome"),
    [
        ((10, 30, 100), REPRODUCED),
        ((10, 30, 80), REPRODUCED),  # by a factor for each point, if a smaller one
        ((10, 30, 29), NOT_REPRODUCED),  # no more at 12 than at 8
        ((30, 10, 30), NOT_REPRODUCED),  # no more at 3299 than at 12
    ],
)
def test_the_search_grows_with_the_points(machines, outcome):
    rows = [
        {"working": m, "machines": n, "draw": draw, "dataset": name, "C": C, "C_star": C}
        for draw in range(30)
        for name in ("heart", "digits")
        for m, many in zip((4, 8, 12), machines, strict=True)
        for C, n in ((1.0, many), (100.0, 7))
    ]
    found = machines_grow(pd.DataFrame(rows))
    assert outcome_of(found, m=1) == outcome
    assert found.shown.startswith(", ".join(map(str, machines)))
