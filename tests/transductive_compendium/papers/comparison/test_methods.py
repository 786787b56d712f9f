"""Units of the experiments, and that they share their random splits."""

import pytest
from paper_rooms import unit_rows

from transductive_compendium.datasets import load, substitute
from transductive_compendium.papers.comparison.classifiers import METHODS
from transductive_compendium.runner import get


@pytest.mark.parametrize("item", ["methods", "labels", "working_points"])
def test_smoke_is_the_beginning_of_paper(item):
    smoke, paper, full = (
        get(f"comparison/{item}").unit_keys({}, t) for t in ("smoke", "paper", "full")
    )
    assert 0 < len(smoke) < len(paper) < len(full)


def test_experiments_share_splits():
    data = {"heart": load(substitute("heart"))}
    key = {"draw": 0, "problem": "heart"}
    methods = unit_rows("comparison/methods", key, data).set_index("method")
    labels = unit_rows("comparison/labels", key, data)
    at_forty = labels[labels["labels"] == 40].set_index("method")
    for method in ("svm", "tsvm", "ridge", "tld"):
        for score in ("error", "error_told"):
            assert methods.at[method, score] == at_forty.at[method, score]
    assert set(methods.index) == set(METHODS)
    assert methods["brier"].notna().sum() == 3  # platt, bt, kgs
