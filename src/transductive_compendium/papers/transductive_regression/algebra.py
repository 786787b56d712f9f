"""The algebra of leave-one-out: identities, small ridges, low rank, and whose basis function goes.

Transductive Inference for Estimating Values of Functions, sections 2 and 3.
"""

from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np
from scipy.optimize import least_squares
from sklearn.linear_model import RidgeCV

from transductive.kernels import gram_matrix, rbf_gamma
from transductive.leave_one_out import (
    LeverageError,
    LooForm,
    LowRankLooForm,
    LowRankRidge,
    RidgeSpectrum,
)
from transductive.leave_one_out import _loo_reference as reference

from ...runner.declaration import Experiment, crossed, register
from .scaling_search import PUBLISHED, scale

DATASETS = tuple(PUBLISHED)
SCALING = "unit variance"


def draw(name, data, n, rng):
    """At most n random rows: features of unit variance over the whole set, and targets."""
    dataset = data[name]
    rows = rng.permutation(len(dataset.y))[:n]
    return scale(dataset.X, SCALING)[rows], dataset.y[rows]


def gaussian_gram(X, log_sigma):
    """Gram matrix of the document's basis functions, symmetric to the last bit."""
    K = gram_matrix(X, gamma=rbf_gamma(np.exp(log_sigma)))
    return np.tril(K) + np.tril(K, -1).T


# ---- identities ---------------------------------------------------------------------------------

N_TRAIN, N_WORKING = 60, 20
N_SPLITS = {"smoke": 1, "paper": 10, "full": 50}
GAMMAS = (1e-3, 0.1, 10.0)
_ALPHA_STAR = 0.1


def refits_without_basis_functions(K, y, gamma, penalty):
    """Leave-one-out residuals by n refits on the other n - 1 points and their basis functions."""
    residuals = np.empty(len(y))
    for i in range(len(y)):
        keep = np.arange(len(y)) != i
        part = K[np.ix_(keep, keep)]
        if penalty == "norm":
            weights = np.linalg.solve(part + gamma * np.eye(len(part)), y[keep])
        else:
            weights = reference.coefficients(part, y[keep], gamma)
        residuals[i] = y[i] - K[i, keep] @ weights
    return residuals


def deviation(found, expected):
    """Largest difference over the largest value."""
    return float(np.abs(found - expected).max() / np.abs(expected).max())


def numerical_minimum(ridge, y, y0, gamma):
    """Working values that minimise (30), by a general solver for sums of squares, without M."""
    fixed = np.r_[y, np.zeros(len(y0))]
    units = np.vstack([np.zeros((len(y), len(y0))), np.eye(len(y0))])

    def loo(values):
        return ridge.loo_residuals(values, gamma)[:, 0]

    def terms(working):
        return np.r_[loo(fixed + units @ working), np.sqrt(_ALPHA_STAR) * (working - y0)]

    # (22)'s terms are affine in the working values: unit steps give their slopes
    slopes = np.array([loo(unit) for unit in units.T]).T
    slopes = np.vstack([slopes, np.sqrt(_ALPHA_STAR) * np.eye(len(y0))])
    exact = dict.fromkeys(("ftol", "xtol", "gtol"), 1e-15)
    return least_squares(terms, y0, jac=lambda working: slopes, **exact).x


def functional(form, y, y0, working):
    """Equation (30)."""
    values = np.r_[y, working]
    return values @ form.matrix @ values + _ALPHA_STAR * np.sum((working - y0) ** 2)


def printed(form, y, y0):
    """Equation (34) without the transpose, or None where M1 and Y do not conform."""
    n_train = form.n_train
    M1, M2 = form.matrix[:n_train, n_train:], form.matrix[n_train:, n_train:]
    try:
        right = -M1 @ y + _ALPHA_STAR * y0
    except ValueError:
        return None
    return np.linalg.solve(M2 + _ALPHA_STAR * np.eye(len(M2)), right)


def transduction(K, y, gamma):
    """Leave-one-out form of the joint set, Y0 (17) and Y* (34)."""
    n_train = len(y)
    sample = RidgeSpectrum(K[:n_train, :n_train], symmetric=True)
    y0 = K[n_train:, :n_train] @ sample.coefficients(y, gamma)
    form = LooForm(RidgeSpectrum(K, symmetric=True), gamma, n_train)
    return form, y0, form.transduce(y, y0, _ALPHA_STAR)


def _run_identities(key, params, data, rng):
    name = key["dataset"]
    X, targets = draw(name, data, N_TRAIN + N_WORKING, rng)
    K, y = gaussian_gram(X, PUBLISHED[name][2]), targets[:N_TRAIN]
    sample = RidgeSpectrum(K[:N_TRAIN, :N_TRAIN], symmetric=True)
    norm = sample.with_penalty("norm")
    # N_TRAIN training points and basis functions at all points, then at the training points alone
    wide, square = RidgeSpectrum(K[:N_TRAIN]), K[:N_TRAIN, :N_TRAIN]
    joint = RidgeSpectrum(K, symmetric=True)
    rows = []
    for gamma in GAMMAS:
        form, y0, values = transduction(K, y, gamma)
        both = np.r_[y, values]
        loo, joint_loo = sample.loo_residuals(y, gamma)[:, 0], joint.loo_residuals(both, gamma)
        refitted = reference.refitted_residuals(K, both, gamma)
        C = reference.complement(K, gamma)
        # as many working as training points: then the printed equation can be computed
        few = np.r_[:N_WORKING, N_TRAIN : N_TRAIN + N_WORKING]
        even, even_y0, right = transduction(K[np.ix_(few, few)], y[:N_WORKING], gamma)
        wrong = printed(even, y[:N_WORKING], even_y0)
        costs = [functional(even, y[:N_WORKING], even_y0, v) for v in (wrong, right)]
        rows.append(
            {
                "gamma": gamma,
                # (15) against (13): square, wide, and on the joint set
                "refits": deviation(loo, reference.refitted_residuals(square, y, gamma)),
                "refits_wide": deviation(
                    wide.loo_residuals(y, gamma)[:, 0],
                    reference.refitted_residuals(K[:N_TRAIN], y, gamma),
                ),
                "refits_joint": deviation(joint_loo[:, 0], refitted),
                # with the penalty "norm", and with pair and basis function gone
                "refits_norm": deviation(
                    norm.loo_residuals(y, gamma)[:, 0],
                    refits_without_basis_functions(square, y, gamma, "norm"),
                ),
                "refits_dropped": deviation(
                    sample.loo_residuals_without_basis(y, gamma)[:, 0],
                    refits_without_basis_functions(square, y, gamma, "coefficients"),
                ),
                # (22) against (28), and by refits
                "two_forms": deviation(form.error(both), np.mean(joint_loo**2)),
                "form_refits": deviation(form.error(both), np.mean(refitted**2)),
                "minimum": deviation(values, numerical_minimum(joint, y, y0, gamma)),
                "compiled": deviation(form.matrix, reference.loo_matrix(C)),
                "printed_conforms": printed(form, y, y0) is not None,
                # how much larger (30) is at the printed solution
                "printed_excess": costs[0] / costs[1] - 1.0,
            }
        )
    return rows


register(
    Experiment(
        name="transductive_regression/identities",
        version=1,
        title="Closed forms against refits, the two forms of T_loo, and the minimum of (30)",
        datasets=DATASETS,
        units=crossed("dataset", "split", split=N_SPLITS, dataset=DATASETS),
        run_unit=_run_identities,
    )
)


# ---- small ridges -------------------------------------------------------------------------------

N_POINTS = 50
SMALL_GAMMAS = 10.0 ** np.arange(2, -33, -1)
#: Added to the published log sigma: a width at which K is nearly singular, and the published one.
WIDER = (4.0, 0.0)


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
        `sizes` is ``sqrt(y'Cy / C_kk)``: what an error of C costs, relative to that error.
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


#: Routes to the residuals; RidgeCV gives their squares only, so that its signs are not looked at.
ROUTES = {
    "factor of K": _from_factor,
    "K'K formed": reference.loo_residuals,
    "RidgeCV": _ridge_cv,
    "RidgeCV, svd": lambda K, y, gamma: _ridge_cv(K, y, gamma, "svd"),
}


def _run_small_ridge(key, params, data, rng):
    name = key["dataset"]
    X, y = draw(name, data, N_POINTS, rng)
    K = gaussian_gram(X, PUBLISHED[name][2] + key["wider"])
    norm = np.linalg.norm(K, 2)
    rows = []
    for gamma in SMALL_GAMMAS:
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
                    # of the largest residual, and of what an error of C would cost
                    "error": float(np.abs(difference).max() / np.abs(exact).max()),
                    "error_of_complement": float((np.abs(difference) / sizes).max()),
                    "norm": norm,
                }
            )
    return rows


register(
    Experiment(
        name="transductive_regression/small_ridge",
        version=1,
        title="How small gamma may be: rounding errors of leave-one-out residuals by three routes",
        datasets=DATASETS,
        units=lambda params, profile: [
            {"dataset": name, "wider": wider, "split": split}
            for split in range(5 if profile == "full" else 1)
            for name in DATASETS
            for wider in WIDER
        ][: 1 if profile == "smoke" else None],
        run_unit=_run_small_ridge,
        # rounding errors are another machine's own, and so is what is singular to the last digit
        agreement={"error": "ignore", "error_of_complement": "ignore", "refused": "ignore"},
    )
)


# ---- low rank -----------------------------------------------------------------------------------

SIZES = {"smoke": [(300, 0)], "paper": [(300, 0), (1500, 0), (1500, 1)]}
SIZES["full"] = [*SIZES["paper"], *((1500, split) for split in range(2, 10))]
LOG_SIGMAS = (2.0, 3.0, 4.0)
RANKS = (5, 10, 20, 50, 100, 200, 400, 800)


def complement_error(spectrum, gamma, factor):
    """How much C of the design ``L L'`` is off as a quadratic form, on either side.

    Parameters
    ----------
    spectrum : RidgeSpectrum
        Of the whole Gram matrix, with the penalty "coefficients".
    gamma : float
    factor : ndarray of shape (n, r)
        L.

    Returns
    -------
    float
        The least x such that the two forms are within factors of 1 + x. No difference of nearly
        equal numbers is taken: ``C^-1 = I + K^2 / gamma`` is a sum.
    """
    root = np.sqrt(gamma / (spectrum.spectrum + gamma))
    N = spectrum.vectors.T @ factor
    F = N @ (N.T * (root / np.sqrt(gamma)))
    ratios = np.linalg.eigvalsh(np.diag(root**2) + F.T @ F)
    return float(max(ratios[-1], 1.0 / ratios[0]) - 1.0)


def _run_low_rank(key, params, data, rng):
    (name,) = data
    X, targets = draw(name, data, key["n"], rng)
    n_train = len(X) // 3
    y, gamma = targets[:n_train], PUBLISHED[name][1]
    rows = []
    for log_sigma in LOG_SIGMAS:
        width = rbf_gamma(np.exp(log_sigma))
        spectrum = RidgeSpectrum(gaussian_gram(X, log_sigma), symmetric=True)
        _, y0, values = transduction(gaussian_gram(X, log_sigma), y, gamma)
        for rank in [rank for rank in RANKS if rank < len(X)]:
            low = LowRankRidge(
                X,
                lambda A, B, width=width: gram_matrix(A, B, gamma=width),
                gamma,
                "coefficients",
                rank,
            )
            eta = low.truncation
            found = LowRankLooForm(low, n_train).transduce(y, y0, _ALPHA_STAR)
            rows.append(
                {
                    "log_sigma": log_sigma,
                    "rank": low.rank,
                    "truncation": eta,
                    "bound": ((eta + np.hypot(eta, 2.0)) / 2.0) ** 2 - 1.0,
                    "complement": complement_error(spectrum, gamma, low.factor),
                    # largest error of Y*, in standard deviations of the targets
                    "transduction": float(np.abs(found - values).max() / y.std()),
                    # the same for Y0 in its place: how far the transduction went
                    "moved": float(np.abs(y0 - values).max() / y.std()),
                }
            )
    return rows


register(
    Experiment(
        name="transductive_regression/low_rank",
        version=1,
        title="What a low-rank kernel matrix costs, and what it is said to cost at most",
        datasets=("kin32fh",),
        units=lambda params, profile: [{"n": n, "split": split} for n, split in SIZES[profile]],
        run_unit=_run_low_rank,
    )
)


# ---- whose basis function goes ------------------------------------------------------------------

BASIS_DATASETS = ("boston", "diabetes")
BASIS_SPLITS = {"smoke": 1, "paper": 50, "full": 200}
BASIS_GAMMAS = 10.0 ** np.arange(-6, 2.01, 0.5)
BASIS_LOG_SIGMAS = (0.7, 1.4, 2.1)


def _run_basis_functions(key, params, data, rng):
    name = key["dataset"]
    X, targets = draw(name, data, None, rng)
    n_train = 3 * len(X) // 4
    # targets less the training mean
    targets = targets - targets[:n_train].mean()
    y, truth = targets[:n_train], targets[n_train:]
    rows = []
    for log_sigma in BASIS_LOG_SIGMAS:
        K = gaussian_gram(X, log_sigma)
        written = RidgeSpectrum(K[:n_train, :n_train], symmetric=True)
        norm = written.with_penalty("norm")
        dropped = np.mean(written.loo_residuals_without_basis(y, BASIS_GAMMAS) ** 2, axis=0)
        kept, dual = (ridge.loo_errors(y, BASIS_GAMMAS) for ridge in (written, norm))
        for j, gamma in enumerate(BASIS_GAMMAS):
            test, test_norm = (
                np.mean((K[n_train:, :n_train] @ ridge.coefficients(y, gamma) - truth) ** 2)
                for ridge in (written, norm)
            )
            rows.append(
                {
                    "log_sigma": log_sigma,
                    "gamma": float(gamma),
                    "kept": kept[j],
                    "dropped": dropped[j],
                    "norm": dual[j],
                    "test": test,
                    "test_norm": test_norm,
                }
            )
    return rows


register(
    Experiment(
        name="transductive_regression/basis_functions",
        version=1,
        title="Leaving a pair out with and without its basis function",
        datasets=BASIS_DATASETS,
        units=crossed("dataset", "split", split=BASIS_SPLITS, dataset=BASIS_DATASETS),
        run_unit=_run_basis_functions,
    )
)
