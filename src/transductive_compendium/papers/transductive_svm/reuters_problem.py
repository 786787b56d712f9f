"""One category of Reuters-21578 against the rest: training sets, methods, breakeven."""

from itertools import count

import numpy as np

from transductive.margin.label_switching import JointSVM, switch_labels

from ...datasets.reuters_corpus import CATEGORIES
from .reuters_design import ALL, STRATIFIED

#: Largest violation of the KKT conditions, and what it may make of equal values.
KKT_TOLERANCE = 1e-3
TIE = 2 * KKT_TOLERANCE


def breakeven(values, positive):
    """Precision, in per cent, among as many documents as there are positive ones.

    There precision and recall are equal. Of tied documents at that rank each is as likely to be
    among them: the expectation over their orders. Values within `TIE` of that rank's are tied: a
    transductive SVM puts hundreds of documents on its margin, where the order is the solver's.

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
        Number of training sets tried, with the last one: the others were rejected.
    """
    for tries in count(1):
        rows = rng.choice(len(positive), n, replace=False)
        found = positive[rows].sum(axis=0)
        if found.all() and (found < n).all():
            return rows, tries


def stratified(positive, n, rng):
    """For each category in turn one of its documents not taken yet; the rest from all others."""
    rows = np.empty(0, dtype=int)
    for column in positive.T:
        rows = np.append(rows, rng.choice(np.setdiff1d(np.flatnonzero(column), rows)))
    rest = np.setdiff1d(np.arange(len(positive)), rows)
    return np.append(rows, rng.choice(rest, n - len(rows), replace=False))


def training_set(condition, positive, n, rng):
    """Training rows and number of tries: for one category, `ALL` or `STRATIFIED`."""
    if condition == STRATIFIED:
        return stratified(positive, n, rng), 1
    if condition != ALL:
        place = CATEGORIES.index(condition)
        positive = positive[:, place : place + 1]
    return with_both_classes(positive, n, rng)


class Problem:
    """One category against the rest: some training rows of a corpus, and its test part."""

    def __init__(self, text, train, category):
        positive = text.positive[:, CATEGORIES.index(category)]
        self.labels, self.positive = positive[train], positive[text.n_train :]
        self.counts = text.counts[train], text.counts[text.n_train :]
        self.gram = text.joint_gram(train)

    def _svm(self, C, seen):
        rows = np.arange(len(self.gram)) if seen is None else seen
        gram = self.gram if seen is None else self.gram[np.ix_(seen, seen)]
        signs = np.where(self.labels, 1.0, -1.0)
        return JointSVM(gram, np.diagonal(gram).copy(), signs, C, True, KKT_TOLERANCE), rows

    def _values(self, svm, seen):
        return self.gram[len(self.labels) :, seen] @ svm.coefficients + svm.intercept

    def bayes(self, whole=False):
        """Values of the test documents by naive Bayes."""
        return log_odds(self.counts[0], self.labels, self.counts[1], whole)

    def svm(self, C=1.0):
        """Values of the test documents by the SVM."""
        svm, seen = self._svm(C, np.arange(len(self.labels)))
        svm.solve()
        return self._values(svm, seen)

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
        svm, seen = self._svm(C, None if used is None else np.r_[:n, n + used])
        if n_positive is None:
            n_positive = self.by_share(len(seen) - n)
        found = switch_labels(svm, C_star, n_positive, **costs)
        return self._values(svm, seen), found

    def by_share(self, m):
        """Number of positives among m documents by their share in the training documents."""
        return int(np.floor(m * self.labels.mean() + 0.5))

    def breakevens(self, used=slice(None), **values):
        """Breakeven of each method's values, at the test documents that are used."""
        return {k: breakeven(v[used], self.positive[used]) for k, v in values.items()}
