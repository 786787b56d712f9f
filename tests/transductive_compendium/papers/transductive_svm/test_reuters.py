"""Experiments on Reuters: measure, naive Bayes, draws, machines; rows on generated text."""

from itertools import permutations
from math import comb

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.naive_bayes import MultinomialNB
from sklearn.svm import SVC

import transductive_compendium.papers.transductive_svm.reuters as reuters
from transductive import TransductiveSVC
from transductive_compendium.datasets import load
from transductive_compendium.papers.transductive_svm.reuters import CATEGORIES, N_TRAIN
from transductive_compendium.runner import get


@pytest.fixture(scope="module")
def table():
    return load("generated_text")


@pytest.fixture(scope="module")
def text(table):
    return reuters.corpus(table)


@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=6))
def test_breakeven_is_precision_and_recall_over_all_orders_of_ties(documents):
    values, positive = (np.array(column) for column in zip(*documents, strict=True))
    n = positive.sum()
    if n == 0:
        assert np.isnan(reuters.breakeven(values, positive))
        return
    orders = {
        tuple(o) for o in permutations(range(len(values))) if (np.diff(values[[*o]]) <= 0).all()
    }
    hits = np.mean([positive[list(order[:n])].sum() for order in orders])
    # as many documents are called positive as are: hits / n is precision and recall
    assert reuters.breakeven(values, positive) == pytest.approx(100.0 * hits / n)


@pytest.mark.parametrize("whole", [False, True])
def test_log_odds_are_those_of_multinomial_naive_bayes(whole):
    rng = np.random.default_rng(0)
    counts, new = rng.poisson(0.3, (12, 30)), rng.poisson(0.3, (5, 30))
    counts[:, :4] = 0  # words of new documents alone
    positive = np.arange(12) < 4
    known = slice(None) if whole else counts.any(axis=0)
    bayes = MultinomialNB().fit(counts[:, known], positive)
    expected = np.diff(bayes.predict_joint_log_proba(new[:, known]))[:, 0]
    expected -= np.diff(bayes.class_log_prior_)
    found = reuters.log_odds(csr_array(counts), positive, csr_array(new), whole)
    np.testing.assert_allclose(found, expected)


def test_draws_are_rejected_as_often_as_the_law_says():
    positive = np.arange(100)[:, None] < 10
    rng = np.random.default_rng(0)
    draws = [reuters.draw_until(positive, 5, rng) for _ in range(1500)]
    accepted = 1.0 - (comb(90, 5) + comb(10, 5)) / comb(100, 5)
    tries = np.array([n for _, n in draws])
    assert tries.mean() == pytest.approx(1 / accepted, abs=4 * tries.std() / np.sqrt(len(tries)))
    found = np.array([positive[rows].sum() for rows, _ in draws])
    assert found.min() == 1 and found.max() < 5
    assert all(len(set(rows)) == 5 for rows, _ in draws)


@pytest.mark.parametrize("condition", [reuters.ALL, reuters.STRATIFIED])
def test_draws_for_all_categories(text, condition):
    pool, rng = text.positive[: text.n_train], np.random.default_rng(0)
    rows, tries = reuters.draw(condition, pool, N_TRAIN, rng)
    assert len(set(rows)) == N_TRAIN and rows.max() < text.n_train
    found = pool[rows].sum(axis=0)
    assert (found > 0).all() and (found < N_TRAIN).all()
    if condition == reuters.STRATIFIED:
        assert tries == 1 and pool[rows[:10], range(10)].all()


def test_a_category_inside_another_has_a_document_of_its_own_in_a_stratified_draw():
    positive = np.zeros((30, 2), dtype=bool)
    positive[:3, 0] = positive[:2, 1] = True
    for seed in range(20):
        rows = reuters.draw_stratified(positive, 4, np.random.default_rng(seed))
        assert len(set(rows)) == 4 and positive[rows].sum(axis=0).min() >= 1


def test_the_corpus_is_made_without_labels(table, text):
    assert text.positive.shape == (len(table.documents), 10)
    for place, category in enumerate(CATEGORIES):
        np.testing.assert_array_equal(text.positive[:, place], table.labels(category) == 1)
    norms = (text.vectors**2).sum(axis=1)
    np.testing.assert_allclose(norms[norms > 0], 1.0)
    test = text.vectors[text.n_train :].toarray()
    np.testing.assert_allclose(text.test_gram, test @ test.T, atol=1e-6)
    assert reuters.corpus(table) is text
    flat = reuters.corpus(table, weighted=False)
    of_one = flat.vectors[[0]].toarray()[0]
    expected = text.counts[[0]].toarray()[0]
    np.testing.assert_allclose(of_one, expected / np.linalg.norm(expected))


def test_frequencies_of_drawn_documents(text):
    train = np.arange(5)
    drawn = reuters.among_drawn(text, train)
    kept = np.r_[train, text.n_train : len(text.positive)]
    shares = (text.counts[kept] > 0).toarray().mean(axis=0)
    row = text.counts[[2]].toarray()[0] * -np.log(np.where(shares > 0, shares, 1.0))
    np.testing.assert_allclose(drawn.vectors[[2]].toarray()[0], row / np.linalg.norm(row))


@pytest.fixture(scope="module")
def problem(text):
    rows, _ = reuters.draw("acq", text.positive[: text.n_train], 60, np.random.default_rng(0))
    return reuters.Problem(text, rows, "acq"), rows


def test_the_inductive_machine_is_scikit_learns(text, problem):
    problem, rows = problem
    machine = SVC(C=1.0, kernel="linear").fit(text.vectors[rows].toarray(), problem.labels)
    expected = machine.decision_function(text.vectors[text.n_train :].toarray())
    np.testing.assert_allclose(problem.svm(), expected, atol=5e-3)


@pytest.mark.parametrize("number", [None, 30])
@pytest.mark.parametrize("used", [None, np.arange(40, 160)])
def test_the_transductive_machine_is_the_estimator(text, problem, used, number):
    """It sees the documents that are used, and judges all."""
    problem, rows = problem
    values, found = problem.tsvm(used, n_positive=number)
    vectors, test = text.vectors[rows], text.vectors[text.n_train :]
    machine = TransductiveSVC(n_positive=number, kernel="linear")
    machine.fit(vectors, problem.labels, test if used is None else test[used])
    np.testing.assert_array_equal(found.signs > 0, machine.transduction_)
    np.testing.assert_allclose(values, machine.decision_function(test), atol=5e-3)


def _rows(name, key, table):
    experiment = get(f"transductive_svm/{name}")
    return pd.DataFrame(
        experiment.run_unit(key, {}, {"reuters21578": table}, np.random.default_rng(0))
    )


def test_units_of_the_table():
    keys = pd.DataFrame(get("transductive_svm/reuters_table").unit_keys({}, "full"))
    paper = keys[keys.number < 30].groupby("condition").size()
    assert (paper[list(CATEGORIES)] == 30).all()
    assert paper[[reuters.ALL, reuters.STRATIFIED]].to_list() == [15, 10]


def test_rows_of_the_table(table, text):
    row = _rows("reuters_table", {"condition": "acq", "number": 0}, table)
    assert list(row.category) == ["acq"]
    row = row.iloc[0]
    assert row.test_positives == text.positive[text.n_train :, 1].sum()
    assert 1 <= row.train_positives < N_TRAIN
    rows = _rows("reuters_table", {"condition": reuters.ALL, "number": 0}, table)
    assert tuple(rows.category) == CATEGORIES and rows.tries.nunique() == 1
    assert (rows.train_positives > 0).all()
    # generated text is easy enough to beat chance by far
    assert (rows[["bayes", "svm", "tsvm"]].mean() > 40).all()


def test_rows_of_the_sensitivity(table):
    machine, text = (
        _rows(
            "reuters_parameters", {"changed": changed, "category": "acq", "number": 0}, table
        ).set_index("change")
        for changed in ("machine", "text")
    )
    assert (machine.loc["nothing"] == text.loc["nothing"]).all()  # the same draw here
    for change in ("C* = 10", "number by share"):  # the inductive methods know neither
        assert (machine.loc[change, ["bayes", "svm"]] == machine.iloc[0][["bayes", "svm"]]).all()
    assert machine.loc["C = 0.1", "tsvm"] != machine.iloc[0]["tsvm"]
    # generated text has no stop words
    assert (text.loc["stop words kept"] == text.iloc[0]).all()


def test_rows_of_the_learning_curves(table):
    n_test = len(table.documents) - table.n_train
    few = _rows("reuters_learning", {"category": "acq", "n_train": 17, "number": 0}, table)
    assert list(few.n_test) == [n_test >> k for k in (4, 3, 2, 1, 0)]
    # the inductive machine does not depend on the test documents, the transductive one does
    assert few.svm_all.nunique() == 1 and few.tsvm_all.nunique() > 1
    last = few.iloc[-1]
    assert (last.svm, last.tsvm) == (last.svm_all, last.tsvm_all)
    many = _rows("reuters_learning", {"category": "acq", "n_train": 136, "number": 0}, table)
    assert list(many.n_test) == [n_test]
