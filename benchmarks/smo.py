"""What is measured of the SMO solver and the transductive SVM, and their bars."""

from collections.abc import Iterator
from functools import partial

import numpy as np
from measuring import FEW_ROUNDS, alone, least_seconds, peak_memory, table_row
from sklearn.datasets import make_classification
from sklearn.svm import SVC, LinearSVC
from smo_in_sklearn import Refitted, dual, expanded, intel_svc, primal
from threadpoolctl import threadpool_limits

from transductive.kernels import gram_matrix
from transductive.margin import TransductiveSVC
from transductive.margin.gram import solver_gram
from transductive.margin.quadratic_programme import QuadraticProgramme, minimise
from transductive_compendium.datasets import text_like

D = 20
POINTS = (2000, 5000)
# C, and how many times scikit-learn's time ours has to be
BARS = {1.0: 3.0, 10.0: 2.0}
# the same of scikit-learn-intelex, where it is installed
INTEL_BARS = {1.0: 4.0, 10.0: 3.0}
TOLERANCE, SAME = 1e-3, 1e-6
DOCUMENTS, LABELLED, WORDS, NONZEROS = 3020, 20, 10_000, 60
# ours switches many pairs at once, so that its labels are others
MOST_SECONDS, REFITTED, HIGHER = 1.0, 20.0, 1.0  # seconds, times, %
# Working points, and the most fits of SVC, with all labels known, that may take as long.
MANY = {1_900: 1.0, 20_000: 1.5, 40_000: 1.0}
MORE_TIMES = 3.0  # the larger number of points takes, of the time of the smaller
LABELLED_OF_MANY, MOST_MEMORY = 100, 1.0  # points, GiB
# Linear TSVM: the most fits of LinearSVC, with all labels known, that may take as long; in the last
# case no hyperplane separates the classes, and thousands of labels are switched. GiB.
OF_LINEAR = {"documents": 60.0, "dense points": 100.0, "overlapping points": np.nan}
MANY_DOCUMENTS, MANY_DENSE, MEMORY_OF_DOCUMENTS = 30_000, 20_000, 0.5
TITLE = "The SMO solver and the transductive SVM against scikit-learn's SVC"
GROUPS = {
    "svc": "Support vector machines, Gaussian kernel, 20 dimensions",
    "tsvm": "A transductive SVM on documents: 20 labelled, 3000 not",
    "linear": "A linear transductive SVM on the hyperplane, without a Gram matrix",
    "many": "A transductive SVM with a Gaussian kernel: 100 labelled points, 20 dimensions",
}


def draw(n):
    """Points of shape (n, 20) and labels that no kernel separates."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, D))
    return X, np.sign(X[:, 0] + X[:, 1] * X[:, 2] + 0.5 * rng.standard_normal(n))


def svc(n, C) -> Iterator[dict]:
    """Whole fits, from points to coefficients, and what an iteration takes."""
    X, y = draw(n)
    gamma = 1 / D
    ours = TransductiveSVC(C, gamma=gamma, tol=TOLERANCE)
    theirs = SVC(C=C, gamma=gamma, tol=TOLERANCE)
    exact = gram_matrix(X, gamma=gamma)
    objectives = (
        dual(exact, y, ours.fit(X, y).dual_coef_),
        dual(exact, y, expanded(theirs.fit(X, y), n)),
    )
    gram, _ = solver_gram(X, "rbf", gamma=gamma)

    def solve():
        box = C * y
        programme = QuadraticProgramme(gram, y, np.minimum(box, 0.0), np.maximum(box, 0.0))
        return programme.solve(TOLERANCE)

    iterations = solve().iterations
    flat = gram.ravel()
    intel = intel_svc(C=C, gamma=gamma, tol=TOLERANCE)
    others = {} if intel is None else {"scikit-learn-intelex": partial(intel.fit, X, y)}
    least = least_seconds({
        "ours": partial(ours.fit, X, y),
        "scikit-learn": partial(theirs.fit, X, y),
        **others,
        "Gram matrix": partial(solver_gram, X, "rbf", gamma=gamma),
        "solver": solve,
        "rows": lambda: flat.dot(flat),
    }, FEW_ROUNDS)  # fmt: skip
    place = "svc", f"n = {n}, C = {C:g}", {"l": n, "m": 0}
    rows = least.pop("rows")
    for name, seconds in least.items():
        yield table_row(*place, name, "milliseconds", seconds * 1e3)
    ratio = least["scikit-learn"] / least["ours"]
    yield table_row(*place, "scikit-learn / ours", "times", ratio, BARS[C])
    if intel is not None:
        ratio = least["scikit-learn-intelex"] / least["ours"]
        bar = INTEL_BARS[C] if n == max(POINTS) else np.nan
        yield table_row(*place, "scikit-learn-intelex / ours", "times", ratio, bar)
    apart = abs(objectives[0] / objectives[1] - 1.0)
    yield table_row(*place, "relative difference of objectives", "1e-9", apart * 1e9,
                    at_most=SAME * 1e9)  # fmt: skip
    yield table_row(*place, "iterations, ours", "iterations", iterations)
    yield table_row(*place, "iterations, scikit-learn", "iterations", int(theirs.n_iter_[0]))
    each = least["solver"] / iterations * 1e6
    yield table_row(*place, "an iteration", "microseconds", each)
    # of the matrix in single precision, from where it lies
    yield table_row(*place, "reading two rows", "microseconds", 2e6 * rows / n)


def tsvm() -> Iterator[dict]:
    """The greedy algorithm, and that of one pair at a time with a fit of SVC for each solution."""
    X, y = text_like(DOCUMENTS, WORDS, NONZEROS, np.random.default_rng(0))
    labelled, working = X[:LABELLED], X[LABELLED:]
    given = {"n_positive": "sample", "kernel": "linear", "tol": TOLERANCE}
    svm = TransductiveSVC(1.0, first_costs="slides", **given)
    fit = partial(svm.fit, labelled, y[:LABELLED], working)
    n_positive = fit().n_positive_
    gram = gram_matrix(X, kernel="linear")
    signs = y[:LABELLED].astype(float)
    # the faster of the two ways to hand SVC the documents
    ways = {"precomputed": gram, "linear": X}
    first = least_seconds({
        kernel: partial(once, Refitted(points, signs, n_positive, kernel), y)
        for kernel, points in ways.items()
    }, 1)  # fmt: skip
    kernel = min(first, key=first.get)
    refitted = Refitted(ways[kernel], signs, n_positive, kernel, tol=TOLERANCE)
    slow = least_seconds({"refitted": refitted.run}, 1)["refitted"]
    least = least_seconds({"ours": fit}, FEW_ROUNDS)["ours"]
    costs = np.ones(DOCUMENTS)
    labels = {"ours": np.where(svm.transduction_ == svm.classes_[1], 1.0, -1.0),
              "refitted": refitted.labels[LABELLED:]}  # fmt: skip
    objective = {name: optimum(gram, np.r_[signs, found], costs) for name, found in labels.items()}
    place = "tsvm", f"20 and {DOCUMENTS - LABELLED} documents", {
        "l": LABELLED, "m": DOCUMENTS - LABELLED,
    }  # fmt: skip
    yield table_row(*place, "ours", "seconds", least, at_most=MOST_SECONDS)
    yield table_row(*place, f"refitted, {kernel}", "seconds", slow)
    yield table_row(*place, "refitted / ours", "times", slow / least, REFITTED)
    higher = objective["ours"] / objective["refitted"] - 1.0
    yield table_row(*place, "objective, ours / refitted - 1", "%", 100.0 * higher, at_most=HIGHER)
    yield table_row(*place, "switches, ours", "pairs", svm.n_switches_)
    yield table_row(*place, "switches, refitted", "pairs", refitted.n_switches)
    same = np.mean(labels["ours"] == labels["refitted"])
    yield table_row(*place, "labels in common", "%", 100.0 * same)
    iterations = int(svm.history_["iterations"].sum())
    yield table_row(*place, "iterations", "iterations", iterations)


def once(refitted, y):
    """One fit with the labels known, as long as any."""
    refitted.labels[:] = y
    refitted.fit(np.ones(len(y)))


def optimum(gram, labels, costs):
    """The objective of the best hyperplane for these labels."""
    box = labels * costs
    found = minimise(gram, labels, np.minimum(box, 0.0), np.maximum(box, 0.0), tol=1e-6)
    return primal(gram, labels, costs, found.coefficients, found.intercept)


def measure_linear(kind):
    """Of a process that fits the linear TSVM, then LinearSVC with all labels."""
    n, labelled = MANY_DENSE + LABELLED_OF_MANY, LABELLED_OF_MANY
    if kind == "documents":
        n, labelled = LABELLED + MANY_DOCUMENTS, LABELLED
        X, y = text_like(n, WORDS, NONZEROS, np.random.default_rng(0))
    elif kind == "dense points":
        X, y = make_classification(n, D, n_informative=D // 2, random_state=0)
    else:
        X, y = draw(n)
    svm = TransductiveSVC(1.0, n_positive="sample", kernel="linear", tol=TOLERANCE)
    with threadpool_limits(limits=1):
        least = least_seconds(
            {"TSVM": partial(svm.fit, X[:labelled], y[:labelled], X[labelled:])}, 2
        )
        peak = peak_memory()
        theirs = LinearSVC(tol=TOLERANCE, random_state=0)
        least |= least_seconds({"LinearSVC of all labels": partial(theirs.fit, X, y)}, 3)
    sizes = {"l": labelled, "m": n - labelled}
    return {**least, "peak memory": peak, "switches": svm.n_switches_}, sizes


def linear() -> Iterator[dict]:
    """The hyperplane's own path against one fit of LIBLINEAR."""
    for kind, bar in OF_LINEAR.items():
        found, sizes = alone(measure_linear, kind)
        place = "linear", f"{sizes['l']} and {sizes['m']} {kind}", sizes
        yield table_row(*place, "TSVM", "seconds", found["TSVM"])
        other = found["LinearSVC of all labels"]
        yield table_row(*place, "LinearSVC of all labels", "seconds", other)
        ratio = found["TSVM"] / other
        yield table_row(*place, "TSVM / LinearSVC", "times", ratio, at_most=bar)
        most = MEMORY_OF_DOCUMENTS if kind == "documents" else np.nan
        yield table_row(*place, "peak memory", "GiB", found["peak memory"], at_most=most)
        yield table_row(*place, "switches", "pairs", found["switches"])


def measure_many(m):
    """Of a process that fits the TSVM and then the SVM with all labels: seconds, and GiB at most.

    The memory is that of the first of the two.
    """
    X, y = draw(LABELLED_OF_MANY + m)
    labelled, working = X[:LABELLED_OF_MANY], X[LABELLED_OF_MANY:]
    given = {"n_positive": "sample", "manifold": 0.0, "tol": TOLERANCE}
    svm = TransductiveSVC(1.0, gamma=1 / D, **given)
    with threadpool_limits(limits=1):
        fit = partial(svm.fit, labelled, y[:LABELLED_OF_MANY], working)
        alone = least_seconds({"TSVM": fit}, 1)["TSVM"]
        memory = peak_memory()
        theirs = SVC(gamma=1 / D, tol=TOLERANCE)
        jobs = {"TSVM": fit, "SVC of all labels": partial(theirs.fit, X, y)}
        found = least_seconds(jobs, FEW_ROUNDS if alone < 1.0 else 1)
    found |= {"TSVM": min(alone, found["TSVM"]), "peak memory": memory}
    found |= {"switches": svm.n_switches_, "objective": svm.objective_}
    return found


def many() -> Iterator[dict]:
    """Few points, and more than whose Gram matrix is held."""
    seconds = {}
    for m, bar in MANY.items():
        found = alone(measure_many, m)
        place = "many", f"{m} working points", {"l": LABELLED_OF_MANY, "m": m}
        seconds[m] = found["TSVM"]
        for name in ("TSVM", "SVC of all labels"):
            yield table_row(*place, name, "seconds", found[name])
        ratio = found["TSVM"] / found["SVC of all labels"]
        yield table_row(*place, "TSVM / SVC of all labels", "times", ratio, at_most=bar)
        yield table_row(*place, "peak memory", "GiB", found["peak memory"], at_most=MOST_MEMORY)
        yield table_row(*place, "switches", "pairs", found["switches"])
        yield table_row(*place, "objective", "-", found["objective"])
    few, most = sorted(seconds)[-2:]
    ratio = seconds[most] / seconds[few]
    yield table_row(*place, f"{most} / {few} points", "times", ratio, at_most=MORE_TIMES)


def measure() -> Iterator[dict]:
    """All rows of the table, one by one."""
    # first: a process starts with the peak memory of the one that starts it
    yield from linear()
    yield from many()
    for n in POINTS:
        for C in BARS:
            yield from svc(n, C)
    yield from tsvm()
