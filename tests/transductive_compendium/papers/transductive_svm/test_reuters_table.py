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
    keys = pd.DataFrame(get("transductive_svm/reuters_table").unit_keys({}, "paper"))
    paper = keys.groupby("condition").size()
    assert (paper[list(CATEGORIES)] == 120).all()
    assert paper[[ALL, STRATIFIED]].to_list() == [15, 10]
    # the first thirty of each stand where they stood
    assert list(keys.number[: 300 + 25]) == sorted(keys.number[: 300 + 25])


def test_features_change_the_vectors_and_no_draw(table):
    key, name = {"condition": "acq", "number": 5}, "transductive_svm/reuters_table"
    plain, stems = (
        unit_rows(name, key, {"reuters21578": table}, features=features).iloc[0]
        for features in ("counts", "stems_tfidf")
    )
    assert plain.tries == stems.tries and plain.train_positives == stems.train_positives
    assert plain.svm != stems.svm
    # both objectives are of the same documents at the same costs
    assert plain.objective == pytest.approx(plain.objective_start, rel=0.1)


def test_every_option_has_rows(table):
    from transductive_compendium.verdicts.claims import load_statements

    name, data = "transductive_svm/reuters_table_options", {"reuters21578": table}
    own = unit_rows(name, {"condition": "acq", "number": 0}, data)
    shared = unit_rows(name, {"condition": ALL, "number": 50}, data)
    found = set(zip(own.interpretation, own.option, strict=True))
    found |= set(zip(shared.interpretation, shared.option, strict=True))
    said = load_statements(["transductive_svm"])["transductive_svm"].interpretations
    expected = {(i, o) for i, of in said.items() for o in of.others if i != "sizes"}
    assert found == expected
    assert own.notna()["tsvm"].all() and set(shared.category) == set(CATEGORIES)
    own = own.set_index(["interpretation", "option"])
    # what touches naive Bayes alone leaves the others, and the other way round
    assert own.loc["bayes", "svm"].nunique() == own.loc["bayes", "tsvm"].nunique() == 1
    assert own.loc[("pair", "first"), "bayes"] == own.loc[("num_plus", "sign"), "bayes"]


def test_a_group_of_test_documents_is_left_out(table):
    name, data = "transductive_svm/reuters_table_groups", {"reuters21578": table}
    rows = unit_rows(name, {"left_out": 3, "condition": "acq", "number": 0}, data)
    assert len(rows) == 1 and rows[["bayes", "svm", "tsvm"]].notna().all(axis=None)
