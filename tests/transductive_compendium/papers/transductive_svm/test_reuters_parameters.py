"""Rows of the changes on Reuters, on generated text."""

import numpy as np
import pytest
from paper_rooms import unit_rows

from transductive_compendium.datasets import load
from transductive_compendium.datasets.reuters_corpus import corpus
from transductive_compendium.papers.transductive_svm.reuters_parameters import frequencies_of


@pytest.fixture(scope="module")
def table():
    return load("generated_text")


def test_frequencies_of_drawn_documents(table):
    text = corpus(table)
    train = np.arange(5)
    drawn = frequencies_of(text, train)
    kept = np.r_[train, text.n_train : len(text.positive)]
    shares = (text.counts[kept] > 0).toarray().mean(axis=0)
    row = text.counts[[2]].toarray()[0] * -np.log(np.where(shares > 0, shares, 1.0))
    np.testing.assert_allclose(drawn.vectors[[2]].toarray()[0], row / np.linalg.norm(row))


def test_rows_of_the_changes(table):
    costs, text = (
        unit_rows(
            "transductive_svm/reuters_parameters",
            {"changed": changed, "category": "acq", "number": 0},
            {"reuters21578": table},
        ).set_index("change")
        for changed in ("machine", "text")
    )
    assert (costs.loc["nothing"] == text.loc["nothing"]).all()  # the same training set here
    for change in ("C* = 10", "number by share"):  # the inductive methods know neither
        assert (costs.loc[change, ["bayes", "svm"]] == costs.iloc[0][["bayes", "svm"]]).all()
    assert costs.loc["C = 0.1", "tsvm"] != costs.iloc[0]["tsvm"]
    # generated text has no stop words
    assert (text.loc["stop words kept"] == text.iloc[0]).all()
