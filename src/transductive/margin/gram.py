"""Gram matrices for the SMO solver: in single precision where that is enough, or row by row."""

from __future__ import annotations

from collections import OrderedDict

import numpy as np
from scipy.sparse import issparse

from ..kernels import gram_matrix

__all__ = ["RowCache", "solver_gram"]

# Rows of one product, which stay in a cache until they have their exponential.
BLOCK_ROWS = 256
# Squared norms above it, in units of the points' spread, cost distances too many of the digits of
# single precision.
FLOAT32_MAX_SQUARED_NORM = 1e3
FLOAT32_MAX_DIAGONAL = 1e30
# Squared norms, times gamma, above it cost the exponent of a Gaussian kernel too many.
FLOAT32_MAX_RBF_EXPONENT = 30.0
# Numbers in a Gram matrix that is held whole: 4 GiB in single precision.
MAX_GRAM_ENTRIES = 2**30


def solver_gram(X, kernel, *, gamma=None, degree=3, coef0=1.0, single=True):
    """The Gram matrix of the rows of `X` for `QuadraticProgramme`, and its diagonal.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
        Sparse rows stay sparse.
    kernel, gamma, degree, coef0
        As for `gram_matrix`.
    single : bool, default=True
        Single precision: relative errors of a few 1e-6 in the kernel's values. Points far from the
        origin, for their distances from one another, get double precision nevertheless.

    Returns
    -------
    K : ndarray of shape (n, n), float32 or float64; or RowCache
        The latter beyond 4 GiB.
    diagonal : ndarray of shape (n,)
        In the type of K.
    """
    dtype = np.float32 if single else np.float64
    parameters = {"kernel": kernel, "gamma": gamma, "degree": degree, "coef0": coef0}
    n = X.shape[0]
    if kernel != "precomputed" and n * n * dtype().itemsize > 4 * MAX_GRAM_ENTRIES:
        # of rows evenly taken, whether single precision will do
        some = X[:: max(1, n // 500)]
        single = single and (kernel == "rbf" or _fits_float32(gram_matrix(some, **parameters)))
        cache = RowCache(X, parameters, np.float32 if single else np.float64)
        return cache, cache.diagonal
    K = None
    if single and kernel == "rbf" and not issparse(X):
        K = _rbf(X, gamma)
    elif single and kernel == "linear" and issparse(X):
        rows = X.astype(np.float32)
        K = (rows @ rows.T).toarray(order="C")
        K = K if _fits_float32(K) else None
    if K is None:
        K = gram_matrix(X, **parameters)
        K = K.astype(np.float32) if single and _fits_float32(K) else K
    return K, np.ascontiguousarray(np.diagonal(K))


def _fits_float32(K):
    """Whether points are not so far from the origin that single precision blurs their distances."""
    diagonal = np.diagonal(K)
    return diagonal.max() <= min(
        FLOAT32_MAX_SQUARED_NORM * (diagonal.mean() - K.mean()), FLOAT32_MAX_DIAGONAL
    )


def _rbf(X, gamma):
    """``exp(-gamma |x - z|^2)`` in single precision, or None if its digits do not suffice.

    The exponent is one product: of ``(sqrt(2 gamma) x, -gamma |x|^2, 1)`` and
    ``(sqrt(2 gamma) z, 1, -gamma |z|^2)``, with the mean of the points as their origin.
    """
    n, d = X.shape
    centred = X - X.mean(axis=0)
    norms = gamma * np.einsum("ij,ij->i", centred, centred)
    if not norms.max(initial=0.0) < FLOAT32_MAX_RBF_EXPONENT:
        return None
    left, right = np.ones((n, d + 2), np.float32), np.ones((d + 2, n), np.float32)
    left[:, :d] = np.sqrt(2 * gamma) * centred
    right[:d] = left[:, :d].T
    left[:, d] = right[d + 1] = -norms
    K = np.empty((n, n), np.float32)
    for start in range(0, n, BLOCK_ROWS):
        end = min(start + BLOCK_ROWS, n)
        block = left[start:end] @ right[:, start:]
        # rounding must not make copies of a point more than alike
        np.minimum(block, 0.0, out=block)
        np.exp(block, out=block)
        K[start:end, start:] = block
        K[end:, start:end] = block[:, end - start :].T
    np.fill_diagonal(K, 1.0)
    return K


class RowCache:
    """Rows of a Gram matrix, computed when asked for and kept while there is room.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
    parameters : dict
        Of `gram_matrix`.
    dtype : numpy float type
    size : int, default=2**32
        Bytes kept.
    """

    def __init__(self, X, parameters, dtype, size=4 * MAX_GRAM_ENTRIES):
        self._X, self._parameters, self._dtype = X, parameters, dtype
        n = X.shape[0]
        self._most = max(2, size // (n * np.dtype(dtype).itemsize))
        self._rows = OrderedDict()
        blocks = [X[start : start + BLOCK_ROWS] for start in range(0, n, BLOCK_ROWS)]
        self.diagonal = np.concatenate(
            [np.diagonal(gram_matrix(block, **parameters)) for block in blocks]
        ).astype(dtype)

    def __call__(self, k):
        """Row `k`, of shape (n,)."""
        row = self._rows.get(k)
        if row is None:
            row = gram_matrix(self._X[k : k + 1], self._X, **self._parameters)[0]
            row = row.astype(self._dtype)
            if len(self._rows) >= self._most:
                self._rows.popitem(last=False)
            self._rows[k] = row
        self._rows.move_to_end(k)
        return row
