"""Bound on the error of low rank, from products with the whole Gram matrix."""

from __future__ import annotations

import numpy as np
from scipy.special import gammaincinv

from .low_rank_form import largest_factor

__all__ = ["values_bound"]

# Random probes that estimate lengths of columns, and the probability that such a bound fails.
N_PROBES = 100
FAILURE = 1e-9
# A truncation below this needs no further bound.
ENOUGH = 1e-5
# Kernel values held at a time.
BLOCK_ENTRIES = 2**24


def values_bound(form, points, kernel, values, alpha_star):
    """Bound on the root mean square error of `LowRankLooForm.transduce`.

    With the whole Gram matrix in place of ``L L'``, and the same Y0, the gradient of (30) at the
    solution is no longer 0; its length divided by gamma* bounds the error. Products of
    ``E = K - L L'`` with Y* and, for ``diag(C)``, with random vectors bound this length. They take
    one pass over all kernel values, which are not kept.

    Parameters
    ----------
    form : LowRankLooForm
    points : array of shape (l + m, d)
    kernel : callable
    values : array of shape (l + m,)
        Y and Y*.
    alpha_star : float

    Returns
    -------
    bound : float
        0 for an infinite alpha_star, infinite if it is 0.

    Notes
    -----
    The random vectors come from a generator of their own with a fixed seed; the bound fails with a
    probability of at most 1e-9 over them.
    """
    if np.isinf(alpha_star):
        return 0.0
    if alpha_star == 0:
        return np.inf
    joint = form.joint
    residuals = form.complement(values)
    weighted = form.delta * residuals  # D^-2 C Y
    images = np.column_stack([residuals, form.complement(weighted)])
    C = np.minimum(form.delta**-0.5, 1.0)
    # what `truncation` says of |(C~ - C) v|, v = Y and v = D^-2 C Y, and of diag(C)
    factor = largest_factor(joint.truncation, joint.penalty)
    forms = np.maximum([values @ residuals, weighted @ images[:, 1]], 0.0)
    changes = (factor - 1.0) * np.sqrt(forms)
    low, high = C / factor, np.minimum(C * factor, 1.0)
    if joint.truncation > ENOUGH:
        probes = np.random.default_rng(0).standard_normal((len(points), N_PROBES))
        vectors = np.hstack([images, joint.smooth(images), probes])
        products = _left_out(points, kernel, joint.factor, vectors)
        alpha, size = joint.alpha, np.linalg.norm(products[:, :4], axis=0)
        if joint.penalty == "coefficients":
            other = size[:2] / (2.0 * np.sqrt(alpha)) + size[2:] / alpha
        else:
            other = size[:2] / alpha
        changes = np.minimum(changes, other)
        below, above = _diagonal(form, C, products[:, 4:])
        low, high = np.maximum(low, below), np.minimum(high, above)
    apart = np.maximum(low**-2.0 - form.delta, form.delta - high**-2.0)
    gradient = changes[1] + changes[0] * (low**-2.0).max() + np.linalg.norm(apart * residuals)
    return float(gradient / alpha_star / np.sqrt(len(values) - form.n_train))


def _diagonal(form, C, products):
    """Bounds of ``diag(C)`` of the whole matrix; `products` are those of E with the probes."""
    joint, alpha = form.joint, form.joint.alpha
    n = len(C)
    # a chi-squared variable with N_PROBES degrees of freedom is smaller with this probability
    least = 2.0 * gammaincinv(N_PROBES / 2.0, FAILURE / (2 * n))

    def lengths(rows):
        return np.linalg.norm(rows, axis=1) / np.sqrt(least)

    # of E c_k for the columns c_k of C~
    column = lengths(form.complement(products))
    if joint.penalty == "norm":
        # c_k' E c_k
        hat = lengths(products - form.complement(products))
        more = (np.sqrt(joint.left) + np.sqrt(np.sqrt(1.0 - C) * hat)) ** 2
        more = np.minimum(more, np.sqrt(C) * column) / alpha
        return C**2 / (C + more), C
    # of E L L' c_k, and its product with c_k
    smooth = lengths(form.complement(joint.smooth(products)))
    mixed = np.minimum(smooth, np.sqrt(alpha * (1.0 - C)) * column) * np.sqrt(C)
    below = C**2 / (C + (2.0 * mixed + column**2) / alpha)
    return below, C + 2.0 * mixed / alpha + (smooth / alpha) ** 2


def _left_out(points, kernel, factor, vectors):
    """``(K - L L') V``, by blocks of rows of K."""
    inner = factor.T @ vectors
    out = np.empty_like(vectors)
    size = max(1, BLOCK_ENTRIES // len(points))
    for start in range(0, len(points), size):
        rows = slice(start, start + size)
        out[rows] = kernel(points[rows], points) @ vectors - factor[rows] @ inner
    return out
