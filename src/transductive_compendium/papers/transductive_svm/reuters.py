"""Reuters-21578: naive Bayes, SVM and transductive SVM from a handful of news stories.

Transductive SVMs as taught in LING 572, the table: ModApte split, ten categories, 17 training and
3299 test documents, precision and recall where they are equal. One against the rest, one machine
per category.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import numpy as np

from transductive.margin.label_switching import JointSVM, switch_labels

from ...datasets import tf_idf
from ...datasets.reuters_corpus import CATEGORIES, corpus
from ...runner.declaration import Experiment, register

N_TRAIN = 17
#: Largest violation of the KKT conditions, and what it may make of equal values.
TOLERANCE = 1e-3
TIE = 2 * TOLERANCE
#: Readings of Algorithm TSVM: first costs, and whether it is told the true number of positives.
#: The recorded columns call balanced first costs "even".
READINGS = {
    "tsvm": ("slides", False),
    "tsvm_true": ("slides", True),
    "tsvm_even": ("balanced", False),
    "tsvm_even_true": ("balanced", True),
}
#: Points of breakeven, and switches: where values are all but equal, the last digit decides.
AGREEMENT = dict.fromkeys(["svm", *READINGS], 2.0) | {f"{n}_switches": 20.0 for n in READINGS}
LEARNING_AGREEMENT = {
    f"{name}{end}": 2.0 for name in ("svm", "tsvm", "tsvm_even_true") for end in ("", "_all")
}


# ---- measure and naive Bayes ---------------------------------------------------------------------


def breakeven(values, positive):
    """Precision, in per cent, among as many documents as there are positive ones.

    There precision and recall are equal. Of tied documents at that rank each is as likely to be
    among them: the expectation over their orders. Values within `TIE` of that rank's are tied: a
    transductive machine puts hundreds of documents on its margin, where the order is the solver's.

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
    above, tied = values > last + TIE, np.abs(values - last) <= TIE
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

    def _machine(self, C, seen):
        rows = np.arange(len(self.gram)) if seen is None else seen
        gram = self.gram if seen is None else self.gram[np.ix_(seen, seen)]
        signs = np.where(self.labels, 1.0, -1.0)
        return JointSVM(gram, np.diagonal(gram).copy(), signs, C, True, TOLERANCE), rows

    def _values(self, machine, seen):
        return self.gram[len(self.labels) :, seen] @ machine.coefficients + machine.intercept

    def bayes(self, whole=False):
        """Values of the test documents by naive Bayes."""
        return log_odds(self.counts[0], self.labels, self.counts[1], whole)

    def svm(self, C=1.0):
        """Values of the test documents by the SVM."""
        machine, seen = self._machine(C, np.arange(len(self.labels)))
        machine.solve()
        return self._values(machine, seen)

    def tsvm(self, used=None, *, C=1.0, C_star=1.0, n_positive=None, **costs):
        """The transductive SVM.

        Parameters
        ----------
        used : ndarray of int, optional
            The test documents that it sees, by default all.
        C, C_star : float
        n_positive : int, optional
            By default the share of the training documents.
        **costs
            ``first_costs`` and ``keep_ratio`` of `switch_labels`.

        Returns
        -------
        values : ndarray
            Of all test documents.
        found : SwitchedLabels
        """
        n = len(self.labels)
        machine, seen = self._machine(C, None if used is None else np.r_[:n, n + used])
        if n_positive is None:
            n_positive = self.by_share(len(seen) - n)
        found = switch_labels(machine, C_star, n_positive, **costs)
        return self._values(machine, seen), found

    def by_share(self, m):
        """Number of positives among m documents by their share in the training documents."""
        return int(np.floor(m * self.labels.mean() + 0.5))

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
        values = {
            "bayes": problem.bayes(),
            "bayes_whole": problem.bayes(whole=True),
            "svm": problem.svm(),
        }
        row = {
            "category": category,
            "tries": tries,
            "train_positives": int(problem.labels.sum()),
            "test_positives": n_positive,
        }
        for name, (first_costs, told) in READINGS.items():
            values[name], found = problem.tsvm(
                n_positive=n_positive if told else None, first_costs=first_costs
            )
            row[f"{name}_switches"] = int(found.history["switch"].sum())
        rows.append(row | problem.breakevens(**values))
    return rows


def _table_units(params, profile):
    keys = [
        {"condition": condition, "number": i}
        for i in range(100 if profile == "full" else 30)
        for condition in (*CATEGORIES, ALL, STRATIFIED)
        if i % {ALL: 2, STRATIFIED: 3}.get(condition, 1) == 0
    ]
    return keys[: 2 if profile == "smoke" else None]


register(
    Experiment(
        name="transductive_svm/reuters_table",
        version=1,
        title="Reuters-21578: naive Bayes, SVM and TSVM from 17 training documents",
        datasets=("reuters21578",),
        units=_table_units,
        run_unit=_run_table,
        agreement=AGREEMENT,
    )
)


# ---- sensitivity ---------------------------------------------------------------------------------

#: What is changed, one thing at a time, of balanced first costs and the true number of positives.
#: First of the machine; numbers of positives are multiples of the true one.
BALANCED = {"first_costs": "balanced"}
MACHINES = {
    "C = 0.1": {"C": 0.1},
    "C = 10": {"C": 10.0},
    "C = 100": {"C": 100.0},
    "C* = 0.01": {"C_star": 0.01},
    "C* = 0.1": {"C_star": 0.1},
    "C* = 10": {"C_star": 10.0},
}
COUNTS = {"half as many positives": 0.5, "twice as many positives": 2.0}
OTHER_READINGS = {
    "first costs as printed": READINGS["tsvm_true"],
    "number by share": READINGS["tsvm_even"],
    "both": READINGS["tsvm"],
}
#: Then of the documents' vectors.
TEXTS = {
    "words, not stems": {"stemmed": False},
    "stop words kept": {"stop_words": False},
    "rare words kept": {"minimum": 1},
    "no document frequencies": {"weighted": False},
}
DRAWN = "frequencies of drawn documents"


def _run_parameters(key, params, data, rng):
    table, category = data["reuters21578"], key["category"]
    text = corpus(table)
    train, _ = draw(category, text.positive[: text.n_train], N_TRAIN, rng)
    usual = Problem(text, train, category)
    told = {"n_positive": int(usual.positive.sum()), **BALANCED}
    cases = {"nothing": (usual, told)}
    if key["changed"] == "machine":
        for change, new in MACHINES.items():
            cases[change] = usual, told | new
        for change, times in COUNTS.items():
            cases[change] = usual, told | {"n_positive": round(times * told["n_positive"])}
        for change, (first_costs, true) in OTHER_READINGS.items():
            n_positive = told["n_positive"] if true else None
            cases[change] = usual, {"n_positive": n_positive, "first_costs": first_costs}
        # as the author's program has it
        cases["costs in this ratio to the end"] = usual, told | {"keep_ratio": True}
    else:
        for change, processing in TEXTS.items():
            cases[change] = Problem(corpus(table, **processing), train, category), told
        cases[DRAWN] = Problem(among_drawn(text, train), train, category), told
    return [
        {"change": change}
        | problem.breakevens(
            bayes=problem.bayes(),
            svm=problem.svm(new.get("C", 1.0)),
            tsvm=problem.tsvm(**new)[0],
        )
        for change, (problem, new) in cases.items()
    ]


def _parameter_units(params, profile):
    keys = [
        {"changed": changed, "category": category, "number": i}
        for i in range(20 if profile == "full" else 5)
        for changed in ("machine", "text")
        for category in CATEGORIES
    ]
    return keys[: 1 if profile == "smoke" else None]


register(
    Experiment(
        name="transductive_svm/reuters_parameters",
        version=2,
        title="Reuters-21578: C, C*, number of positives and text processing",
        datasets=("reuters21578",),
        units=_parameter_units,
        run_unit=_run_parameters,
        agreement={"svm": 2.0, "tsvm": 2.0},
    )
)


# ---- learning curves -----------------------------------------------------------------------------

#: Numbers of training documents, with the numbers of draws in the paper tier.
TRAINING = {17: 10, 34: 10, 68: 10, 136: 10, 272: 10, 544: 10, 1088: 10, 2176: 5, 4352: 5}
#: The test documents are halved this often; only for the smallest number of training documents.
HALVINGS = 4


def working_sizes(n_test):
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
    sizes = working_sizes(len(problem.positive))
    order = draw_test(problem.positive, sizes, rng)
    bayes, svm, rows = problem.bayes(), problem.svm(), []
    for size in sizes if n == N_TRAIN else sizes[-1:]:
        used = np.sort(order[:size]) if size < len(order) else None
        n_positive = int(problem.positive[used].sum())
        values = {
            "bayes": bayes,
            "svm": svm,
            "tsvm": problem.tsvm(used)[0],
            "tsvm_even_true": problem.tsvm(used, n_positive=n_positive, first_costs="balanced")[0],
        }
        row = problem.breakevens(slice(None) if used is None else used, **values)
        at_all = {f"{k}_all": v for k, v in problem.breakevens(**values).items()}
        rows.append({"n_test": size} | row | at_all)
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
        units=_learning_units,
        run_unit=_run_learning,
        agreement=LEARNING_AGREEMENT,
    )
)
