"""What the U-SVM is made of: its loss, the regularisers it contains, the contradictions it is for.

Inference with the Universum (poster): implementation in support vector machines, data dependent
regularization, approximation of contradiction maximization.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog, minimize
from sklearn.svm import LinearSVC

from transductive._exact.contradictions import contradictions
from transductive._exact.labellings import cells
from transductive.kernels import gram_matrix
from transductive.margin import UniversumSVC, minimise
from transductive.margin.universum_solver import UniversumSolver

from ...runner.declaration import Experiment, register
from ...runner.parameters import Parameter

#: KKT violation at which a machine is compared with another method.
EXACT = 1e-10


def homogeneous(X):
    """Points with a last feature 1, whose weight is the intercept."""
    return np.column_stack([X, np.ones(len(X))])


# ---- losses -------------------------------------------------------------------------------------

SHAPE_EPSILONS = (0.0, 0.1, 0.25, 0.5, 1.0)
GRID = np.linspace(-2.5, 2.5, 101)
EPSILONS = (0.0, 0.1, 0.5)
#: C and C_universum.
COSTS = ((1.0, 0.1), (1.0, 1.0), (10.0, 1.0))
KERNELS = ("linear", "rbf")
N_LABELLED, N_UNIVERSUM, N_ELSEWHERE = 12, 8, 50
#: A dual variable so far inside its box, in units of it, tells the intercept.
_INSIDE = 1e-3


def hinge(t, a):
    """``H_a[t] = max(0, a - t)``."""
    return np.maximum(0.0, a - t)


def insensitive(f, epsilon):
    """``U_epsilon[f] = max(0, |f| - epsilon)``, the epsilon-insensitive loss."""
    return np.maximum(0.0, np.abs(f) - epsilon)


def two_copies(y, n_universum, C, C_universum, epsilon):
    """Labels, linear part and boxes of the poster's dual, with every universum point twice.

    Parameters
    ----------
    y : ndarray of shape (l,)
    n_universum : int
    C, C_universum, epsilon : float

    Returns
    -------
    labels, rho, upper : ndarray of shape (l + 2 u,)
    """
    one = np.ones(n_universum)
    labels = np.r_[y, one, -one]
    rho = np.r_[np.ones(len(y)), np.full(2 * n_universum, -epsilon)]
    return labels, rho, np.r_[np.full(len(y), C), np.full(2 * n_universum, C_universum)]


def general_dual(K, labels, rho, upper):
    """The poster's dual, by a general solver (sequential quadratic programming).

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Gram matrix with both copies of each universum point.
    labels, rho, upper : ndarray of shape (n,)

    Returns
    -------
    alpha : ndarray of shape (n,)
    objective : float
    intercept : float
        From the variable deepest inside its box; NaN if all are at their ends, where the dual does
        not tell it.
    """
    Q = labels[:, None] * K * labels
    found = minimize(
        lambda a: 0.5 * a @ Q @ a - rho @ a,
        np.zeros(len(rho)),
        jac=lambda a: Q @ a - rho,
        bounds=[(0.0, c) for c in upper],
        constraints={"type": "eq", "fun": lambda a: labels @ a, "jac": lambda a: labels},
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 2000},
    )
    alpha = np.clip(found.x, 0.0, upper)
    inside = np.minimum(alpha, upper - alpha) / upper
    i = int(inside.argmax())
    intercept = labels[i] * rho[i] - K[i] @ (labels * alpha) if inside[i] > _INSIDE else np.nan
    return alpha, -float(found.fun), float(intercept)


def deviation(found, expected):
    """Largest difference over the largest value."""
    return float(np.max(np.abs(found - expected)) / np.max(np.abs(expected)))


def _shapes():
    rows = []
    for epsilon in SHAPE_EPSILONS:
        rows += [
            {
                "kernel": "none",
                "epsilon": epsilon,
                "f": f,
                "hinge": hinge(f, 1.0),
                "universum": insensitive(f, epsilon),
                "copy_positive": hinge(f, -epsilon),
                "copy_negative": hinge(-f, -epsilon),
                "squared": f**2,
            }
            for f in GRID
        ]
    return rows


def _machines(rng):
    y = np.where(np.arange(N_LABELLED) % 2 > 0, 1.0, -1.0)
    X = rng.standard_normal((N_LABELLED, 3)) + 0.7 * y[:, None]
    U, elsewhere = rng.standard_normal((N_UNIVERSUM, 3)), rng.standard_normal((N_ELSEWHERE, 3))
    Z = np.vstack([X, U])
    twice = np.r_[np.arange(len(Z)), np.arange(N_LABELLED, len(Z))]
    rows = []
    for kernel in KERNELS:
        K, across = (gram_matrix(A, Z, kernel=kernel, gamma=0.3) for A in (Z, elsewhere))
        for C, C_universum in COSTS:
            for epsilon in EPSILONS:
                machine = UniversumSolver(K, np.diagonal(K).copy(), y, tol=EXACT)
                machine.solve(C, C_universum, epsilon)
                values = across @ machine.coefficients
                labels, rho, upper = two_copies(y, N_UNIVERSUM, C, C_universum, epsilon)
                K2 = K[np.ix_(twice, twice)]
                box = labels * upper
                svm = minimise(
                    K2,
                    labels * rho,
                    np.minimum(box, 0.0),
                    np.maximum(box, 0.0),
                    tol=EXACT,
                )
                alpha, objective, intercept = general_dual(K2, labels, rho, upper)
                primal = machine.primal()
                general = across[:, twice] @ (labels * alpha)
                rows.append(
                    {
                        "kernel": kernel,
                        "epsilon": epsilon,
                        "C": C,
                        "C_universum": C_universum,
                        "objective": primal,
                        # of machines that know of no universum, and of no SVM, each
                        "svm_objective": abs(-svm.objective / primal - 1.0),
                        "svm_values": deviation(across[:, twice] @ svm.coefficients, values),
                        "general_objective": abs(objective / primal - 1.0),
                        "general_values": deviation(general, values),
                        "general_intercept": abs(intercept - machine.intercept),
                    }
                )
    return rows


def _run_losses(key, params, data, rng):
    return _shapes() if key["part"] == "shapes" else _machines(rng)


def _by_draw(first, each, counts):
    """Unit keys: the parts of the first draw that no other has, then those of every draw."""

    def units(params, profile):
        keys = [{"part": part, "draw": 0} for part in first]
        return keys + [{"part": part, "draw": i} for i in range(counts[profile]) for part in each]

    return units


register(
    Experiment(
        name="universum/losses",
        version=1,
        title="The losses of the U-SVM, and its dual as that of an SVM with every point twice",
        units=_by_draw(("shapes",), ("machines",), {"smoke": 1, "paper": 20, "full": 100}),
        run_unit=_run_losses,
        # differences of two methods: their own rounding, no result
        agreement=dict.fromkeys(
            (
                "svm_objective",
                "svm_values",
                "general_objective",
                "general_values",
                "general_intercept",
            ),
            1e-4,
        ),
    )
)


# ---- regularisers -------------------------------------------------------------------------------

N_SAMPLE, N_FEATURES, N_CLOUD = 40, 8, 30
UNIVERSUM_COSTS = (0.01, 0.1, 1.0, 10.0, 100.0)
#: With the absolute loss, one more: there C grows with it.
ABSOLUTE_COSTS = (*UNIVERSUM_COSTS, 1000.0)
#: C, where it does not grow with C_universum; and over C_universum, where it does.
C_SQUARED, C_RATIO = 1.0, 0.25
#: Features that matter; the share of labels that are wrong.
_TEACHER, _NOISE = np.r_[1.0, -1.0, np.zeros(N_FEATURES - 2)], 0.1
#: A weight below it is called zero.
ZERO = 1e-7


def labelled_points(rng):
    """Points of a linear problem with two features that matter, some labels wrong."""
    X = rng.standard_normal((N_SAMPLE, N_FEATURES))
    y = np.where(X @ _TEACHER > 0, 1.0, -1.0)
    return X, np.where(rng.uniform(size=N_SAMPLE) < _NOISE, -y, y)


def cloud(rng):
    """Universum points of mean 0, of another variance in each of several oblique directions."""
    U = rng.standard_normal((N_CLOUD, N_FEATURES)) * np.geomspace(0.1, 2.0, N_FEATURES)
    U = U @ np.linalg.qr(rng.standard_normal((N_FEATURES, N_FEATURES)))[0]
    return U - U.mean(axis=0)


def _given(rng):
    """The identities for a given hyperplane; and where a condition of theirs does not hold."""
    w, b, shift = rng.standard_normal(N_FEATURES), rng.normal(), rng.standard_normal(N_FEATURES)
    E, U = np.eye(N_FEATURES), cloud(rng)
    covariance = U.T @ U / len(U)

    def anisotropic(intercept):
        return len(U) * (w @ covariance @ w + intercept**2)

    # the condition that does not hold, f at the universum, loss, what the poster has on the right
    cases = {
        "isotropic": [
            ("none", E @ w, np.square, w @ w),
            ("intercept", E @ w + b, np.square, w @ w),
        ],
        "anisotropic": [
            ("none", U @ w + b, np.square, anisotropic(b)),
            ("none", U @ w, np.square, anisotropic(0.0)),
            ("mean", (U + shift) @ w + b, np.square, anisotropic(b)),
        ],
        "linear L1": [
            ("none", E @ w, np.abs, np.abs(w).sum()),
            ("intercept", E @ w + b, np.abs, np.abs(w).sum()),
        ],
    }
    return [
        {
            "regulariser": name,
            "violated": violated,
            "C_universum": 1.0,
            "identity": abs(float(loss(f).sum() / right) - 1.0),
        }
        for name, parts in cases.items()
        for violated, f, loss, right in parts
    ]


def metric_svm(X, y, penalty, C):
    """SVM with ``1/2 v' penalty v`` for its margin term and no other intercept, by LIBLINEAR.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        With a constant feature for an intercept that `penalty` knows of.
    y : ndarray of shape (n,)
    penalty : ndarray of shape (d, d)
        Positive definite.
    C : float

    Returns
    -------
    ndarray of shape (d,)
    """
    root = np.linalg.cholesky(penalty)
    whitened = np.linalg.solve(root, X.T).T
    svm = LinearSVC(
        C=C, loss="hinge", fit_intercept=False, tol=1e-10, max_iter=1_000_000, random_state=0
    )
    return np.linalg.solve(root.T, svm.fit(whitened, y).coef_[0])


def objective(weights, X, y, penalty, C):
    """What `metric_svm` minimises."""
    return 0.5 * weights @ penalty @ weights + C * hinge(y * (X @ weights), 1.0).sum()


def _quadratic(rng):
    """Squared losses: the U-SVM against SVMs that never see the universum."""
    (X, y), U, E = labelled_points(rng), cloud(rng), np.eye(N_FEATURES)
    covariance = U.T @ U / len(U)
    rows = []
    for C_universum in UNIVERSUM_COSTS:
        spread = 2.0 * C_universum * len(U)

        def fit(universum, fit_intercept, C_universum=C_universum):
            return UniversumSVC(
                C_SQUARED,
                C_universum,
                loss="squared",
                kernel="linear",
                fit_intercept=fit_intercept,
                tol=EXACT,
            ).fit(X, y, universum)

        with_bias = np.zeros((N_FEATURES + 1, N_FEATURES + 1))
        with_bias[:-1, :-1] = E + spread * covariance
        with_bias[-1, -1] = spread
        # universum, intercept, points and penalty of the other machine, its C, the factor between
        # the objectives
        shrink = 1.0 + 2.0 * C_universum
        for name, universum, fit_intercept, Z, penalty, C, factor in (
            ("isotropic", E, False, X, E, C_SQUARED / shrink, shrink),
            ("anisotropic", U, False, X, with_bias[:-1, :-1], C_SQUARED, 1.0),
            ("anisotropic, intercept", U, True, homogeneous(X), with_bias, C_SQUARED, 1.0),
        ):
            ours = fit(universum, fit_intercept)
            theirs = metric_svm(Z, y, penalty, C)
            weights = np.append(ours.coef_, ours.intercept_) if fit_intercept else ours.coef_
            reached = factor * objective(theirs, Z, y, penalty, C)
            rows.append(
                {
                    "regulariser": name,
                    "violated": "none",
                    "C_universum": C_universum,
                    "objective": ours.objective_,
                    "objectives": abs(reached / ours.objective_ - 1.0),
                    "weights": deviation(theirs, weights),
                }
            )
    return rows


def one_norm_svm(X, y, ratio):
    """Minimum of ``|w|_1 + ratio sum H_1(y f)`` without intercept, by a linear programme.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    y : ndarray of shape (n,)
    ratio : float

    Returns
    -------
    w : ndarray of shape (d,)
    objective : float
    """
    n, d = X.shape
    own = y[:, None] * X
    found = linprog(
        np.r_[np.ones(2 * d), np.full(n, ratio)],
        A_ub=np.hstack([-own, own, -np.eye(n)]),
        b_ub=-np.ones(n),
        method="highs-ds",
    )
    return found.x[:d] - found.x[d : 2 * d], float(found.fun)


def _absolute(rng):
    """Absolute losses on the unit vectors, as C_universum grows and C with it."""
    X, y = labelled_points(rng)
    sparse, least = one_norm_svm(X, y, C_RATIO)
    rows = []
    for C_universum in ABSOLUTE_COSTS:
        C = C_RATIO * C_universum
        found = UniversumSVC(
            C, C_universum, epsilon=0.0, kernel="linear", fit_intercept=False, tol=1e-9
        ).fit(X, y, np.eye(N_FEATURES))
        svm = UniversumSVC(C, kernel="linear", fit_intercept=False, tol=1e-9).fit(X, y)
        w = found.coef_
        reached = np.abs(w).sum() + C_RATIO * hinge(y * (X @ w), 1.0).sum()
        own = {
            "regulariser": "linear L1",
            "violated": "none",
            "C_universum": C_universum,
            "objective": found.objective_,
            "excess": reached / least - 1.0,
            # 1/2 |w|^2 of the U-SVM's objective is all that is between the two problems
            "bound": 0.5 * (sparse @ sparse) / C_universum / least,
            "zeros": float((np.abs(w) < ZERO).sum()),
            "zeros_svm": float((np.abs(svm.coef_) < ZERO).sum()),
            "zeros_programme": float((np.abs(sparse) < ZERO).sum()),
            "distance": deviation(w, sparse),
        }
        rows += [
            own
            | {"feature": float(k), "weight": w[k], "weight_svm": svm.coef_[k]}
            | {"weight_programme": sparse[k]}
            for k in range(N_FEATURES)
        ]
    return rows


def _run_regularisers(key, params, data, rng):
    return {"given": _given, "quadratic": _quadratic, "absolute": _absolute}[key["part"]](rng)


register(
    Experiment(
        name="universum/regularisers",
        version=1,
        title="Universa that are regularisers: isotropic and anisotropic L2, linear L1",
        units=_by_draw(
            (), ("given", "quadratic", "absolute"), {"smoke": 1, "paper": 20, "full": 100}
        ),
        run_unit=_run_regularisers,
        agreement={
            "identity": 1e-9,
            "objectives": 1e-6,
            "weights": 1e-4,
            "excess": 1e-6,
            "distance": 1e-5,
        },
    )
)


# ---- contradictions -----------------------------------------------------------------------------

DIMENSIONS = (2, 3)
N_KNOWN, N_WORKING, N_POINTS = 4, 8, 10
GROWING = (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)
#: Least distance of the labelled points from the hyperplane that the universum is on.
CLEARANCE = 0.25
_N_MEMBERS, _N_TRIED = 25, 20_000


def contradicted_classes(X, X_universum):
    """All equivalence classes of hyperplanes on a sample, and which points each contradicts.

    A class is a cell of the arrangement of the sample. It contradicts a universum point if and
    only if the point's own hyperplane, in the space of ``(w, b)``, cuts the cell: if the cell has
    a trace in the arrangement induced there.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        In general position with every universum point.
    X_universum : ndarray of shape (u, d)

    Returns
    -------
    classes : ndarray of int of shape (k, n)
        Signs -1 and 1.
    contradicted : ndarray of bool of shape (k, u)
    """
    rows = homogeneous(X)
    classes = cells(rows)
    place = {labels.tobytes(): i for i, labels in enumerate(classes)}
    found = np.zeros((len(classes), len(X_universum)), dtype=bool)
    for k, point in enumerate(homogeneous(X_universum)):
        within = np.linalg.qr(point[:, None], mode="complete")[0][:, 1:]
        for labels in cells(rows @ within):
            found[place[labels.tobytes()], k] = True
    return classes, found


def draw_points(dimension, flat, rng):
    """Labelled, working and universum points, normally distributed; labels by a random hyperplane.

    Parameters
    ----------
    dimension : int
    flat : bool
        Whether the universum is on that hyperplane, from which the labelled points then keep away
        by `CLEARANCE`.
    rng : Generator

    Returns
    -------
    X : ndarray of shape (4, dimension)
    y : ndarray of shape (4,)
        -1 and 1, both of them.
    X_working : ndarray of shape (8, dimension)
    X_universum : ndarray of shape (10, dimension)
    """
    while True:
        Z = rng.standard_normal((N_KNOWN + N_WORKING + N_POINTS, dimension))
        w, b = rng.standard_normal(dimension), rng.normal()
        known, working, universum = np.split(Z, np.cumsum([N_KNOWN, N_WORKING]))
        distance = (known @ w + b) / np.linalg.norm(w)
        y = np.where(distance > 0, 1.0, -1.0)
        if abs(y.sum()) < N_KNOWN and (not flat or np.abs(distance).min() >= CLEARANCE):
            break
    if flat:
        universum = universum - np.outer((universum @ w + b) / (w @ w), w)
    return known, y, working, universum


def machines(X, y, X_universum, loss="epsilon_insensitive"):
    """Hyperplanes of the SVM and of U-SVMs with growing costs; hard margin, epsilon 0.

    Returns
    -------
    list of (float, ndarray of shape (d,), float)
        C_universum, w and b; the SVM is C_universum = 0.
    """
    Z = np.vstack([X, X_universum])
    K = Z @ Z.T
    machine = UniversumSolver(K, np.diagonal(K).copy(), y, loss=loss, tol=1e-9)
    found = []
    for C_universum in (0.0, *GROWING):
        machine.solve(np.inf, C_universum)
        found.append((C_universum, Z.T @ machine.coefficients, machine.intercept))
    return found


def _counter(X, X_universum):
    """Contradictions of a class by its signs on X, each class once, by linear programmes."""
    known = {}

    def count(labels):
        if labels.tobytes() not in known:
            found = contradictions(X, labels, X_universum, fit_intercept=True)
            known[labels.tobytes()] = int(found.sum())
        return known[labels.tobytes()]

    return count


def _labels(values):
    return np.where(values > 0, 1, -1).astype(np.int8)


def _general(dimension, rng):
    X, y, X_working, X_universum = draw_points(dimension, False, rng)
    Z = np.vstack([X, X_working])
    classes, contradicted = contradicted_classes(Z, X_universum)
    left = (classes[:, :N_KNOWN] == y).all(axis=1)
    classes, contradicted = classes[left], contradicted[left]
    counts = contradicted.sum(axis=1)
    programme = _counter(Z, X_universum)
    rows = []
    for C_universum, w, b in machines(X, y, X_universum):
        values = Z @ w + b
        labels = _labels(values)
        own = int((classes == labels).all(axis=1).argmax())
        hit, f = contradicted[own], np.abs(X_universum @ w + b)
        distance = f / np.linalg.norm(w)
        # f plus or minus a little less than its smallest value on the sample is of the same class
        certain = f < np.abs(values).min()
        rows.append(
            {
                "kind": "machine",
                "panel": "none",
                "loss": "absolute",
                "C_universum": C_universum,
                "classes": float(len(classes)),
                "contradictions": float(counts[own]),
                "programme": float(programme(labels)),
                "most": float(counts.max()),
                "mean": counts.mean(),
                "above": float((counts > counts[own]).sum()),
                "certain": float(certain.sum()),
                "certain_hit": float(hit[certain].sum()),
                "loss_sum": f.sum(),
                "distance": distance.mean(),
                "distance_hit": distance[hit].mean() if hit.any() else np.nan,
                "distance_rest": distance[~hit].mean() if not hit.all() else np.nan,
            }
        )
    return rows


def _flat(dimension, rng):
    X, y, X_working, X_universum = draw_points(dimension, True, rng)
    Z = np.vstack([X, X_working])
    programme = _counter(Z, X_universum)
    rows = []
    for name, loss in (("absolute", "epsilon_insensitive"), ("squared", "squared")):
        for C_universum, w, b in machines(X, y, X_universum, loss):
            f = np.abs(X_universum @ w + b)
            rows.append(
                {
                    "kind": "machine",
                    "panel": "none",
                    "loss": name,
                    "C_universum": C_universum,
                    "programme": float(programme(_labels(Z @ w + b))),
                    "most": float(N_POINTS),
                    "loss_sum": f.sum(),
                    "distance": f.mean() / np.linalg.norm(w),
                    "largest": f.max(),
                }
            )
    return rows


def _picture(rng):
    """Points, and three classes of lines: one with fewest contradictions, and the machines'."""
    X, y, X_working, X_universum = draw_points(2, False, rng)
    Z = np.vstack([X, X_working])
    classes, contradicted = contradicted_classes(Z, X_universum)
    left = (classes[:, :N_KNOWN] == y).all(axis=1)
    classes, contradicted = classes[left], contradicted[left]
    tried = rng.standard_normal((_N_TRIED, 3))
    members = (_labels(tried @ homogeneous(Z).T)[:, None] == classes).all(axis=2)
    counts = contradicted.sum(axis=1)
    # of the classes with fewest contradictions the one that most random lines are in
    fewest = members.sum(axis=0) * (counts == counts.min())
    lines = machines(X, y, X_universum)
    shown = [("fewest", classes[fewest.argmax()], None)]
    for name, (_, w, b) in (("SVM", lines[0]), ("U-SVM", lines[-1])):
        shown.append((name, _labels(Z @ w + b), (*w, b)))
    rows = []
    for name, labels, line in shown:
        picture = {"kind": "none", "panel": name, "loss": "absolute"}
        own = int((classes == labels).all(axis=1).argmax())
        kinds = np.repeat(["labelled", "working", "universum"], [N_KNOWN, N_WORKING, N_POINTS])
        marks = np.r_[labels, contradicted[own]].astype(float)
        rows += [
            picture | {"kind": str(kind), "x1": x1, "x2": x2, "label": float(label)}
            for kind, (x1, x2), label in zip(kinds, np.vstack([Z, X_universum]), marks, strict=True)
        ]
        drawn = [("member", *member) for member in tried[members[:, own]][:_N_MEMBERS]]
        rows += [
            picture | {"kind": kind, "x1": w1, "x2": w2, "offset": b}
            for kind, w1, w2, b in (*drawn, *([("hyperplane", *line)] if line else []))
        ]
    return rows


def _run_contradictions(key, params, data, rng):
    if key["part"] == "picture":
        return _picture(np.random.default_rng(params["picture"]))
    return (_flat if key["part"] == "flat" else _general)(key["dimension"], rng)


register(
    Experiment(
        name="universum/contradictions",
        version=1,
        title="Contradictions of every equivalence class, and the class of the U-SVM",
        parameters={"picture": Parameter(38, int, "number of the picture's draw", minimum=0)},
        units=lambda params, profile: [
            {"part": "picture", "dimension": 2, "draw": 0},
            *(
                {"part": part, "dimension": d, "draw": i}
                for i in range({"smoke": 2, "paper": 250, "full": 1000}[profile])
                for d in DIMENSIONS
                for part in ("general", "flat")
            ),
        ],
        run_unit=_run_contradictions,
        agreement=dict.fromkeys(
            ("loss_sum", "distance", "distance_hit", "distance_rest", "largest", "x1", "x2"), 1e-4
        )
        | {"offset": 1e-4},
    )
)
