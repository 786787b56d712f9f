"""Ten problems outside the papers, drawn with planted flips of the labels."""

from functools import cache

import numpy as np
from sklearn.datasets import (
    load_breast_cancer,
    load_digits,
    load_iris,
    load_wine,
    make_circles,
    make_classification,
    make_gaussian_quantiles,
    make_moons,
)
from sklearn.preprocessing import StandardScaler

OTHERS = 300


def _two(load, first, second):
    X, y = load(return_X_y=True)
    chosen = (y == first) | (y == second)
    return X[chosen], y[chosen] == second


def _digit_8():
    X, y = load_digits(return_X_y=True)
    return X, y == 8


#: Points and labels, and how many of them are labelled.
PROBLEMS = {
    "moons": (lambda: make_moons(800, noise=0.25, random_state=0), 100),
    "circles": (lambda: make_circles(800, noise=0.15, factor=0.5, random_state=0), 100),
    "quantiles": (lambda: make_gaussian_quantiles(
        n_samples=800, n_features=5, n_classes=2, random_state=0), 100),
    "informative": (lambda: make_classification(
        800, n_features=20, n_informative=8, flip_y=0.0, random_state=0), 100),
    "wine 1 and 2": (lambda: _two(load_wine, 1, 2), 80),
    "iris 1 and 2": (lambda: _two(load_iris, 1, 2), 80),
    "digits 3 and 8": (lambda: _two(load_digits, 3, 8), 100),
    "digits 4 and 9": (lambda: _two(load_digits, 4, 9), 100),
    "digit 8 and the rest": (_digit_8, 100),
    "breast cancer": (lambda: load_breast_cancer(return_X_y=True), 100),
}  # fmt: skip


@cache
def problem(name):
    """All points, their labels (0 and 1), and how many are labelled."""
    load, n_labelled = PROBLEMS[name]
    X, y = load()
    return X, y.astype(int), n_labelled


def draw(name, share, seed):
    """Labelled points, their given labels, which are wrong; other points and their labels."""
    X, y, l = problem(name)
    rng = np.random.default_rng([seed, len(y)])
    order = rng.permutation(len(y))[: l + OTHERS]
    X, y = X[order], y[order]
    X = StandardScaler().fit(X[:l]).transform(X)
    wrong = np.zeros(l, dtype=bool)
    wrong[rng.permutation(l)[: round(share * l)]] = True
    return X[:l], np.where(wrong, 1 - y[:l], y[:l]), wrong, X[l:], y[l:]
