"""Equations (15), (22), (26) to (28) and (34) of Chapelle, Vapnik and Weston, checked by refits."""

import numpy as np
from scipy.optimize import least_squares

from transductive.leave_one_out import RidgeSpectrum

from ...exact import loo_reference as reference
from ...runner import crossed, experiment
from .gaussian_ridge import GAMMA_STAR, gaussian_gram, random_rows, transduction
from .regression_setting import PUBLISHED

DATASETS = tuple(PUBLISHED)

N_TRAIN, N_WORKING = 60, 20
N_SPLITS = {"smoke": 1, "paper": 10, "full": 50}
GAMMAS = (1e-3, 0.1, 10.0)


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
        return np.r_[loo(fixed + units @ working), np.sqrt(GAMMA_STAR) * (working - y0)]

    # (22)'s terms are affine in the working values: unit steps give their slopes
    slopes = np.array([loo(unit) for unit in units.T]).T
    slopes = np.vstack([slopes, np.sqrt(GAMMA_STAR) * np.eye(len(y0))])
    exact = dict.fromkeys(("ftol", "xtol", "gtol"), 1e-15)
    return least_squares(terms, y0, jac=lambda working: slopes, **exact).x


def objective(form, y, y0, working):
    """Equation (30)."""
    values = np.r_[y, working]
    return values @ form.matrix @ values + GAMMA_STAR * np.sum((working - y0) ** 2)


def printed_solution(form, y, y0):
    """Equation (34) without the transpose, or None where M1 and Y do not conform."""
    n_train = form.n_train
    M1, M2 = form.matrix[:n_train, n_train:], form.matrix[n_train:, n_train:]
    try:
        right = -M1 @ y + GAMMA_STAR * y0
    except ValueError:
        return None
    return np.linalg.solve(M2 + GAMMA_STAR * np.eye(len(M2)), right)


@experiment(
    "transductive_regression/identities",
    version=1,
    title="Closed forms against refits, the two forms of T_loo, and the minimum of (30)",
    datasets=DATASETS,
    units=crossed("dataset", "split", split=N_SPLITS, dataset=DATASETS),
)
def deviations_of_identities(key, params, data, rng):
    """A row for each gamma: deviations of closed forms from refits and numerical minima."""
    name = key["dataset"]
    X, targets = random_rows(name, data, N_TRAIN + N_WORKING, rng)
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
        wrong = printed_solution(even, y[:N_WORKING], even_y0)
        costs = [objective(even, y[:N_WORKING], even_y0, v) for v in (wrong, right)]
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
                "printed_conforms": printed_solution(form, y, y0) is not None,
                # how much larger (30) is at the printed solution
                "printed_excess": costs[0] / costs[1] - 1.0,
            }
        )
    return rows
