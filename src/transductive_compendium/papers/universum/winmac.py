"""WinMac as on the poster: means of one document of each class, as bags of words.

Inference with the Universum, experiments: WinMac, universum (viii).
"""

from __future__ import annotations

import re
import warnings
from functools import lru_cache
from itertools import product

import numpy as np
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import normalize

from transductive.kernels import gram_matrix, stack
from transductive.margin import MeanOfPairs
from transductive.margin.gram import solver_gram
from transductive.margin.universum_solver import UniversumSolver

from ...datasets import load, tf_idf, word_counts
from ...runner import crossed, experiment
from ...runner.companions import options
from .grid_search import Fit, best, error
from .text_selection import SVM, random_split

NAME, MEAN = "universum/winmac", "Mean"
TRAINING_SIZES = (10, 25, 50, 75, 100)
N_PAIRS, N_FOLDS = 200, 5
#: Draws of each other option.
N_OPTION_DRAWS = 20
#: Number of validation documents, or a fifth of a small table.
N_VALIDATION = 200
SUBSTITUTE_TOPICS = {"generated_text": ("acq", "earn")}
NEWSGROUPS = {
    "windows_misc": ("comp.os.ms-windows.misc", "comp.sys.mac.hardware"),
    "pc_hardware": ("comp.sys.ibm.pc.hardware", "comp.sys.mac.hardware"),
}
#: Representations of a document by its word counts.
WORDS = {
    "counts": lambda counts: csr_array(counts, dtype=float),
    "unit_counts": lambda counts: csr_array(normalize(csr_array(counts, dtype=float))),
    "tf_idf": lambda counts: csr_array(tf_idf(counts)),
}
#: Grids; costs are over the median of k(x, x), widths of RBF over that of the squared length: a
#: few documents are many times longer than the rest.
COSTS, UNIVERSUM_COSTS = (0.01, 0.1, 1.0, 10.0, 100.0), (0.001, 0.01, 0.1, 1.0, 10.0)
#: Largest number of solver steps: means with a document a thousand times longer would not finish.
MAX_ITER = 10_000
KERNELS = {"linear": (float("nan"),), "rbf": (0.3, 1.0, 3.0)}
EPSILON = {"program": (0.05,), "tuned": (0.1, 0.05, 0.0), "zero": (0.0,)}
# articles begin with the line From, and few senders wrote to both groups
_FROM = re.compile(r"\AFrom:.*\n")
_DOCUMENTS: dict[tuple, tuple] = {}


@lru_cache(maxsize=1)
def _with_pc_hardware():
    return load("winmac", negative=NEWSGROUPS["pc_hardware"][0])


def balanced_split(y, n_train, n_most, n_validation, rng):
    """Like `random_split`, with half of the training subset in each class (an odd one negative)."""
    train, validation, test = random_split(y, n_most, n_most, n_validation, rng)
    rest = np.r_[train, test]
    halves = [rest[y[rest] == s][: (n_train + (s < 0)) // 2] for s in (-1, 1)]
    test = np.setdiff1d(rest, np.concatenate(halves))
    return np.concatenate(halves), validation, test


#: How a training subset is drawn, by option of the open choice `subset`.
SUBSETS = {"random": random_split, "balanced": balanced_split}


def folds(y, rng):
    """Fold of each point, with the classes spread evenly."""
    order = rng.permutation(len(y))
    order = order[np.argsort(y[order], kind="stable")]
    numbers = np.empty(len(y), dtype=int)
    numbers[order] = np.arange(len(y)) % N_FOLDS
    return numbers


def documents(table, newsgroups, words):
    """Vectors of the articles of two groups, without their line From, and +1 for Mac.

    Returns
    -------
    X : csr_array of shape (n, d)
    y : ndarray of shape (n,)
    """
    if newsgroups == "pc_hardware" and table.name == "winmac":
        table = _with_pc_hardware()
    key = table.sha256, newsgroups, words
    if key not in _DOCUMENTS:
        topics = SUBSTITUTE_TOPICS.get(table.name, NEWSGROUPS[newsgroups])
        negative, positive = (table.labels(topic) == 1 for topic in topics)
        keep = np.flatnonzero(negative ^ positive)
        counts, _ = word_counts([_FROM.sub("", table.documents[i]) for i in keep])
        _DOCUMENTS[key] = WORDS[words](counts), np.where(positive[keep], 1, -1)
    return _DOCUMENTS[key]


def _fits(kernel, X, y, universum, epsilons, points):
    """All classifiers of the grid, and the number of them stopped by `MAX_ITER`."""
    joint = X if universum is None else stack(X, universum)
    squares = float(np.median(X.multiply(X).sum(axis=1)))
    scale = squares if kernel == "linear" else 1.0
    choices = [(0.0, 0.0)]
    if universum is not None:
        choices = list(product((C / scale for C in UNIVERSUM_COSTS), epsilons))
    fits, unconverged = [], 0
    for width in KERNELS[kernel]:
        options = {"kernel": kernel} | ({"gamma": width / squares} if kernel == "rbf" else {})
        K, diagonal = solver_gram(joint, **options)
        across = {name: gram_matrix(where, joint, **options) for name, where in points.items()}
        for C in COSTS:
            solver = UniversumSolver(K, diagonal, y.astype(float), max_iter=MAX_ITER)
            for C_universum, epsilon in choices:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", ConvergenceWarning)
                    solver.solve(C / scale, C_universum, epsilon)
                unconverged += not solver.converged
                values = {
                    name: gram @ solver.coefficients + solver.intercept
                    for name, gram in across.items()
                }
                fits.append(Fit(width, C / scale, C_universum, epsilon, values))
    return fits, unconverged


def _row(method, fits, unconverged, params, y, wrong):
    if params["selection"] == "cross_validation":
        chosen = fits[int(np.argmin(wrong))]
    else:
        chosen = best(fits, y[params["selection"]], params["selection"])
    oracle = best(fits, y["test"], "test")
    return {
        "method": method,
        "error": error(chosen.values["test"], y["test"]),
        "error_oracle": error(oracle.values["test"], y["test"]),
        "C": chosen.C,
        "C_universum": chosen.C_universum if method == MEAN else 0.0,
        "epsilon": chosen.epsilon if method == MEAN else 0.0,
        "unconverged": unconverged,
    }


@experiment(
    NAME,
    version=2,
    title="WinMac: means of pairs as bags of words",
    datasets=("winmac",),
    open_choices=(
        "selection",
        "text_kernel",
        "epsilon",
        "subset",
        "training_set",
        "words",
        "newsgroups",
    ),
    units=crossed(
        "n_train", "draw", draw={"smoke": 1, "paper": 100, "full": 200}, n_train=TRAINING_SIZES
    ),
    # one document more or less may change the choice among the grid
    agreement=dict.fromkeys(
        ("error", "error_oracle", "C", "C_universum", "epsilon", "unconverged"), "chaotic"
    ),
    stream="universum/winmac_printed",  # named before the rename
)
def fit_winmac(key, params, data, rng):
    """A row for the SVM and one for the U-SVM with means of pairs."""
    X, y = documents(data["winmac"], params["newsgroups"], params["words"])
    n_train = key["n_train"]
    drawing = SUBSETS[params["subset"]]
    n_validation = min(N_VALIDATION, len(y) // 5)
    train, validation, test = drawing(y, n_train, max(TRAINING_SIZES), n_validation, rng)
    number, seed = folds(y[train], rng), int(rng.integers(2**31))
    kernel, epsilons = params["text_kernel"], EPSILON[params["epsilon"]]
    parts = {"validation": validation, "test": test}
    signs = {name: y[rows] for name, rows in parts.items()}
    others = np.setdiff1d(np.arange(len(y)), test)

    def fitted(method, rows, points):
        if method == SVM:
            return _fits(kernel, X[rows], y[rows], None, epsilons, points)
        source = {"subset": rows, "all": others}[params["training_set"]]
        maker = MeanOfPairs(N_PAIRS, random_state=seed).fit(X[source], y[source])
        means = csr_array(maker.transform(X[source]))
        return _fits(kernel, X[rows], y[rows], means, epsilons, points)

    rows = []
    for method in (SVM, MEAN):
        fits, unconverged = fitted(method, train, {name: X[part] for name, part in parts.items()})
        wrong = np.zeros(len(fits))
        if params["selection"] == "cross_validation":
            for k in range(N_FOLDS):
                rest, left = train[number != k], train[number == k]
                if len(np.unique(y[rest])) == 2 and len(left):
                    found, _ = fitted(method, rest, {"left": X[left]})
                    wrong += [len(left) * error(f.values["left"], y[left]) for f in found]
        rows.append(_row(method, fits, unconverged, params, signs, wrong))
    return rows


def _is_run(key):
    """All draws of options near the printed errors of the SVM; a fit on counts takes seconds."""
    near = key["choice"] in ("words", "text_kernel", "selection")
    return key["option"] != "cross_validation" and (near or key["draw"] < N_OPTION_DRAWS)


options(NAME, keep=_is_run)
