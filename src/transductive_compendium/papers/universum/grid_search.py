"""U-SVMs over a grid of parameters, one Gram matrix for each kernel, and the choice among them.

Inference with the Universum, experiments; the poster does not say how its parameters were chosen.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.sparse import issparse

from transductive.kernels import gram_matrix, stack
from transductive.margin.gram import solver_gram
from transductive.margin.universum_solver import UniversumSolver

#: A parameter that a classifier does not have.
ABSENT = float("nan")
#: Points up to which a Gram matrix is held whole: a grid has many programmes with the same one.
#: A process needs 0.68 GB for 13,000 points in single precision, twice that in double.
MOST_WHOLE = 14_000


@dataclass(frozen=True, eq=False)
class Fit:
    """A classifier's parameters (NaN for those it lacks) and its values at each set of points."""

    gamma: float
    C: float
    C_universum: float
    epsilon: float
    values: dict[str, np.ndarray]


def grid(
    X,
    signs,
    universum,
    points,
    *,
    kernel="rbf",
    gammas=(ABSENT,),
    degree=2,
    coef0=1.0,
    costs=(1.0,),
    universum_costs=(1.0,),
    epsilons=(0.1,),
    fit_intercept=True,
    tol=1e-3,
):
    """All SVMs or U-SVMs of a grid; each solution starts from the previous one.

    Parameters
    ----------
    X : array or CSR matrix of shape (l, d)
    signs : ndarray of shape (l,)
        -1 and 1.
    universum : array or CSR matrix of shape (u, d), or None
        None for the SVM.
    points : dict of str to arrays or CSR matrices of shape (n, d)
        Points at which to evaluate the classifiers.
    kernel, gammas, degree, coef0
        Parameters of the kernel; the linear kernel needs one value in `gammas`, which it ignores.
    costs, universum_costs, epsilons : tuples of float
        For speed, list the U-SVMs nearest to the SVM first: small costs of the universum and large
        epsilon.

    Returns
    -------
    list of Fit
        In the order gamma, C, C_universum, epsilon; the last changes fastest.
    """
    signs = np.asarray(signs, dtype=np.float64)
    joint = X if universum is None else stack(X, universum)
    choices = [(ABSENT, ABSENT)] if universum is None else list(product(universum_costs, epsilons))
    fits = []
    for gamma in gammas:
        parameters = {"kernel": kernel, "degree": degree, "coef0": coef0}
        if kernel != "linear":
            parameters["gamma"] = gamma
        K, diagonal = solver_gram(joint, **parameters, most=MOST_WHOLE)
        keys, coefficients, intercepts = [], [], []
        for C in costs:
            solver = UniversumSolver(K, diagonal, signs, fit_intercept=fit_intercept, tol=tol)
            for C_universum, epsilon in choices:
                if universum is None:
                    solver.solve(C, 0.0)
                else:
                    solver.solve(C, C_universum, epsilon)
                keys.append((gamma, C, C_universum, epsilon))
                coefficients.append(solver.coefficients)
                intercepts.append(solver.intercept)
        coefficients = np.array(coefficients)
        support = np.flatnonzero(coefficients.any(axis=0))
        values = {
            name: _cross_gram(where, joint[support], parameters) @ coefficients[:, support].T
            + intercepts
            if len(support)
            else np.tile(intercepts, (where.shape[0], 1))
            for name, where in points.items()
        }
        fits += [
            Fit(*key, {name: table[:, k] for name, table in values.items()})
            for k, key in enumerate(keys)
        ]
    return fits


def _cross_gram(A, B, parameters):
    """Kernel values between points; of dense points and the RBF kernel in single precision."""
    if parameters["kernel"] != "rbf" or issparse(A):
        return gram_matrix(A, B, **parameters)
    gamma, centre = parameters["gamma"], B.mean(axis=0)
    A, B = ((np.sqrt(2.0 * gamma) * (X - centre)).astype(np.float32) for X in (A, B))
    K = A @ B.T
    K -= 0.5 * np.einsum("ij,ij->i", A, A)[:, None]
    K -= 0.5 * np.einsum("ij,ij->i", B, B)
    return np.exp(K, out=K)


def error(values, y):
    """Share of wrong signs; a value of 0 counts as -1."""
    return float(np.mean(np.where(values > 0, 1, -1) != y))


def best(fits, y, name="validation"):
    """The fit with the fewest errors at the points called `name`; the first of several."""
    return min(fits, key=lambda fit: error(fit.values[name], y))
