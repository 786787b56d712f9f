"""Text: stories of RCV1, and two newsgroups, with universa of other stories and of means.

Inference with the Universum, experiments: Reuters, universa (vi) and (vii), and WinMac, universum
(viii). The poster gives neither features, kernel, number of universum points nor tuning.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.sparse import csr_array
from sklearn.preprocessing import normalize

from transductive.margin import MeanOfClosest, MeanOfPairs

from ...datasets import load_rcv1_full, tf_idf, word_counts
from ...runner.declaration import Experiment, UnitMean, register
from ...runner.parameters import Parameter
from .selection import NONE, best, error, grid

#: The grids, for documents of unit length and a linear kernel. The universum's begin nearest the
#: SVM.
COSTS = (0.1, 0.3, 1.0, 3.0, 10.0)
UNIVERSUM = {"universum_costs": (0.001, 0.01, 0.1, 1.0), "epsilons": (0.1, 0.0)}
DEFAULT_COST = 1.0
#: Machines without a universum: the SVM, and the SVM with its threshold at 0.
SVM, THROUGH_ZERO = "svm", "svm, no intercept"
CHOSEN = ("error", "error_validation", "C", "C_universum", "epsilon")


def machines(X, y, universum, points, **options):
    """All machines of the grid with a linear kernel.

    Parameters
    ----------
    X : csr_array of shape (l, d)
    y : ndarray of shape (l,)
    universum : csr_array of shape (u, d), or None
    points : dict of str to csr_array
    **options
        Of `grid`.

    Returns
    -------
    list of Fit
    """
    costs = {"costs": COSTS} | ({} if universum is None else UNIVERSUM)
    return grid(X, y, universum, points, kernel="linear", **(costs | options))


def by_validation(fits, y_validation, y_test):
    """What is recorded of a grid: the machine with fewest validation errors, and the luckiest."""
    fit = best(fits, y_validation)
    chosen = error(fit.values["test"], y_test), error(fit.values["validation"], y_validation)
    row = dict(zip(CHOSEN, (*chosen, fit.C, fit.C_universum, fit.epsilon), strict=True))
    oracle = best(fits, y_test, "test")
    return row | {"error_oracle": error(oracle.values["test"], y_test)}


def draw(y, n_train, n_most, n_validation, rng, n_test=None):
    """Rows of the training subset, to validate and to test on.

    Drawn without stratification, again until the training subset has both classes.

    Parameters
    ----------
    y : ndarray of shape (n,)
    n_train, n_most : int
        Size of the training subset, and of the largest: the rows between are left out, so that
        all sizes are tested alike.
    n_validation : int
    rng : Generator
    n_test : int, optional
        At most; by default all the rest.

    Returns
    -------
    train, validation, test : ndarray of int
    """
    order = rng.permutation(len(y))
    while len(np.unique(y[order[:n_train]])) < 2:
        order = rng.permutation(len(y))
    end = n_most + n_validation
    stop = len(y) if n_test is None else end + n_test
    return order[:n_train], order[n_most:end], order[end:stop]


# ---- RCV1 ----------------------------------------------------------------------------------------

#: Topics: of all stories, of the class +1, and of the universum. Those of the stand-in are others.
TOPICS = {"generated_text": ("acq", "earn", "crude")}
RCV1_TOPICS = ("CCAT", "C15", "M14")
RCV1_TRAIN = (50, 100, 200, 500, 1000)
N_STORIES = 500
#: Stories to test on, at most: the full corpus has more than 300000.
MOST_TEST = 10_000


@dataclass(frozen=True, eq=False)
class Stories:
    """Vectors of unit length of two classes, and those of another topic."""

    X: csr_array
    y: np.ndarray
    other: csr_array

    @property
    def n_most(self):
        """Largest training subset: the published one, or half of a small table."""
        return min(max(RCV1_TRAIN), len(self.y) // 2)

    @property
    def n_validation(self):
        """500, or a fifth of a small table."""
        return min(500, len(self.y) // 5)


_STORIES: dict[str, Stories] = {}


def stories(table):
    """Stories of CCAT, +1 for C15; and those of M14 that are not in CCAT. Kept between units.

    Parameters
    ----------
    table : TextVectors or TextDataset

    Returns
    -------
    Stories
    """
    if table.sha256 not in _STORIES:
        whole, positive, other = (table.labels(t) == 1 for t in TOPICS.get(table.name, RCV1_TOPICS))
        whole = whole | positive
        vectors = getattr(table, "X", None)
        X = tf_idf(word_counts(table.documents)[0]) if vectors is None else normalize(vectors)
        X = csr_array(X)
        y = np.where(positive[whole], 1, -1)
        _STORIES[table.sha256] = Stories(X[whole], y, X[other & ~whole])
    return _STORIES[table.sha256]


@lru_cache(maxsize=1)
def _full():
    return load_rcv1_full()


def _run_rcv1(key, params, data, rng):
    table = data["rcv1_k500"] if params["corpus"] == "rcv1_k500" else _full()
    text = stories(table)
    n_train = min(key["n_train"], text.n_most)
    train, validation, test = draw(text.y, n_train, text.n_most, text.n_validation, rng, MOST_TEST)
    points = {"validation": text.X[validation], "test": text.X[test]}
    X, y = text.X[train], text.y[train]
    others = rng.permutation(text.other.shape[0])[:N_STORIES]
    closest = MeanOfClosest(N_STORIES, random_state=int(rng.integers(2**31))).fit(X, y)
    universa = {
        SVM: None,
        THROUGH_ZERO: None,
        "M14": text.other[others],
        "MoC": closest.transform(X),
    }
    rows = []
    for method, universum in universa.items():
        fits = machines(X, y, universum, points, fit_intercept=method != THROUGH_ZERO)
        rows.append(
            {"method": method, "n_universum": 0 if universum is None else universum.shape[0]}
            | by_validation(fits, text.y[validation], text.y[test])
            | {"positives": int((y > 0).sum()), "n_pool": len(text.y)}
        )
    return rows


def _rcv1_units(params, profile):
    keys = [
        {"n_train": n, "draw": i}
        for i in range({"smoke": 1, "paper": 40, "full": 100}[profile])
        for n in RCV1_TRAIN
    ]
    return keys[: 3 if profile == "smoke" else None]


#: A machine chosen by one document more or less may be another one. With vectors changed by one
#: part in a million, means over a unit's rows changed by 0.003 at most.
AGREEMENT = {
    **dict.fromkeys(("error", "error_validation", "error_oracle"), UnitMean(0.02)),
    **dict.fromkeys(("C", "C_universum", "epsilon"), "ignore"),
}

register(
    Experiment(
        name="universum/rcv1",
        version=1,
        title="Reuters: C15 against the rest of CCAT, with the universa M14 and mean of closest",
        datasets=("rcv1_k500",),
        parameters={
            "corpus": Parameter(
                "rcv1_k500",
                str,
                "6000 stories by 500 words, or all of RCV1-v2",
                choices=("rcv1_k500", "rcv1"),
            )
        },
        units=_rcv1_units,
        run_unit=_run_rcv1,
        agreement=AGREEMENT,
    )
)


# ---- WinMac --------------------------------------------------------------------------------------

NEWSGROUPS = ("comp.os.ms-windows.misc", "comp.sys.mac.hardware")
GROUPS = {"generated_text": ("acq", "earn")}
WINMAC_TRAIN = (10, 25, 50, 75, 100)
N_PAIRS = 200
N_FOLDS = 5
TF_IDF, COUNTS = "tf-idf", "counts"
#: Features, and how the training subset is drawn; the first is the main one.
CONDITIONS = ((TF_IDF, "random"), (TF_IDF, "balanced"), (COUNTS, "random"))
#: What the mean of two documents is: of their vectors; that at unit length, as documents are; of
#: their word counts, made a vector as those of documents are.
READINGS = ("vectors", "unit length", "counts")

# articles begin with the line From, which hardly a sender of the one group has in the other
_FROM = re.compile(r"\AFrom:.*\n")


@dataclass(frozen=True, eq=False)
class Articles:
    """Word counts, shares of documents that have a word (or what weighs all alike), labels."""

    counts: csr_array
    shares: np.ndarray
    y: np.ndarray

    def vectors(self, counts):
        """Weighted counts at unit length."""
        return tf_idf(counts, self.shares)

    def mean_of_pairs(self, reading, rows, seed):
        """Universum of `N_PAIRS` means of an article of either class; seeds give pairs.

        Parameters
        ----------
        reading : str
            One of `READINGS`.
        rows : ndarray of int
            The articles to draw from.
        seed : int

        Returns
        -------
        csr_array of shape (N_PAIRS, words)
        """
        counts = self.counts[rows]
        source = counts if reading == "counts" else self.vectors(counts)
        means = MeanOfPairs(N_PAIRS, random_state=seed).fit(source, self.y[rows]).transform(source)
        if reading == "counts":
            return self.vectors(means)
        return csr_array(means if reading == "vectors" else normalize(means))


_COUNTED: dict[str, tuple] = {}


def articles(table, features):
    """Articles of two groups without their line From, +1 for Mac.

    Parameters
    ----------
    table : TextDataset
        Its words are counted once.
    features : {"tf-idf", "counts"}
        Both of stems without stop words, and at unit length.

    Returns
    -------
    Articles
        Document frequencies are those of all articles; no label is looked at.
    """
    if table.sha256 not in _COUNTED:
        negative, positive = (table.labels(g) == 1 for g in GROUPS.get(table.name, NEWSGROUPS))
        keep = np.flatnonzero(negative ^ positive)
        counts, _ = word_counts([_FROM.sub("", table.documents[i]) for i in keep])
        _COUNTED[table.sha256] = counts, np.where(positive[keep], 1, -1)
    counts, y = _COUNTED[table.sha256]
    if features == COUNTS:
        return Articles(counts, np.full(counts.shape[1], np.exp(-1.0)), y)
    return Articles(counts, np.asarray((counts > 0).sum(axis=0)) / len(y), y)


def draw_balanced(y, n_train, n_most, n_validation, rng):
    """As `draw`, with half of the training subset in each class (one more is negative)."""
    train, validation, test = draw(y, n_most, n_most, n_validation, rng)
    rest = np.r_[train, test]
    halves = [rest[y[rest] == s][: (n_train + (s < 0)) // 2] for s in (-1, 1)]
    test = np.setdiff1d(rest, np.concatenate(halves))
    return np.concatenate(halves), validation, test


def folds(y, rng):
    """Number of the fold of each point, the classes dealt out evenly."""
    order = rng.permutation(len(y))
    order = order[np.argsort(y[order], kind="stable")]
    numbers = np.empty(len(y), dtype=int)
    numbers[order] = np.arange(len(y)) % N_FOLDS
    return numbers


def cross_validated(text, train, number, fit):
    """Place in the grid of the machine with fewest errors in cross-validation.

    Parameters
    ----------
    text : Articles
    train : ndarray of int
    number : ndarray of int
        Fold of each training point.
    fit : callable
        ``fit(rows, points)`` gives the machines of a grid, with a universum made of `rows` alone.

    Returns
    -------
    int
        The first of several. Folds that leave a single class to train on are passed over.
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


def _run_winmac(key, params, data, rng):
    text, n = articles(data["winmac"], key["features"]), key["n_train"]
    drawing = draw_balanced if key["drawn"] == "balanced" else draw
    n_validation = min(200, len(text.y) // 5)
    train, validation, test = drawing(text.y, n, max(WINMAC_TRAIN), n_validation, rng)
    y = text.y[train]
    number, seed = folds(y, rng), int(rng.integers(2**31))
    parts = {"train": train, "validation": validation, "test": test}
    points = {name: text.vectors(text.counts[rows]) for name, rows in parts.items()}

    def fit(method):
        def machines_of(rows, points):
            made = method in READINGS
            universum = text.mean_of_pairs(method, rows, seed) if made else None
            X = text.vectors(text.counts[rows])
            # tight, so that machines which should not differ do not
            options = {"fit_intercept": method != THROUGH_ZERO, "tol": 1e-4}
            return machines(X, text.y[rows], universum, points, **options)

        return machines_of

    rows = []
    for method in (SVM, THROUGH_ZERO, *READINGS):
        fits = fit(method)(train, points)
        stiff = [f.values for f in fits if f.C == max(COSTS)]
        if method == SVM:
            plain = stiff[0]
        row = {"method": method, "n_universum": N_PAIRS if method in READINGS else 0}
        row |= by_validation(fits, text.y[validation], text.y[test])
        usual = next(f for f in fits if f.C == DEFAULT_COST) if method not in READINGS else None
        row["error_default"] = NONE if usual is None else error(usual.values["test"], text.y[test])
        row["error_cv"] = NONE
        if key["features"] == TF_IDF and key["drawn"] == "random":
            place = cross_validated(text, train, number, fit(method))
            row["error_cv"] = error(fits[place].values["test"], text.y[test])
        row["moved"] = max(np.abs(values["test"] - plain["test"]).max() for values in stiff)
        row["off_margin"] = np.abs(y * plain["train"] - 1.0).max()
        rows.append(row | {"positives": int((y > 0).sum()), "n_pool": len(text.y)})
    return rows


def _winmac_units(params, profile):
    keys = [
        {"features": features, "drawn": drawn, "n_train": n, "draw": i}
        for i in range({"smoke": 1, "paper": 25, "full": 100}[profile])
        for n in WINMAC_TRAIN
        for features, drawn in CONDITIONS
    ]
    return keys[: 3 if profile == "smoke" else None]


register(
    Experiment(
        name="universum/winmac",
        version=1,
        title="WinMac: mean of pairs as a universum, and how it was tuned",
        datasets=("winmac",),
        units=_winmac_units,
        run_unit=_run_winmac,
        agreement=AGREEMENT
        | dict.fromkeys(("error_default", "error_cv"), UnitMean(0.02))
        | dict.fromkeys(("moved", "off_margin"), 0.01),
    )
)
