"""Few labels, many unlabelled points: `TransductiveSVC` with its defaults beside its peers.

The protocol, fixed before its first row. Ten or a hundred labelled points are drawn at random, six
times, each class among them at least once; of all others at most 500 are working points. Errors are
those of the labels of the working points. No method sees the share of the classes but in the
labelled points.

The data sets are those of the papers, MNIST in pairs of digits, USPS and digits with all ten
classes, and texts with a linear kernel and TF-IDF; features of tables are standardised over all
points. The peers have scikit-learn's defaults, but seven neighbours (`kernel="knn"`) for the graph
methods, and the self-trained SVM has the costs of `TransductiveSVC`.
"""

import warnings
from collections.abc import Iterator
from functools import cache
from time import process_time

import numpy as np
from measuring import stored, table_row
from record_tables import Record, folded, table
from scipy.sparse import issparse, vstack
from sklearn.preprocessing import scale
from sklearn.semi_supervised import LabelPropagation, LabelSpreading, SelfTrainingClassifier
from sklearn.svm import SVC

from transductive import BayesianTransduction, TransductiveSVC
from transductive_compendium.datasets import available, load, tf_idf, word_counts

TITLE = "Few labels, many unlabelled points"
METHOD = "one thread; processor time; fits are kept until code changes; mean of six label sets"
LABELS, DRAWS, WORKING = (10, 100), (10, 11, 12, 13, 14, 15), 500


def _digits(name, *digits):
    table = load(name, positive=digits[1:], negative=digits[:1])
    return table.X / table.X.max(), table.codes


def _table(name):
    table = load(name)
    return scale(table.X), table.y


def _texts(name, topic):
    texts = load(name)
    counts, _ = word_counts(texts.documents)
    return tf_idf(counts), texts.labels(topic)


#: The data set that each problem needs, and what makes points and classes of it.
PROBLEMS = {
    "thyroid": ("thyroid", lambda: _table("thyroid")),
    "heart": ("heart", lambda: _table("heart")),
    "banana": ("banana", lambda: _table("banana")),
    "diabetis": ("ida_diabetis", lambda: _table("ida_diabetis")),
    "breast cancer (Ljubljana)": ("ida_breast_cancer", lambda: _table("ida_breast_cancer")),
    "MNIST 4 and 9": ("mnist", lambda: _digits("mnist", 4, 9)),
    "MNIST 5 and 8": ("mnist", lambda: _digits("mnist", 5, 8)),
    "digits, ten classes": ("digits", lambda: _digits("digits", *range(10))),
    "USPS, ten classes": ("usps", lambda: _digits("usps", *range(10))),
    "WinMac": ("winmac", lambda: _texts("winmac", "comp.sys.mac.hardware")),
    "Reuters acq": ("reuters21578", lambda: _texts("reuters21578", "acq")),
}
TEXTS = ("WinMac", "Reuters acq")


@cache
def points(name):
    """All points of a problem, and their classes as whole numbers from 0."""
    X, y = PROBLEMS[name][1]()
    return X, np.unique(y, return_inverse=True)[1]


def draw(X, y, n_labels, seed):
    """Labelled points and their classes, working points and theirs."""
    rng, order = np.random.default_rng([seed, n_labels]), None
    while order is None or len(np.unique(y[order[:n_labels]])) < y.max() + 1:
        order = rng.permutation(len(y))[: n_labels + WORKING]
    first, others = np.split(order, [n_labels])
    return X[first], y[first], X[others], y[others]


TSVM, INDUCTIVE = "TransductiveSVC", "its SVM, C_star = 0"


def _self_trained(kernel):
    machine = SVC(C=TransductiveSVC().C, kernel=kernel, probability=True, random_state=0)
    return SelfTrainingClassifier(machine)


#: Methods, as functions of the kernel; None where a method has no such kernel.
METHODS = {
    TSVM: lambda kernel: TransductiveSVC(kernel=kernel),
    "TransductiveSVC, manifold 0": lambda kernel: TransductiveSVC(kernel=kernel, manifold=0.0),
    INDUCTIVE: lambda kernel: TransductiveSVC(kernel=kernel, C_star=0.0, manifold=0.0),
    "BayesianTransduction": lambda kernel: (
        None if kernel == "linear" else BayesianTransduction(random_state=0)
    ),
    "SVC": lambda kernel: SVC(kernel=kernel),
    "SelfTrainingClassifier": _self_trained,
    "LabelSpreading": lambda kernel: LabelSpreading(kernel="knn"),
    "LabelPropagation": lambda kernel: LabelPropagation(kernel="knn", max_iter=10_000),
}


#: Heads of their columns, which break into short lines.
HEADS = (
    "Trans- ductive SVC",
    "the same, manifold 0",
    "the same, C_star 0",
    "Bayesian Trans- duction",
    "SVC",
    "Self- Training Classifier",
    "Label Spreading",
    "Label Propa- gation",
)


def _kernel(name):
    return "linear" if name in TEXTS else "rbf"


@stored("few_labels", __file__)
def judged(name, n_labels, seed, method):
    """Error of a method, and seconds of its fit."""
    X, y, working, truth = draw(*points(name), n_labels, seed)
    model = METHODS[method](_kernel(name))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        begin = process_time()
        if isinstance(model, LabelSpreading | LabelPropagation | SelfTrainingClassifier):
            both = vstack([X, working]).tocsr() if issparse(X) else np.vstack([X, working])
            given = model.fit(both, np.r_[y, np.full(len(truth), -1)]).predict(working)
        elif isinstance(model, SVC):
            given = model.fit(X, y).predict(working)
        else:
            model.fit(X, y, working)
            given = model.predict(working) if method == INDUCTIVE else model.transduction_
    return {"error": float(np.mean(given != truth)), "seconds": process_time() - begin}


def measure() -> Iterator[dict]:
    """All rows of the table, one by one."""
    for name, (needed, _) in PROBLEMS.items():
        if not available(needed):
            print(f"{name} is left out: transductive data fetch {needed}", flush=True)
            continue
        for n in LABELS:
            for method in [method for method in METHODS if METHODS[method](_kernel(name))]:
                found = [judged(name, n, seed, method) for seed in DRAWS]
                errors, place = (
                    [one["error"] for one in found],
                    ("peers", case(name, n, method), {}),
                )
                error = np.std(errors, ddof=1) / np.sqrt(len(errors))
                yield table_row(*place, "error", "%", 100 * np.mean(errors))
                yield table_row(*place, "standard error", "percentage points", 100 * error)
                seconds = np.mean([one["seconds"] for one in found])
                yield table_row(*place, "a fit", "seconds", seconds)


def case(name, n_labels, method):
    """Name of a case in the table."""
    return f"{name}, {n_labels} labels, {method}"


def page(rows, number):
    """The recorded rows as Markdown.

    Parameters
    ----------
    rows : pandas.DataFrame
    number : callable
        Writes a number.

    Returns
    -------
    lines : list of str
    """
    record = Record(rows)

    def of(quantity):
        lines = [
            ((name, str(n)), [record.value("peers", case(name, n, m), quantity) for m in METHODS])
            for name in PROBLEMS
            for n in LABELS
        ]
        return table(("data", "labels"), HEADS, lines, number)

    return [
        *("**Errors of the labels of the working points, %**", ""),
        *of("error"),
        *folded("Standard errors over the six label sets, percentage points", of("standard error")),
        *folded("Seconds of a fit", of("a fit")),
    ]
