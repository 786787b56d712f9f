"""Sequential minimal optimisation in plain NumPy, on the quadratic programme of every SVM here.

With signed duals b (for a classifier ``b_i = y_i a_i``), Gram matrix K, targets t, ridges r::

    minimise    1/2 b'Kb + sum_i (r_i b_i^2 / 2 - t_i b_i)
    subject to  lower_i <= b_i <= upper_i,  sum_i b_i = total

Each function is one equation or one rule; nothing here is fast. Every function takes the Gram
matrix of all variables: a point with two variables has two equal rows in it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

LEAST_CURVATURE = 1e-12


class Solution(NamedTuple):
    """Fields of `transductive.margin.quadratic_programme.Solution`."""

    coefficients: np.ndarray
    values: np.ndarray
    intercept: float
    objective: float
    violation: float
    gap: float
    iterations: int
    converged: bool


def objective(K, b, target, ridge):
    """``1/2 b'Kb + sum_i (r_i b_i^2 / 2 - t_i b_i)``."""
    return 0.5 * b @ K @ b + np.sum(0.5 * ridge * b**2 - target * b)


def gradient(K, b, target, ridge):
    """Slope of the objective in each variable: ``g = Kb - t + r b``."""
    return K @ b - target + ridge * b


def rising_and_falling(g, b, lower, upper):
    """The least slope among variables that may grow, the greatest among those that may fall."""
    return np.min(g[b < upper], initial=np.inf), np.max(g[b > lower], initial=-np.inf)


def violation(g, b, lower, upper, total):
    """Violation of the optimality (KKT) conditions: 0 at the optimum.

    If the sum is fixed, at the optimum no pair of variables can lower the objective by growing one
    and shrinking the other: ``max_low g - min_up g <= 0``. If it is free, the same holds for each
    variable alone.
    """
    least, greatest = rising_and_falling(g, b, lower, upper)
    return max(0.0, greatest - least if total is not None else max(greatest, -least))


def intercept(g, b, lower, upper, total):
    """The multiplier of the sum: minus the slope that all free variables share."""
    free = (b > lower) & (b < upper)
    ends = np.array(rising_and_falling(g, b, lower, upper))
    if total is None or not np.isfinite(ends).any():
        return 0.0
    return -np.mean(g[free] if free.any() else ends[np.isfinite(ends)])


def duality_gap(g, b, lower, upper, ridge, intercept):
    """Primal minus dual objective: an upper bound to how much the dual objective can still fall.

    ``1/2 b'Kb`` lies above its tangent plane, and adding ``intercept * (sum b - total)`` changes
    nothing where the sum is right. The remaining problem separates into one for each variable,
    ``phi_i(z) = r_i z^2 / 2 + ((Kb)_i - t_i + intercept) z``, and the gap is
    ``sum_i [phi_i(b_i) - min over the box of phi_i]``. For a classifier, with t = y and no ridge,
    the minimum is ``-C max(0, 1 - y_i ((Kb)_i + intercept))``: the hinge loss.
    """
    slope = g - ridge * b + intercept
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.clip(np.where(slope == 0.0, 0.0, -slope / ridge), lower, upper)
        gain = (b - z) * (slope + 0.5 * ridge * (b + z))
    return np.sum(np.where(np.isfinite(z), gain, np.inf))


def working_pair(K, g, b, lower, upper, ridge):
    """Variable i to grow, j to fall, and the objective's curvature along the pair.

    i has the least slope; without the box, j would lower the objective most, by
    ``(g_j - g_i)^2`` over twice the curvature (Fan, Chen and Lin 2005). Ties go to the first.
    """
    i = np.argmin(np.where(b < upper, g, np.inf))
    curvature = K[i, i] + np.diag(K) - 2.0 * K[i] + ridge[i] + ridge
    if np.any(curvature < -1e-6 * np.abs(np.diag(K)).max()):
        raise ValueError("the kernel matrix is not positive semidefinite")
    curvature = np.maximum(curvature, LEAST_CURVATURE)
    fall = np.where((b > lower) & (g > g[i]), (g - g[i]) ** 2 / curvature, -np.inf)
    j = np.argmax(fall)
    return i, j, curvature[j]


def working_variable(K, g, b, lower, upper, ridge):
    """The variable that moves alone if the sum is free: the one that lowers the objective most."""
    curvature = np.maximum(np.diag(K) + ridge, LEAST_CURVATURE)
    movable = np.where(g < 0.0, b < upper, b > lower)
    i = np.argmax(np.where(movable, g**2 / curvature, -np.inf))
    return i, curvature[i]


def feasible_point(lower, upper, total):
    """Zero, clipped to the box, with variable after variable moved until the sum is right."""
    b = np.clip(np.zeros(len(lower)), lower, upper)
    if total is not None:
        for i in range(len(b)):
            b[i] = np.clip(b[i] + total - b.sum(), lower[i], upper[i])
    return b


def minimise(
    K,
    target,
    lower,
    upper,
    *,
    doubled=0,
    ridge=None,
    total=0.0,
    start=None,
    tol=1e-3,
    max_iter=-1,
):
    """The same as `transductive.margin.quadratic_programme.minimise`, for good input."""
    n = len(K)
    point = np.r_[:n, n - doubled : n]
    K = np.asarray(K, dtype=np.float64)[np.ix_(point, point)]
    ridge = np.zeros(len(K)) if ridge is None else np.asarray(ridge)
    b = feasible_point(lower, upper, total) if start is None else np.array(start, dtype=float)
    iterations = 0
    while True:
        g = gradient(K, b, target, ridge)
        level = intercept(g, b, lower, upper, total)
        value = objective(K, b, target, ridge)
        left = violation(g, b, lower, upper, total)
        gap = duality_gap(g, b, lower, upper, ridge, level)
        converged = left <= tol
        if converged or iterations == max_iter:
            values = (K @ b)[:n]
            return Solution(b, values, level, value, left, gap, iterations, converged)
        if total is None:
            i, curvature = working_variable(K, g, b, lower, upper, ridge)
            b[i] = np.clip(b[i] - g[i] / curvature, lower[i], upper[i])
        else:
            i, j, curvature = working_pair(K, g, b, lower, upper, ridge)
            step = min((g[j] - g[i]) / curvature, upper[i] - b[i], b[j] - lower[j])
            # rounding must not keep a variable from its bound
            b[i] = upper[i] if step == upper[i] - b[i] else b[i] + step
            b[j] = lower[j] if step == b[j] - lower[j] else b[j] - step
        iterations += 1
