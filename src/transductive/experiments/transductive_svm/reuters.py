"""Reuters-21578: naive Bayes, SVM and transductive SVM from a handful of news stories.

Transductive SVMs as taught in LING 572, the table: ModApte split, ten categories, 17 training and
3299 test documents, precision and recall where they are equal. One against the rest, one machine
per category.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count

import numpy as np
from scipy.sparse import csr_array

from ...datasets import tf_idf, word_counts
from ...margin import TransductiveSVC
from ..experiment import Experiment, register

#: In the document's order.
CATEGORIES = (
    "earn",
    "acq",
    "money-fx",
    "grain",
    "crude",
    "trade",
    "interest",
    "ship",
    "wheat",
    "corn",
)
N_TRAIN = 17
STANDIN = {"reuters21578": "generated_text"}
#: Breakevens, in points. Rounding decides between near ties of the greedy search.
AGREEMENT = {"tsvm": 1.0}


# ---- measure and naive Bayes ---------------------------------------------------------------------


def breakeven(values, positive):
    """Precision, in per cent, among as many documents as there are positive ones.

    There precision and recall are equal. Of tied documents at that rank each is as likely to be
    among them: the expectation over their orders.

    Parameters
    ----------
    values : ndarray of shape (m,)
        Larger for documents that are more likely to be positive.
    positive : ndarray of bool, shape (m,)

    Returns
    -------
    float
        NaN without a positive document.
    """
    rank = int(positive.sum())
    if not rank:
        return np.nan
    last = np.partition(values, -rank)[-rank]
    above, tied = values > last, values == last
    share = (rank - above.sum()) / tied.sum()
    return 100.0 * float(positive[above].sum() + share * positive[tied].sum()) / rank


def log_odds(counts, positive, new, whole=False):
    """Multinomial naive Bayes: log odds of new documents, less the prior ones.

    Each word has one occurrence more than counted in either class (Laplace).

    Parameters
    ----------
    counts : csr_array of shape (n, words)
    positive : ndarray of bool, shape (n,)
    new : csr_array of shape (m, words)
        Documents to judge.
    whole : bool, default False
        Whether words that no training document has count as well: they speak for the class with
        fewer words.

    Returns
    -------
    ndarray of shape (m,)
    """
    totals = np.array([counts[rows].sum(axis=0) for rows in (positive, ~positive)])
    known = totals.any(axis=0) | whole
    smooth = np.where(known, totals + 1.0, 1.0)
    logs = np.log(smooth) - np.log(smooth.sum(axis=1, where=known, keepdims=True))
    return new @ np.where(known, logs[0] - logs[1], 0.0)


# ---- documents -----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Corpus:
    """Word counts, vectors and labels of all documents, those of the training part first."""

    counts: csr_array
    vectors: csr_array
    positive: np.ndarray
    n_train: int

    @cached_property
    def test_gram(self):
        """Gram matrix of the test part."""
        test = self.vectors[self.n_train :]
        return (test @ test.T).toarray().astype(np.float32)

    def joint_gram(self, train):
        """Gram matrix of training rows and then the test part."""
        sample = self.vectors[train]
        cross = (self.vectors[self.n_train :] @ sample.T).toarray().astype(np.float32)
        own = (sample @ sample.T).toarray().astype(np.float32)
        return np.block([[own, cross.T], [cross, self.test_gram]])


_CORPORA: dict[tuple, Corpus] = {}


def corpus(table, **processing):
    """Documents as the machines see them; kept, as many units share them.

    Parameters
    ----------
    table : TextDataset
    **processing
        For `word_counts`; ``weighted=False`` leaves the inverse document frequencies out.

    Returns
    -------
    Corpus
        Document frequencies are those of all documents; no label is looked at.
    """
    key = table.sha256, *processing.items()
    if key not in _CORPORA:
        weighted = processing.pop("weighted", True)
        counts = word_counts(table.documents, **processing)[0]
        vectors = tf_idf(counts) if weighted else tf_idf(counts, np.full(counts.shape[1], 0.5))
        positive = np.column_stack([table.labels(topic) == 1 for topic in CATEGORIES])
        _CORPORA[key] = Corpus(counts, vectors, positive, table.n_train)
    return _CORPORA[key]


def among_drawn(text, train):
    """The same corpus with document frequencies of the given rows and the test part alone."""
    have = text.counts[np.r_[train, text.n_train : len(text.positive)]] > 0
    shares = np.asarray(have.sum(axis=0)) / have.shape[0]
    return replace(text, vectors=tf_idf(text.counts, shares))


# ---- draws of training documents -----------------------------------------------------------------


def draw_until(positive, n, rng):
    """A random draw in which every category has a positive and a negative document.

    Parameters
    ----------
    positive : ndarray of bool, shape (pool, categories)
    n : int
    rng : numpy.random.Generator

    Returns
    -------
    rows : ndarray of int, shape (n,)
    tries : int
        Number of draws, with the last one: the others were rejected.
    """
    for tries in count(1):
        rows = rng.choice(len(positive), n, replace=False)
        found = positive[rows].sum(axis=0)
        if found.all() and (found < n).all():
            return rows, tries


def draw_stratified(positive, n, rng):
    """For each category in turn one of its documents not drawn yet; the rest from all others."""
    rows = np.empty(0, dtype=int)
    for column in positive.T:
        rows = np.append(rows, rng.choice(np.setdiff1d(np.flatnonzero(column), rows)))
    rest = np.setdiff1d(np.arange(len(positive)), rows)
    return np.append(rows, rng.choice(rest, n - len(rows), replace=False))


#: Draws that serve all ten categories.
ALL, STRATIFIED = "all ten", "stratified"


def draw(condition, positive, n, rng):
    """Training rows and number of tries: for one category, `ALL` or `STRATIFIED`."""
    if condition == STRATIFIED:
        return draw_stratified(positive, n, rng), 1
    if condition != ALL:
        place = CATEGORIES.index(condition)
        positive = positive[:, place : place + 1]
    return draw_until(positive, n, rng)


# ---- machines ------------------------------------------------------------------------------------


class Problem:
    """One category against the rest: some training rows of a corpus, and its test part."""

    def __init__(self, text, train, category):
        positive = text.positive[:, CATEGORIES.index(category)]
        self.labels, self.positive = positive[train], positive[text.n_train :]
        self.counts = text.counts[train], text.counts[text.n_train :]
        self.gram = text.joint_gram(train)

    def bayes(self, whole=False):
        """Values of the test documents by naive Bayes."""
        return log_odds(self.counts[0], self.labels, self.counts[1], whole)

    def svm(self, C=1.0):
        """Values of the test documents by the SVM."""
        n = len(self.labels)
        machine = TransductiveSVC(C, kernel="precomputed").fit(self.gram[:n, :n], self.labels)
        return machine.decision_function(self.gram[n:, :n])

    def tsvm(self, used=None, **parameters):
        """The transductive SVM, and its values of the test documents.

        Parameters
        ----------
        used : ndarray of int, optional
            The test documents that it sees, by default all.
        **parameters
            C, C_star, num_positive.
        """
        n, used = len(self.labels), np.arange(len(self.positive)) if used is None else used
        seen = np.r_[:n, n + used]
        rows = self.gram[seen][:, seen]
        machine = TransductiveSVC(kernel="precomputed", **parameters)
        machine.fit(rows[:n], self.labels, rows[n:])
        return machine, machine.decision_function(self.gram[n:, seen])

    def breakevens(self, used=slice(None), **values):
        """Breakeven of each method's values, at the test documents that are used."""
        return {k: breakeven(v[used], self.positive[used]) for k, v in values.items()}


# ---- the table -----------------------------------------------------------------------------------


def _run_table(key, params, data, rng):
    text, condition = corpus(data["reuters21578"]), key["condition"]
    train, tries = draw(condition, text.positive[: text.n_train], N_TRAIN, rng)
    rows = []
    for category in CATEGORIES if condition in (ALL, STRATIFIED) else [condition]:
        problem = Problem(text, train, category)
        n_positive = int(problem.positive.sum())
        machine, values = problem.tsvm()
        row = {
            "category": category,
            "tries": tries,
            "train_positives": int(problem.labels.sum()),
            "test_positives": n_positive,
            "num_positive": machine.num_positive_,
            "switches": machine.n_switches_,
            "switch_possible": machine.switch_possible_,
        }
        rows.append(
            row
            | problem.breakevens(
                bayes=problem.bayes(),
                bayes_whole=problem.bayes(whole=True),
                svm=problem.svm(),
                tsvm=values,
                tsvm_true=problem.tsvm(num_positive=n_positive)[1],
            )
        )
    return rows


def _table_units(params, profile):
    keys = [
        {"condition": condition, "number": i}
        for i in range(100 if profile == "full" else 30)
        for condition in (*CATEGORIES, ALL, STRATIFIED)
        if condition != STRATIFIED or i % 3 == 0
    ]
    return keys[: 2 if profile == "smoke" else None]


register(
    Experiment(
        name="transductive_svm/reuters_table",
        version=1,
        title="Reuters-21578: naive Bayes, SVM and TSVM from 17 training documents",
        datasets=("reuters21578",),
        standin=STANDIN,
        units=_table_units,
        run_unit=_run_table,
        agreement=AGREEMENT,
    )
)


# ---- sensitivity ---------------------------------------------------------------------------------

#: What is changed, one thing at a time: of the documents' vectors, then of the machine.
TEXTS = {
    "words, not stems": {"stemmed": False},
    "stop words kept": {"stop_words": False},
    "rare words kept": {"minimum": 1},
    "no document frequencies": {"weighted": False},
}
#: Document frequencies of the 17 and the test documents alone.
DRAWN = "frequencies of drawn documents"
MACHINES = {
    "as in the table": {},
    "C = 0.1": {"C": 0.1},
    "C = 10": {"C": 10.0},
    "C = infinity": {"C": np.inf},
    "C* = 0.01": {"C_star": 0.01},
    "C* = 0.1": {"C_star": 0.1},
    "C* = 10": {"C_star": 10.0},
}
#: Number of positives over the true one; that of the table is by the share among the 17.
COUNTS = {
    "half as many positives": 0.5,
    "true number of positives": 1.0,
    "twice as many positives": 2.0,
}


def _run_parameters(key, params, data, rng):
    table, category = data["reuters21578"], key["category"]
    text = corpus(table)
    train, _ = draw(category, text.positive[: text.n_train], N_TRAIN, rng)
    usual = Problem(text, train, category)
    cases = {change: (usual, changed) for change, changed in MACHINES.items()}
    for change, times in COUNTS.items():
        cases[change] = usual, {"num_positive": round(times * usual.positive.sum())}
    for change, processing in TEXTS.items():
        cases[change] = Problem(corpus(table, **processing), train, category), {}
    cases[DRAWN] = Problem(among_drawn(text, train), train, category), {}
    return [
        {"change": change}
        | problem.breakevens(
            bayes=problem.bayes(),
            svm=problem.svm(changed.get("C", 1.0)),
            tsvm=problem.tsvm(**changed)[1],
        )
        for change, (problem, changed) in cases.items()
    ]


def _parameter_units(params, profile):
    keys = [
        {"category": category, "number": i}
        for i in range(20 if profile == "full" else 5)
        for category in CATEGORIES
    ]
    return keys[: 1 if profile == "smoke" else None]


register(
    Experiment(
        name="transductive_svm/reuters_parameters",
        version=1,
        title="Reuters-21578: C, C*, number of positives and text processing",
        datasets=("reuters21578",),
        standin=STANDIN,
        units=_parameter_units,
        run_unit=_run_parameters,
        agreement=AGREEMENT,
    )
)


# ---- learning curves -----------------------------------------------------------------------------

#: Numbers of training documents, with the numbers of draws in the paper tier.
TRAINING = {17: 10, 34: 10, 68: 10, 136: 10, 272: 10, 544: 5, 1088: 5, 2176: 3, 4352: 3}
#: The test documents are halved this often; only for the smallest number of training documents.
HALVINGS = 4


def test_sizes(n_test):
    """Numbers of test documents, the smallest first: 206, 412, 824, 1649, 3299 of 3299."""
    return [n_test >> k for k in range(HALVINGS, -1, -1)]


def draw_test(positive, sizes, rng):
    """Random order of the test documents in which the first ones have a positive and a negative."""
    while True:
        order = rng.permutation(len(positive))
        if 0 < positive[order[: sizes[0]]].sum() < sizes[0]:
            return order


def _run_learning(key, params, data, rng):
    text, category = corpus(data["reuters21578"]), key["category"]
    n = min(key["n_train"], text.n_train)
    train, _ = draw(category, text.positive[: text.n_train], n, rng)
    problem = Problem(text, train, category)
    sizes = test_sizes(len(problem.positive))
    order = draw_test(problem.positive, sizes, rng)
    bayes, svm, rows = problem.bayes(), problem.svm(), []
    for size in sizes if n == N_TRAIN else sizes[-1:]:
        used = np.sort(order[:size])
        tsvm = problem.tsvm(used)[1]
        row = {"n_test": size} | problem.breakevens(used, bayes=bayes, svm=svm, tsvm=tsvm)
        rows.append(row | problem.breakevens(bayes_all=bayes, svm_all=svm, tsvm_all=tsvm))
    return rows


def _learning_units(params, profile):
    times = 4 if profile == "full" else 1
    keys = [
        {"category": category, "n_train": n, "number": i}
        for again in range(times)
        for n, draws in TRAINING.items()
        for i in range(again * draws, (again + 1) * draws)
        for category in CATEGORIES
    ]
    return keys[: 1 if profile == "smoke" else None]


register(
    Experiment(
        name="transductive_svm/reuters_learning",
        version=1,
        title="Reuters-21578: learning curves over training and test documents",
        datasets=("reuters21578",),
        standin=STANDIN,
        units=_learning_units,
        run_unit=_run_learning,
        agreement=AGREEMENT,
    )
)
