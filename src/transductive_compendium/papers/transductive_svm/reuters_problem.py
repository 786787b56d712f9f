"""One category of Reuters-21578 against the rest: training sets, methods, breakeven."""

from dataclasses import dataclass
from itertools import count

import numpy as np

from transductive.margin.label_switching import (
    INITIAL_COST,
    MIN_SLACK_SUM,
    JointSVM,
    _raise_costs,
    highest,
    switch_labels,
)

from ...datasets.reuters_corpus import CATEGORIES

#: Options of the open choices `features` and `idf`: arguments of `corpus`.
COUNTS, STEMS_TF, STEMS_TFIDF = "counts", "stems_tf", "stems_tfidf"
FEATURES = {
    COUNTS: {"stemmed": False, "stop_words": False, "minimum": 1, "weighted": False},
    STEMS_TF: {"weighted": False},
    STEMS_TFIDF: {},
}
#: Options of the open choice `num_plus`: where the number of positive labels comes from.
SHARE, TRUE_NUMBER, SIGN = "share", "true_number", "sign"
#: Options of the open choice `bayes`: whether only the selected words count, and whether words in
#: no training document count, too.
BAYES = {"multinomial": (False, False), "all_words": (False, True), "selected": (True, False)}
#: First costs of the test documents, by option of the open choice `first_costs`: C_+* over C_-*,
#: with n positive labels of m.
FIRST_COSTS = {"printed": lambda n, m: n / (m - n), "programmed": lambda n, m: (m - n) / n}
#: Condition of training sets that serve all ten categories; others have their category's name.
ALL = "all ten"
#: Largest violation of the KKT conditions, and the difference that it allows between equal values.
KKT_TOLERANCE = 1e-3
TIE = 2 * KKT_TOLERANCE


def breakeven(values, positive):
    """Precision, in per cent, among as many documents as there are positive ones.

    At this rank precision and recall are equal. For documents tied at this rank it is the
    expectation over their orders. Values within `TIE` of that rank's value count as tied: a
    transductive SVM puts hundreds of documents on its margin, where rounding in the solver decides
    their order.

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
    """Multinomial naive Bayes: log odds of new documents, minus the prior log odds.

    Each word counts one occurrence more in either class (Laplace smoothing).

    Parameters
    ----------
    counts : csr_array of shape (n, words)
    positive : ndarray of bool, shape (n,)
    new : csr_array of shape (m, words)
        Documents to judge.
    whole : bool, default False
        Whether words in no training document count, too: they favour the class with fewer words.

    Returns
    -------
    ndarray of shape (m,)
    """
    totals = np.array([counts[rows].sum(axis=0) for rows in (positive, ~positive)])
    known = totals.any(axis=0) | whole
    smooth = np.where(known, totals + 1.0, 1.0)
    logs = np.log(smooth) - np.log(smooth.sum(axis=1, where=known, keepdims=True))
    return new @ np.where(known, logs[0] - logs[1], 0.0)


def selected_words(counts, positive, number=1000):
    """Words of the highest mutual information between label and presence in a document.

    Parameters
    ----------
    counts : csr_array of shape (n, words)
    positive : ndarray of bool, shape (n,)
    number : int

    Returns
    -------
    ndarray of bool, shape (words,)
        The first of equal words; no words that occur in no document.
    """
    have, n = counts > 0, len(positive)
    information = np.zeros(counts.shape[1])
    for label in (True, False):
        with_word = np.asarray(have[positive == label].sum(axis=0), dtype=float)
        of_label = (positive == label).sum()
        for both, word in ((with_word, True), (of_label - with_word, False)):
            total = np.asarray(have.sum(axis=0), dtype=float)
            total = total if word else n - total
            expected = total * of_label / n
            ratio = np.divide(both, expected, out=np.ones(len(both)), where=both > 0)
            information += both / n * np.log(ratio)
    information[np.asarray(have.sum(axis=0)) == 0] = -1.0
    chosen = np.zeros(len(information), dtype=bool)
    chosen[np.argsort(-information, kind="stable")[:number]] = True
    return chosen & (information >= 0)


def with_both_classes(positive, n, rng):
    """A random training set in which every category has a positive and a negative document.

    Parameters
    ----------
    positive : ndarray of bool, shape (pool, categories)
    n : int
    rng : numpy.random.Generator

    Returns
    -------
    rows : ndarray of int, shape (n,)
    tries : int
        Number of training sets tried, including the accepted one.
    """
    for tries in count(1):
        rows = rng.choice(len(positive), n, replace=False)
        found = positive[rows].sum(axis=0)
        if found.all() and (found < n).all():
            return rows, tries


def first_try(positive, n, rng):
    """A random training set, even without a positive document; and 1, the number of tries."""
    return rng.choice(len(positive), n, replace=False), 1


#: How a training set is drawn, by option of the open choice `missing_class`.
MISSING_CLASS = {"redraw": with_both_classes, "chance": first_try}


def training_set(condition, positive, n, rng, missing_class="redraw"):
    """Training rows and number of tries: for one category or `ALL`."""
    if condition != ALL:
        place = CATEGORIES.index(condition)
        positive = positive[:, place : place + 1]
    return MISSING_CLASS[missing_class](positive, n, rng)


class PrintedSVM(JointSVM):
    """`JointSVM` that keeps the outputs of the last training.

    The slides' Loop 1 ends after raising the costs, without training at them.

    Parameters
    ----------
    *args
        Arguments of `JointSVM`.
    pair : {"largest", "first"}
        Which of the pairs that may be switched: that of the largest slacks, or the first one.
    """

    def __init__(self, *args, pair="largest"):
        self.first_pair = {"largest": False, "first": True}[pair]
        self.last_training = None
        super().__init__(*args)

    def raise_costs(self, C_minus, C_plus):
        """As of `JointSVM`."""
        self.last_training = self.decision_values()
        super().raise_costs(C_minus, C_plus)

    def pair_to_switch(self, slacks=None):
        """As of `JointSVM`."""
        largest = super().pair_to_switch(slacks)
        if largest is None or not self.first_pair:
            return largest
        signs, slacks = self._of_working_points(slacks)
        negatives = np.flatnonzero((signs < 0) & (slacks > 0))
        most = slacks[negatives].max()
        may = (signs > 0) & (slacks > 0) & (slacks + most > MIN_SLACK_SUM)
        positive = int(np.argmax(may))
        enough = slacks[negatives] + slacks[positive] > MIN_SLACK_SUM
        return positive, int(negatives[np.argmax(enough)])

    def switch_at_present_costs(self):
        """Loop 2 once more, then a solution."""
        while (pair := self.pair_to_switch()) is not None:
            before = self.primal()
            self.switch(*np.array(pair)[:, None])
            self.solve(below=before)
            if not self.primal() < before:
                self.switch(*np.array(pair)[:, None])
                self.solve()
                return


@dataclass(frozen=True)
class Algorithm:
    """A run of Algorithm TSVM; `svm` is solved once more at C*.

    `start` and `signs` are the labels of the test documents before and after, `values` the last
    training's outputs at them; `switches` and `objective` are numbers.
    """

    svm: PrintedSVM
    start: np.ndarray
    signs: np.ndarray
    values: np.ndarray
    switches: int
    objective: float

    def start_objective(self, C_star):
        """Objective at C* of the first labels; changes `svm`."""
        self.svm.label(self.start, C_star, C_star)
        self.svm.solve()
        return self.svm.primal()

    def final_values(self):
        """Outputs after more switches at C*; changes `svm`."""
        self.svm.switch_at_present_costs()
        return self.svm.decision_values()[self.svm.n_train :]


class Problem:
    """One category against the rest: some training rows of a corpus, and its test part."""

    def __init__(self, text, train, category):
        positive = text.positive[:, CATEGORIES.index(category)]
        self.labels, self.positive = positive[train], positive[text.n_train :]
        self.counts = text.counts[train], text.counts[text.n_train :]
        self.gram = text.joint_gram(train)

    def _svm(self, C, seen, kind=JointSVM, **choices):
        rows = np.arange(len(self.gram)) if seen is None else seen
        gram = self.gram if seen is None else self.gram[np.ix_(seen, seen)]
        signs = np.where(self.labels, 1.0, -1.0)
        diagonal = np.diagonal(gram).copy()
        return kind(gram, diagonal, signs, C, True, KKT_TOLERANCE, **choices), rows

    def _values(self, svm, seen):
        if len(seen) == len(self.gram):
            return svm.decision_values()[len(self.labels) :]
        return self.gram[len(self.labels) :, seen] @ svm.coefficients + svm.intercept

    def bayes(self, option="multinomial"):
        """Values of the test documents by naive Bayes, by option of the open choice `bayes`."""
        train, test = self.counts
        selected, whole = BAYES[option]
        if selected:
            words = np.flatnonzero(selected_words(train, self.labels))
            train, test = train[:, words], test[:, words]
        return log_odds(train, self.labels, test, whole=whole)

    def svm(self, C=1.0):
        """Values of the test documents by the SVM."""
        svm, seen = self._svm(C, np.arange(len(self.labels)))
        svm.solve()
        return self._values(svm, seen)

    def tsvm(self, used=None, *, C=1.0, C_star=1.0, n_positive=None, first_costs="slides", **costs):
        """The transductive SVM.

        Parameters
        ----------
        used : ndarray of int, optional
            The test documents that it is given, by default all.
        C, C_star : float
        n_positive : int, optional
            By default the share of the training documents.
        first_costs, **costs
            ``first_costs`` and ``keep_ratio`` of `switch_labels`.

        Returns
        -------
        values : ndarray
            Of all test documents.
        found : SwitchedLabels
        """
        n = len(self.labels)
        svm, seen = self._svm(C, None if used is None else np.r_[:n, n + used])
        if n_positive is None:
            n_positive = self.by_share(len(seen) - n)
        found = switch_labels(svm, C_star, n_positive, first_costs, **costs)
        return self._values(svm, seen), found

    def algorithm(
        self,
        used=None,
        *,
        C=1.0,
        C_star=1.0,
        n_positive=None,
        first_costs="printed",
        test_costs="two",
        pair="largest",
    ):
        """Algorithm TSVM as printed, or with the first costs of the author's program.

        Parameters
        ----------
        used, C, C_star, n_positive
            As for `tsvm`.
        first_costs : {"printed", "programmed"}
            A key of `FIRST_COSTS`.
        test_costs : {"two", "one"}
            First costs of test documents by label, or the same for both labels.
        pair : {"largest", "first"}
            As for `PrintedSVM`.

        Returns
        -------
        Algorithm
        """
        n = len(self.labels)
        rows = None if used is None else np.r_[:n, n + used]
        svm, seen = self._svm(C, rows, PrintedSVM, pair=pair)
        m = len(seen) - n
        n_positive = self.by_share(m) if n_positive is None else n_positive
        svm.solve()
        start = highest(svm.decision_values()[n:], n_positive)
        ratio = {"two": FIRST_COSTS[first_costs](n_positive, m), "one": 1.0}[test_costs]
        first_costs, history = (INITIAL_COST, INITIAL_COST * ratio), []
        _raise_costs(svm, start, first_costs, (C_star, C_star), history, False)
        svm.solve()
        switches = sum(step[2] for step in history)
        signs, values = svm.signs[n:].copy(), svm.last_training[n:]
        return Algorithm(svm, start, signs, values, switches, svm.primal())

    def num_plus(self, option, svm, seen=slice(None)):
        """Number of positive labels, by option of the open choice `num_plus`.

        Parameters
        ----------
        option : {"share", "true_number", "sign"}
        svm : ndarray
            Values of the inductive SVM at all test documents.
        seen : slice or ndarray of int
            The test documents that the transductive SVM is given.

        Returns
        -------
        int
        """
        m = len(svm[seen])
        numbers = {
            SHARE: self.by_share(m),
            TRUE_NUMBER: int(self.positive[seen].sum()),
            SIGN: int(np.clip((svm[seen] > 0).sum(), 1, m - 1)),
        }
        return numbers[option]

    def by_share(self, m):
        """Number of positives among m documents by their share in the training documents."""
        return int(np.floor(m * self.labels.mean() + 0.5))

    def breakevens(self, used=slice(None), **values):
        """Breakeven of each method's values, at the test documents that are used."""
        return {k: breakeven(v[used], self.positive[used]) for k, v in values.items()}
