"""Centres and penalties of AdaBoost against the recorded validation errors."""

import pytest

from transductive_compendium.papers.transductive_regression.boosted_networks import (
    CHOICES,
    LINEAR_CHOICE,
    POWERS,
)
from transductive_compendium.papers.transductive_regression.boosting import choice
from transductive_compendium.runner import load_recorded


@pytest.mark.parametrize("influence", POWERS)
@pytest.mark.parametrize("dataset", LINEAR_CHOICE)
def test_the_frozen_choice_is_what_the_record_says(dataset, influence):
    rows = load_recorded("transductive_regression/boosting_choice")[0]
    rows = rows[rows["dataset"] == dataset]
    plain = rows[rows["penalty"] == 0]
    soft = rows[(rows["penalty"] > 0) & (rows["power"] == POWERS[influence])]
    assert set(soft["centres"]) == {CHOICES[influence][dataset][0]}
    both = (plain, "centres"), (soft, "penalty")
    # of equal errors, the first
    least = tuple(some.groupby(column)["error"].sum().idxmin() for some, column in both)
    assert choice(dataset, influence, "least_mean") == least
    median = tuple(
        some.loc[some.groupby("split")["error"].idxmin(), column].median() for some, column in both
    )
    assert choice(dataset, influence, "median") == median


def test_the_default_is_that_of_the_networks():
    default = {
        dataset: choice(dataset, "linear_influence", "least_mean") for dataset in LINEAR_CHOICE
    }
    assert default == LINEAR_CHOICE
