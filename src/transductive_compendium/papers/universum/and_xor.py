"""AND and XOR among noise features: the universum of unit vectors, and input selection.

Inference with the Universum (poster), L1 regularizer and its table of toy problems.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np

from transductive.kernels import gram_matrix
from transductive.margin.universum_solver import UniversumSolver

from ...runner import crossed, experiment
from .grid_search import error

#: Number of features; the first two matter.
FEATURES = {"and": 20, "xor": 6}
RELEVANT = 2
DISTRIBUTIONS = ("bits", "uniform")
#: Training points. The poster does not say: so many that the SVM's error is about the printed one,
#: for AND with the linear kernel, for XOR with the polynomial one.
N_TRAIN = {
    ("and", "bits"): 21,
    ("and", "uniform"): 70,
    ("xor", "bits"): 9,
    ("xor", "uniform"): 36,
}
N_VALIDATION, N_TEST = 500, 1000
KERNELS = ("linear", "poly", "rbf")
DEGREE = 2
GAMMAS = {
    "linear": (1.0,),
    "poly": (0.001, 0.01, 0.1, 1.0, 10.0),
    "rbf": (0.001, 0.01, 0.1, 1.0),
}
#: With uniform features smaller ones take long, and where we tried them none was chosen.
LEAST_GAMMA = {"bits": 0.001, "uniform": 0.01}
#: C over the variance of the training points in feature space.
COSTS = (0.1, 1.0, 10.0, 100.0)
#: Largest violation of a KKT condition, in units of the labels.
TOLERANCE = 1e-2
#: C_universum over C.
RATIOS = (0.01, 0.1, 1.0, 10.0)
#: The intercept: one that the universum's loss has too, as in the poster's
#: primal; none, where the poster shows the identity; one that only the labelled points have.
TRAINED, ZERO, OUTSIDE = ("trained", "zero", "outside")
#: The universum: none (the SVM), the unit vectors, or as many others at right angles.
NO_UNIVERSUM, AXES, ROTATED = UNIVERSA = ("none", "axes", "rotated")
METHODS = (
    (NO_UNIVERSUM, TRAINED),
    (NO_UNIVERSUM, ZERO),
    (AXES, TRAINED),
    (AXES, ZERO),
    (AXES, OUTSIDE),
    (ROTATED, TRAINED),
    (ROTATED, OUTSIDE),
)
#: The square of the feature that represents the intercept outside the universum, over the variance
#: in feature space: its weight then costs next to nothing.
CONSTANT_FEATURE = 10.0


class Sample(NamedTuple):
    """Points and their signs, -1 and 1."""

    X: np.ndarray
    y: np.ndarray


def sample(problem, distribution, n, rng):
    """Points of a toy problem.

    Parameters
    ----------
    problem : {"and", "xor"}
        1 if both of the first two features are positive ("and"), or exactly one of them ("xor").
    distribution : {"bits", "uniform", "gaussian_noise", "gaussian"}
        Law of each feature: -1 or 1; uniform in between; -1 or 1 for the relevant features and
        standard normal for the others; all standard normal.
    n : int
    rng : Generator

    Returns
    -------
    Sample
    """
    shape = n, FEATURES[problem]
    if distribution == "uniform":
        X = rng.uniform(-1.0, 1.0, shape)
    elif distribution == "gaussian":
        X = rng.standard_normal(shape)
    else:
        X = rng.choice([-1.0, 1.0], shape)
        if distribution == "gaussian_noise":
            X[:, RELEVANT:] = rng.standard_normal((n, shape[1] - RELEVANT))
    positive = (X[:, :RELEVANT] > 0).sum(axis=1)
    return Sample(X, np.where(positive == (2 if problem == "and" else 1), 1.0, -1.0))


def random_split(problem, distribution, rng, n_train=None):
    """Training, validation and test points; repeated until the training points have two classes.

    Returns
    -------
    train, validation, test : Sample
    """
    n_train = n_train or N_TRAIN[problem, distribution]
    sizes = np.cumsum([n_train, N_VALIDATION, N_TEST])
    while True:
        X, y = sample(problem, distribution, sizes[-1], rng)
        if len(np.unique(y[: sizes[0]])) == 2:
            parts = zip(np.split(X, sizes[:-1]), np.split(y, sizes[:-1]), strict=True)
            return tuple(Sample(*part) for part in parts)


def directions(universum, n_features, rng):
    """Points of a universum: the unit vectors, or the rows of a random rotation.

    Returns
    -------
    ndarray of shape (u, n_features)
        No rows for `NO_UNIVERSUM`.
    """
    if universum == NO_UNIVERSUM:
        return np.empty((0, n_features))
    if universum == AXES:
        return np.eye(n_features)
    Q, R = np.linalg.qr(rng.standard_normal((n_features, n_features)))
    return (Q * np.sign(np.diagonal(R))).T


class ClassifierFamily(NamedTuple):
    """SVMs or U-SVMs with one kernel; the rows of `costs` are their C and C_universum."""

    kernel: str
    gamma: float
    degree: int
    points: np.ndarray
    costs: np.ndarray
    coefficients: np.ndarray
    intercepts: np.ndarray

    def decision(self, X):
        """Values at the rows of X, of shape (classifiers, n)."""
        gram = _gram(self.points, X, self.kernel, self.gamma, self.degree)
        return self.coefficients @ gram + self.intercepts[:, None]

    def one(self, k):
        """The same with the classifier k only."""
        return self._replace(
            costs=self.costs[[k]],
            coefficients=self.coefficients[[k]],
            intercepts=self.intercepts[[k]],
        )


def _gram(A, B, kernel, gamma, degree):
    return gram_matrix(A, B, kernel=kernel, gamma=gamma, degree=degree)


def trained_families(train, universum, intercept, kernel, least_gamma=0.0, degrees=(DEGREE,)):
    """All classifiers of the grid: L1 loss, that is epsilon = 0, on the universum.

    Parameters
    ----------
    train : Sample
    universum : ndarray of shape (u, d)
    intercept : {"trained", "zero", "outside"}
    kernel : {"linear", "poly", "rbf"}
    least_gamma : float, default=0.0
        Smaller ones are left out.
    degrees : tuple of int
        Degrees of the polynomial kernel.

    Returns
    -------
    list of ClassifierFamily
        By rising degree, then gamma; in each by rising C, then C_universum.
    """
    l, points, families = len(train.y), np.concatenate([train.X, universum]), []
    ratios = RATIOS if len(universum) else (0.0,)
    costs = np.array([(C, ratio * C) for C in COSTS for ratio in ratios])
    for degree, gamma in product(degrees if kernel == "poly" else (0,), GAMMAS[kernel]):
        if gamma < least_gamma:
            continue
        K = _gram(points, points, kernel, gamma, degree)
        variance = np.diagonal(K)[:l].mean() - K[:l, :l].mean()
        constant = CONSTANT_FEATURE * variance if intercept == OUTSIDE else 0.0
        K[:l, :l] += constant
        coefficients, intercepts = [], []
        for k, (C, C_universum) in enumerate(costs / variance):
            if k % len(ratios) == 0:
                solver = UniversumSolver(
                    K,
                    np.diagonal(K).copy(),
                    train.y,
                    fit_intercept=intercept == TRAINED,
                    tol=TOLERANCE,
                )
            solver.solve(C, C_universum)
            coefficients.append(solver.coefficients)
            intercepts.append(solver.intercept + constant * solver.coefficients[:l].sum())
        families.append(
            ClassifierFamily(
                kernel, gamma, degree, points, costs, np.array(coefficients), np.array(intercepts)
            )
        )
    return families


def sensitivity(classifier, X, rng):
    """Effect of each feature on the decision value: mean change when its values are permuted.

    The values of a feature are permuted among the points. For the linear kernel the effect is
    proportional to the size of its weight.

    Parameters
    ----------
    classifier : ClassifierFamily
        With a single classifier.
    X : ndarray of shape (n, d)
    rng : Generator

    Returns
    -------
    ndarray of shape (d,)
    """
    values, changes = classifier.decision(X), []
    for k in range(X.shape[1]):
        changed = X.copy()
        changed[:, k] = rng.permutation(X[:, k])
        changes.append(np.abs(classifier.decision(changed) - values).mean())
    return np.array(changes)


@experiment(
    "universum/and_xor",
    version=1,
    title="AND and XOR among noise features: the universum of unit vectors selects inputs",
    units=crossed(
        draw={"smoke": 1, "paper": 50, "full": 200},
        distribution=DISTRIBUTIONS,
        problem=FEATURES,
        smoke=2,
    ),
    # a point at the boundary may fall on either side by rounding, and with it a choice among
    # classifiers of equal merit
    agreement=dict.fromkeys(
        ("error", "error_validation", "error_oracle", "gamma", "C", "C_universum", "share"),
        "chaotic",
    ),
)
def run_and_xor(key, params, data, rng):
    train, validation, test = random_split(key["problem"], key["distribution"], rng)
    seed, rows = int(rng.integers(2**31)), []
    for name, intercept in METHODS:
        # every method and kernel sees the same rotation and the same permutations
        own = np.random.default_rng(seed)
        universum = directions(name, FEATURES[key["problem"]], own)
        for kernel in KERNELS:
            families = trained_families(
                train, universum, intercept, kernel, LEAST_GAMMA[key["distribution"]]
            )
            wrong, tests = (
                [error(f, y) for family in families for f in family.decision(X)]
                for X, y in (validation, test)
            )
            at = int(np.argmin(wrong))
            family, k = divmod(at, len(families[0].costs))
            chosen = families[family].one(k)
            moved = sensitivity(chosen, test.X, np.random.default_rng(seed))
            rows.append(
                {
                    "n_train": len(train.y),
                    "kernel": kernel,
                    "universum": name,
                    "intercept": intercept,
                    "error": tests[at],
                    "error_validation": wrong[at],
                    "error_oracle": min(tests),
                    "gamma": chosen.gamma,
                    "C": chosen.costs[0, 0],
                    "C_universum": chosen.costs[0, 1],
                    # of a constant function no feature moves anything
                    "share": moved[:RELEVANT].sum() / moved.sum() if moved.sum() > 0 else 0.0,
                }
            )
    return rows
