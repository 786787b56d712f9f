"""Centres and penalties of AdaBoost against the recorded validation errors."""

import pytest

from transductive_compendium.papers.transductive_regression.boosted_networks import (
    CENTRES,
    DATASETS,
    POWERS,
)
from transductive_compendium.papers.transductive_regression.boosting import chosen
from transductive_compendium.papers.transductive_regression.boosting_choice import CENTRES_OF
from transductive_compendium.runner import load_recorded


@pytest.mark.parametrize("influence", POWERS)
@pytest.mark.parametrize("dataset", DATASETS)
def test_the_frozen_choice_is_what_the_record_says(dataset, influence):
    rows = load_recorded("transductive_regression/boosting_choice")[0]
    rows = rows[rows["dataset"] == dataset]
    plain = rows[rows["penalty"] == 0]
    soft = rows[(rows["penalty"] > 0) & (rows["power"] == POWERS[influence])]
    assert set(soft["centres"]) == {CENTRES[CENTRES_OF[influence]][DATASETS.index(dataset)]}
    both = (plain, "centres"), (soft, "penalty")
    # of equal errors, the first
    least = tuple(some.groupby(column)["error"].sum().idxmin() for some, column in both)
    assert chosen(dataset, influence, "least_mean") == least
    median = tuple(
        some.loc[some.groupby("split")["error"].idxmin(), column].median() for some, column in both
    )
    assert chosen(dataset, influence, "median") == median
