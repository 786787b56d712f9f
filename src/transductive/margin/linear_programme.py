"""The quadratic programme of a linear classifier, solved for the hyperplane: no Gram matrix."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.exceptions import ConvergenceWarning

from ..caller_warning import warn_caller
from ._linear import sweep
from .gram import far_centre, shifted
from .quadratic_programme import Solution

__all__ = ["LinearPoints", "LinearProgramme"]

# Up to this many features, factoring the Hessian takes less time than one pass over the points.
NEWTON_MAX_FEATURES = 500
NEWTON_MAX_STEPS = 50
# The hinge is rounded off over a width of 1/sharpness, which shrinks in each round.
FIRST_SHARPNESS, SHARPENING, MAX_SHARPNESS = 20.0, 8.0, 1e8
# Retries with a larger width if Newton's method does not converge.
MAX_FAILURES = 10
# The first Newton steps use the points nearest the margin, at least this number for each feature
# and this part of all; the next steps use twice as many.
NEAR_PER_FEATURE, NEAR_PART = 8, 10
# After a larger violation the next steps restart where these began.
LOST = 1.0
MAX_SWEEPS = 10_000
# The intercept moves when slopes are below this share of its step.
FOLLOWED = 0.5


class LinearPoints:
    """Points as rows of X, and quantities that all solutions on them share.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
    centred : bool, default=False
        Whether to shift features that are far from 0; the intercept absorbs the shift.

    Attributes
    ----------
    X : ndarray, or csr_array if X is sparse or has many features
    centre : ndarray of shape (d,)
        The shift that was subtracted; 0.0 for features whose range contains or is near 0.
    squared : ndarray of shape (n,)
        Squared lengths.
    largest : float
        Largest squared length; 1.0 if all are 0.
    few_features : bool
        Whether programmes use Newton's method (otherwise coordinate descent).
    """

    def __init__(self, X, *, centred=False):
        self.few_features = X.shape[1] <= NEWTON_MAX_FEATURES
        self.centre = far_centre(X) if centred else np.zeros(X.shape[1])
        X = shifted(X, self.centre)
        if issparse(X) or not self.few_features:
            self.X = csr_array(X, dtype=np.float64)
            self.squared = np.asarray(self.X.multiply(self.X).sum(axis=1), dtype=np.float64).ravel()
            self.rows = (
                self.X.data,
                self.X.indices.astype(np.intc, copy=False),
                self.X.indptr.astype(np.intp, copy=False),
            )
        else:
            self.X = np.ascontiguousarray(X, dtype=np.float64)
            self.squared = np.einsum("ij,ij->i", self.X, self.X)
        self.largest = float(np.max(self.squared, initial=0.0)) or 1.0


class LinearProgramme:
    """``min_b 1/2 |X'b|^2 - target'b``, ``lower <= b <= upper``, ``sum b = 0``.

    It has the part of `QuadraticProgramme`'s interface that `JointSVM` needs. All bounds must be
    finite, with 0 between them. With few features, Newton's method solves the primal problem with a
    rounded hinge, shifted by the dual variables so that the solution is exact (augmented
    Lagrangian). With many features, coordinate descent solves the dual, and the multiplier of the
    sum is found in the same way. In both cases the duality gap is that of the original problem.

    Parameters
    ----------
    points : LinearPoints
    target, lower, upper : array of shape (n,)
    total : {0.0, None}, default=0.0
        Sum of the coefficients; None leaves it open, and the intercept is 0.
    start : array of shape (n,), optional
        In the boxes; any sum is allowed.
    """

    def __init__(self, points, target, lower, upper, *, total=0.0, start=None):
        self._points, self._equality = points, total is not None
        self.target = np.array(target, dtype=np.float64)
        self.lower, self.upper = (np.array(bound, dtype=np.float64) for bound in (lower, upper))
        self.coefficients = np.zeros(len(self.target))
        if start is not None:
            self.coefficients[:] = start
        self.iterations, self._intercept, self._sharpness = 0, 0.0, FIRST_SHARPNESS
        self._rng = np.random.default_rng(0)
        self._follow()
        self._plane = self._w, self._intercept, self.values

    def _follow(self):
        """The hyperplane of the coefficients."""
        self._w, self._values = self._points.X.T @ self.coefficients, None

    @property
    def values(self):
        """``<w, x>`` at the points, of shape (n,)."""
        if self._values is None:
            self._values = self._points.X @ self._w
        return self._values

    def intercept(self):
        """The multiplier of the sum, from the last solution."""
        return self._intercept

    def plane(self):
        """Normal vector and intercept for the points as they were given."""
        return self._w, self._intercept - float(self._points.centre @ self._w)

    def settle(self, values):
        """Do as `refresh`: values already come from the hyperplane, in double precision."""

    def refresh(self):
        """Do nothing: the hyperplane is recomputed from the coefficients often enough."""

    def set_boxes(self, lower, upper, coefficients=None):
        """Set new boxes, and coefficients that are clipped to them."""
        self.lower[:], self.upper[:] = lower, upper
        self.coefficients = np.clip(
            self.coefficients if coefficients is None else coefficients, lower, upper
        )
        self._follow()

    def replace(self, variables, target, lower, upper, coefficients):
        """Give some variables other targets, boxes and coefficients."""
        self.target[variables] = target
        self.lower[variables], self.upper[variables] = lower, upper
        values = self.coefficients.copy()
        values[variables] = coefficients
        self._move(values)

    def _move(self, coefficients):
        """Set coefficients, and the hyperplane with them."""
        moved = np.flatnonzero(coefficients != self.coefficients)
        step = coefficients[moved] - self.coefficients[moved]
        self.coefficients = coefficients
        if 2 * len(moved) > len(coefficients):
            self._follow()
        elif len(moved):
            self._w, self._values = self._w + self._points.X[moved].T @ step, None

    def objective(self):
        """``1/2 |X'b|^2 - target'b`` at the present coefficients."""
        return 0.5 * float(self._w @ self._w) - float(self.target @ self.coefficients)

    def violation(self):
        """Largest violation of the KKT conditions, in units of the targets."""
        return self._violation(self.values - self.target, self.coefficients, self.lower, self.upper)

    def _violation(self, slope, b, lower, upper):
        least = np.min(slope, where=b < upper, initial=np.inf)
        most = np.max(slope, where=b > lower, initial=-np.inf)
        return max(0.0, most - least if self._equality else max(most, -least))

    def gap(self):
        """Primal minus dual objective at the present hyperplane."""
        slope = self.values + self._intercept - self.target
        best = np.where(slope > 0, self.lower, self.upper)
        return float(slope @ (self.coefficients - best))

    def solve(self, tol=1e-3, max_iter=-1, *, warn=True):
        """Minimise from the present state on, until no KKT violation exceeds `tol`.

        Parameters
        ----------
        tol : float
            In units of the targets.
        max_iter : int
            Newton steps or sweeps over the points, at most; -1 for `MAX_SWEEPS`.
        warn : bool
            Whether to warn (ConvergenceWarning) if it stops before that.

        Returns
        -------
        Solution
        """
        first = self.iterations
        self._last = first + (MAX_SWEEPS if max_iter == -1 else max_iter)
        if self._points.few_features:
            self._newton(tol)
        else:
            self._descend(tol)
        violation = self.violation()
        self._plane = self._w, self._intercept, self.values
        if warn and violation > tol:
            warn_caller(
                f"the linear solver stopped after {self.iterations - first} iterations with a "
                f"violation of {violation:.2g}, more than tol={tol:g}: scale the features, "
                "lower the costs, or raise tol or max_iter",
                ConvergenceWarning,
            )
        return Solution(
            self.coefficients.copy(),
            self.values,
            self._intercept,
            self.objective(),
            violation,
            self.gap(),
            self.iterations - first,
            violation <= tol,
        )

    def _balance(self):
        """Move coefficients until their sum is 0."""
        self._follow()
        self.coefficients, self._w = self._balanced(
            self._points.X,
            self.target - self._intercept,
            self.lower,
            self.upper,
            self.coefficients,
            self.coefficients.sum(),
            self._w,
        )
        self._values = None

    def _balanced(self, X, target, low, high, b, total, w):
        """Coefficients of the rows of X moved, those nearest the margin first, until their `total`
        is 0, and the normal vector with them.
        """
        if not self._equality or total == 0.0:
            return b, w
        room = high - b if total < 0 else b - low
        some = np.flatnonzero((b > low) & (b < high))
        if room[some].sum() < abs(total):
            some = np.flatnonzero(room > 0)
        distance = np.abs(X[some] @ w - target[some])
        some = some[np.argsort(distance, kind="stable")]
        reach = np.minimum(np.cumsum(room[some]), abs(total))
        step = np.diff(reach, prepend=0.0)
        some, step = some[step != 0], -np.sign(total) * step[step != 0]
        moved = b.copy()
        moved[some] = np.clip(b[some] + step, low[some], high[some])
        return moved, w + X[some].T @ (moved[some] - b[some])

    # ---- many features: the dual, one coordinate after another ----------------------------------

    def _descend(self, tol):
        """Sweep in random order; after each sweep the intercept moves to correct the sum.

        Points that stay at a bound are left out of the next sweep (shrinking), until the others
        have converged.
        """
        points, inner = self._points, 0.5 * tol
        weight = (float(points.squared.mean()) or 1.0) if self._equality else 0.0
        every = np.flatnonzero(self.lower < self.upper)
        active, least, most, whole = self._rng.permutation(every), -np.inf, np.inf, True
        total, level = self.coefficients.sum(), self._intercept
        while self.iterations < self._last and len(every):
            self.iterations += 1
            shift, low, high, left = sweep(
                *points.rows,
                points.squared,
                self.target,
                self.lower,
                self.upper,
                self.coefficients,
                self._w,
                active,
                level + weight * total,
                weight,
                least,
                most,
            )
            total = (shift - level) / weight if weight else 0.0
            self._intercept = shift
            # only after the coefficients have followed the previous level
            if max(high, -low) <= max(inner, FOLLOWED * abs(weight * total)):
                level = shift
            if high - low > inner:
                whole = whole and left == len(every)
                least, most = low if low < 0 else -np.inf, high if high > 0 else np.inf
                active = self._rng.permutation(active[:left])
                continue
            if whole and points.largest * abs(total) <= inner:
                self._balance()
                if self.violation() <= tol:
                    return
                inner *= 0.5
                total, level = 0.0, self._intercept
            elif whole:
                level = self._first_to_follow(total, level)
            active, least, most, whole = self._rng.permutation(every), -np.inf, np.inf, True
        self._balance()

    def _first_to_follow(self, total, level):
        """Intercept at which the first coefficient starts to move the sum towards 0."""
        self._values = None
        slope, b = self.values - self.target, self.coefficients
        if total < 0:
            return min(level, -np.min(slope, where=b < self.upper, initial=np.inf))
        return max(level, -np.max(slope, where=b > self.lower, initial=-np.inf))

    # ---- few features: the primal, by Newton steps ----------------------------------------------

    def _newton(self, tol):
        """Newton steps on the points near the margin; the others are at their proper bounds."""
        start, movable = self._plane, self.lower < self.upper
        n, self._failures = len(movable), 0
        number = max(NEAR_PER_FEATURE * (len(self._w) + 1), n // NEAR_PART)
        number = number if self._w.any() else n
        while True:
            w, b, values = start
            slack = self.target - values - b
            coefficients, near = np.where(slack > 0, self.upper, self.lower), movable
            if number < n:
                distance = np.abs(slack)
                near = movable & (distance <= np.partition(distance, number)[number])
            total_far = coefficients[~near].sum()
            if (
                self._equality
                and number < n
                and not (self.lower[near].sum() < -total_far < self.upper[near].sum())
            ):
                number *= 2
                continue
            coefficients[near] = self.coefficients[near]
            self._move(coefficients)
            self._newton_near(np.flatnonzero(near), total_far, w, b, tol)
            violation = self.violation()
            if violation <= tol or self.iterations >= self._last or number >= n:
                return
            number *= 2
            if violation < LOST:
                start = self._w, self._intercept, self.values

    def _newton_near(self, near, total_far, w, b, tol):
        """Solve for the coefficients of some points; the others stay."""
        X, s = self._points.X[near], self.target[near]
        low, high, old = self.lower[near], self.upper[near], self.coefficients[near]
        w_far, d, small = self._w - X.T @ old, len(w), 0.1 * tol
        sharpness, sharpening, largest = self._sharpness, SHARPENING, self._points.largest
        least = np.inf
        while True:
            kappa, values, before = sharpness * (high - low), X @ w + b, (w, b)
            for _ in range(min(NEWTON_MAX_STEPS, self._last - self.iterations)):
                self.iterations += 1
                wanted = old + kappa * (s - values)
                beta = np.clip(wanted, low, high)
                w_dual = w_far + X.T @ beta
                slope = w - w_dual
                total = total_far + beta.sum() if self._equality else 0.0
                if largest * (slope @ slope) <= small**2 and largest * abs(total) <= small:
                    break
                free = np.flatnonzero((wanted > low) & (wanted < high))
                weight = kappa.sum() / max(len(kappa), 1)
                step = self._newton_step(X[free], kappa[free], slope, total, weight)
                along = X @ step[:d] + step[d]
                rise, first, second = kappa * along, w @ step[:d], step[:d] @ step[:d]
                at_start = slope @ step[:d] - total * step[d]
                if not at_start < -1e-15 * (w @ w):
                    break

                def derivative(
                    share,
                    wanted=wanted,
                    rise=rise,
                    along=along,
                    first=first,
                    second=second,
                    towards=w_far @ step[:d] + total_far * step[d],
                ):
                    moved = np.clip(wanted - share * rise, low, high)
                    return first + share * second - towards - moved @ along

                share = _step_length(derivative, at_start)
                w, b = w + share * step[:d], b + share * float(step[d])
                values = values + share * along
            else:
                if self.iterations < self._last and self._failures < MAX_FAILURES:
                    # too few points lie where the hinge is rounded for a useful Hessian
                    (w, b), sharpness = before, sharpness / SHARPENING**2
                    self._sharpness = min(self._sharpness, sharpness)
                    sharpening = 2.0
                    self._failures += 1
                    continue
            old, w = self._balanced(X, s - b, low, high, beta, total, w_dual)
            violation = self._violation(X @ w - s, old, low, high)
            if violation < least:
                least, best = violation, (old, w, b)
            if violation <= tol or sharpness >= MAX_SHARPNESS or self.iterations >= self._last:
                # rounding may have made the last one worse
                self.coefficients[near], self._w, self._intercept = best
                self._values = None
                return
            sharpness *= sharpening

    def _newton_step(self, X, kappa, slope, total, weight):
        d = X.shape[1]
        hessian = np.zeros((d + 1, d + 1))
        if issparse(X):
            hessian[:d, :d] = (X.T @ X.multiply(kappa[:, None]).tocsr()).toarray()
        else:
            hessian[:d, :d] = X.T @ (X * kappa[:, None])
        hessian[:d, :d].flat[:: d + 1] += 1.0
        if not self._equality:
            return np.r_[_solved(hessian[:d, :d], -slope), 0.0]
        hessian[d, :d] = hessian[:d, d] = X.T @ kappa
        # without points where the hinge is rounded, nothing else determines the intercept
        hessian[d, d] = kappa.sum() * (1 + 1e-12) or weight
        return _solved(hessian, np.r_[-slope, total])


def _solved(hessian, right):
    try:
        return np.linalg.solve(hessian, right)
    except np.linalg.LinAlgError:
        # far from the origin, features may be collinear up to rounding
        return np.linalg.lstsq(hessian, right)[0]


def _step_length(derivative, at_start):
    """Step at which a convex function's negative derivative has shrunk to a tenth."""
    left, right, at_left, at_right = 0.0, 1.0, at_start, derivative(1.0)
    for _ in range(60):
        if abs(at_right) <= -0.1 * at_start:
            return right
        if at_right > 0:
            break
        left, at_left, right = right, at_right, 4.0 * right
        at_right = derivative(right)
    for _ in range(60):
        share = left - at_left * (right - left) / (at_right - at_left)
        margin = 0.05 * (right - left)
        share = min(max(share, left + margin), right - margin)
        at = derivative(share)
        if abs(at) <= -0.1 * at_start:
            return share
        if at < 0:
            left, at_left = share, at
        else:
            right, at_right = share, at
    return left
