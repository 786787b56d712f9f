"""How small gamma may be: leave-one-out residuals (15) against 60 digits."""

from decimal import Decimal, localcontext

import numpy as np
from sklearn.linear_model import RidgeCV

from transductive.leave_one_out import LeverageError, RidgeSpectrum
from transductive.leave_one_out import _loo_reference as reference

from ...runner import crossed, experiment
from .gaussian_ridge import gaussian_gram, random_rows
from .regression_setting import PUBLISHED

DATASETS = tuple(PUBLISHED)
N_POINTS = 50
GAMMAS = 10.0 ** np.arange(2, -33, -1)
#: Added to the published log sigma: a width at which K is nearly singular, and the published one.
ADDED_LOG_SIGMAS = (4.0, 0.0)


def exact_loo(K, y, gamma):
    """Leave-one-out residuals (15) in decimal arithmetic of 60 digits.

    Parameters
    ----------
    K : array of shape (n, p)
    y : array of shape (n,)
    gamma : float

    Returns
    -------
    residuals, sizes : ndarray of shape (n,)
        `sizes` is ``sqrt(y'Cy / C_kk)``: the error of a residual over that of C.
    """
    with localcontext(prec=60):
        K, y = (np.vectorize(Decimal, otypes=[object])(np.asarray(a, float)) for a in (K, y))
        A = K @ K.T
        n = len(A)
        A[np.diag_indices(n)] += Decimal(float(gamma))
        # A^-1 = F' D^-1 F, F the inverse of a unit triangular factor
        F, pivots = np.full((n, n), Decimal(0)), np.empty(n, dtype=object)
        F[np.diag_indices(n)] = Decimal(1)
        for k in range(n):
            pivots[k] = A[k, k]
            column = A[k + 1 :, k] / A[k, k]
            A[k + 1 :, k + 1 :] -= np.multiply.outer(column, A[k, k + 1 :])
            F[k + 1 :, : k + 1] -= np.multiply.outer(column, F[k, : k + 1])
        image = F.T @ (F @ y / pivots)
        diagonal = (F * F / pivots[:, None]).sum(axis=0)
        residuals, sizes = image / diagonal, (y @ image) / diagonal
        return residuals.astype(float), np.sqrt(sizes.astype(float))


def _from_factor(K, y, gamma):
    return RidgeSpectrum(K, symmetric=True).loo_residuals(y, gamma)[:, 0]


def _ridge_cv(K, y, gamma, gcv_mode=None):
    ridge = RidgeCV([gamma], fit_intercept=False, store_cv_results=True, gcv_mode=gcv_mode)
    return np.sqrt(ridge.fit(K, y).cv_results_[:, 0])


#: Ways to compute the residuals; RidgeCV gives only their squares, without signs.
ROUTES = {
    "factor of K": _from_factor,
    "K'K formed": reference.loo_residuals,
    "RidgeCV": _ridge_cv,
    "RidgeCV, svd": lambda K, y, gamma: _ridge_cv(K, y, gamma, "svd"),
}


@experiment(
    "transductive_regression/small_ridge",
    version=1,
    title="How small gamma may be: rounding errors of leave-one-out residuals by three routes",
    datasets=DATASETS,
    units=crossed(
        "dataset",
        "wider",
        "split",
        smoke=1,
        split={"smoke": 1, "paper": 1, "full": 5},
        dataset=DATASETS,
        wider=ADDED_LOG_SIGMAS,
    ),
    # rounding errors differ between computers, and so does what is singular to the last digit
    agreement=dict.fromkeys(("error", "error_of_complement", "refused"), "chaotic"),
)
def rounding_errors(key, params, data, rng):
    """A row for each gamma and route: its largest error, and whether it refused."""
    name = key["dataset"]
    X, y = random_rows(name, data, N_POINTS, rng)
    K = gaussian_gram(X, PUBLISHED[name][2] + key["wider"])
    norm = np.linalg.norm(K, 2)
    rows = []
    for gamma in GAMMAS:
        exact, sizes = exact_loo(K, y, gamma)
        for route, residuals in ROUTES.items():
            refused = False
            try:
                found = residuals(K, y, gamma)
            except (LeverageError, np.linalg.LinAlgError):
                refused, found = True, np.full(len(y), np.nan)
            difference = found - exact
            if route.startswith("RidgeCV"):
                difference = found - np.abs(exact)
            rows.append(
                {
                    "gamma": float(gamma),
                    "route": route,
                    "refused": refused,
                    # relative to the largest residual, and to `sizes`
                    "error": float(np.abs(difference).max() / np.abs(exact).max()),
                    "error_of_complement": float((np.abs(difference) / sizes).max()),
                    "norm": norm,
                }
            )
    return rows
