"""WinMac: articles of two newsgroups, with means of pairs as a universum.

Inference with the Universum, experiments: WinMac, universum (viii).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from sklearn.preprocessing import normalize

from transductive.margin import MeanOfPairs

from ...datasets import tf_idf, word_counts
from ...runner import experiment
from .grid_search import ABSENT, error
from .text_design import CONDITIONS, COUNTS, SVM, TF_IDF, THROUGH_ZERO, WINMAC_VALIDATION
from .text_selection import AGREEMENT, COSTS, by_validation, linear_grid, random_split

NEWSGROUPS = ("comp.os.ms-windows.misc", "comp.sys.mac.hardware")
SUBSTITUTE_TOPICS = {"generated_text": ("acq", "earn")}
TRAINING_SIZES = (10, 25, 50, 75, 100)
N_PAIRS = 200
N_FOLDS = 5
DEFAULT_COST = 1.0
#: Interpretations of the mean of two documents: of their vectors; the same scaled to unit length,
#: like documents; of their word counts, turned into a vector like those of documents.
INTERPRETATIONS = ("vectors", "unit length", "counts")
# articles begin with the line From, and few senders wrote to both groups
_FROM = re.compile(r"\AFrom:.*\n")


@dataclass(frozen=True, eq=False)
class Articles:
    """Word counts, shares of documents that contain a word (or constant shares), labels."""

    counts: csr_array
    shares: np.ndarray
    y: np.ndarray

    def vectors(self, counts):
        """Weighted counts at unit length."""
        return tf_idf(counts, self.shares)

    def mean_of_pairs(self, interpretation, rows, seed):
        """Universum of `N_PAIRS` means of one article of each class; `seed` determines the pairs.

        Parameters
        ----------
        interpretation : str
            One of `INTERPRETATIONS`.
        rows : ndarray of int
            The articles to draw from.
        seed : int

        Returns
        -------
        csr_array of shape (N_PAIRS, words)
        """
        counts = self.counts[rows]
        source = counts if interpretation == "counts" else self.vectors(counts)
        means = MeanOfPairs(N_PAIRS, random_state=seed).fit(source, self.y[rows]).transform(source)
        if interpretation == "counts":
            return self.vectors(means)
        return csr_array(means if interpretation == "vectors" else normalize(means))


_COUNTED: dict[str, tuple] = {}


def articles(table, features):
    """Articles of two groups without their line From, +1 for Mac.

    Parameters
    ----------
    table : TextDataset
        Its words are counted once.
    features : {"tf-idf", "counts"}
        Both use stems without stop words, and unit length.

    Returns
    -------
    Articles
        Document frequencies are those of all articles; labels are not used.
    """
    if table.sha256 not in _COUNTED:
        negative, positive = (
            table.labels(g) == 1 for g in SUBSTITUTE_TOPICS.get(table.name, NEWSGROUPS)
        )
        keep = np.flatnonzero(negative ^ positive)
        counts, _ = word_counts([_FROM.sub("", table.documents[i]) for i in keep])
        _COUNTED[table.sha256] = counts, np.where(positive[keep], 1, -1)
    counts, y = _COUNTED[table.sha256]
    if features == COUNTS:
        return Articles(counts, np.full(counts.shape[1], np.exp(-1.0)), y)
    return Articles(counts, np.asarray((counts > 0).sum(axis=0)) / len(y), y)


def balanced_split(y, n_train, n_most, n_validation, rng):
    """Like `random_split`, with half of the training subset in each class (an odd one negative)."""
    train, validation, test = random_split(y, n_most, n_most, n_validation, rng)
    rest = np.r_[train, test]
    halves = [rest[y[rest] == s][: (n_train + (s < 0)) // 2] for s in (-1, 1)]
    test = np.setdiff1d(rest, np.concatenate(halves))
    return np.concatenate(halves), validation, test


def folds(y, rng):
    """Fold of each point, with the classes spread evenly."""
    order = rng.permutation(len(y))
    order = order[np.argsort(y[order], kind="stable")]
    numbers = np.empty(len(y), dtype=int)
    numbers[order] = np.arange(len(y)) % N_FOLDS
    return numbers


def cross_validated(text, train, number, fit):
    """Index in the grid of the classifier with fewest errors in cross-validation.

    Parameters
    ----------
    text : Articles
    train : ndarray of int
    number : ndarray of int
        Fold of each training point.
    fit : callable
        ``fit(rows, points)`` returns the fits of a grid, with a universum made of `rows` only.

    Returns
    -------
    int
        The first in a tie. Folds that leave a single class for training are skipped.
    """
    wrong = 0
    for k in range(N_FOLDS):
        rows, left = train[number != k], train[number == k]
        if len(np.unique(text.y[rows])) == 2:
            fits = fit(rows, {"left": text.vectors(text.counts[left])})
            wrong = wrong + np.array(
                [round(len(left) * error(f.values["left"], text.y[left])) for f in fits]
            )
    return int(np.argmin(wrong))


def _units(params, profile):
    keys = [
        {"features": features, "drawn": drawn, "n_train": n, "draw": i}
        for i in range({"smoke": 1, "paper": 25, "full": 100}[profile])
        for n in TRAINING_SIZES
        for features, drawn in CONDITIONS
    ]
    return keys[: 3 if profile == "smoke" else None]


@experiment(
    "universum/winmac",
    version=1,
    title="WinMac: mean of pairs as a universum, and how it was tuned",
    datasets=("winmac",),
    units=_units,
    agreement=AGREEMENT
    | dict.fromkeys(("error_default", "error_cv", "moved", "off_margin"), "chaotic"),
)
def run_winmac(key, params, data, rng):
    text, n = articles(data["winmac"], key["features"]), key["n_train"]
    drawing = balanced_split if key["drawn"] == "balanced" else random_split
    n_validation = min(WINMAC_VALIDATION, len(text.y) // 5)
    train, validation, test = drawing(text.y, n, max(TRAINING_SIZES), n_validation, rng)
    y = text.y[train]
    number, seed = folds(y, rng), int(rng.integers(2**31))
    parts = {"train": train, "validation": validation, "test": test}
    points = {name: text.vectors(text.counts[rows]) for name, rows in parts.items()}

    def fit(method):
        def grid_of(rows, points):
            made = method in INTERPRETATIONS
            universum = text.mean_of_pairs(method, rows, seed) if made else None
            X = text.vectors(text.counts[rows])
            # tight, so that classifiers which should be equal are
            options = {"fit_intercept": method != THROUGH_ZERO, "tol": 1e-4}
            return linear_grid(X, text.y[rows], universum, points, **options)

        return grid_of

    rows = []
    for method in (SVM, THROUGH_ZERO, *INTERPRETATIONS):
        fits = fit(method)(train, points)
        stiff = [f.values for f in fits if f.C == max(COSTS)]
        if method == SVM:
            plain = stiff[0]
        row = {"method": method, "n_universum": N_PAIRS if method in INTERPRETATIONS else 0}
        row |= by_validation(fits, text.y[validation], text.y[test])
        usual = (
            next(f for f in fits if f.C == DEFAULT_COST) if method not in INTERPRETATIONS else None
        )
        row["error_default"] = (
            ABSENT if usual is None else error(usual.values["test"], text.y[test])
        )
        row["error_cv"] = ABSENT
        if key["features"] == TF_IDF and key["drawn"] == "random":
            place = cross_validated(text, train, number, fit(method))
            row["error_cv"] = error(fits[place].values["test"], text.y[test])
        row["moved"] = max(np.abs(values["test"] - plain["test"]).max() for values in stiff)
        row["off_margin"] = np.abs(y * plain["train"] - 1.0).max()
        rows.append(row | {"positives": int((y > 0).sum()), "n_pool": len(text.y)})
    return rows
