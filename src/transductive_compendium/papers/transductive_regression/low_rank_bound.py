"""Error of transduction with a low-rank kernel matrix, and the bound on it."""

import numpy as np

from transductive.kernels import gram_matrix, rbf_gamma
from transductive.leave_one_out import LowRankLooForm, LowRankRidge, RidgeSpectrum

from ...runner import experiment
from .gaussian_ridge import GAMMA_STAR, gaussian_gram, random_rows, transduction
from .regression_setting import PUBLISHED

#: Points and number of the split, by profile.
SIZES = {"smoke": [(300, 0)], "paper": [(300, 0), (1500, 0), (1500, 1)]}
SIZES["full"] = [*SIZES["paper"], *((1500, split) for split in range(2, 10))]
LOG_SIGMAS = (2.0, 3.0, 4.0)
RANKS = (5, 10, 20, 50, 100, 200, 400, 800)


def complement_error(spectrum, gamma, factor):
    """Relative difference of C of the design ``L L'``, as a quadratic form, in either direction.

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
        The least x such that the two forms are within factors of 1 + x. Computing it subtracts no
        nearly equal numbers: ``C^-1 = I + K^2 / gamma`` is a sum.
    """
    root = np.sqrt(gamma / (spectrum.spectrum + gamma))
    N = spectrum.vectors.T @ factor
    F = N @ (N.T * (root / np.sqrt(gamma)))
    ratios = np.linalg.eigvalsh(np.diag(root**2) + F.T @ F)
    return float(max(ratios[-1], 1.0 / ratios[0]) - 1.0)


@experiment(
    "transductive_regression/low_rank",
    version=1,
    title="Error of transduction with a low-rank kernel matrix, and its bound",
    datasets=("kin32fh",),
    units=lambda params, profile: [{"n": n, "split": split} for n, split in SIZES[profile]],
)
def errors_of_low_rank(key, params, data, rng):
    """A row for each sigma and rank: truncation, its bound, and the errors of C and Y*."""
    (name,) = data
    X, targets = random_rows(name, data, key["n"], rng)
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
            found = LowRankLooForm(low, n_train).transduce(y, y0, GAMMA_STAR)
            rows.append(
                {
                    "log_sigma": log_sigma,
                    "rank": low.rank,
                    "truncation": eta,
                    "bound": ((eta + np.hypot(eta, 2.0)) / 2.0) ** 2 - 1.0,
                    "complement": complement_error(spectrum, gamma, low.factor),
                    # largest error of Y*, in standard deviations of the targets
                    "transduction": float(np.abs(found - values).max() / y.std()),
                    # the same for Y0 in its place: how far transduction moved
                    "moved": float(np.abs(y0 - values).max() / y.std()),
                }
            )
    return rows
