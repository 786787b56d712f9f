"""Leave-one-out errors for a grid of ridges in NumPy, SciPy and scikit-learn: the contenders.

Each function takes the design matrix of one kernel width and gives equation (15) for all ridges.
Nothing is computed twice that one ridge could take over from another.
"""

import numpy as np
from scipy.linalg import eigh
from sklearn.linear_model import RidgeCV

DRIVERS = ("ev", "evd", "evr")


def inverses(K, y, alphas):
    """An inverse for every ridge, and equation (15) as it is printed.

    Parameters
    ----------
    K : array of shape (l, l)
        Symmetric; may be overwritten.
    y : array of shape (l,)
    alphas : array of shape (g,)

    Returns
    -------
    errors : ndarray of shape (g,)
    """
    square, projected = K.T @ K, K.T @ y
    diagonal = square.diagonal().copy()
    errors = np.empty(len(alphas))
    for j, alpha in enumerate(alphas):
        np.fill_diagonal(square, diagonal + alpha)
        inverse = np.linalg.inv(square)  # (14)
        leverages = np.einsum("ij,ij->i", K @ inverse, K)
        residuals = (y - K @ (inverse @ projected)) / (1.0 - leverages)
        errors[j] = residuals @ residuals / len(y)
    return errors


def bare_inverses(K, y, alphas):
    """The same, knowing that ``I - K (K'K + alpha I)^-1 K' = alpha (K K' + alpha I)^-1``."""
    square = K @ K.T
    diagonal = square.diagonal().copy()
    errors = np.empty(len(alphas))
    for j, alpha in enumerate(alphas):
        np.fill_diagonal(square, diagonal + alpha)
        inverse = np.linalg.inv(square)
        residuals = (inverse @ y) / inverse.diagonal()
        errors[j] = residuals @ residuals / len(y)
    return errors


def eigenvectors(K, y, alphas, driver="evd"):
    """One eigendecomposition, and all ridges by two matrix products; see `inverses`."""
    # the transpose is the same matrix, in LAPACK's order
    values, vectors = eigh(K.T, overwrite_a=True, check_finite=False, driver=driver)
    weights = alphas / (values[:, None] ** 2 + alphas)
    residuals = vectors @ (weights * (y @ vectors)[:, None])
    residuals /= np.square(vectors, out=vectors) @ weights
    return np.einsum("ij,ij->j", residuals, residuals) / len(y)


def ridge_cv(K, y, alphas):
    """Scikit-learn's leave-one-out ridge regression; see `inverses`."""
    ridge = RidgeCV(alphas, fit_intercept=False, store_cv_results=True)
    return ridge.fit(K, y).cv_results_.mean(axis=0)


def best_ridge_cv(K, y, alphas):
    """The same, but scikit-learn keeps the smallest of the errors only; shape ()."""
    return -RidgeCV(alphas, fit_intercept=False).fit(K, y).best_score_
