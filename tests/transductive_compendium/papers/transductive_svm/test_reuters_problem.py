"""One category of Reuters against the rest: breakeven, naive Bayes, training sets, SVMs."""

import re
from itertools import permutations
from math import comb
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.naive_bayes import MultinomialNB
from sklearn.svm import SVC

from transductive import TransductiveSVC
from transductive_compendium.datasets import available, load, reuters_corpus
from transductive_compendium.papers.transductive_svm import reuters_problem as reuters
from transductive_compendium.papers.transductive_svm.reuters_problem import ALL
from transductive_compendium.papers.transductive_svm.reuters_table import N_TRAIN
from transductive_compendium.rooms import room_folders
from transductive_compendium.runner import load_recorded

SETTLED = room_folders()["transductive_svm"] / "settled.yml"


@pytest.fixture(scope="module")
def text():
    return reuters_corpus.corpus(load("generated_text"))


@pytest.mark.skipif(not available("reuters21578"), reason="needs Reuters-21578")
def test_a_sharper_tolerance_and_the_order_of_documents_change_no_breakeven(monkeypatch):
    table, rng, n, m = load("reuters21578"), np.random.default_rng(0), 1500, 600
    rows = np.r_[rng.permutation(9603)[:n], 9603 + rng.permutation(3299)[:m]]
    part = SimpleNamespace(sha256="a part", n_train=n, labels=lambda t: table.labels(t)[rows])
    part.documents = [table.documents[i] for i in rows]
    text, order = reuters_corpus.corpus(part), np.r_[:n, n + rng.permutation(m)]
    parts = (part[order] for part in (text.counts, text.vectors, text.positive))
    turned = reuters_corpus.Corpus(*parts, n)
    for category in ("earn", "acq", "crude", "grain"):
        train, _ = reuters.training_set(category, text.positive[:n], N_TRAIN, rng)
        found = set()
        for corpus, tol in ((text, 1e-3), (text, 1e-6), (turned, 1e-3)):
            monkeypatch.setattr(reuters, "KKT_TOLERANCE", tol)
            problem = reuters.Problem(corpus, train, category)
            number = int(problem.positive.sum())
            run = problem.algorithm(n_positive=number, first_costs="programmed")
            values = problem.breakevens(svm=problem.svm(), tsvm=run.values).values()
            found.add((*np.round(list(values), 6), run.switches))
        assert len(found) == 1


def test_what_is_settled_by_rows_is_what_they_say():
    rows = load_recorded("transductive_svm/reuters_parameters")[0]
    rows["lead"] = rows["tsvm"] - rows["svm"]
    lead = rows.pivot_table("lead", ["category", "number", "changed"], "change")
    told = re.findall(r"_parameters, (.*): the lead moves by (.*)\"", SETTLED.read_text())
    moves = lead.sub(lead["nothing"], axis=0)
    assert told == [(c, f"{moves[c].mean():+.1f} ± {1.96 * moves[c].sem():.1f}") for c, _ in told]


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


def test_training_sets_are_rejected_as_often_as_the_law_says():
    positive = np.arange(100)[:, None] < 10
    rng = np.random.default_rng(0)
    sets = [reuters.with_both_classes(positive, 5, rng) for _ in range(1500)]
    accepted = 1.0 - (comb(90, 5) + comb(10, 5)) / comb(100, 5)
    tries = np.array([n for _, n in sets])
    assert tries.mean() == pytest.approx(1 / accepted, abs=4 * tries.std() / np.sqrt(len(tries)))
    found = np.array([positive[rows].sum() for rows, _ in sets])
    assert found.min() == 1 and found.max() < 5
    assert all(len(set(rows)) == 5 for rows, _ in sets)


def test_training_sets_for_all_categories(text):
    pool, rng = text.positive[: text.n_train], np.random.default_rng(0)
    rows, _ = reuters.training_set(ALL, pool, N_TRAIN, rng)
    assert len(set(rows)) == N_TRAIN and rows.max() < text.n_train
    found = pool[rows].sum(axis=0)
    assert (found > 0).all() and (found < N_TRAIN).all()


@pytest.fixture(scope="module")
def problem(text):
    rows, _ = reuters.training_set(
        "acq", text.positive[: text.n_train], 60, np.random.default_rng(0)
    )
    return reuters.Problem(text, rows, "acq"), rows


def test_the_inductive_svm_is_scikit_learns(text, problem):
    problem, rows = problem
    svm = SVC(C=1.0, kernel="linear").fit(text.vectors[rows].toarray(), problem.labels)
    expected = svm.decision_function(text.vectors[text.n_train :].toarray())
    np.testing.assert_allclose(problem.svm(), expected, atol=5e-3)


@pytest.mark.parametrize("number", [None, 30])
@pytest.mark.parametrize("used", [None, np.arange(40, 160)])
def test_the_transductive_svm_is_the_estimator(text, problem, used, number):
    """It sees the documents that are used, and judges all."""
    problem, rows = problem
    values, found = problem.tsvm(used, n_positive=number)
    vectors, test = text.vectors[rows], text.vectors[text.n_train :]
    svm = TransductiveSVC(1.0, n_positive=number or "sample", kernel="linear")
    svm.fit(vectors, problem.labels, test if used is None else test[used])
    np.testing.assert_array_equal(found.signs > 0, svm.transduction_)
    np.testing.assert_allclose(values, svm.decision_function(test), atol=5e-3)


def test_algorithm_as_printed_stops_before_the_costs_are_reached(problem):
    """Its labels are the estimator's; its outputs are of the last training, one doubling before."""
    problem, _ = problem
    found, (values, labels) = problem.algorithm(), problem.tsvm()
    np.testing.assert_array_equal(found.signs, labels.signs)
    np.testing.assert_allclose(found.svm.decision_values()[60:], values, atol=5e-3)
    assert found.switches == labels.history["switch"].sum()
    assert np.abs(found.values - values).max() > 5e-3
    assert (found.signs > 0).sum() == (found.start > 0).sum() == problem.by_share(len(values))
    assert found.start_objective(1.0) >= found.objective - 1e-2


def test_one_cost_of_both_labels_is_another_way(problem):
    problem, _ = problem
    plain, other = (problem.algorithm(n_positive=30, test_costs=of) for of in ("two", "one"))
    assert (other.signs > 0).sum() == (plain.signs > 0).sum() == 30
    assert np.abs(other.values - plain.values).max() > 1e-3


def test_the_first_pair_may_be_switched(problem):
    problem, _ = problem
    svm, _ = problem._svm(1.0, None, reuters.PrintedSVM, pair="first")
    rng = np.random.default_rng(0)
    svm.label(rng.choice([-1.0, 1.0], len(problem.positive)), 0.1, 0.1)
    svm.solve()
    slacks, signs = svm.slacks()[60:], svm.signs[60:]
    positive, negative = svm.pair_to_switch()
    assert signs[positive] > 0 > signs[negative] and slacks[positive] + slacks[negative] > 2
    pairs = [
        (p, n)
        for p in np.flatnonzero((signs > 0) & (slacks > 0))
        for n in np.flatnonzero((signs < 0) & (slacks > 0))
        if slacks[p] + slacks[n] > 2
    ]
    assert (positive, negative) == pairs[0]


def test_the_number_of_positives_by_option(problem):
    problem, _ = problem
    svm, seen = problem.svm(), np.arange(40, 160)
    shares = [problem.num_plus("share", svm, of) / len(svm[of]) for of in (slice(None), seen)]
    np.testing.assert_allclose(shares, problem.labels.mean(), atol=0.5 / len(seen))
    assert problem.num_plus("true_number", svm, seen) == problem.positive[seen].sum()
    assert problem.num_plus("sign", svm) == (svm > 0).sum()
    # both labels are needed
    assert problem.num_plus("sign", -np.ones(9)) == 1 and problem.num_plus("sign", np.ones(9)) == 8


def test_selected_words_tell_most_of_the_label():
    counts = np.zeros((8, 5))
    positive = np.arange(8) < 4
    counts[:4, 3] = 2  # in all positive documents, and in no other
    counts[::2, 1] = 1  # in half of either
    counts[:3, 2] = counts[4, 2] = 1
    found = reuters.selected_words(csr_array(counts), positive, 2)
    assert list(np.flatnonzero(found)) == [2, 3]
    # a word that no document has is never chosen
    assert list(np.flatnonzero(reuters.selected_words(csr_array(counts), positive))) == [1, 2, 3]


def plainly(gram, labels, m, num_plus, ratio, C=1.0, C_star=1.0):
    """Algorithm TSVM line by line as the slides print it, by scikit-learn's SVM."""
    n, y = len(labels), np.where(labels, 1.0, -1.0)

    def train(stars, C_minus, C_plus):
        costs = np.r_[np.full(n, C), np.where(stars > 0, C_plus, C_minus)]
        svm = SVC(kernel="precomputed", C=1.0, tol=1e-5)
        svm.fit(gram, np.r_[y, stars], sample_weight=costs)
        return svm.decision_function(gram)[n:]

    svm = SVC(kernel="precomputed", C=C, tol=1e-5).fit(gram[:n, :n], y)
    values = svm.decision_function(gram[n:, :n])
    stars = np.full(m, -1.0)
    stars[np.argsort(-values, kind="stable")[:num_plus]] = 1.0
    C_minus, C_plus, switches = 1e-5, 1e-5 * ratio, 0
    while C_minus < C_star or C_plus < C_star:
        values = train(stars, C_minus, C_plus)
        while True:
            slacks = np.maximum(0.0, 1.0 - stars * values)
            one = np.argmax(np.where(stars > 0, slacks, -1.0))
            other = np.argmax(np.where(stars < 0, slacks, -1.0))
            if not (min(slacks[one], slacks[other]) > 0 and slacks[one] + slacks[other] > 2 + 1e-3):
                break
            stars[one], stars[other] = -1.0, 1.0
            switches += 1
            values = train(stars, C_minus, C_plus)
        C_minus, C_plus = min(2 * C_minus, C_star), min(2 * C_plus, C_star)
    return stars, values, switches


@pytest.mark.parametrize("first_costs", ["printed", "programmed"])
def test_a_plain_second_implementation_finds_the_same(text, first_costs):
    """17 training documents, as in the table; the labels of the slides' loops and their outputs."""
    switches, pool = 0, text.positive[: text.n_train]
    for seed, category in enumerate(("earn", "acq", "crude")):
        rows, _ = reuters.training_set(category, pool, N_TRAIN, np.random.default_rng(seed))
        problem = reuters.Problem(text, rows, category)
        m, n_positive = len(problem.positive), int(problem.positive.sum())
        found = problem.algorithm(n_positive=n_positive, first_costs=first_costs)
        odds = n_positive / (m - n_positive)
        ratio = {"printed": odds, "programmed": 1.0 / odds}[first_costs]
        gram = problem.gram.astype(float)
        stars, values, switched = plainly(gram, problem.labels, m, n_positive, ratio)
        assert (stars == found.signs).mean() > 0.99
        ours = reuters.breakeven(found.values, problem.positive)
        assert ours == pytest.approx(reuters.breakeven(values, problem.positive), abs=2.0)
        switches += switched
    assert switches > 0
