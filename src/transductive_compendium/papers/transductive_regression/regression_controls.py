"""Statements of section 4.1 without an experiment: the best gamma, nonlinearity, the constraint."""

import numpy as np

from transductive.leave_one_out import RidgeSpectrum

from ...runner import crossed, experiment
from ...runner.companions import options
from .printed_setting import DATASETS, DEFAULT_SCALING, GAMMAS, PrintedSplit
from .regression_setting import GAMMA_STAR

NAME = "transductive_regression/regression_controls"
TO_ZERO = 1e-9
N_SPLITS = {"smoke": 1, "paper": 200, "full": 400}


def linear_values(split):
    """Ridge regression on the inputs and a constant, gamma by (15)."""
    design = np.column_stack([split.X, np.ones(split.n_train)])
    ridge = RidgeSpectrum(design)
    gamma = GAMMAS[ridge.loo_errors(split.y, GAMMAS).argmin()]
    weights = np.linalg.solve(
        design.T @ design + gamma * np.eye(design.shape[1]), design.T @ split.y
    )
    return np.column_stack([split.X_test, np.ones(split.n_test)]) @ weights


@experiment(
    NAME,
    version=1,
    title="Ridge regression over gamma and on the inputs, and transduction without the constraint",
    datasets=DATASETS,
    open_choices=("scaling", "target", "log_base", "gamma_scale", "y0_basis", "parameters"),
    parameters=DEFAULT_SCALING,
    units=crossed("dataset", "split", split=N_SPLITS, dataset=DATASETS),
    agreement={"mse_unconstrained": 1e-3},
    page="search_boston",
)
def errors_of_controls(key, params, data, rng):
    """A row for each gamma; what does not depend on it is in each."""
    name = key["dataset"]
    split = PrintedSplit(data[name], name, params, rng)
    gamma, log_sigma = split.minimum()
    fit = split.at(log_sigma)
    times = fit.times(split.n_train)
    loo = fit.ridge.loo_errors(split.y, GAMMAS * times)
    every = np.arange(split.n_test)
    held, free = fit.transduced(gamma, every, [GAMMA_STAR[name], TO_ZERO])

    def error(values):
        return float(np.mean((values - split.truth) ** 2))

    shared = {
        "mse_published": error(fit.ridge_values(gamma)),
        "mse_linear": error(linear_values(split)),
        "mse_held": error(held),
        "mse_unconstrained": error(free),
    }
    return [
        {"gamma": float(g), "loo": float(loo[j]), "mse": error(fit.ridge_values(g))} | shared
        for j, g in enumerate(GAMMAS)
    ]


options(NAME, keep=lambda key: key["split"] < 100)
