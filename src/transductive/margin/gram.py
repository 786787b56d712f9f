"""Gram matrices for the SMO solver: whole or in blocks, in single precision where that suffices."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array, issparse

from ..kernels import gram_matrix
from ._gaussian import exponential

__all__ = ["GramBlocks", "far_centre", "shifted", "solver_gram"]

# Size of one product, which stays in a cache while its exponential is computed.
BLOCK_ROWS, BLOCK_COLUMNS = 256, 1024
SPARSE_BLOCK_ROWS = 64
# Above it, in units of the points' spread, squared norms cost distances too many digits of single
# precision.
FLOAT32_MAX_SQUARED_NORM = 1e3
FLOAT32_MAX_DIAGONAL = 1e30
# If squared norms times gamma exceed it, the exponent of a Gaussian kernel loses too many digits.
FLOAT32_MAX_RBF_EXPONENT = 30.0
# Largest number of points whose Gram matrix is held whole, half a GiB in single precision. For
# more, filling new memory takes longer than recomputing the parts needed.
MAX_GRAM_POINTS = 12_000
# Products of sparse rows with a dense block take half the time of sparse products. With more
# features than this, the block would be too large.
DENSE_BLOCK_KERNELS = ("linear", "poly", "rbf", "sigmoid")
DENSE_BLOCK_MAX_FEATURES = 50_000


def far_centre(X):
    """The middle of the range of each feature that is far from 0, and 0 for the others.

    It is rounded towards 0, so that subtracting it is exact. A sparse feature far from 0 has all
    its entries: the shift fills in none.
    """
    if issparse(X):
        X, centre = csr_array(X), np.zeros(X.shape[1])
        full = np.flatnonzero(np.bincount(X.indices, minlength=X.shape[1]) == X.shape[0])
        centre[full] = far_centre(X[:, full].toarray())
        return centre
    least, most = X.min(axis=0), X.max(axis=0)
    middle = 0.5 * least + 0.5 * most
    # a power of two beyond the range; half of it is finite where all of it may overflow
    half = 0.5 * most - 0.5 * least + 0.5 * np.spacing(np.abs(middle))
    power = 1 + np.frexp(half)[1]
    return np.ldexp(np.trunc(np.ldexp(middle, -power)), power)


def shifted(X, centre):
    """The rows of `X` minus a centre as `far_centre` gives it."""
    if not centre.any():
        return X
    if not issparse(X):
        return X - centre
    X = csr_array(X, copy=True)
    X.data -= centre[X.indices]
    return X


def solver_gram(
    X, kernel, *, gamma=None, degree=3, coef0=0.0, single=True, most=None, largest=np.inf
):
    """The Gram matrix of the rows of `X` for `QuadraticProgramme`, and its diagonal.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
        Sparse rows stay sparse.
    kernel, gamma, degree, coef0
        As for `gram_matrix`.
    single : bool, default=True
        Use single precision: relative errors of a few 1e-6 in the kernel's values. Points whose
        distances from the origin are large compared with those from one another get double
        precision nevertheless.
    most : int, optional
        Points above which the matrix is not held whole; by default 12,000.
    largest : float, default=inf
        Largest size of a kernel value that single precision resolves; larger ones get double
        precision. An RBF kernel counts the exponents that make up its values, too.

    Returns
    -------
    K : ndarray of shape (n, n), float32 or float64; or GramBlocks
        `GramBlocks` for more than `most` points.
    diagonal : ndarray of shape (n,)
        In K's precision.
    """
    parameters = {"kernel": kernel, "gamma": gamma, "degree": degree, "coef0": coef0}
    n = X.shape[0]
    if kernel != "precomputed" and n > (MAX_GRAM_POINTS if most is None else most):
        blocks = GramBlocks(X, parameters, single, largest)
        return blocks, blocks.diagonal
    K = None
    if single and kernel == "rbf" and not issparse(X):
        K = _rbf(X, gamma, largest)
    elif single and kernel == "linear" and issparse(X):
        K = _sparse_products(X.astype(np.float32))
        K = K if _fits_float32(K, largest) else None
    if K is None:
        K = gram_matrix(X, **parameters)
        K = K.astype(np.float32) if single and _fits_float32(K, largest) else K
    return K, np.ascontiguousarray(np.diagonal(K))


def _sparse_products(X):
    """``X X'``; both ways of computing it give the same bits."""
    n = X.shape[0]
    if X.shape[1] > DENSE_BLOCK_MAX_FEATURES:
        return (X @ X.T).toarray(order="C")
    K = np.empty((n, n), X.dtype)
    for some in _slices(n, SPARSE_BLOCK_ROWS):
        rest = slice(some.start, n)
        block = X[rest] @ np.ascontiguousarray(X[some].toarray().T)
        K[rest, some] = block
        K[some, rest] = block.T
    return K


def _fits_float32(K, largest):
    """Whether points are so near the origin that single precision resolves their distances."""
    diagonal = np.diagonal(K)
    return max(K.max(), -K.min()) <= largest and diagonal.max() <= min(
        FLOAT32_MAX_SQUARED_NORM * (diagonal.mean() - K.mean()), FLOAT32_MAX_DIAGONAL
    )


class _Exponents:
    """``-gamma |x - z|^2`` between points in single precision, as one product.

    Of ``(sqrt(2 gamma) x, -gamma |x|^2, 1)`` and ``(sqrt(2 gamma) z, 1, -gamma |z|^2)``, with the
    mean of the points as their origin.
    """

    def __init__(self, X, gamma, largest):
        n, d = X.shape
        centred = X - X.mean(axis=0)
        norms = gamma * np.einsum("ij,ij->i", centred, centred)
        most = norms.max(initial=0.0)
        self.precise = bool(most < FLOAT32_MAX_RBF_EXPONENT and max(most, 1.0) <= largest)
        self.left, self.right = np.ones((n, d + 2), np.float32), np.ones((d + 2, n), np.float32)
        self.left[:, :d] = np.sqrt(2 * gamma) * centred
        self.right[:d] = self.left[:, :d].T
        self.left[:, d] = self.right[d + 1] = -norms


def _rbf(X, gamma, largest):
    """``exp(-gamma |x - z|^2)`` in single precision, or None if its digits do not suffice."""
    exponents, n = _Exponents(X, gamma, largest), len(X)
    if not exponents.precise:
        return None
    left, right = exponents.left, exponents.right
    K, room = np.empty((n, n), np.float32), np.empty(BLOCK_ROWS * n, np.float32)
    for start in range(0, n, BLOCK_ROWS):
        end = min(start + BLOCK_ROWS, n)
        block = _product(left[start:end], right[:, start:], room)
        np.exp(block, out=block)
        # rounding must not make the kernel of copies exceed 1
        np.minimum(block, 1.0, out=block)
        K[start:end, start:] = block
        K[end:, start:end] = block[:, end - start :].T
    np.fill_diagonal(K, 1.0)
    return K


def _product(left, right, room):
    """``left @ right`` in `room`, since memory that is new takes longer than the product."""
    shape = len(left), right.shape[1]
    return np.matmul(left, right, out=room[: shape[0] * shape[1]].reshape(shape))


class GramBlocks:
    """A Gram matrix that is never held whole: blocks of it are computed on request.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
    parameters : dict
        Keyword arguments of `gram_matrix`.
    single : bool
        Whether to use single precision, if it suffices for these points.
    largest : float, default=inf
        As for `solver_gram`.

    Attributes
    ----------
    diagonal : ndarray of shape (n,)
        In the blocks' precision.
    """

    def __init__(self, X, parameters, single, largest=np.inf):
        self._X, self._parameters, n = X, parameters, X.shape[0]
        self._dense_blocks = (
            issparse(X)
            and parameters["kernel"] in DENSE_BLOCK_KERNELS
            and X.shape[1] <= DENSE_BLOCK_MAX_FEATURES
        )
        self._exponents, self._room = None, np.empty(BLOCK_ROWS * BLOCK_COLUMNS, np.float32)
        if single and parameters["kernel"] == "rbf" and not issparse(X):
            exponents = _Exponents(X, parameters["gamma"], largest)
            self._exponents = exponents if exponents.precise else None
            single = exponents.precise
        blocks = [X[start : start + BLOCK_ROWS] for start in range(0, n, BLOCK_ROWS)]
        diagonal = np.concatenate(
            [np.diagonal(gram_matrix(block, **parameters)) for block in blocks]
        )
        if single and self._exponents is None:
            # evenly spaced rows decide whether single precision resolves distances
            some = gram_matrix(X[:: max(1, n // 500)], **parameters)
            single = bool(np.abs(diagonal).max() <= largest and _fits_float32(some, largest))
        self._dtype = np.float32 if single else np.float64
        self.diagonal = diagonal.astype(self._dtype)

    def between(self, points, others):
        """``K[points][:, others]``."""
        K = np.empty((len(points), len(others)), self._dtype)
        for some in _slices(len(points), BLOCK_ROWS):
            for many in _slices(len(others), BLOCK_COLUMNS):
                K[some, many] = self._block(points[some], others[many])
        # rounding must not make the kernel of copies exceed 1
        return K if self._exponents is None else np.minimum(K, 1.0, out=K)

    def times(self, points, coefficients):
        """``K[:, points] @ coefficients``, of shape (n,), summed up in double precision."""
        if self._parameters["kernel"] == "linear":
            return self._X @ (self._X[points].T @ coefficients)
        product = np.zeros(self._X.shape[0])
        for some in _slices(len(points), BLOCK_ROWS):
            b = coefficients[some].astype(self._dtype)
            for many in _slices(len(product), BLOCK_COLUMNS):
                product[many] += b @ self._block(points[some], many)
        return product

    def _block(self, few, many):
        """Of points by their indices, or a slice for `many`."""
        if self._exponents is not None:
            left, right = self._exponents.left[few], self._exponents.right[:, many]
            block = _product(left, right, self._room)
            exponential(block)
            return block
        few = self._X[few]
        if self._dense_blocks:
            few = few.toarray()
        block = gram_matrix(self._X[many], few, **self._parameters)
        return block.T.astype(self._dtype, copy=False)


def _slices(n, step):
    return [slice(start, min(start + step, n)) for start in range(0, n, step)]
