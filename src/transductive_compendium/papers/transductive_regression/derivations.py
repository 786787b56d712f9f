"""Statements about (9), (13), (28) to (34) and the linear discriminant, case by case."""

from itertools import product

import numpy as np
from scipy.optimize import minimize

from ...exact import loo_reference as reference
from ...runner import crossed, experiment

GAMMAS = (1e-3, 0.1, 10.0)
GAMMA_STAR = 0.1
N_TRAIN, N_WORKING, N_INPUTS = 30, 10, 3
#: The finite law whose samples are all enumerated: its size, and the pairs of a sample.
N_LAW, N_PAIRS = 5, 3


def _law_errors(rng, gamma):
    """Expected (13) on l pairs, and expected loss after l - 1 and l pairs, over all samples.

    Pairs are drawn with equal probability, with replacement; three fixed basis functions.
    """
    phi, y = rng.normal(size=(N_LAW, 3)), rng.normal(size=N_LAW)

    def fitted(sample):
        K = phi[list(sample)]
        return np.linalg.solve(K.T @ K + gamma * np.eye(3), K.T @ y[list(sample)])

    def loss(size):
        samples = product(range(N_LAW), repeat=size)
        return np.mean([np.mean((y - phi @ fitted(sample)) ** 2) for sample in samples])

    loo = []
    for sample in product(range(N_LAW), repeat=N_PAIRS):
        for i, left in enumerate(sample):
            weights = fitted(sample[:i] + sample[i + 1 :])
            loo.append((y[left] - phi[left] @ weights) ** 2)
    return np.mean(loo), loss(N_PAIRS - 1), loss(N_PAIRS)


def _constrained(M, y, y0, radius):
    """Minimum of (28) under (29), by a general solver."""
    n = len(y)
    scale = np.abs(M).max()

    def value(v):
        both = np.r_[y, v]
        return both @ M @ both / scale, 2 * (M[n:] @ both) / scale

    inside = {
        "type": "ineq",
        "fun": lambda v: radius**2 - np.sum((v - y0) ** 2),
        "jac": lambda v: -2 * (v - y0),
    }
    start = y0 - 0.5 * radius * (g := value(y0)[1]) / np.linalg.norm(g)
    return minimize(
        value,
        start,
        jac=True,
        constraints=[inside],
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-16},
    ).x


def _gamma_star_of(M, y, y0, radius):
    """gamma* whose (34) has this distance from Y0; by bisection, since the distance falls."""
    low, high = -12.0, 12.0
    for _ in range(200):
        middle = (low + high) / 2
        values = reference.transduce(M, y, y0, 10.0**middle)
        low, high = (middle, high) if np.linalg.norm(values - y0) > radius else (low, middle)
    return 10.0 ** ((low + high) / 2)


def _relative(found, expected):
    return float(np.abs(found - expected).max() / np.abs(expected).max())


@experiment(
    "transductive_regression/derivations",
    version=1,
    title="Steps of the derivation, by enumeration, difference quotients and general solvers",
    units=crossed(case={"smoke": 1, "paper": 20, "full": 100}),
    agreement={"constraint": 1e-6},
)
def deviations_of_derivation(key, params, data, rng):
    """A row for each gamma: deviations of each step of the derivation on one random problem."""
    X = rng.normal(size=(N_TRAIN + N_WORKING, N_INPUTS))
    y = np.sin(X[:N_TRAIN].sum(axis=1)) + 0.3 * rng.normal(size=N_TRAIN)
    squares = ((X[:, None] - X) ** 2).sum(axis=2)
    K = np.exp(-squares / (2 * 1.5**2))
    labels, rows = np.where(y > np.median(y), 1.0, -1.0), []
    for gamma in GAMMAS:
        train, cross = K[:N_TRAIN, :N_TRAIN], K[N_TRAIN:, :N_TRAIN]
        alpha = np.linalg.solve(train.T @ train + gamma * np.eye(N_TRAIN), train.T @ y)
        y0 = cross @ alpha
        # (9): the least squares problem whose minimum it should be
        stacked = np.vstack([train, np.sqrt(gamma) * np.eye(N_TRAIN)])
        solved = np.linalg.lstsq(stacked, np.r_[y, np.zeros(N_TRAIN)], rcond=None)[0]
        M = reference.loo_matrix(reference.complement(K, gamma))
        values = reference.transduce(M, y, y0, GAMMA_STAR)
        M2 = M[N_TRAIN:, N_TRAIN:]
        spectrum = np.linalg.eigvalsh(M2)

        def objective(v, M=M, y0=y0):
            both = np.r_[y, v]
            return both @ M @ both + GAMMA_STAR * np.sum((v - y0) ** 2)

        # of a quadratic function central differences are exact but for rounding
        point, steps = y0 + rng.normal(size=N_WORKING), np.eye(N_WORKING)
        quotient = np.array([(objective(point + e) - objective(point - e)) / 2 for e in steps])
        gradient = 2 * (M[:N_TRAIN, N_TRAIN:].T @ y + M2 @ point + GAMMA_STAR * (point - y0))
        free = reference.transduce(M, y, y0, 1e-12)
        reach, errors, gammas_star = np.linalg.norm(free - y0), [], []
        for share in (0.2, 0.5, 0.8):
            gammas_star.append(_gamma_star_of(M, y, y0, share * reach))
            inside = reference.transduce(M, y, y0, gammas_star[-1])
            errors.append(_relative(_constrained(M, y, y0, share * reach) - y0, inside - y0))
        loo, less, same = _law_errors(rng, gamma)
        shifted = reference.transduce(M, y, y0 + 1.0, GAMMA_STAR)
        rows.append(
            {
                "gamma": gamma,
                "minimum_9": _relative(train @ solved, train @ alpha),
                "gradient": _relative(quotient, gradient),
                "least_eigenvalue": float(max(-spectrum[0], 0.0) / spectrum[-1]),
                "constraint": max(errors),
                "falls_with_radius": gammas_star[0] > gammas_star[1] > gammas_star[2],
                "loo_and_less": abs(loo / less - 1.0),
                "loo_and_same": abs(loo / same - 1.0),
                # how Y* answers when Y0 alone is moved by 1 everywhere
                "moved_by_y0": float(np.abs(shifted - values).max()),
                "ridge_one_by_one": _relative(
                    np.array([K[i : i + 1, :N_TRAIN] @ alpha for i in range(N_TRAIN, len(K))])[
                        :, 0
                    ],
                    y0,
                ),
                "fisher": _fisher(X[:N_TRAIN], labels),
            }
        )
    return rows


def _fisher(X, labels):
    """Sine of the angle between least squares on labels and a constant, and Fisher's direction."""
    design = np.column_stack([X, np.ones(len(X))])
    weights = np.linalg.lstsq(design, labels, rcond=None)[0][:-1]
    up, down = X[labels > 0], X[labels < 0]
    within = sum((part - part.mean(axis=0)).T @ (part - part.mean(axis=0)) for part in (up, down))
    direction = np.linalg.solve(within, up.mean(axis=0) - down.mean(axis=0))
    a, b = weights / np.linalg.norm(weights), direction / np.linalg.norm(direction)
    return float(np.linalg.norm(a - (a @ b) * b))
