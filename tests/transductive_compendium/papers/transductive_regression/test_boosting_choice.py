"""Centres and penalties of AdaBoost against the recorded validation errors."""

import pytest

from transductive_compendium.papers.transductive_regression.boosted_networks import (
    CHOICE,
    LINEAR_CHOICE,
)
from transductive_compendium.runner import load_recorded


@pytest.mark.parametrize("dataset", CHOICE)
def test_the_frozen_choice_is_what_the_record_says(dataset):
    rows = load_recorded("transductive_regression/boosting_choice")[0]
    rows = rows[rows["dataset"] == dataset]
    if "power" in rows:
        linear = rows[(rows["power"] == 1) & (rows["penalty"] > 0)]
        assert set(linear["centres"]) == {LINEAR_CHOICE[dataset][0]}
        assert linear.groupby("penalty")["error"].sum().idxmin() == LINEAR_CHOICE[dataset][1]
        plain = rows[rows["penalty"] == 0].groupby("centres")["error"].sum()
        assert plain.idxmin() == LINEAR_CHOICE[dataset][0]
        rows = rows[rows["power"] == 2]
    plain, soft = rows[rows["penalty"] == 0], rows[rows["penalty"] > 0]
    assert set(soft["centres"]) == {CHOICE[dataset][0]}
    # of equal errors, the first
    medians = [
        some.loc[some.groupby("split")["error"].idxmin(), column].median()
        for some, column in ((plain, "centres"), (soft, "penalty"))
    ]
    assert medians == list(CHOICE[dataset])
