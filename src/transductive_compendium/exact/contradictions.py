"""Contradictions: universum points that hyperplanes of one equivalence class put on both sides.

References
----------
Weston, Collobert, Sinz, Bottou, Vapnik, "Inference with the Universum" (poster): use of a priori
information in the universum, after Vapnik (1998).
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog

__all__ = ["contradictions"]

_OPTIMAL, _INFEASIBLE = 0, 2


def contradictions(X, y, X_universum, *, fit_intercept):
    """Which universum points an equivalence class of hyperplanes contradicts.

    The class consists of all ``(w, b)`` with ``y_i (<w, x_i> + b) > 0`` for every i. It contradicts
    a universum point if one member is positive there and another one negative. Inference with the
    universum would choose the class with the most such points.

    Parameters
    ----------
    X : array of shape (n, d)
        The sample that is split: labelled points, and unlabelled ones with the signs of the class.
    y : array of shape (n,)
        Signs -1 and +1 of the class; all may be equal.
    X_universum : array of shape (u, d)
    fit_intercept : bool
        False for ``b = 0``.

    Returns
    -------
    ndarray of bool of shape (u,)

    Raises
    ------
    ValueError
        If the class is empty, as no hyperplane has these signs, or too narrow to be found; if
        shapes do not agree, a number is NaN or y has other values.

    Notes
    -----
    The class is an open cone and contains all positive multiples of its members. So it has a member
    that is negative at a point z if and only if the linear constraints ``y_i f(x_i) >= 1,
    f(z) <= -1`` have a solution, and a solution to within the solver's tolerance (1e-7) is strictly
    inside. Each solution is evaluated at all universum points, so a few programmes decide many
    points. Points are scaled to unit length, which changes no sign. The solver does not resolve
    angles below about 1e-9.
    """
    X, X_universum = np.asarray_chkfinite(X, float), np.asarray_chkfinite(X_universum, float)
    y = np.asarray(y)
    if y.shape != (len(X),) or not np.isin(y, (-1, 1)).all():
        raise ValueError(f"y must hold one sign -1 or +1 for each of the {len(X)} rows of X")
    if X_universum.shape[1] != X.shape[1]:
        raise ValueError(
            f"X_universum has {X_universum.shape[1]} features, the sample has {X.shape[1]}"
        )
    walls = y[:, None] * _rows(X, fit_intercept)
    points = _rows(X_universum, fit_intercept)
    member = _member(walls)
    if member is None:
        raise ValueError(
            "the equivalence class is empty, or too narrow to be found: no hyperplane "
            f"{'' if fit_intercept else 'through the origin '}has the signs y at the rows of X"
        )
    values = points @ member
    seen = np.array([values < 0, values > 0])
    for side, sign in enumerate((-1.0, 1.0)):
        for k in range(len(points)):
            if not seen[side, k]:
                member = _member(np.vstack([walls, sign * points[k]]))
                if member is not None:
                    values = points @ member
                    seen |= np.array([values < 0, values > 0])
    return seen.all(axis=0)


def _rows(X, fit_intercept):
    """Unit vectors whose products with ``(w, b)`` have the signs of f; the origin stays."""
    rows = np.column_stack([X, np.ones(len(X))]) if fit_intercept else X
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(length > 0, length, 1.0)


def _member(walls):
    """A vector with products of at least 1 with all walls, or None if there is none."""
    d = walls.shape[1]
    solution = linprog(
        np.zeros(d), A_ub=-walls, b_ub=-np.ones(len(walls)), bounds=(None, None), method="highs"
    )
    if solution.status == _INFEASIBLE:
        return None
    if solution.status != _OPTIMAL or not (walls @ solution.x > 0).all():
        raise ValueError(f"the linear programme could not be decided: {solution.message}")
    return solution.x
