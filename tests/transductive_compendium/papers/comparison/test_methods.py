"""The experiments of the room share their random splits."""

from paper_rooms import unit_rows

from transductive_compendium.datasets import load, substitute
from transductive_compendium.papers.comparison.classifiers import METHODS


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
