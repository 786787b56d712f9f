"""Do probabilities hold where labels are wrong? On data outside the papers, with planted flips.

The protocol, fixed before its first row. Ten problems, of generated families and of the sets that
come with scikit-learn; 100 labelled points (80 of iris and wine) and up to 300 others; no, 10 % or
20 % of the labels flipped; three draws of points and flips; features scaled by the labelled
points. The kernel is RBF with ``gamma="scale"`` for all but the Gaussian process, which fits its
own width by its evidence. Probabilities are compared with clean labels. The log-loss takes none
below 0.001. Confident means a probability of 95 % or more for one class.

The right default of q has the least mean log-loss over all problems and shares of flips; where two
are within one standard error (over the problems) the one whose confident labels are right in at
least 95 %, else the simpler one.

Labels are ranked as suspicious by `flip_proba_` and, for comparison, by the out-of-fold
probability of the given label under a calibrated SVM, the score of confident learning. Precision:
share of planted flips among as many most suspicious labels as were flipped.
"""

import warnings
from collections.abc import Iterator
from functools import cache
from time import process_time

import numpy as np
from measuring import table_row
from sklearn.calibration import CalibratedClassifierCV
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
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF, ConstantKernel
from sklearn.metrics import log_loss
from sklearn.model_selection import cross_val_predict
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from transductive import BayesianTransduction

TITLE = "Probabilities under label noise, on data outside the papers"
METHOD = "one thread; processor time; mean of all draws"
GROUPS = {
    "methods": "All problems",
    "problems": "Each problem, noise inferred with the Beta(1, 9) prior",
}
SHARES = (0.0, 0.1, 0.2)
DRAWS = 3
OTHERS = 300
CONFIDENT = 0.95


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
    """Points and labels, 0 and 1."""
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


def _svm():
    return CalibratedClassifierCV(SVC(), ensemble=False)


def _process():
    return GaussianProcessClassifier(ConstantKernel() * RBF())


METHODS = {
    "q inferred, Beta(1, 9)": lambda: BayesianTransduction(q="infer", random_state=0),
    "q inferred, Beta(1, 1)": lambda: BayesianTransduction(
        q="infer", q_prior=(1, 1), random_state=0
    ),
    "q = 0.05": lambda: BayesianTransduction(q=0.05, random_state=0),
    "q = 0, ridge 0": lambda: BayesianTransduction(q=0.0, random_state=0),
    "q = 0, ridge 1": lambda: BayesianTransduction(q=0.0, ridge=1.0, random_state=0),
    "Gaussian process": _process,
    "calibrated SVM": _svm,
}


@cache
def judged(method, name, share, seed):
    """What a method says of one draw."""
    X, y, wrong, others, truth = draw(name, share, seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", ConvergenceWarning)
        with warnings.catch_warnings(record=True) as caught:
            model = METHODS[method]()
            begin = process_time()
            p = model.fit(X, y).predict_proba(others)[:, 1]
            seconds = process_time() - begin
    sure = np.maximum(p, 1 - p) >= CONFIDENT
    found = {
        "error": np.mean((p >= 0.5) != truth),
        "log-loss": log_loss(truth, np.clip(p, 1e-3, 1 - 1e-3), labels=[0, 1]),
        "confident": np.mean(sure),
        "confident and right": np.sum(sure & ((p >= 0.5) == truth)),
        "confident points": np.sum(sure),
        "seconds": seconds,
        "warned": any(issubclass(w.category, ConvergenceWarning) for w in caught),
    }
    if isinstance(model, BayesianTransduction):
        found["noise"] = model.q_
        if share and model.q != 0:
            found["precision"] = _precision(-model.flip_proba_, wrong)
    elif share and method == "calibrated SVM":
        given = cross_val_predict(_svm(), X, y, cv=5, method="predict_proba")[np.arange(len(y)), y]
        found["precision"] = _precision(given, wrong)
    return found


def _precision(score, wrong):
    return np.mean(wrong[np.argsort(score, kind="stable")[: wrong.sum()]])


def _rows(group, case, found, bar):
    place = group, case, {"l": 0, "m": 0}
    mean = {
        key: float(np.mean([one[key] for one in found if key in one]))
        for key in ("error", "log-loss", "confident", "seconds", "warned", "noise", "precision")
        if any(key in one for one in found)
    }
    yield table_row(*place, "error", "%", 100 * mean["error"])
    yield table_row(*place, "log-loss", "nats", mean["log-loss"])
    yield table_row(*place, "confident (95 % or more)", "% of points", 100 * mean["confident"])
    points = sum(one["confident points"] for one in found)
    right = 100 * sum(one["confident and right"] for one in found) / max(points, 1)
    yield table_row(*place, "right where confident", "%", right, at_least=bar)
    if "noise" in mean:
        yield table_row(*place, "noise found", "%", 100 * mean["noise"])
    if "precision" in mean:
        yield table_row(*place, "flips among suspects", "%", 100 * mean["precision"])
    yield table_row(*place, "a fit", "seconds", mean["seconds"])
    if "noise" in mean:
        yield table_row(*place, "fits that warn", "%", 100 * mean["warned"])


def measure() -> Iterator[dict]:
    """All rows of the table, one by one."""
    for share in SHARES:
        for method in METHODS:
            try:
                found = [
                    judged(method, name, share, seed) for name in PROBLEMS for seed in range(DRAWS)
                ]
            except ValueError:
                # without noise or ridge there is no version space
                continue
            bar = 95.0 if method == "q inferred, Beta(1, 9)" else np.nan
            yield from _rows("methods", f"{100 * share:.0f} % flips, {method}", found, bar)
    for name in PROBLEMS:
        for share in SHARES:
            found = [judged("q inferred, Beta(1, 9)", name, share, seed) for seed in range(DRAWS)]
            yield from _rows("problems", f"{name}, {100 * share:.0f} % flips", found, np.nan)
