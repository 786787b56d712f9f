"""Quadratic programmes with boxes and one equality: the interface to the SMO solver."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from ..caller_warning import warn_caller
from ..kernels import NotPositiveSemidefiniteError, check_gram
from ._smo import INDEFINITE, LIMIT, OPTIMAL, UNBOUNDED, Smo
from .active_sets import ACTIVE_SET_VARIABLES, ActiveSets
from .gram import GramBlocks

__all__ = ["NotSeparableError", "QuadraticProgramme", "Solution", "minimise"]

# After so many updates the gradient is recomputed before it may prove optimality.
GRADIENT_MAX_UPDATES = 100_000
# A smaller margin counts as none: without bounds coefficients of touching classes grow for ever.
MIN_RELATIVE_MARGIN = 1e-6
# With fewer variables, shrinking gains nothing before so many iterations.
SHRINKING_MIN_VARIABLES, SHRINKING_MIN_ITERATIONS = 1000, 100_000
# Most iterations by default, but for many variables; iterations on a part may be more.
DEFAULT_MAX_ITER, SHRINKING_MAX_GROWTH = 10_000_000, 10
# Rows of a Gram matrix that stay in a near cache while a part of them is copied.
ROWS_AT_ONCE = 64


class NotSeparableError(ValueError):
    """No hard margin exists: no hyperplane separates the classes."""


@dataclass(frozen=True, eq=False)
class Solution:
    """Solution of a quadratic programme, with its accuracy.

    Attributes
    ----------
    coefficients : ndarray of shape (n + doubled,)
        Signed duals.
    values : ndarray of shape (n,)
        ``K b`` at the points, without the intercept.
    intercept : float
        Multiplier of the equality; 0.0 without one.
    objective : float
        The minimised objective, with the Gram matrix as given, accumulated in double precision.
    violation : float
        Largest violation of the KKT conditions, in units of the targets.
    gap : float
        The objective is above its minimum by at most this; infinite if a variable without bounds
        or ridge has a slope that is not zero to the last digit.
    iterations : int
    converged : bool
    """

    coefficients: np.ndarray
    values: np.ndarray
    intercept: float
    objective: float
    violation: float
    gap: float
    iterations: int
    converged: bool


class QuadraticProgramme:
    """A programme whose boxes and coefficients may change between solutions.

    Parameters are those of `minimise`; the Gram matrix may be `GramBlocks` and is not checked.
    `growing`, an array of bool, marks variables whose boxes and coefficients `set_boxes` will
    multiply, most of them by the same factor.
    """

    def __init__(
        self,
        K,
        target,
        lower,
        upper,
        *,
        doubled=0,
        ridge=None,
        total=0.0,
        start=None,
        diagonal=None,
        growing=None,
    ):
        diagonal = np.ascontiguousarray(np.diagonal(K)) if diagonal is None else diagonal
        self._n, self._doubled, self._total = len(diagonal), doubled, total
        self._gram, self._diagonal, self._shrunk_iterations = K, diagonal, 0
        self._in_blocks, self._room = isinstance(K, GramBlocks), np.empty(0)
        self._may_shrink = total is not None and not self._in_blocks
        self.target = np.array(target, dtype=np.float64)
        size = len(self.target)
        self.lower, self.upper = (np.array(b, dtype=np.float64) for b in (lower, upper))
        self.ridge = np.zeros(size) if ridge is None else np.array(ridge, dtype=np.float64)
        if size != self._n + doubled or not 0 <= doubled <= self._n:
            raise ValueError(
                f"{self._n} points, {doubled} of them doubled, have {self._n + doubled} "
                f"variables, target has {size}"
            )
        for name in ("lower", "upper", "ridge"):
            if getattr(self, name).shape != (size,):
                raise ValueError(
                    f"{name} must have shape ({size},), got {getattr(self, name).shape}"
                )
        self._check_numbers()
        coefficients = self._start(start)
        self._growing = np.zeros(size, dtype=bool) if growing is None else growing
        state = (
            diagonal,
            self.target,
            self.lower,
            self.upper,
            self.ridge,
            doubled,
            total is not None,
            coefficients,
        )
        self._smo = ActiveSets(K, *state, self._growing) if self._in_blocks else Smo(K, *state)
        # values and intercept of a solution, until anything changes
        self._kept = None

    def _check_numbers(self):
        if not (np.isfinite(self.target).all() and np.isfinite(self.ridge).all()):
            raise ValueError("target and ridge must be finite")
        if (self.ridge < 0).any():
            raise ValueError("ridge must not be negative")
        if not (self.lower <= self.upper).all() or (self.lower == np.inf).any():
            raise ValueError("lower must not exceed upper, and neither may be NaN")

    def _start(self, start):
        if start is None:
            return self._feasible(np.clip(0.0, self.lower, self.upper))
        start = np.array(start, dtype=np.float64)
        if start.shape != self.target.shape or not np.isfinite(start).all():
            raise ValueError(f"start must be finite, of shape {self.target.shape}")
        slack = 1e-9 * max(1.0, np.abs(start).sum())
        if (start < self.lower - slack).any() or (start > self.upper + slack).any():
            raise ValueError("start is not in the boxes: clip it to lower and upper")
        start = np.clip(start, self.lower, self.upper)
        if self._total is not None and abs(start.sum() - self._total) > slack:
            raise ValueError(f"start sums to {start.sum():g}, not to total={self._total:g}")
        return start

    def _feasible(self, start, order=slice(None)):
        """Move `start` within the boxes, the first variables first, until it has the right sum."""
        if self._total is None:
            return start
        missing = self._total - start.sum()
        room = self.upper - start if missing > 0 else start - self.lower
        reach = np.cumsum(np.minimum(room[order], abs(missing)))
        if abs(missing) > (reach[-1] if len(reach) else 0.0) + 1e-12 * abs(self._total):
            raise ValueError(
                f"no coefficients between lower and upper sum to total={self._total:g}: "
                f"from {self.lower.sum():g} to {self.upper.sum():g} is possible"
            )
        taken = np.diff(np.minimum(reach, abs(missing)), prepend=0.0)
        start = start.copy()
        start[order] += np.sign(missing) * taken
        return np.clip(start, self.lower, self.upper)

    @property
    def coefficients(self):
        """Present signed duals, of shape (n + doubled,)."""
        return self._smo.coefficients

    @property
    def iterations(self):
        """Number of iterations of all solutions so far."""
        return self._smo.iterations + self._shrunk_iterations

    @property
    def values(self):
        """``K b`` at the points, from the gradient, of shape (n,)."""
        if self._kept is not None:
            return self._kept[0]
        gradient = self._smo.gradient + self.target - self.ridge * self.coefficients
        return gradient[: self._n]

    def set_boxes(self, lower, upper, coefficients=None):
        """Set new boxes, which must contain the present coefficients unless new ones are given.

        New coefficients are clipped to the boxes and moved, those nearest the margin first,
        until they have the right sum.
        """
        self.lower[:], self.upper[:] = lower, upper
        self._kept = None
        self._check_numbers()
        if coefficients is not None:
            order = np.argsort(np.abs(self._smo.gradient + self.intercept()), kind="stable")
            self._become(self._feasible(np.clip(coefficients, lower, upper), order))
        elif (self.coefficients < self.lower).any() or (self.coefficients > self.upper).any():
            raise ValueError("the present coefficients are not in the new boxes")
        self._smo.mark()

    def _become(self, coefficients):
        """Set new coefficients, most of the growing ones multiplied by the same factor."""
        b, gradient = self.coefficients, self._smo.gradient
        some = self._growing & (b != 0)
        factors = coefficients[some] / b[some]
        rounded = np.round(factors, 9)
        kinds, counts = np.unique(rounded, return_counts=True)
        if len(counts):
            # rounding only identifies equal factors
            factor = np.median(factors[rounded == kinds[np.argmax(counts)]])
            if self._in_blocks:
                self._smo.grow(factor)
            else:
                # the others are moved back below
                gradient[:] = factor * (gradient + self.target) - self.target
                b *= factor
        others = np.flatnonzero(np.abs(coefficients - b) > 1e-15 * np.abs(b))
        self._smo.move(others, coefficients[others])
        b[:] = coefficients

    def settle(self, values):
        """Judge the present coefficients by `values`, their exact ``K b``, of shape (n,)."""
        self._kept = None
        both = np.r_[values, values[self._n - self._doubled :]]
        self._smo.gradient[:] = both + self.ridge * self.coefficients - self.target
        self._kept = values, self.intercept()

    def refresh(self):
        """Recompute the gradient, to remove rounding errors that have grown with the boxes."""
        self._kept = None
        self._smo.refresh()

    def replace(self, variables, target, lower, upper, coefficients):
        """Give a few variables other targets, boxes and coefficients with an unchanged sum."""
        self._kept = None
        gradient = self._smo.gradient
        gradient[variables] += self.target[variables] - target
        self.target[variables] = target
        self.lower[variables], self.upper[variables] = lower, upper
        self._smo.move(
            np.asarray(variables, dtype=np.intp), np.asarray(coefficients, dtype=np.float64)
        )

    def solve(
        self,
        tol=1e-3,
        max_iter=-1,
        *,
        stop_objective=-np.inf,
        warn=True,
    ):
        """Minimise from the present state on; see `minimise`.

        It also stops, as converged, when the objective is at most `stop_objective`.
        """
        smo, size, self._kept = self._smo, len(self.target), None
        most = max(DEFAULT_MAX_ITER, 100 * size) if max_iter == -1 else max_iter
        first = fresh = self.iterations
        each = part = self._iterations_between_looks(stop_objective)
        renewed = False
        while True:
            status = smo.run(tol, min(each, most - (self.iterations - first)))
            if status == INDEFINITE:
                raise self._indefinite(*smo.pair)
            # with an indefinite matrix, numbers overflow before the margin vanishes
            overflow = not np.isfinite(smo.gradient).all()
            if status == UNBOUNDED or overflow or (status != OPTIMAL and self._diverges()):
                raise NotSeparableError(
                    "no hyperplane separates the classes by a margin above "
                    f"{MIN_RELATIVE_MARGIN:g} of the points' radius: give finite bounds or costs "
                    "(a soft margin)"
                )
            if stop_objective > -np.inf and self.objective() <= stop_objective:
                return self._solution(self.iterations - first, True)
            if status == LIMIT and self.iterations - first < most:
                if self._may_shrink and size < SHRINKING_MIN_VARIABLES:
                    if self.iterations - first < SHRINKING_MIN_ITERATIONS:
                        continue
                    each, part = size, SHRINKING_MIN_ITERATIONS
                spared = self._run_shrunk(tol, min(part, most - (self.iterations - first)))
                # by default, iterations on a part count as its share of all, up to a limit
                if max_iter == -1 and most < SHRINKING_MAX_GROWTH * DEFAULT_MAX_ITER:
                    most += spared
                continue
            if status == OPTIMAL and self.iterations - fresh < GRADIENT_MAX_UPDATES:
                break
            if status == LIMIT or (renewed and self.iterations == fresh):
                break
            # many updates accumulate rounding errors, or a step was too small: recompute
            smo.refresh()
            fresh, renewed = self.iterations, True
        solution = self._solution(self.iterations - first, status == OPTIMAL)
        if warn and not solution.converged:
            warn_caller(
                f"the solver stopped after {solution.iterations} iterations with a violation of "
                f"{solution.violation:.2g}, more than tol={tol:g}: scale the features, "
                "lower the costs, or raise tol or max_iter",
                ConvergenceWarning,
            )
        return solution

    def _iterations_between_looks(self, stop_objective):
        """Iterations between checks for signals, the objective, and variables to leave out."""
        size = len(self.target)
        if self._in_blocks:
            size = min(size, ACTIVE_SET_VARIABLES)
        watched = stop_objective > -np.inf or self._unbounded()
        most = max(1000, 10 * size if watched else 200_000_000 // (size + 1))
        if not self._may_shrink:
            return most
        many = size >= SHRINKING_MIN_VARIABLES
        return min(most, size // 2 if many else SHRINKING_MIN_ITERATIONS)

    def _run_shrunk(self, tol, most):
        """Iterate on the variables that may still be picked, if they are less than half.

        A variable at a bound is left out if it violates no KKT condition with any other
        (shrinking). The others get a Gram matrix of their own, small enough for a nearer cache. The
        conditions of those left out are checked when all variables move again. Returns how many
        iterations on all variables this saved.
        """
        if not self._may_shrink:
            return 0
        gradient, b = self._smo.gradient, self.coefficients
        rising, falling = b < self.upper, b > self.lower
        picked = rising & (gradient < np.max(gradient, where=falling, initial=-np.inf))
        picked |= falling & (gradient > np.min(gradient, where=rising, initial=np.inf))
        active = np.flatnonzero(picked | (rising & falling))
        if 2 * len(active) > len(b):
            return 0
        points = np.where(active < self._n, active, active - self._doubled)
        part = Smo(
            self._gram_among(points),
            self._diagonal[points],
            self.target[active],
            self.lower[active],
            self.upper[active],
            self.ridge[active],
            0,
            True,
            b[active],
            gradient[active],
        )
        status = part.run(tol, most)
        self._shrunk_iterations += part.iterations
        if status == INDEFINITE:
            raise self._indefinite(*points[list(part.pair)])
        self._smo.move(active, part.coefficients)
        return int(part.iterations * (1 - len(active) / len(b)))

    def _gram_among(self, points):
        """Part of the Gram matrix, in reused memory: writing to new memory is slower."""
        n = len(points)
        if len(self._room) < n * n:
            self._room = np.empty(n * n, self._gram.dtype)
        part = self._room[: n * n].reshape(n, n)
        for start in range(0, n, ROWS_AT_ONCE):
            some = slice(start, start + ROWS_AT_ONCE)
            np.take(self._gram[points[some]], points, axis=1, out=part[some], mode="clip")
        return part

    def _indefinite(self, i, j):
        return NotPositiveSemidefiniteError(
            f"the kernel is not positive semi-definite: points {i} and {j} have a negative squared "
            "distance in feature space (counted from 0, other points after training points); "
            "use another kernel, or add to the diagonal of a precomputed one"
        )

    def _unbounded(self):
        """Whether a variable has no bound."""
        return bool(np.isinf(self.upper).any() or np.isinf(self.lower).any())

    def _diverges(self):
        """Whether the classes' hulls come closer than any margin: ``|w| < 1e-6 R sum |b_i|``."""
        if not self._unbounded():
            return False
        b, free = self.coefficients, np.isinf(self.upper) | np.isinf(self.lower)
        size, rest = np.abs(b[free]).sum(), np.abs(b[~free]).sum()
        if not size > 0 or rest > 1e-3 * size:
            return False
        radius = float(np.sqrt(np.max(self._diagonal, initial=0.0)))
        # relative to the size of b, whose square may overflow
        values = self._smo.gradient + self.target - self.ridge * b
        squared = float((b / size) @ (values / size))
        return squared <= (MIN_RELATIVE_MARGIN * radius) ** 2

    def objective(self):
        """``1/2 b'Kb + 1/2 sum ridge b^2 - target'b`` at the present coefficients."""
        b = self.coefficients
        return 0.5 * float(b @ (self._smo.gradient - self.target))

    def intercept(self):
        """Minus the mean gradient of the free variables, or the midpoint of the KKT interval."""
        if self._total is None:
            return 0.0
        if self._kept is not None:
            return self._kept[1]
        gradient, b = self._smo.gradient, self.coefficients
        rising, falling = b < self.upper, b > self.lower
        free = rising & falling
        if n_free := np.count_nonzero(free):
            return -float(gradient[free].sum() / n_free)
        ends = [gradient[rising].min()] if rising.any() else []
        ends += [gradient[falling].max()] if falling.any() else []
        return -float(np.mean(ends)) if ends else 0.0

    def gap(self):
        """Duality gap: each term is the amount by which one variable could lower the linearisation.

        With ``phi_i(z) = 1/2 ridge_i z^2 + ((Kb)_i - target_i + intercept) z`` it is
        ``sum_i phi_i(b_i) - min_z phi_i(z)`` over the boxes; for a support vector machine the
        primal minus the dual objective.
        """
        b, ridge = self.coefficients, self.ridge
        slope = self._smo.gradient - ridge * b + self.intercept()
        best = np.where(slope > 0, self.lower, self.upper)
        with np.errstate(divide="ignore", invalid="ignore"):
            if ridge.any():
                inside = np.clip(-slope / ridge, self.lower, self.upper)
                best = np.where(ridge > 0, inside, best)
                step = np.where((slope == 0) & (ridge == 0), 0.0, b - best)
                terms = (slope + 0.5 * ridge * (b + best)) * step
                terms = np.where(step == 0, 0.0, np.where(np.isinf(step), np.inf, terms))
            else:
                terms = np.where(slope == 0, 0.0, slope * (b - best))
        return float(terms.sum())

    def _solution(self, iterations, converged):
        self._kept = self.values, self.intercept()
        return Solution(
            self.coefficients.copy(),
            *self._kept,
            self.objective(),
            self._smo.violation,
            self.gap(),
            iterations,
            converged,
        )


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
    """Minimise ``1/2 b'Kb + 1/2 sum_i ridge_i b_i^2 - target'b`` over a box and a sum.

    A support vector machine has ``b_i = y_i a_i``, targets y and boxes from 0 to ``y_i C``.

    Parameters
    ----------
    K : ndarray of shape (n, n), float32 or float64
        Symmetric, positive semi-definite.
    target : array of shape (N,)
        With ``N = n + doubled``.
    lower, upper : arrays of shape (N,)
        Boxes; infinite for none.
    doubled : int, default=0
        Number of points, the last ones, with a second variable each. These follow in the same
        order; each shares its point's row of K, but has its own target, box and ridge.
    ridge : array of shape (N,), optional
        Not negative; 1/C for a quadratic loss.
    total : float or None, default=0.0
        Sum of the variables; None for no such constraint, that is, no intercept.
    start : array of shape (N,), optional
        Feasible coefficients to begin with.
    tol : float, default=1e-3
        Largest violation of the KKT conditions, in units of the targets.
    max_iter : int, default=-1
        Most iterations; -1 for ten million, or a hundred for each variable if that is more.

    Returns
    -------
    Solution

    Raises
    ------
    ValueError
        If shapes do not agree, K is not symmetric, a number is NaN, a box is empty or no point in
        the boxes has this sum.
    NotSeparableError
        If the objective is unbounded below, as for a hard margin that does not exist.
    NotPositiveSemidefiniteError
        If two points show that K has a negative eigenvalue. A negative eigenvalue that goes
        unnoticed may lead to a point that only satisfies the KKT conditions.

    Warns
    -----
    ConvergenceWarning
        If it stops at `max_iter`, or because no step changes the last digit.

    References
    ----------
    Fan, Chen and Lin, Working Set Selection Using Second Order Information for Training Support
    Vector Machines, JMLR 6 (2005).
    """
    K = np.asarray(K)
    K = np.ascontiguousarray(K, dtype=np.float32 if K.dtype == np.float32 else np.float64)
    check_gram(K, tol=1e-6)
    if total is not None and not (isinstance(total, Real) and np.isfinite(total)):
        raise ValueError(f"total must be finite or None, got {total!r}")
    if not tol >= 0:
        raise ValueError(f"tol must not be negative, got {tol!r}")
    if max_iter < -1:
        raise ValueError(f"max_iter must be -1 or not negative, got {max_iter!r}")
    programme = QuadraticProgramme(
        K, target, lower, upper, doubled=doubled, ridge=ridge, total=total, start=start
    )
    return programme.solve(tol, max_iter)
