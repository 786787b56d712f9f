"""Leaving a pair out with and without its basis function, and the error at new points."""

import numpy as np

from transductive.leave_one_out import RidgeSpectrum

from ...runner import crossed, experiment
from .gaussian_ridge import gaussian_gram, random_rows

DATASETS = ("boston", "diabetes")
N_SPLITS = {"smoke": 1, "paper": 50, "full": 200}
GAMMAS = 10.0 ** np.arange(-6, 2.01, 0.5)
LOG_SIGMAS = (0.7, 1.4, 2.1)


@experiment(
    "transductive_regression/basis_functions",
    version=1,
    title="Leaving a pair out with and without its basis function",
    datasets=DATASETS,
    units=crossed("dataset", "split", split=N_SPLITS, dataset=DATASETS),
    agreement={"norm": 1e-3, "test_norm": 1e-3},
    page="search_boston",
)
def loo_and_test_errors(key, params, data, rng):
    """A row for each sigma and gamma: leave-one-out errors of three kinds, and test errors."""
    name = key["dataset"]
    X, targets = random_rows(name, data, None, rng)
    n_train = 3 * len(X) // 4
    targets = targets - targets[:n_train].mean()
    y, truth = targets[:n_train], targets[n_train:]
    rows = []
    for log_sigma in LOG_SIGMAS:
        K = gaussian_gram(X, log_sigma)
        written = RidgeSpectrum(K[:n_train, :n_train], symmetric=True)
        norm = written.with_penalty("norm")
        dropped = np.mean(written.loo_residuals_without_basis(y, GAMMAS) ** 2, axis=0)
        kept, dual = (ridge.loo_errors(y, GAMMAS) for ridge in (written, norm))
        for j, gamma in enumerate(GAMMAS):
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
