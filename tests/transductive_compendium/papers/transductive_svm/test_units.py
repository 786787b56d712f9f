"""Units of the experiments: each tier begins the next one, and what the table has."""

import pandas as pd
import pytest

from transductive_compendium.datasets.reuters_corpus import CATEGORIES
from transductive_compendium.papers.transductive_svm.reuters_design import (
    ALL,
    STRATIFIED,
)
from transductive_compendium.runner import get

ITEMS = (
    "toy",
    "clouds",
    "equivalence_classes",
    "greedy",
    "descent",
    "joint_or_marginal",
    "digits",
    "reuters_table",
    "reuters_parameters",
    "reuters_learning",
)


@pytest.mark.parametrize("item", ITEMS)
def test_smoke_is_the_beginning_of_paper(item):
    experiment = get(f"transductive_svm/{item}")
    smoke, paper, full = (experiment.unit_keys({}, t) for t in ("smoke", "paper", "full"))
    assert 0 < len(smoke) < len(paper) <= len(full)


def test_units_of_the_table():
    keys = pd.DataFrame(get("transductive_svm/reuters_table").unit_keys({}, "full"))
    paper = keys[keys.number < 30].groupby("condition").size()
    assert (paper[list(CATEGORIES)] == 30).all()
    assert paper[[ALL, STRATIFIED]].to_list() == [15, 10]
