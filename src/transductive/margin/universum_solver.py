"""The U-SVM on a fixed Gram matrix, solved repeatedly at different costs.

Inference with the Universum: primal and dual formulation; squared loss; data dependent
regularization.
"""

from __future__ import annotations

import numpy as np

from .quadratic_programme import QuadraticProgramme

__all__ = ["LOSSES", "UniversumSolver"]

LOSSES = ("epsilon_insensitive", "squared")


class UniversumSolver:
    """Labelled points with the hinge loss, universum points with a loss that is least at f = 0.

    Each solution starts from the previous one, so rising costs are fastest. Arguments are not
    checked.

    Parameters
    ----------
    K : ndarray of shape (l + u, l + u), or GramBlocks
        Gram matrix of the labelled points and then the universum, single or double precision.
    diagonal : ndarray of shape (l + u,)
        Of K, in its precision.
    signs : ndarray of shape (l,)
        -1.0 and 1.0.
    loss : {"epsilon_insensitive", "squared"}, default="epsilon_insensitive"
        ``max(0, |f| - epsilon)`` or ``f^2``.
    fit_intercept : bool, default=True
    tol, max_iter
        Of each solution.

    Attributes
    ----------
    coefficients : ndarray of shape (l + u,)
        Signed duals: y times the dual variable; of a universum point the sum over both copies.
    values : ndarray of shape (l + u,)
        f at the points, with the intercept.
    intercept : float
    gap : float
        Upper bound to the difference of `primal` from its minimum.
    iterations : int
        Of all solutions.
    converged : bool
        Whether the last solution reached the tolerance.
    """

    def __init__(
        self,
        K,
        diagonal,
        signs,
        *,
        loss="epsilon_insensitive",
        fit_intercept=True,
        tol=1e-3,
        max_iter=-1,
    ):
        self.signs, self.loss = np.asarray(signs, dtype=np.float64), loss
        self.coefficients, self.iterations = np.zeros(len(diagonal)), 0
        self._programme = None
        self._gram, self._diagonal = K, diagonal
        self._fit_intercept, self._tolerance, self._max_iter = fit_intercept, tol, max_iter

    def solve(self, C, C_universum, epsilon=0.1):
        """Minimise ``1/2 |w|^2 + C sum H_1(y f) + C_universum sum U(f)``.

        Parameters
        ----------
        C : float or array of shape (l,)
            Positive, or not negative for each point; infinite for a hard margin.
        C_universum : float
            Not negative, finite.
        epsilon : float, default=0.1
            Not negative; not used by the squared loss.

        Returns
        -------
        self
        """
        l, u = len(self.signs), len(self._diagonal) - len(self.signs)
        ends = C * self.signs, np.full(u, float(C_universum))
        target, ridge = np.r_[self.signs, np.zeros(u)], np.zeros(l + u)
        if self.loss == "squared" and C_universum > 0:
            # [listing: squared loss]
            # U(f) = C_U f^2 has the conjugate b^2 / (4 C_U): a free variable with a ridge
            ends[1][:], ridge[l:] = np.inf, 0.5 / C_universum
            # [end of listing]
        upper = np.r_[np.maximum(ends[0], 0.0), ends[1]]
        lower = np.r_[np.minimum(ends[0], 0.0), -ends[1]]
        start = self._start(lower, upper)
        doubled = u if self.loss == "epsilon_insensitive" and epsilon > 0 else 0
        if doubled:
            # [listing: doubled points]
            # two hinges H_-eps with opposite labels; for epsilon = 0 one variable is both copies
            target = np.r_[self.signs, np.full(u, -epsilon), np.full(u, epsilon)]
            upper = np.r_[upper, np.zeros(u)]
            lower = np.r_[lower[:l], np.zeros(u), lower[l:]]
            # [end of listing]
            start = np.r_[start[:l], np.maximum(start[l:], 0.0), np.minimum(start[l:], 0.0)]
            ridge = np.r_[ridge, np.zeros(u)]
        programme = self._programme = QuadraticProgramme(
            self._gram,
            target,
            lower,
            upper,
            doubled=doubled,
            ridge=ridge,
            total=0.0 if self._fit_intercept else None,
            start=start,
            diagonal=self._diagonal,
        )
        solution = programme.solve(self._tolerance, max_iter=self._max_iter)
        self.coefficients = solution.coefficients[: l + u].copy()
        self.coefficients[l:] += solution.coefficients[l + u :] if doubled else 0.0
        self._costs, self._epsilon = (C, C_universum), epsilon
        self.converged = solution.converged
        self.iterations += solution.iterations
        self._judge(solution.values, solution.intercept, solution.gap)
        return self

    def settle(self, values):
        """Take `values`, gap and intercept from the exact ``K b`` of the coefficients."""
        self._programme.settle(values)
        self._judge(values, self._programme.intercept(), self._programme.gap())

    def _judge(self, values, intercept, gap):
        self._squared_norm = float(self.coefficients @ values)
        self.intercept, self.values, self.gap = intercept, values + intercept, gap

    def _start(self, lower, upper):
        """The last coefficients, projected to the new boxes with sum 0."""
        start = np.clip(self.coefficients, lower, upper)
        excess = start.sum()
        if self._fit_intercept and excess != 0.0:
            heavier = start * excess > 0
            start[heavier] *= 1.0 - excess / start[heavier].sum()
        return start

    def universum_losses(self):
        """``U(f)`` at each universum point, of shape (u,)."""
        f = self.values[len(self.signs) :]
        return f**2 if self.loss == "squared" else np.maximum(0.0, np.abs(f) - self._epsilon)

    def primal(self):
        """Primal objective; does not count slacks that the tolerance leaves at a hard margin."""
        C, C_universum = self._costs
        slacks = np.maximum(0.0, 1.0 - self.signs * self.values[: len(self.signs)])
        hinge = float((np.where(np.isinf(C), 0.0, C) * slacks).sum())
        return 0.5 * self._squared_norm + hinge + C_universum * float(self.universum_losses().sum())
