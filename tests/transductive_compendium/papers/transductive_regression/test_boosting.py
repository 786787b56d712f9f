"""Table 1's experiment on AdaBoost."""

import pytest
from paper_rooms import unit_rows

from transductive_compendium.papers.transductive_regression import boosted_networks
from transductive_compendium.papers.transductive_regression.boosted_networks import CHOICE
from transductive_compendium.papers.transductive_regression.table_1_splits import (
    N_POSTAL_RUNS,
    partition,
)
from transductive_compendium.runner import get


def test_a_hundred_splits_of_six_sets_and_the_postal_runs():
    experiment = get("transductive_regression/boosting")
    smoke, paper = (experiment.unit_keys({}, tier) for tier in ("smoke", "paper"))
    assert [key["dataset"] for key in smoke] == list(CHOICE)
    assert len(paper) == 6 * 100 + N_POSTAL_RUNS


def test_a_unit_counts_wrong_test_rows(cancer, monkeypatch):
    monkeypatch.setattr(boosted_networks, "STEPS", 2)
    row = unit_rows(
        "transductive_regression/boosting", {"dataset": "ida_heart", "split": 0}, cancer
    ).iloc[0]
    train, test, published = partition(cancer["ida_heart"], 0)
    assert (row["n_train"], row["n_test"]) == (len(train), len(test))
    assert row["published"] == published
    for name in ("ab", "ab_reg"):
        wrong = row[f"{name}_error"] * len(test) / 100.0
        assert wrong == pytest.approx(round(wrong))
        # the lesser class is 37 % of the rows
        assert 0.0 < row[f"{name}_error"] < 20.0
