"""The leave-one-out algebra as the paper writes it, equation by equation, in NumPy.

K holds the basis functions at the points, ``K[i, j] = phi_j(x_i)``; alpha is the paper's gamma,
alpha_star its gamma*. Each function is one equation; nothing here is fast or careful.
"""

from __future__ import annotations

import numpy as np


def coefficients(K, y, alpha):
    """Equation (9): ``(K'K + alpha I)^-1 K'y``."""
    return np.linalg.solve(K.T @ K + alpha * np.eye(K.shape[1]), K.T @ y)


def loo_residuals(K, y, alpha):
    """The terms that equation (15) squares."""
    inverse = np.linalg.inv(K.T @ K + alpha * np.eye(K.shape[1]))  # (14)
    leverage = np.einsum("ij,jk,ik->i", K, inverse, K)
    return (y - K @ inverse @ K.T @ y) / (1.0 - leverage)


def loo_error(K, y, alpha):
    """Equation (15)."""
    return np.mean(loo_residuals(K, y, alpha) ** 2)


def refitted_residuals(K, y, alpha):
    """The same by definition (13): n refits, each without a pair but with all basis functions."""
    keep = ~np.eye(len(y), dtype=bool)
    return np.array([y[i] - K[i] @ coefficients(K[k], y[k], alpha) for i, k in enumerate(keep)])


def inductive_values(K, K_working, y, alpha):
    """Equation (17): Y0, ridge regression's values at the working points."""
    return K_working @ coefficients(K, y, alpha)


def complement(K, alpha):
    """Equation (26): ``C = I - K (K'K + alpha I)^-1 K'``."""
    inverse = np.linalg.inv(K.T @ K + alpha * np.eye(K.shape[1]))  # (23)
    return np.eye(len(K)) - K @ inverse @ K.T


def loo_matrix(C):
    """Equation (27): ``M[i, j] = sum_k C[i, k] C[k, j] / C[k, k]^2``."""
    return C @ np.diag(np.diag(C) ** -2.0) @ C


def loo_error_joint(M, values):
    """Equation (28), over all l + m values."""
    return values @ M @ values / len(values)


def transduce(M, y, y0, alpha_star):
    """Equation (34), with M1 transposed: Y*, the values that minimise (30)."""
    n_train = len(y)
    M1, M2 = M[:n_train, n_train:], M[n_train:, n_train:]
    return np.linalg.solve(
        alpha_star * np.eye(len(y0)) + M2, -M1.T @ y + alpha_star * np.asarray(y0)
    )
