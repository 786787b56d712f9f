"""Transduction compared with other kinds of ridge regression, for several gamma* at once.

The values Y* of equation (34) are compared with those of equation (17) itself, of (17) with basis
functions at the working points too but no more pairs, and of (17) with gamma chosen again at the
same width.
"""

from typing import NamedTuple

import numpy as np

from transductive.leave_one_out import LooForm, RidgeSpectrum

#: Ridges from which leave-one-out chooses.
ALPHAS = np.geomspace(1e-6, 1e2, 25)
#: gamma* from which leave-one-out chooses; ridge regression, where it is infinite, comes last.
ALPHAS_STAR = (*np.geomspace(1e-3, 1e3, 7), np.inf)


class Comparison(NamedTuple):
    """Values at the working points, and their leave-one-out errors on the training part.

    `transduced` has a row for each gamma*, `loo` its leave-one-out error; for an infinite gamma*
    they are ridge regression's.
    """

    ridge: np.ndarray
    own: np.ndarray
    joint: np.ndarray
    retuned: np.ndarray
    transduced: np.ndarray
    loo: np.ndarray


def compare(gram, y, alpha, penalty, alphas_star=ALPHAS_STAR):
    """Transduction for several gamma*, and four kinds of ridge regression.

    Parameters
    ----------
    gram : ndarray of shape (l + m, l + m)
        Training points first.
    y : ndarray of shape (l,)
    alpha : float
        gamma of equations (9) and (23).
    penalty : {"coefficients", "norm"}
    alphas_star : sequence of g floats
        Positive; infinite ones come last.

    Returns
    -------
    Comparison
        `joint` is ridge regression on the l pairs with basis functions at all l + m points; `own`
        uses for each working point the basis functions of the training points and its own, like a
        left-out pair in (15). With the penalty "norm" both equal `ridge`: the minimum needs no
        basis functions without a pair (representer theorem).
    """
    n = len(y)
    sample, cross = RidgeSpectrum(gram[:n, :n], symmetric=True, penalty=penalty), gram[n:, :n]
    influence = cross @ sample.coefficients(np.eye(n), alpha)
    ridge = influence @ y
    best = ALPHAS[sample.loo_errors(y, ALPHAS).argmin()]
    own = joint = ridge
    if penalty == "coefficients":
        own = _own_basis(sample, gram, y, alpha)
        u, values, vt = np.linalg.svd(gram[:n], full_matrices=False)
        joint = gram[n:] @ (vt.T @ (values / (values**2 + alpha) * (u.T @ y)))
    form = LooForm(RidgeSpectrum(gram, symmetric=True, penalty=penalty), alpha, n)
    loo_values = y - sample.loo_residuals(y, alpha)[:, 0]
    finite = [a for a in alphas_star if np.isfinite(a)]
    left_out = form.transductive_loo(y, ridge, loo_values, influence, finite)
    left_out = np.column_stack([left_out, *[loo_values] * (len(alphas_star) - len(finite))])
    return Comparison(
        ridge,
        own,
        joint,
        cross @ sample.coefficients(y, best),
        np.array([form.transduce(y, ridge, a) for a in alphas_star]),
        ((left_out - y[:, None]) ** 2).mean(axis=0),
    )


def _own_basis(sample, gram, y, alpha):
    """Ridge regression for one working point after the other, its basis function c added.

    In dual variables ``(K K' + c c' + alpha I)^-1 y``, by Sherman and Morrison's formula.
    """
    n = len(y)
    c, own = gram[:n, n:], np.diag(gram)[n:]
    solve = sample.vectors / (sample.spectrum + alpha) @ sample.vectors.T
    dual, along = solve @ y, solve @ c
    weights = dual[:, None] - along * (c.T @ dual / (1.0 + (c * along).sum(axis=0)))
    return ((gram[:n, :n] @ c + c * own) * weights).sum(axis=0)
