"""Table 1's experiment on AdaBoost."""

import pytest
from paper_rooms import unit_rows

from transductive_compendium.papers.transductive_regression import boosted_networks, boosting
from transductive_compendium.papers.transductive_regression.table_1_splits import (
    partition,
)


def test_a_unit_counts_wrong_test_rows(cancer, monkeypatch):
    monkeypatch.setattr(boosted_networks, "STEPS", 2)
    row = unit_rows(
        "transductive_regression/boosting", {"dataset": "ida_heart", "split": 0}, cancer
    ).iloc[0]
    train, test = partition(cancer["ida_heart"], 0)
    assert (row["n_train"], row["n_test"]) == (len(train), len(test))
    for name in ("ab", "ab_reg"):
        wrong = row[f"{name}_error"] * len(test) / 100.0
        assert wrong == pytest.approx(round(wrong))
        # the lesser class is 37 % of the rows
        assert 0.0 < row[f"{name}_error"] < 20.0


def test_options_choose_centres_and_penalty(cancer, monkeypatch):
    asked = []

    def wrong_rows(table, train, test, n_centres, penalty, seed, power):
        asked.append((n_centres, penalty, power))
        return 1, 200

    monkeypatch.setattr(boosting, "wrong_rows", wrong_rows)
    table = {"ida_thyroid": cancer["ida_heart"]}
    key = {"dataset": "ida_thyroid", "split": 0}
    for params in ({}, {"choice": "median"}, {"boosting": "squared_influence"}):
        unit_rows(boosting.NAME, key, table, **params)
    assert asked[1::2] == [(8, 0.01, 1), (4, 0.01, 1), (8, 0.003, 2)]
    assert asked[::2] == [(8, 0.0, 1), (4, 0.0, 1), (8, 0.0, 2)]
