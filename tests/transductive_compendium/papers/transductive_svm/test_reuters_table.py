"""Rows of the table of Reuters, on generated text."""

import pandas as pd
import pytest
from paper_rooms import unit_rows

from transductive_compendium.datasets import load
from transductive_compendium.datasets.reuters_corpus import CATEGORIES, corpus
from transductive_compendium.papers.transductive_svm.reuters_design import ALL, N_TRAIN, STRATIFIED
from transductive_compendium.runner import get


@pytest.fixture(scope="module")
def table():
    return load("generated_text")


def _rows(key, table):
    return unit_rows("transductive_svm/reuters_table", key, {"reuters21578": table})


def test_rows_of_the_table(table):
    text = corpus(table)
    row = _rows({"condition": "acq", "number": 0}, table)
    assert list(row.category) == ["acq"]
    row = row.iloc[0]
    assert row.test_positives == text.positive[text.n_train :, 1].sum()
    assert 1 <= row.train_positives < N_TRAIN
    rows = _rows({"condition": ALL, "number": 0}, table)
    assert tuple(rows.category) == CATEGORIES and rows.tries.nunique() == 1
    assert (rows.train_positives > 0).all()
    # generated text is easy enough to beat chance by far
    assert (rows[["bayes", "svm", "tsvm"]].mean() > 40).all()


def test_units_of_the_table():
    keys = pd.DataFrame(get("transductive_svm/reuters_table").unit_keys({}, "full"))
    paper = keys[keys.number < 30].groupby("condition").size()
    assert (paper[list(CATEGORIES)] == 30).all()
    assert paper[[ALL, STRATIFIED]].to_list() == [15, 10]
