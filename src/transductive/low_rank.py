"""Pivoted Cholesky factor of a Gram matrix, which is never formed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .kernels import NotPositiveSemidefiniteError

__all__ = ["PivotedCholesky", "pivoted_cholesky"]

DIAGONAL_BLOCK_ROWS = 64


@dataclass(frozen=True, eq=False)
class PivotedCholesky:
    """``K = L L' + E``, E positive semi-definite and small.

    Attributes
    ----------
    factor : ndarray of shape (n, r), Fortran order
        L; its rows `pivots` are lower triangular.
    pivots : ndarray of shape (r,)
        Points whose feature vectors span those of all others, up to E.
    square : ndarray of shape (n,)
        Diagonal of K.
    left : ndarray of shape (n,)
        Diagonal of E, at least 0. Its sum bounds every eigenvalue of E.
    """

    factor: np.ndarray
    pivots: np.ndarray
    square: np.ndarray
    left: np.ndarray


def pivoted_cholesky(X, kernel, rank, *, done, weight=None):
    """Factor at most `rank` columns of the Gram matrix of the rows of `X`.

    The point with the largest (weighted) squared length outside the span so far is the next pivot.

    Parameters
    ----------
    X : array of shape (n, d)
    kernel : callable
        ``kernel(A, B)`` gives the kernel values of all rows of A with all rows of B.
    rank : int
        At least 1.
    done : callable
        ``done(left, square)`` returns whether the remaining squared lengths, of shape (n,), are
        small enough to stop.
    weight : callable, optional
        ``weight(square)`` returns the divisors of squared lengths when they are compared; 1 by
        default.

    Returns
    -------
    PivotedCholesky

    Raises
    ------
    NotPositiveSemidefiniteError
        If a squared length is negative.
    ValueError
        If `rank` is below 1 or a kernel value is not finite.

    Notes
    -----
    O(n r^2) operations and n r numbers, besides r columns of kernel values.
    """
    if rank < 1:
        raise ValueError(f"rank must be at least 1, got {rank}")
    n = len(X)
    rank = min(rank, n)
    square = np.empty(n)
    for start in range(0, n, DIAGONAL_BLOCK_ROWS):
        rows = X[start : start + DIAGONAL_BLOCK_ROWS]
        square[start : start + DIAGONAL_BLOCK_ROWS] = np.diag(kernel(rows, rows))
    refuse_negative(square)
    measure = np.ones(n) if weight is None else weight(square)
    left = square.copy()
    factor = np.zeros((n, rank), order="F")
    pivots = []
    for k in range(rank):
        pivot = int(np.argmax(left / measure))
        if done(left, square) or left[pivot] <= 0:
            break
        column = kernel(X, X[pivot][None])[:, 0]
        if not np.all(np.isfinite(column)):
            raise ValueError("the kernel gave values that are not finite; scale the features")
        if np.any(column**2 > (1.0 + 1e-8) * square * square[pivot]):
            _refuse_indefinite(pivot)
        column = column - factor[:, :k] @ factor[pivot, :k]
        factor[:, k] = column / np.sqrt(left[pivot])
        # points that are pivots already have nothing left
        factor[pivots, k] = 0.0
        left -= factor[:, k] ** 2
        if np.any(left < -1e-8 * square):
            _refuse_indefinite(pivot)
        pivots.append(pivot)
        left[pivots] = 0.0
        np.maximum(left, 0.0, out=left)
    return PivotedCholesky(factor[:, : len(pivots)], np.array(pivots, dtype=np.intp), square, left)


def refuse_negative(square):
    """Raise if the diagonal of a Gram matrix is not finite or has a negative value."""
    if not np.all(np.isfinite(square)):
        raise ValueError("the kernel gave values that are not finite; scale the features")
    if square.min() < 0:
        raise NotPositiveSemidefiniteError(
            f"k(x, x) is {square.min():.3g} at training point {int(square.argmin())}: the kernel "
            "is not positive semi-definite"
        )


def _refuse_indefinite(pivot):
    raise NotPositiveSemidefiniteError(
        f"the kernel is not positive semi-definite: with point {pivot} a squared length comes out "
        "negative; use a positive definite kernel"
    )
