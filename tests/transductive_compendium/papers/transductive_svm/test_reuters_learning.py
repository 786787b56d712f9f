"""Learning curves on Reuters: rows on generated text, and what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of, unit_rows

from transductive_compendium.datasets.reuters_corpus import CATEGORIES, corpus
from transductive_compendium.papers.transductive_svm import reuters_learning_measures as measures
from transductive_compendium.papers.transductive_svm.reuters_parameters import frequencies_of
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED

NAME = "transductive_svm/reuters_learning"


def test_rows_of_the_learning_curves(reuters):
    table = reuters["reuters21578"]
    n_test = len(table.documents) - table.n_train
    few = unit_rows(NAME, {"category": "acq", "n_train": 17, "number": 0}, reuters)
    assert list(few.n_test) == [n_test >> k for k in (4, 3, 2, 1, 0)]
    # the inductive SVM does not depend on the test documents, the transductive one does
    assert few.svm_all.nunique() == 1 and few.tsvm_all.nunique() > 1
    assert few.iloc[-1].svm == few.iloc[-1].svm_all
    many = unit_rows(NAME, {"category": "acq", "n_train": 68, "number": 0}, reuters)
    assert list(many.n_test) == [n_test]


def test_frequencies_of_drawn_documents(reuters):
    text, train = corpus(reuters["reuters21578"]), np.arange(5)
    drawn = frequencies_of(text, train)
    kept = np.r_[train, text.n_train : len(text.positive)]
    shares = (text.counts[kept] > 0).toarray().mean(axis=0)
    row = text.counts[[2]].toarray()[0] * -np.log(np.where(shares > 0, shares, 1.0))
    np.testing.assert_allclose(drawn.vectors[[2]].toarray()[0], row / np.linalg.norm(row))


def test_rows_of_the_changes(reuters):
    costs, text = (
        unit_rows(
            "transductive_svm/reuters_parameters",
            {"changed": changed, "category": "acq", "number": 0},
            reuters,
        ).set_index("change")
        for changed in ("machine", "text")
    )
    assert (costs.loc["nothing"] == text.loc["nothing"]).all()  # the same training set here
    for change in ("C* = 10", "number by share"):  # the inductive methods know neither
        assert (costs.loc[change, ["bayes", "svm"]] == costs.iloc[0][["bayes", "svm"]]).all()
    assert costs.loc["C = 0.1", "tsvm"] != costs.iloc[0]["tsvm"]
    # generated text has no stop words
    assert (text.loc["stop words kept"] == text.iloc[0]).all()


@pytest.mark.parametrize(
    ("measure", "changed", "outcome"),
    [
        ("falls", {}, REPRODUCED),
        ("falls", {"many": 12.0}, NOT_REPRODUCED),
        ("falls", {"few": -1.0, "many": -3.0}, NOT_REPRODUCED),  # a smaller loss is no lead
        ("rises", {}, REPRODUCED),
        ("rises", {"start": 10.0}, NOT_REPRODUCED),
        ("rises", {"few": -1.0, "start": -3.0}, NOT_REPRODUCED),
    ],
)
def test_gain_over_documents(measure, changed, outcome):
    """Gains at 17 and 1088 training documents, and at 17 with the fewest test documents."""
    gains = {"few": (17, 3299, 8.0), "start": (17, 206, 2.0), "many": (1088, 3299, 1.0)}
    rng, rows = np.random.default_rng(0), []
    for name, (n_train, n_test, gain) in gains.items():
        for number in range(100 if name == "many" else 110):
            for category in CATEGORIES:
                svm = 50.0 + rng.normal()
                key = {"category": category, "n_train": n_train, "number": number, "n_test": n_test}
                tsvm = svm + changed.get(name, gain) + 0.3 * rng.normal()
                rows.append(key | {"svm": svm, "tsvm": tsvm})
    found = getattr(measures, f"reuters_gain_{measure}")(pd.DataFrame(rows))
    assert outcome_of(found) == outcome
    assert found.n == (100 if measure == "falls" else 110)
