"""Gram matrices, by scikit-learn's names for kernels and their parameters."""

from __future__ import annotations

import numpy as np
from sklearn.metrics.pairwise import pairwise_kernels

__all__ = [
    "NotPositiveSemidefiniteError",
    "check_gram",
    "gram_matrix",
    "is_symmetric",
    "rbf_gamma",
]

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
    """
    if not sigma > 0:
        raise ValueError(f"sigma must be positive, got {sigma!r}")
    return 1.0 / (2.0 * sigma**2)


def gram_matrix(X, Y=None, *, kernel="rbf", gamma=None, degree=3, coef0=1.0):
    """Kernel values between the rows of `X` and of `Y`.

    Parameters
    ----------
    X : array of shape (n, d)
        Points; with ``kernel="precomputed"`` the kernel values themselves,
        shape (n, number of training points).
    Y : array of shape (l, d), optional
        Second set of points; `X` when omitted.
    kernel : {"rbf", "laplacian", "poly", "sigmoid", "linear", "cosine", \
"precomputed"} or callable
        Kernel name as in scikit-learn, or a function of two points.
    gamma : float, optional
        Kernel coefficient; 1/d when omitted.
    degree : int, default=3
        Degree of the polynomial kernel.
    coef0 : float, default=1.0
        Constant of the polynomial and sigmoid kernels.

    Returns
    -------
    K : ndarray of shape (n, n) or (n, l), float64

    Raises
    ------
    ValueError
        If the kernel is unknown or a kernel value is not finite.
    """
    if kernel == "precomputed":
        K = np.asarray(X, dtype=np.float64)
    elif callable(kernel):
        K = pairwise_kernels(X, Y, metric=kernel)
    elif kernel in KERNELS:
        values = {"gamma": gamma, "degree": degree, "coef0": coef0}
        chosen = {name: values[name] for name in KERNELS[kernel]}
        K = pairwise_kernels(X, Y, metric=kernel, **chosen)
    else:
        raise ValueError(
            f"unknown kernel {kernel!r}; choose one of {', '.join(KERNELS)} or pass a function"
        )
    if not np.all(np.isfinite(K)):
        raise ValueError(
            "the kernel gave values that are not finite; scale the features, or lower gamma or "
            "degree"
        )
    return np.ascontiguousarray(K, dtype=np.float64)


def check_gram(K, name="K", *, tol=1e-8):
    """Refuse what is no Gram matrix: every check but that of the eigenvalues.

    Parameters
    ----------
    K : array of shape (n, n)
    name : str, default="K"
        What the message calls it.
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
    if not is_symmetric(K, tol):
        raise ValueError(f"{name} is not symmetric: pass (K + K.T) / 2 if that is what you mean")


def is_symmetric(K, tol=1e-8):
    """Whether ``|K - K'|`` is nowhere above `tol` times the largest entry's size."""
    size = max(K.max(initial=0.0), -K.min(initial=0.0))
    # by rows, since memory that is new to the process costs more than the comparison
    rows = (slice(start, start + 64) for start in range(0, len(K), 64))
    return all((K[part] - K.T[part]).max() <= tol * size for part in rows)
