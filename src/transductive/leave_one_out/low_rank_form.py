"""The leave-one-out form at low rank: M is never formed."""

from __future__ import annotations

import numpy as np
from scipy.linalg import lu_factor, lu_solve

from ..low_rank import pivoted_cholesky
from .spectrum import PENALTIES, LeverageError

__all__ = ["LowRankLooForm", "LowRankRidge"]

BLOCK_ROWS = 8192


def largest_factor(eta, penalty):
    """Largest ratio of two forms C whose Gram matrices differ by this truncation.

    See `LowRankRidge.truncation`.
    """
    return ((eta + np.hypot(eta, 2.0)) / 2.0) ** 2 if penalty == "coefficients" else 1.0 + eta


class LowRankRidge:
    """Ridge regression on a Gram matrix ``K = L L' + E`` of which L alone is known.

    Parameters
    ----------
    X : array of shape (n, d)
    kernel : callable
        ``kernel(A, B)`` gives the kernel values of all rows of A with all rows of B.
    alpha : float
    penalty : {"coefficients", "norm"}
    rank : int
        Most columns of L.
    tol : float, default=1e-10
        Columns are added until `truncation` is at most this.

    Attributes
    ----------
    factor : ndarray of shape (n, r), Fortran order
        L.
    left : ndarray of shape (n,)
        Diagonal of E.
    half : ndarray of shape (r, r)
        So that the hat matrix is ``T T'`` with ``T = L half``.
    truncation : float
        ``eta = tr(E) / sqrt(alpha)``, or ``tr(E) / alpha`` with the penalty "norm": about how much
        leaving out E changes ``C = I - T T'``, relative to C as a quadratic form. C of the whole
        Gram matrix lies between ``C / lambda`` and ``lambda C`` of this one,
        ``lambda = ((eta + sqrt(eta^2 + 4)) / 2)^2``; with "norm", ``lambda = 1 + eta``.
    """

    def __init__(self, X, kernel, alpha, penalty, rank, tol=1e-10):
        if not alpha > 0:
            raise LeverageError(f"alpha must be positive, got {alpha!r}")
        if penalty not in PENALTIES:
            raise ValueError(f"penalty must be one of {PENALTIES}, got {penalty!r}")
        root = np.sqrt(alpha) if penalty == "coefficients" else alpha
        cholesky = pivoted_cholesky(
            X, kernel, rank, done=lambda left, square: left.sum() <= tol * root
        )
        self.factor, self.left = cholesky.factor, cholesky.left
        self.truncation = float(cholesky.left.sum()) / root
        values, vectors = np.linalg.eigh(self.factor.T @ self.factor)
        values = np.maximum(values, 0.0)
        # For S = L'L the hat matrix K (K^2 + alpha)^-1 K is L [S / (S^2 + alpha)] L', and
        # K (K + alpha)^-1 is L [1 / (S + alpha)] L'; no eigenvalue of S is divided by.
        if penalty == "coefficients":
            self.half = vectors * np.sqrt(values / (values**2 + alpha))
            self._inner = (vectors / (values**2 + alpha)) @ vectors.T
        else:
            self.half = vectors / np.sqrt(values + alpha)
            self._inner = None
        self.alpha, self.penalty = float(alpha), penalty

    @property
    def rank(self):
        """Columns of L."""
        return self.factor.shape[1]

    def smooth(self, values):
        """``L L' v``."""
        return self.factor @ (self.factor.T @ values)

    def coefficients(self, y):
        """Coefficients on the n points: equation (9), or ``(K + alpha I)^-1 y`` for "norm"."""
        projected = self.factor.T @ y
        if self._inner is None:
            return (y - self.factor @ (self.half @ (self.half.T @ projected))) / self.alpha
        return self.factor @ (self._inner @ projected)


class LowRankLooForm:
    """`LooForm` with ``C = I - T T'``: O((l + m) r^2) operations, (l + m) r numbers.

    Parameters
    ----------
    joint : LowRankRidge
        Of all l + m points, the l training points first.
    n_train : int
        l.

    Attributes
    ----------
    delta : ndarray of shape (l + m,)
        Diagonal of ``diag(C)^-2``.

    Raises
    ------
    LeverageError
        If a leverage is within 1e-6 of 1.
    """

    def __init__(self, joint, n_train):
        self.joint, self.n_train = joint, n_train
        self._factor, self._half = joint.factor, joint.half
        complement = np.empty(len(joint.factor))
        for rows in _row_blocks(joint.factor):
            t = joint.factor[rows] @ joint.half
            complement[rows] = 1.0 - np.einsum("ij,ij->i", t, t)
        worst = int(complement.argmin())
        # a difference, so that its accuracy is absolute
        if complement[worst] <= 1e-6:
            raise LeverageError(
                f"point {worst} has a leverage too near 1: raise alpha or set rank=None"
            )
        self.delta = complement**-2.0

    def complement(self, values):
        """C v, equation (26)."""
        return values - self._factor @ (self._half @ (self._half.T @ (self._factor.T @ values)))

    def _matvec(self, values):
        """M v, equation (27)."""
        return self.complement(self.delta * self.complement(values))

    def error(self, values):
        """Equation (28): ``T_loo`` of all l + m values."""
        values = np.asarray(values, dtype=np.float64)
        image = self.complement(values)
        return float(image @ (self.delta * image)) / len(values)

    def transduce(self, y, y0, alpha_star):
        """Equation (34) by Woodbury's identity, refined until the residual is at rounding level.

        Raises
        ------
        ArithmeticError
            If the residual stays above 1e-8 of the right side.
        """
        if not alpha_star >= 0:
            raise ValueError(f"alpha_star must not be negative, got {alpha_star!r}")
        y0 = np.array(y0, dtype=np.float64)
        if np.isinf(alpha_star):
            return y0
        n_train, m = self.n_train, len(y0)
        # for the difference to Y0, as in `LooForm.transduce`
        right = -self._matvec(np.r_[y, y0])[n_train:]
        solve = self._woodbury(alpha_star)
        values = np.zeros(m)
        left = right
        for _ in range(5):
            values = values + solve(left)
            left = right - alpha_star * values
            left -= self._matvec(np.r_[np.zeros(n_train), values])[n_train:]
            size = np.abs(left).max() / max(np.abs(right).max(), np.finfo(float).tiny)
            if size <= 1e-13:
                break
        if not size <= 1e-8:
            raise ArithmeticError(
                f"the low-rank solution leaves {size:.2g} of the right side: raise alpha or "
                "alpha_star, or set rank=None"
            )
        return y0 + values

    def _woodbury(self, alpha_star):
        """Solver for ``alpha_star I + M2``, a diagonal matrix plus one of rank 2r."""
        factor, half = self._factor[self.n_train :], self._half
        delta = self.delta[self.n_train :]
        rank = half.shape[1]
        diagonal = 1.0 / (alpha_star + delta)
        # M2 = diag(delta) + W core W', W = [T, delta T]
        gram = half.T @ _weighted_gram(self._factor, self.delta) @ half
        core = np.block([[gram, -np.eye(rank)], [-np.eye(rank), np.zeros((rank, rank))]])
        blocks = [
            half.T @ _weighted_gram(factor, diagonal * delta**power) @ half for power in range(3)
        ]
        inner = np.block([[blocks[0], blocks[1]], [blocks[1], blocks[2]]])
        factored = lu_factor(np.eye(2 * rank) + core @ inner)

        def project(values):
            return half.T @ (factor.T @ values)

        def solve(right):
            scaled = diagonal * right
            small = core @ np.r_[project(scaled), project(delta * scaled)]
            small = lu_solve(factored, small).reshape(2, rank) @ half.T
            return scaled - diagonal * (factor @ small[0] + delta * (factor @ small[1]))

        return solve


def _row_blocks(matrix):
    return (slice(start, start + BLOCK_ROWS) for start in range(0, len(matrix), BLOCK_ROWS))


def _weighted_gram(factor, weights):
    """``L' diag(weights) L`` by blocks of rows, so that no second L is needed."""
    out = np.zeros((factor.shape[1], factor.shape[1]))
    for rows in _row_blocks(factor):
        out += factor[rows].T @ (weights[rows, None] * factor[rows])
    return out
