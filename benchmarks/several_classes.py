"""Do the probabilities of several classes hold? How those of one against the rest are joined.

The protocol, fixed before its first row. Four sets outside the papers: scikit-learn's digits (ten
classes), iris and wine, and three overlapping Gaussian clouds in the plane. 100 labelled points (80
of iris and wine) and up to 300 others; no, 10 % or 20 % of the labels changed to another class
drawn uniformly; three draws of points and changes; features scaled by the labelled points.
`BayesianTransduction` with its defaults gives each class's p+ against the rest. Three rules make
probabilities of them:

- *sum*: p+ of each class divided by their sum;
- *odds*: p+ / (1 - p+) divided by their sum, the law of k independent answers given that exactly
  one is yes; no p+ is taken below 0.001 or above 0.999;
- *vote*: a classifier of each class is drawn from its posterior, and the highest output names the
  class; the probability is the share of such draws (now `predict_proba` of the library).

Coupling by pairs (Bradley and Terry) is no fourth rule: from p_i / (p_i + p_j) it gives *sum*, from
p_i (1 - p_j) / (p_i (1 - p_j) + p_j (1 - p_i)) it gives *odds*.

Probabilities are compared with clean labels. The log-loss takes none below 0.001. *Sum* is the rule
of the library before these rows. The rule with the least mean log-loss over the twelve cases (sets
and shares of changed labels) takes its place if it is lower by more than two standard errors (over
the cases, of the differences); a rule other than *sum* must also be right in at least 95 % where it
is confident, or more often than *sum*. Confident means a probability of 95 % or more for one class.
The calibration error is the mean distance, over the points, between the mean highest probability in
ten equal bins and the share of right labels there.
"""

import warnings
from collections.abc import Iterator
from functools import cache
from time import process_time

import numpy as np
from measuring import stored, table_row
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF, ConstantKernel
from sklearn.metrics import log_loss
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from transductive import BayesianTransduction

TITLE = "Probabilities of several classes, on data outside the papers"
METHOD = "one thread; fits are kept until code changes; mean of all draws"
SHARES, DRAWS, OTHERS, CONFIDENT, BINS, LEAST = (0.0, 0.1, 0.2), (10, 11, 12), 300, 0.95, 10, 1e-3


def _clouds():
    """Three clouds of unit variance whose centres are two apart, and which of them."""
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=800)
    centres = np.array([[-1.0, 0.0], [1.0, 0.0], [0.0, np.sqrt(3.0)]])
    return centres[y] + rng.standard_normal((800, 2)), y


#: Points and labels, and how many of them are labelled.
PROBLEMS = {
    "digits": (lambda: load_digits(return_X_y=True), 100),
    "three clouds": (_clouds, 100),
    "iris": (lambda: load_iris(return_X_y=True), 80),
    "wine": (lambda: load_wine(return_X_y=True), 80),
}


def draw(name, share, seed):
    """Labelled points and their given labels, other points and their labels."""
    load, l = PROBLEMS[name]
    X, y = load()
    rng = np.random.default_rng([seed, len(y)])
    order = rng.permutation(len(y))[: l + OTHERS]
    X, y = X[order], y[order]
    X, given, k = StandardScaler().fit(X[:l]).transform(X), y[:l].copy(), y.max() + 1
    wrong = rng.permutation(l)[: round(share * l)]
    given[wrong] = (given[wrong] + rng.integers(1, k, len(wrong))) % k
    return X[:l], given, X[l:], y[l:]


def by_sum(positive):
    """Probabilities of one against the rest, (m, k), divided by their sum."""
    return positive / positive.sum(axis=1, keepdims=True)


def by_odds(positive):
    """The same for their odds."""
    p = np.clip(positive, LEAST, 1.0 - LEAST)
    return by_sum(p / (1.0 - p))


@stored("several_classes", __file__)
def answers(name, share, seed):
    """Probabilities of each class against the rest, and the library's by votes, of other points."""
    X, y, others, _ = draw(name, share, seed)
    begin = process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = BayesianTransduction(random_state=0).fit(X, y)
    seconds = process_time() - begin
    positive = np.stack([one.predict_proba(others)[:, 1] for one in model.estimators_], axis=1)
    return {
        "positive": positive.tolist(),
        "vote": model.predict_proba(others).tolist(),
        "seconds": seconds,
    }


PEERS = {
    "Gaussian process": lambda: GaussianProcessClassifier(
        ConstantKernel() * RBF(), n_restarts_optimizer=2, random_state=0
    ),
    "calibrated SVM": lambda: CalibratedClassifierCV(SVC(), ensemble=False),
}


@stored("several_classes", __file__)
def of_peer(peer, name, share, seed):
    """Probabilities by one of the peers."""
    X, y, others, _ = draw(name, share, seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return PEERS[peer]().fit(X, y).predict_proba(others).tolist()


RULES = {
    "sum": lambda found: by_sum(np.maximum(found["positive"], 1e-12)),
    "odds": lambda found: by_odds(np.array(found["positive"])),
    "vote": lambda found: np.array(found["vote"]),
}
METHODS = {
    **{rule: lambda *a, join=join: join(answers(*a)) for rule, join in RULES.items()},
    **{peer: lambda *a, peer=peer: np.array(of_peer(peer, *a)) for peer in PEERS},
}


def compared(p, truth):
    """What is said of probabilities (m, k) and labels from 0 to k - 1; sums where one pools."""
    p = np.clip(p, LEAST, 1.0)
    p /= p.sum(axis=1, keepdims=True)
    highest, right = p.max(axis=1), p.argmax(axis=1) == truth
    bins = np.minimum((BINS * highest).astype(int), BINS - 1)
    sure = highest >= CONFIDENT
    return {
        "error": np.mean(~right),
        "log-loss": log_loss(truth, p, labels=np.arange(p.shape[1])),
        "too sure": np.mean(highest - right),
        "confident": np.mean(sure),
        "sure": np.sum(sure),
        "sure and right": np.sum(sure & right),
        "excess": np.bincount(bins, highest - right, BINS),
        "points": len(truth),
    }


@cache
def case(method, name, share):
    """A method's draws in one case, pooled or averaged."""
    found = []
    for seed in DRAWS:
        found.append(compared(METHODS[method](name, share, seed), draw(name, share, seed)[-1]))
    return {key: np.mean([one[key] for one in found], axis=0) for key in found[0]}


CASES = [(name, share) for share in SHARES for name in PROBLEMS]
QUANTITIES = {
    "error": ("%", 100.0),
    "log-loss": ("nats", 1.0),
    "too sure": ("percentage points", 100.0),
    "confident": ("% of points", 100.0),
}


def _rows(group, name, found):
    for quantity, (unit, factor) in QUANTITIES.items():
        mean = factor * np.mean([one[quantity] for one in found])
        yield table_row(group, name, {}, quantity, unit, mean)
    sure = sum(one["sure"] for one in found)
    right = 100.0 * sum(one["sure and right"] for one in found) / sure if sure else np.nan
    yield table_row(group, name, {}, "right where confident", "%", right)
    apart = np.abs(sum(one["excess"] for one in found)).sum() / sum(one["points"] for one in found)
    yield table_row(group, name, {}, "calibration error", "percentage points", 100.0 * apart)


def measure() -> Iterator[dict]:
    """All rows of the table, one by one."""
    for method in METHODS:
        for share in SHARES:
            found = [case(method, name, share) for name in PROBLEMS]
            yield from _rows("methods", f"{100 * share:.0f} %, {method}", found)
        for name, share in CASES:
            found = [case(method, name, share)]
            yield from _rows("cases", f"{name}, {100 * share:.0f} %, {method}", found)
    losses = {m: np.array([case(m, *c)["log-loss"] for c in CASES]) for m in METHODS}
    for method, loss in losses.items():
        above = loss - losses["sum"]
        error = np.std(above, ddof=1) / np.sqrt(len(above))
        yield table_row("choice", method, {}, "log-loss", "nats", np.mean(loss))
        yield table_row("choice", method, {}, "above sum", "nats", np.mean(above))
        yield table_row("choice", method, {}, "standard error", "nats", error)
