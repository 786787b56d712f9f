"""What is measured of the U-SVM, and its bars."""

from collections.abc import Iterator
from functools import partial

import numpy as np
from measuring import FEW_ROUNDS, least_seconds, table_row
from sklearn.svm import SVC
from smo_in_sklearn import expanded

from transductive.kernels import gram_matrix
from transductive.margin import UniversumSVC
from transductive.margin.gram import solver_gram
from transductive.margin.universum_solver import UniversumSolver
from transductive_compendium.datasets import DataError, load

LABELLED, UNIVERSUM = 1000, 1000
GAMMA, C, EPSILON, TOLERANCE = 1 / 80, 10.0, 0.1, 1e-3
GRID = (0.01, 0.03, 0.1, 0.3, 1.0)
C_UNIVERSUM = 0.3
MOST_SECONDS, TIMES, SAME = 0.30, 5.0, 1e-6
TITLE = "The U-SVM against scikit-learn's SVC on doubled points"
GROUPS = {
    "fit": "1000 labelled and 1000 universum images, 784 pixels, Gaussian kernel",
    "grid": "Model selection: five costs of the universum",
}


def draw(l, u):
    """Fives and eights, their classes, and other digits; random pixels where there are none."""
    rng = np.random.default_rng(0)
    try:
        pairs = load("mnist", positive=(8,), negative=(5,))
        others = load("mnist", positive=(0, 1, 2, 3), negative=(4, 6, 7, 9))
    except DataError:
        X, U = rng.random((l, 784)) ** 8, rng.random((u, 784)) ** 8
        return X, np.where(X[:, :392].sum(axis=1) > X[:, 392:].sum(axis=1), 1, -1), U
    rows = rng.permutation(pairs.n_train)[:l]
    return pairs.X[rows], pairs.y[rows], others.X[rng.permutation(others.n_train)[:u]]


def doubled_svc(X, y, U):
    """SVC with each universum point twice: ``H_1[f] + H_1[-f]`` is 2 more than U of epsilon = 1."""
    solver = SVC(C=1.0, gamma=GAMMA, tol=TOLERANCE)
    signs = np.r_[y, np.ones(len(U)), -np.ones(len(U))]
    costs = np.r_[np.full(len(y), C), np.full(2 * len(U), C_UNIVERSUM)]
    return solver.fit(np.vstack([X, U, U]), signs, sample_weight=costs)


def fit() -> Iterator[dict]:
    """A whole fit, from points to coefficients."""
    X, y, U = draw(LABELLED, UNIVERSUM)
    joint, signs = np.vstack([X, U]), y.astype(float)
    ours = UniversumSVC(C, C_UNIVERSUM, epsilon=EPSILON, gamma=GAMMA, tol=TOLERANCE)
    gram, diagonal = solver_gram(joint, "rbf", gamma=GAMMA)
    exact = gram_matrix(joint, gamma=GAMMA)

    def solved():
        return UniversumSolver(gram, diagonal, signs, tol=TOLERANCE).solve(C, C_UNIVERSUM, EPSILON)

    wide = UniversumSVC(C, C_UNIVERSUM, epsilon=1.0, gamma=GAMMA, tol=TOLERANCE)

    least = least_seconds({
        "ours": partial(ours.fit, X, y, U),
        "Gram matrix": partial(solver_gram, joint, "rbf", gamma=GAMMA),
        "solver": solved,
        "ours, epsilon = 1": partial(wide.fit, X, y, U),
        "scikit-learn, doubled points": partial(doubled_svc, X, y, U),
    }, FEW_ROUNDS)  # fmt: skip
    place = "fit", f"{LABELLED} and {UNIVERSUM}", {"l": LABELLED, "u": UNIVERSUM}
    for name, seconds in least.items():
        bar = MOST_SECONDS if name == "ours" else np.nan
        yield table_row(*place, name, "seconds", seconds, at_most=bar)
    theirs = least["scikit-learn, doubled points"]
    yield table_row(*place, "scikit-learn / ours", "times", theirs / least["ours"], TIMES)
    ratio = theirs / least["ours, epsilon = 1"]
    yield table_row(*place, "the same, epsilon = 1", "times", ratio, TIMES)
    tight = UniversumSolver(exact, np.ascontiguousarray(exact.diagonal()), signs, tol=1e-8).solve(
        C, C_UNIVERSUM, EPSILON
    )
    apart = 1.0 - dual(exact, y, ours.dual_coef_, EPSILON) / tight.primal()
    yield table_row(*place, "dual objective below a tight one's", "1e-9", apart * 1e9,
                    at_most=SAME * 1e9)  # fmt: skip
    theirs = undoubled(doubled_svc(X, y, U), LABELLED, UNIVERSUM)
    apart = dual(exact, y, wide.dual_coef_, 1.0) / dual(exact, y, theirs, 1.0) - 1.0
    yield table_row(*place, "objectives apart, epsilon = 1", "1e-9", abs(apart) * 1e9,
                    at_most=SAME * 1e9)  # fmt: skip
    yield table_row(*place, "iterations", "iterations", solved().iterations)


def undoubled(solver, l, u):
    """Signed duals of a doubled SVC, of shape (l + u,), as those of the U-SVM."""
    signed = expanded(solver, l + 2 * u)
    # where |f| < 1 both copies are at C_universum, and cancel
    return np.r_[signed[:l], signed[l : l + u] + signed[l + u :]]


def dual(gram, y, b, epsilon):
    """Dual objective in double precision."""
    l = len(y)
    return y @ b[:l] - epsilon * np.abs(b[l:]).sum() - 0.5 * b @ (gram @ b)


def grid() -> Iterator[dict]:
    """One Gram matrix and warm starts, against a fit for each cost."""
    X, y, U = draw(LABELLED, UNIVERSUM)
    joint, signs = np.vstack([X, U]), y.astype(float)

    def path(warm=True):
        gram = solver_gram(joint, "rbf", gamma=GAMMA)
        iterations, solver = 0, UniversumSolver(*gram, signs, tol=TOLERANCE)
        for cost in GRID:
            if not warm:
                iterations += solver.iterations
                solver = UniversumSolver(*gram, signs, tol=TOLERANCE)
            solver.solve(C, cost, EPSILON)
        return iterations + solver.iterations

    def apart():
        for cost in GRID:
            UniversumSVC(C, cost, epsilon=EPSILON, gamma=GAMMA, tol=TOLERANCE).fit(X, y, U)

    least = least_seconds({"path": path, "fits": apart}, FEW_ROUNDS)
    place = "grid", f"{len(GRID)} costs", {"l": LABELLED, "u": UNIVERSUM}
    yield table_row(*place, "one Gram matrix, warm starts", "seconds", least["path"])
    yield table_row(*place, "a fit for each cost", "seconds", least["fits"])
    yield table_row(*place, "fits / path", "times", least["fits"] / least["path"])
    yield table_row(*place, "iterations, warm starts", "iterations", path())
    yield table_row(*place, "iterations, each from 0", "iterations", path(warm=False))


def measure() -> Iterator[dict]:
    """All rows of the table, one by one."""
    yield from fit()
    yield from grid()
