"""Gram matrices, by scikit-learn's names for kernels and their parameters."""

from __future__ import annotations

from numbers import Real

import numpy as np
from scipy.sparse import issparse
from scipy.sparse import vstack as sparse_vstack
from scipy.spatial.distance import cdist
from sklearn.metrics.pairwise import euclidean_distances, pairwise_kernels

__all__ = ["NotPositiveSemidefiniteError", "check_gram", "gram_matrix", "rbf_gamma"]

#: Kernels by name, and the parameters that each takes.
KERNELS = {
    "rbf": ("gamma",),
    "laplacian": ("gamma",),
    "poly": ("gamma", "degree", "coef0"),
    "sigmoid": ("gamma", "coef0"),
    "linear": (),
    "cosine": (),
    "precomputed": (),
}


# Squares of larger kernel values overflow, and squares of other widths leave the range of numbers.
MAX_KERNEL_VALUE = 1e150
MIN_WIDTH, MAX_WIDTH = 1e-150, 1e150
# If squared norms times gamma exceed this, a Gaussian kernel computed from norms and inner products
# has fewer than eight correct digits.
MAX_RBF_EXPONENT = 1e7


class NotPositiveSemidefiniteError(ValueError):
    """The kernel matrix has a clearly negative eigenvalue."""


def rbf_gamma(sigma):
    """Scikit-learn's ``gamma`` for a Gaussian kernel of width `sigma`.

    Parameters
    ----------
    sigma : float
        Width in ``k(x, x') = exp(-|x - x'|^2 / (2 sigma^2))``, positive, in the
        units of the features.

    Returns
    -------
    gamma : float
        ``1 / (2 sigma^2)``.

    Raises
    ------
    ValueError
        If `sigma` is not in the range from 1e-150 to 1e150.
    """
    if not (isinstance(sigma, Real) and MIN_WIDTH <= sigma <= MAX_WIDTH):
        raise ValueError(f"sigma must be from {MIN_WIDTH:g} to {MAX_WIDTH:g}, got {sigma!r}")
    return 1.0 / (2.0 * sigma**2)


def gram_matrix(X, Y=None, *, kernel="rbf", gamma=None, degree=3, coef0=0.0):
    """Kernel values between the rows of `X` and of `Y`.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
        Points; with ``kernel="precomputed"`` the kernel values themselves,
        shape (n, number of training points).
    Y : array or sparse matrix of shape (l, d), optional
        Second set of points; `X` when omitted.
    kernel : {"rbf", "laplacian", "poly", "sigmoid", "linear", "cosine", \
"precomputed"} or callable
        Kernel name as in scikit-learn, or a function as scikit-learn's SVC takes it:
        ``kernel(X, Y)`` returns the (n, l) values of all rows of X with all rows of Y.
    gamma : float, optional
        Kernel coefficient; 1/d when omitted.
    degree : int, default=3
        Degree of the polynomial kernel.
    coef0 : float, default=0.0
        Constant of the polynomial and sigmoid kernels.

    Returns
    -------
    K : ndarray of shape (n, n) or (n, l), float64

    Raises
    ------
    ValueError
        If the kernel is unknown, a kernel function does not return a real matrix of shape (n, l),
        or a kernel value is not finite or above 1e150.
    """
    X, Y = canonical(X), canonical(Y)
    if kernel == "precomputed":
        K = np.asarray(X, dtype=np.float64)
    elif callable(kernel):
        K = _by_function(kernel, X, Y)
    elif kernel in KERNELS:
        values = {"gamma": gamma, "degree": degree, "coef0": coef0}
        chosen = {name: values[name] for name in KERNELS[kernel]}
        # overflow is detected below
        with np.errstate(over="ignore", invalid="ignore"):
            if kernel == "rbf" and _far_from_origin(X, Y, gamma):
                gamma = 1.0 / np.shape(X)[1] if gamma is None else gamma
                K = np.exp(-gamma * squared_distances(X, Y, gamma=gamma))
            else:
                # one job: joblib's context would choose other blocks, with other last bits
                K = pairwise_kernels(X, Y, metric=kernel, n_jobs=1, **chosen)
    else:
        raise ValueError(
            f"unknown kernel {kernel!r}; choose one of {', '.join(KERNELS)} or pass a function"
        )
    # a NaN is the largest, and no second matrix is needed
    size = max(float(K.max(initial=0.0)), -float(K.min(initial=0.0)))
    if not size <= MAX_KERNEL_VALUE:
        bad = f"above {MAX_KERNEL_VALUE:g}" if np.isfinite(size) else "that are not finite"
        raise ValueError(
            f"the kernel gave values {bad}; scale the features, or lower gamma or degree"
        )
    return np.ascontiguousarray(K, dtype=np.float64)


def canonical(X):
    """`X` in a form whose products and norms do not depend on its layout in memory.

    scikit-learn's squared norms are wrong for repeated entries of a sparse matrix. NumPy multiplies
    unaligned arrays, which workers may get, by other routines, and adds in another order if rows
    are not contiguous, as in most data frames.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d), or None

    Returns
    -------
    array, CSR matrix or None
        A copy if repeated entries were summed, or if the array was not aligned or not in C order.
    """
    if not issparse(X):
        return np.require(X, requirements="CA") if isinstance(X, np.ndarray) else X
    X = X.tocsr()
    if X.has_canonical_format:
        return X
    summed = X.copy()
    summed.sum_duplicates()
    return summed if summed.nnz < X.nnz else X


def stack(X, others):
    """The rows of both, sparse if either is."""
    if issparse(X) or issparse(others):
        return sparse_vstack([X, others], format="csr")
    return np.vstack([X, others])


def squared_distances(X, Y=None, *, gamma):
    """Squared distances between the rows of `X` and of `Y`, as a Gaussian kernel needs them.

    They come from norms and inner products, or from differences if the points are so far from the
    origin, compared with the kernel's width, that cancellation would destroy the distances.

    Parameters
    ----------
    X : array of shape (n, d)
    Y : array of shape (l, d), optional
        `X` when omitted.
    gamma : float
        Kernel coefficient.

    Returns
    -------
    squares : ndarray of shape (n, n) or (n, l)
    """
    # overflow is detected in the kernel's values
    with np.errstate(over="ignore", invalid="ignore"):
        if _far_from_origin(X, Y, gamma):
            return cdist(X, X if Y is None else Y, "sqeuclidean")
        return euclidean_distances(X, Y, squared=True)


def _far_from_origin(X, Y, gamma):
    # the distance of a point near the origin from a far one keeps its digits
    if issparse(X) or issparse(Y):
        return False
    fewer = np.asarray(X if Y is None or len(X) <= len(Y) else Y, dtype=np.float64)
    if fewer.ndim != 2 or not fewer.size:
        return False
    gamma = 1.0 / fewer.shape[1] if gamma is None else gamma
    return gamma * np.einsum("ij,ij->i", fewer, fewer).max() > MAX_RBF_EXPONENT


def _by_function(kernel, X, Y):
    X, Y = (A if A is None or issparse(A) else np.asarray(A) for A in (X, Y))
    Y = X if Y is None else Y
    takes = "a kernel function must take two matrices of points, as for scikit-learn's SVC"
    try:
        K = kernel(X, Y)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{takes}; of shapes {X.shape} and {Y.shape} it said: {error}") from error
    # a copy: callers overwrite Gram matrices, and the function may keep this one
    K = K.toarray() if issparse(K) else np.array(K)
    shape = X.shape[0], Y.shape[0]
    if K.shape != shape or K.dtype.kind not in "biuf":
        raise ValueError(
            f"{takes}, and return real values of shape {shape}; it returned {K.dtype} of shape "
            f"{K.shape}"
        )
    return K


def check_gram(K, name="K", *, tol=1e-8):
    """Raise unless `K` passes every check of a Gram matrix except that of the eigenvalues.

    Parameters
    ----------
    K : array of shape (n, n)
    name : str, default="K"
        Name of the matrix in the message.
    tol : float, default=1e-8
        Largest asymmetry, as a fraction of the largest entry.

    Raises
    ------
    ValueError
        If `K` is empty or not square, has a value that is not finite, or is not symmetric.
    """
    if K.ndim != 2 or K.shape[0] != K.shape[1] or not K.size:
        raise ValueError(
            f"{name} must be square and not empty, got shape {K.shape}: give the kernel "
            "values of all points with one another"
        )
    # a NaN is the largest, and no second matrix is needed
    if not np.isfinite([K.max(), K.min()]).all():
        raise ValueError(
            f"{name} has values that are not finite: remove points with NaN or infinity, or scale "
            "the features"
        )
    size = max(K.max(), -K.min())
    # by rows: allocating a second matrix costs more than the comparison
    rows = (slice(start, start + 64) for start in range(0, len(K), 64))
    if any((K[part] - K.T[part]).max() > tol * size for part in rows):
        raise ValueError(f"{name} is not symmetric: pass (K + K.T) / 2 if that is what you mean")
