"""Quadratic programmes to test the solver with, and what is true of their optima."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from transductive.margin.quadratic_programme import minimise

TIGHT = 1e-10


@dataclass(frozen=True)
class Problem:
    """``1/2 b'Kb + sum (r b^2 / 2 - t b)`` over a box, the sum given or (None) free."""

    K: np.ndarray
    target: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    ridge: np.ndarray | None = None
    total: float | None = 0.0
    doubled: int = 0

    def solve(self, solver=minimise, **settings):
        given = (self.K, self.target, self.lower, self.upper)
        names = ("doubled", "ridge", "total")
        with warnings.catch_warnings():
            if "max_iter" in settings:  # to stop there is what was asked for
                warnings.simplefilter("ignore", ConvergenceWarning)
            return solver(*given, **{name: getattr(self, name) for name in names}, **settings)

    @property
    def points(self):
        n = len(self.K)
        return np.r_[:n, n - self.doubled : n]

    @property
    def gram(self):
        """Of all variables, in float64."""
        return np.asarray(self.K, dtype=np.float64)[np.ix_(self.points, self.points)]

    @property
    def ridges(self):
        return np.zeros(len(self.target)) if self.ridge is None else self.ridge

    def objective(self, b):
        return 0.5 * b @ (self.gram + np.diag(self.ridges)) @ b - self.target @ b

    def slopes(self, b):
        return (self.gram + np.diag(self.ridges)) @ b - self.target

    def violation(self, b):
        """The largest gain of slope that a feasible exchange, or a single step, has left."""
        g = self.slopes(b)
        up, low = g[b < self.upper], g[b > self.lower]
        if self.total is None:
            return max(0.0, *-up, *low)
        return max(0.0, np.max(low, initial=-np.inf) - np.min(up, initial=np.inf))

    def primal(self, b, intercept):
        """Fenchel's bound with the sign turned: minus this lies below every feasible objective.

        The minimum over the box of each variable's convex function is at an end or where its
        slope is zero.
        """
        f = self.gram @ b
        slope, r = f - self.target + intercept, self.ridges
        with np.errstate(divide="ignore", invalid="ignore"):
            inner = np.nan_to_num(np.clip(-slope / r, self.lower, self.upper), nan=0.0)
        least = [0.5 * r * z**2 + slope * z for z in (self.lower, self.upper, inner)]
        total = 0.0 if self.total is None else self.total
        return 0.5 * b @ f + intercept * total - np.min(least, axis=0).sum()

    def is_feasible(self, b):
        inside = np.all(b >= self.lower) and np.all(b <= self.upper)
        return inside and (self.total is None or abs(b.sum() - self.total) < 1e-9)

    def random_start(self, rng):
        """A feasible point: any point of the box, moved until the sum is right."""
        b = rng.uniform(self.lower, self.upper)
        if self.total is not None:
            for i in rng.permutation(len(b)):
                b[i] = np.clip(b[i] + self.total - b.sum(), self.lower[i], self.upper[i])
        return b

    def reordered(self, order):
        """The same problem with its points in another order (no doubled points)."""
        kept = ("target", "lower", "upper") + (() if self.ridge is None else ("ridge",))
        moved = {name: getattr(self, name)[order] for name in kept}
        return replace(self, K=self.K[np.ix_(order, order)], **moved)


def exact_optimum(problem):
    """The least objective, from every assignment of the variables to lower, upper and free.

    Given the assignment the optimum solves a linear system. Some optimum has so many variables
    at bounds that the system of the free ones is regular, so that singular ones may be skipped.
    """
    H, size = problem.gram + np.diag(problem.ridges), len(problem.target)
    constrained = problem.total is not None
    best = np.inf
    for state in product((-1, 0, 1), repeat=size):
        state = np.array(state)
        b = np.where(state < 0, problem.lower, problem.upper)
        free = np.flatnonzero(state == 0)
        if len(free):
            b[free] = 0.0
            A = np.zeros((len(free) + constrained,) * 2)
            A[: len(free), : len(free)] = H[np.ix_(free, free)]
            right = (problem.target - H @ b)[free]
            if constrained:
                A[-1, :-1] = A[:-1, -1] = 1.0
                right = np.append(right, problem.total - b.sum())
            if np.linalg.cond(A) > 1e8:
                continue
            b[free] = np.linalg.solve(A, right)[: len(free)]
        near = np.clip(b, problem.lower, problem.upper)
        if np.allclose(b, near, rtol=0, atol=1e-9) and problem.is_feasible(near):
            best = min(best, problem.objective(near))
    return best


def gaussian(X, gamma=0.5):
    square = np.sum(X**2, axis=1)
    return np.exp(-gamma * (square[:, None] + square - 2.0 * X @ X.T))


def clouds(n=60, d=3, seed=0):
    """Two overlapping classes, labels -1 and 1."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    return rng.standard_normal((n, d)) + 0.7 * y[:, None], y


def classifier(K, y, C=1.0, **given):
    """The support vector classifier's dual; C a number or one for each point."""
    C = np.broadcast_to(np.asarray(C, dtype=float), y.shape)
    return Problem(K, y, np.where(y > 0, 0.0, -C), np.where(y > 0, C, 0.0), **given)


def regression(K, y, C=1.0, epsilon=0.1, **given):
    """Support vector regression's dual: every point is doubled."""
    n = len(y)
    return Problem(
        K,
        np.r_[y - epsilon, y + epsilon],
        np.r_[np.zeros(n), np.full(n, -C)],
        np.r_[np.full(n, C), np.zeros(n)],
        doubled=n,
        **given,
    )
