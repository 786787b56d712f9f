"""The losses of the U-SVM; its dual as that of an SVM with every universum point twice.

Inference with the Universum (poster): implementation in support vector machines.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

from transductive.kernels import gram_matrix
from transductive.margin import minimise
from transductive.margin.universum_solver import UniversumSolver

from ...runner import experiment

#: KKT violation at which the U-SVM is compared with another method.
EXACT_TOLERANCE = 1e-10
CURVE_EPSILONS = (0.0, 0.1, 0.25, 0.5, 1.0)
CURVE_POINTS = np.linspace(-2.5, 2.5, 101)
EPSILONS = (0.0, 0.1, 0.5)
#: C and C_universum.
COSTS = ((1.0, 0.1), (1.0, 1.0), (10.0, 1.0))
KERNELS = ("linear", "rbf")
N_LABELLED, N_UNIVERSUM, N_ELSEWHERE = 12, 8, 50
#: The intercept is computed from a dual variable at least this far inside its box, relative to it.
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
        From the variable deepest inside its box; NaN if all are at their bounds, where the dual
        does not determine it.
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


def _loss_curves():
    """Values of the losses, and of the hinges that the universum's is made of."""
    rows = []
    for epsilon in CURVE_EPSILONS:
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
            for f in CURVE_POINTS
        ]
    return rows


def _compared_solvers(rng):
    """The U-SVM against an SVM with every universum point twice, and a general solver."""
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
                solver = UniversumSolver(K, np.diagonal(K).copy(), y, tol=EXACT_TOLERANCE)
                solver.solve(C, C_universum, epsilon)
                values = across @ solver.coefficients
                labels, rho, upper = two_copies(y, N_UNIVERSUM, C, C_universum, epsilon)
                K2 = K[np.ix_(twice, twice)]
                box = labels * upper
                svm = minimise(
                    K2,
                    labels * rho,
                    np.minimum(box, 0.0),
                    np.maximum(box, 0.0),
                    tol=EXACT_TOLERANCE,
                )
                alpha, objective, intercept = general_dual(K2, labels, rho, upper)
                primal = solver.primal()
                general = across[:, twice] @ (labels * alpha)
                rows.append(
                    {
                        "kernel": kernel,
                        "epsilon": epsilon,
                        "C": C,
                        "C_universum": C_universum,
                        "objective": primal,
                        # of the SVM solver, then of the general one
                        "svm_objective": abs(-svm.objective / primal - 1.0),
                        "svm_values": deviation(across[:, twice] @ svm.coefficients, values),
                        "general_objective": abs(objective / primal - 1.0),
                        "general_values": deviation(general, values),
                        "general_intercept": abs(intercept - solver.intercept),
                    }
                )
    return rows


def primal(w, b, points, labels, universum, C, C_universum, epsilon):
    """Primal objective of the U-SVM with the linear kernel."""
    hinges = hinge(labels * (points @ w + b), 1.0).sum()
    return 0.5 * w @ w + C * hinges + C_universum * insensitive(universum @ w + b, epsilon).sum()


def _convexity(rng):
    """Values of the primal at two hyperplanes and between; the least change that flips a sign."""
    y = np.where(np.arange(N_LABELLED) % 2 > 0, 1.0, -1.0)
    X, U = rng.standard_normal((N_LABELLED, 3)), rng.standard_normal((N_UNIVERSUM, 3))
    rows = []
    for C, C_universum in COSTS:
        for epsilon in EPSILONS:
            one, other = rng.standard_normal((2, 4))
            ends = [
                primal(h[:-1], h[-1], X, y, U, C, C_universum, epsilon)
                for h in (one, other, 0.5 * (one + other))
            ]
            # of all changes of (w, b) so long, the one along (x, 1) moves f(x) most: to 0
            homogeneous = np.column_stack([U, np.ones(len(U))])
            f, length = homogeneous @ one, np.linalg.norm(homogeneous, axis=1)
            step = -(f / length**2)[:, None] * homogeneous
            tried = rng.standard_normal((1000, 4))
            tried /= np.linalg.norm(tried, axis=1)[:, None]
            shorter = 0.999 * (np.abs(f) / length)[:, None] * (tried @ homogeneous.T).T
            rows.append(
                {
                    "kernel": "linear",
                    "epsilon": epsilon,
                    "C": C,
                    "C_universum": C_universum,
                    "objective": ends[2],
                    "above_chord": max(0.0, ends[2] - 0.5 * (ends[0] + ends[1])) / ends[2],
                    "flip_distance": np.abs(
                        np.linalg.norm(step, axis=1) * length / np.abs(f) - 1.0
                    ).max(),
                    "flip_value": np.abs(f + (step * homogeneous).sum(axis=1)).max(),
                    "flipped_sooner": float(((f[:, None] + shorter) * f[:, None] <= 0).sum()),
                }
            )
    return rows


def _units(params, profile):
    keys, first = [{"part": "shapes", "draw": 0}], 0
    # a longer tier begins with the shorter
    for tier, n in (("smoke", 1), ("paper", 20), ("full", 100)):
        keys += [
            {"part": part, "draw": i} for part in ("machines", "convexity") for i in range(first, n)
        ]
        first = n
        if tier == profile:
            break
    return keys


@experiment(
    "universum/losses",
    version=2,
    title="The losses of the U-SVM, and its dual as that of an SVM with every point twice",
    units=_units,
    # differences of two methods: their own rounding, no result
    agreement=dict.fromkeys(
        (
            "svm_objective",
            "svm_values",
            "general_objective",
            "general_values",
            "general_intercept",
            "above_chord",
            "flip_distance",
            "flip_value",
        ),
        1e-4,
    ),
)
def compare_losses(key, params, data, rng):
    """Rows of the losses' curves, of the dual's solutions, or of the primal's convexity."""
    if key["part"] == "shapes":
        return _loss_curves()
    return (_convexity if key["part"] == "convexity" else _compared_solvers)(rng)
