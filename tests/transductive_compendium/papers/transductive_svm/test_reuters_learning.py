"""Rows of the learning curves on Reuters, on generated text."""

import pandas as pd
import pytest
from paper_rooms import unit_rows

from transductive_compendium.datasets import load
from transductive_compendium.runner import get


@pytest.fixture(scope="module")
def table():
    return load("generated_text")


def _rows(key, table):
    return unit_rows("transductive_svm/reuters_learning", key, {"reuters21578": table})


def test_rows_of_the_learning_curves(table):
    n_test = len(table.documents) - table.n_train
    few = _rows({"category": "acq", "n_train": 17, "number": 0}, table)
    assert list(few.n_test) == [n_test >> k for k in (4, 3, 2, 1, 0)]
    # the inductive SVM does not depend on the test documents, the transductive one does
    assert few.svm_all.nunique() == 1 and few.tsvm_all.nunique() > 1
    last = few.iloc[-1]
    assert last.svm == last.svm_all
    many = _rows({"category": "acq", "n_train": 68, "number": 0}, table)
    assert list(many.n_test) == [n_test]
    # later training sets serve the two ends alone
    few = _rows({"category": "acq", "n_train": 17, "number": 10}, table)
    assert list(few.n_test) == [n_test >> 4, n_test]


def test_units_of_the_learning_curves():
    keys = pd.DataFrame(get("transductive_svm/reuters_learning").unit_keys({}, "paper"))
    sets = keys[keys.category == "earn"].groupby("n_train").size()
    assert (sets[[17, 1088]] == 100).all() and sets[68] == 10 and sets[4352] == 5
    full = get("transductive_svm/reuters_learning").unit_keys({}, "full")
    assert len({tuple(key.values()) for key in full}) == len(full) > len(keys)


def test_the_number_of_positives_may_come_from_elsewhere(table):
    key, name = (
        {"category": "acq", "n_train": 17, "number": 10},
        "transductive_svm/reuters_learning",
    )
    found = {
        num_plus: unit_rows(name, key, {"reuters21578": table}, num_plus=num_plus)
        for num_plus in ("share", "true_number", "sign")
    }
    assert (found["share"].svm == found["sign"].svm).all()
    assert len({tuple(rows.tsvm) for rows in found.values()}) > 1


def test_the_options_are_judged_at_both_ends():
    keys = get("transductive_svm/reuters_learning_options").unit_keys({}, "paper")
    assert {key["option"] for key in keys} == {"share", "sign", "programmed", "counts"}
    told = [key for key in keys if key["option"] != "programmed"]
    assert {key["n_train"] for key in told} == {17, 1088} and len(keys) > 1000 > len(told)
