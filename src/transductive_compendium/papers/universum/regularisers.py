"""Universa that are regularisers: isotropic and anisotropic L2, linear L1.

Inference with the Universum (poster): data dependent regularization.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog
from sklearn.svm import LinearSVC

from transductive.margin import UniversumSVC

from ...runner import crossed, experiment
from .losses import EXACT_TOLERANCE, deviation, hinge

N_SAMPLE, N_FEATURES, N_CLOUD = 40, 8, 30
UNIVERSUM_COSTS = (0.01, 0.1, 1.0, 10.0, 100.0)
#: With the absolute loss, one more: there C grows with it.
ABSOLUTE_COSTS = (*UNIVERSUM_COSTS, 1000.0)
#: C, where it does not grow with C_universum; and over C_universum, where it does.
C_SQUARED, C_RATIO = 1.0, 0.25
#: Weights that give the labels: two features matter. The share of labels that are wrong.
TRUE_WEIGHTS, WRONG_LABELS = np.r_[1.0, -1.0, np.zeros(N_FEATURES - 2)], 0.1
#: A weight below it counts as zero.
ZERO_WEIGHT = 1e-7


def labelled_points(rng):
    """Points of a linear problem with two features that matter, some labels wrong."""
    X = rng.standard_normal((N_SAMPLE, N_FEATURES))
    y = np.where(X @ TRUE_WEIGHTS > 0, 1.0, -1.0)
    return X, np.where(rng.uniform(size=N_SAMPLE) < WRONG_LABELS, -y, y)


def cloud(rng):
    """Universum points of mean 0, with different variances in several oblique directions."""
    U = rng.standard_normal((N_CLOUD, N_FEATURES)) * np.geomspace(0.1, 2.0, N_FEATURES)
    U = U @ np.linalg.qr(rng.standard_normal((N_FEATURES, N_FEATURES)))[0]
    return U - U.mean(axis=0)


def _given(rng):
    """The identities for a given hyperplane, and their gap when one of the conditions fails."""
    w, b, shift = rng.standard_normal(N_FEATURES), rng.normal(), rng.standard_normal(N_FEATURES)
    E, U = np.eye(N_FEATURES), cloud(rng)
    covariance = U.T @ U / len(U)

    def anisotropic(intercept):
        return len(U) * (w @ covariance @ w + intercept**2)

    # the condition that fails, f at the universum, loss, right-hand side on the poster
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
        With a constant feature for an intercept that `penalty` includes.
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
    """Objective that `metric_svm` minimises."""
    return 0.5 * weights @ penalty @ weights + C * hinge(y * (X @ weights), 1.0).sum()


def _quadratic(rng):
    """Squared losses: the U-SVM compared with SVMs without the universum."""
    (X, y), U, E = labelled_points(rng), cloud(rng), np.eye(N_FEATURES)
    covariance, X_constant = U.T @ U / len(U), np.column_stack([X, np.ones(N_SAMPLE)])
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
                tol=EXACT_TOLERANCE,
            ).fit(X, y, universum)

        with_bias = np.zeros((N_FEATURES + 1, N_FEATURES + 1))
        with_bias[:-1, :-1] = E + spread * covariance
        with_bias[-1, -1] = spread
        # universum, intercept, points and penalty of the equivalent SVM, its C, the factor between
        # the objectives
        shrink = 1.0 + 2.0 * C_universum
        for name, universum, fit_intercept, Z, penalty, C, factor in (
            ("isotropic", E, False, X, E, C_SQUARED / shrink, shrink),
            ("anisotropic", U, False, X, with_bias[:-1, :-1], C_SQUARED, 1.0),
            ("anisotropic, intercept", U, True, X_constant, with_bias, C_SQUARED, 1.0),
        ):
            u_svm = fit(universum, fit_intercept)
            equivalent = metric_svm(Z, y, penalty, C)
            weights = np.append(u_svm.coef_, u_svm.intercept_) if fit_intercept else u_svm.coef_
            reached = factor * objective(equivalent, Z, y, penalty, C)
            rows.append(
                {
                    "regulariser": name,
                    "violated": "none",
                    "C_universum": C_universum,
                    "objective": u_svm.objective_,
                    "objectives": abs(reached / u_svm.objective_ - 1.0),
                    "weights": deviation(equivalent, weights),
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
            # the two problems differ by 1/2 |w|^2 of the U-SVM's objective alone
            "bound": 0.5 * (sparse @ sparse) / C_universum / least,
            "zeros": float((np.abs(w) < ZERO_WEIGHT).sum()),
            "zeros_svm": float((np.abs(svm.coef_) < ZERO_WEIGHT).sum()),
            "zeros_programme": float((np.abs(sparse) < ZERO_WEIGHT).sum()),
            "distance": deviation(w, sparse),
        }
        rows += [
            own
            | {"feature": float(k), "weight": w[k], "weight_svm": svm.coef_[k]}
            | {"weight_programme": sparse[k]}
            for k in range(N_FEATURES)
        ]
    return rows


@experiment(
    "universum/regularisers",
    version=1,
    title="Universa that are regularisers: isotropic and anisotropic L2, linear L1",
    page="losses",
    units=crossed(
        "part",
        "draw",
        draw={"smoke": 1, "paper": 20, "full": 100},
        part=("given", "quadratic", "absolute"),
    ),
    agreement={
        "objectives": 1e-6,
        "weights": 1e-4,
        "excess": 1e-6,
        "distance": 1e-5,
    },
)
def compare_regularisers(key, params, data, rng):
    """A row for each regulariser: its identity, or the U-SVM beside an SVM with that penalty."""
    return {"given": _given, "quadratic": _quadratic, "absolute": _absolute}[key["part"]](rng)
