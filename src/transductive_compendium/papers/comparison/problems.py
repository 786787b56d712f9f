"""Common data and random splits, and the one rule that gives all methods their kernel."""

import zlib
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from sklearn.preprocessing import scale

from transductive.leave_one_out import RidgeLOO

from ...datasets.digit_tasks import task_rows
from ...datasets.reuters_corpus import CATEGORIES, corpus


class Problem(NamedTuple):
    """A data set, its kernel, and the two classes to be separated."""

    dataset: str
    kernel: str = "rbf"
    part: str = ""


PROBLEMS = {
    "thyroid": Problem("thyroid"),
    "heart": Problem("heart"),
    "banana": Problem("banana"),
    "mnist 5 / 8": Problem("mnist", part="5 / 8"),
    "reuters earn": Problem("reuters21578", "linear", "earn"),
    "reuters acq": Problem("reuters21578", "linear", "acq"),
}
DATASETS = ("thyroid", "heart", "banana", "mnist", "reuters21578")
#: Numbers of labels; a split's smaller training sets are the beginnings of its larger ones.
LABELS = (10, 20, 40, 80)
#: Positive and negative rows that working points are drawn from.
CLASS_SIZES = {
    "thyroid": (150, 65),
    "heart": (120, 150),
    "banana": (2376, 2924),
    "mnist 5 / 8": (6825, 6313),
    "reuters earn": (1087, 2212),
    "reuters acq": (719, 2580),
}
#: Rows that the labelled documents are drawn from; elsewhere they are those of the working points.
REUTERS_TRAINING_ROWS = 9603
#: Least number of each class among the fewest labels.
MIN_OF_EACH_CLASS = 2
#: Ridges that the leave-one-out error chooses from, over the mean of k(x, x); widths of the RBF
#: kernel, times one over the number of features and their variance.
RIDGES = tuple(10.0 ** (k / 2) for k in range(-4, 3))
WIDTHS = tuple(2.0**k for k in range(-5, 4))


@dataclass(frozen=True, eq=False)
class Table:
    """Points and classes of a problem, and the rows that labels and working points come from."""

    X: np.ndarray  # or a CSR matrix, for texts
    y: np.ndarray
    to_label: np.ndarray
    to_work: np.ndarray

    def points(self, rows):
        """Rows as an array. Texts get a constant feature, since some methods have no intercept."""
        if isinstance(self.X, np.ndarray):
            return self.X[rows]
        dense = self.X[rows].toarray()
        return np.column_stack([dense[:, dense.any(axis=0)], np.ones(len(rows))])


def table(name, data):
    """The table of a problem.

    Parameters
    ----------
    name : str
        A key of `PROBLEMS`.
    data : dict of str to Dataset

    Returns
    -------
    Table
        Features of thyroid and heart are standardised over all rows, without the classes. Texts are
        TF-IDF vectors of length 1: labelled points come from the published training part, working
        points from the test part.
    """
    problem = PROBLEMS[name]
    source = data[problem.dataset]
    if problem.kernel == "linear":
        text = corpus(source)
        y = np.where(text.positive[:, CATEGORIES.index(problem.part)], 1, -1)
        return Table(text.vectors, y, *np.split(np.arange(len(y)), [text.n_train]))
    if problem.part:
        X, y = task_rows("mnist", problem.part, data)
    else:
        X, y = scale(source.X), source.y
    return Table(X, y, np.arange(len(y)), np.arange(len(y)))


def n_working(n):
    """Size of the working set: 400, or at most a quarter of the rows of a small table."""
    return min(400, n // 4)


def random_split(found, rng):
    """Rows of the largest set of labelled points, and of the working points; they are disjoint.

    Chosen without regard to classes, and again until the fewest labels have `MIN_OF_EACH_CLASS`.

    Parameters
    ----------
    found : Table
    rng : numpy.random.Generator

    Returns
    -------
    labelled, working : ndarray of int64
        80 rows, and `n_working` rows.
    """
    while True:
        labelled = rng.permutation(found.to_label)[: max(LABELS)]
        first = found.y[labelled[: min(LABELS)]]
        if min(np.sum(first == 1), np.sum(first == -1)) >= MIN_OF_EACH_CLASS:
            break
    rest = np.setdiff1d(found.to_work, labelled)
    return labelled, rng.permutation(rest)[: n_working(len(found.to_work))]


def generator(name, number, seed):
    """The generator of a split: the same one in all experiments."""
    return np.random.default_rng([seed, zlib.crc32(name.encode()), number])


@dataclass(frozen=True, eq=False)
class Sample:
    """Labelled and working points, and the parameters chosen on the labelled ones only."""

    X: np.ndarray
    y: np.ndarray
    X_working: np.ndarray
    truth: np.ndarray
    kernel: str

    @cached_property
    def choice(self):
        """The kernel ridge regression with the smallest leave-one-out error."""
        size = np.mean(np.einsum("ij,ij->i", self.X, self.X)) if self.kernel == "linear" else 1.0
        gammas = np.array(WIDTHS) / (self.X.shape[1] * self.X.var())
        return RidgeLOO(
            size * np.array(RIDGES),
            kernel=self.kernel,
            gammas=None if self.kernel == "linear" else gammas,
            penalty="norm",
        ).fit(self.X, self.y)

    @property
    def kernel_options(self):
        """``kernel`` and ``gamma`` for an estimator."""
        if self.kernel == "linear":
            return {"kernel": "linear"}
        return {"kernel": self.kernel, "gamma": self.choice.gamma_}

    @property
    def ridge(self):
        """The chosen ridge."""
        return self.choice.alpha_


def sample(name, found, labelled, working):
    """The `Sample` of given rows of a `Table`."""
    points, n = found.points(np.r_[labelled, working]), len(labelled)
    y = found.y.astype(float)
    return Sample(points[:n], y[labelled], points[n:], y[working], PROBLEMS[name].kernel)
