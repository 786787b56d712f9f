"""Dual coordinate descent for linear classifiers in NumPy; `_linear.pyx` does the same, faster."""

import numpy as np


def sweep(X, target, lower, upper, coefficients, active, shift, weight, least=-np.inf, most=np.inf):
    """One pass over the active points, in their order.

    Minimises ``1/2 |X'b|^2 + level sum b + weight/2 (sum b)^2 - target'b`` over one coefficient
    after another, within its box. `shift` is ``level + weight sum b``, the intercept at which a
    coefficient meets its point.

    Returns
    -------
    coefficients : ndarray of shape (n,)
    w : ndarray of shape (d,)
        ``X'b``.
    shift : float
    slopes : list of float
        Slopes along which a coefficient could move.
    stay : list of int
        Points that stay active: all except those at a bound where a slope beyond `least` or `most`
        keeps them.
    """
    b = np.array(coefficients, dtype=float)
    w = X.T @ b
    slopes, stay = [], []
    for i in active:
        slope = X[i] @ w + shift - target[i]
        at_lower, at_upper = b[i] <= lower[i], b[i] >= upper[i]
        held = (at_lower and slope >= 0) or (at_upper and slope <= 0)
        if (at_lower and slope > most) or (at_upper and slope < least) or (at_lower and at_upper):
            continue
        stay.append(i)
        if held:
            continue
        slopes.append(slope)
        moved = np.clip(b[i] - slope / (X[i] @ X[i] + weight), lower[i], upper[i])
        w += (moved - b[i]) * X[i]
        shift += weight * (moved - b[i])
        b[i] = moved
    return b, w, shift, slopes, stay
