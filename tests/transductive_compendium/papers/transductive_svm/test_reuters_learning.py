"""Rows of the learning curves on Reuters, on generated text."""

import pytest
from paper_rooms import unit_rows

from transductive_compendium.datasets import load


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
    assert (last.svm, last.tsvm) == (last.svm_all, last.tsvm_all)
    many = _rows({"category": "acq", "n_train": 136, "number": 0}, table)
    assert list(many.n_test) == [n_test]
