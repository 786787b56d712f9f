"""The objective along the two loops."""

import numpy as np
from paper_rooms import unit_rows

from transductive.margin import TransductiveSVC
from transductive_compendium.papers.transductive_svm import descent

KEY = {"dataset": "digits"}


def test_descent_has_a_row_for_each_solution(digits):
    rows = unit_rows("transductive_svm/descent", KEY, digits, seed=1)
    assert (rows["solution"] == np.arange(len(rows))).all() and rows["switch"].any()
    switch = rows["switch"].to_numpy()
    assert (rows["objective"].diff()[switch] < 0).all()
    assert (rows["C_minus"].diff()[1:] >= 0).all() and rows["C_minus"].iloc[-1] == 1.0
    assert (rows["positive"] == rows["num_plus"]).all() and (rows["taken_back"] == 0).all()


def test_the_algorithm_is_that_of_the_estimator(digits):
    rng = np.random.default_rng
    rows = descent.solutions_of_the_loops(KEY, {"C_star": 1.0}, digits, rng(3))
    l = descent.N_TRAIN
    gram, y = descent.random_sample("digits", l + descent.N_WORKING, digits, rng(3))
    svm = TransductiveSVC(
        1.0,
        n_positive="sample",
        first_costs="slides",
        kernel="precomputed",
        tol=descent.KKT_TOLERANCE,
    )
    svm.fit(gram[:l], y[:l], gram[l:])
    assert [row["objective"] for row in rows] == svm.history_["objective"].tolist()
    assert rows[0]["num_plus"] == svm.n_positive_


def test_a_switch_that_does_not_pay_is_counted(digits, monkeypatch):
    """Where no switch lowers the objective, all pairs that may switch are taken back."""
    monkeypatch.setattr(descent.CountingSVM, "primal_if_switched", lambda *_: np.inf)
    rng = np.random.default_rng(3)
    rows = descent.solutions_of_the_loops(KEY, {"C_star": 1.0}, digits, rng)
    assert not any(row["switch"] for row in rows) and rows[0]["taken_back"] > 0
