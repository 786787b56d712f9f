"""Search for the smallest leave-one-out error (15) of ridge regression, as printed: section 4.1."""

from functools import partial

import numpy as np

from transductive.kernels import gram_matrix, rbf_gamma
from transductive.leave_one_out import RidgeSpectrum

from ...runner import crossed, experiment
from ...runner.companions import options
from .printed_setting import BASES, DEFAULT_SCALING, GAMMA_TIMES, GAMMAS, PrintedSplit

SPLITS = {
    "boston": {"smoke": 1, "paper": 100, "full": 200},
    "kin32fh": {"smoke": 1, "paper": 200, "full": 400},
}
#: Splits of each other option, and on boston with all inputs standardised.
N_OPTION_SPLITS, N_STANDARDISED_SPLITS = {"boston": 10, "kin32fh": 100}, 100
STEP = {"boston": 0.1, "kin32fh": 0.25}
LOWEST, HIGHEST = -1.0, 6.5
ITEMS = {"search_boston": "boston", "search_kin": "kin32fh"}
OPEN_CHOICES = {name: ("scaling", "target", "log_base", "gamma_scale") for name in STEP}
OPEN_CHOICES["boston"] += ("binary",)


def gamma_column(j):
    """Name of the column of the j-th gamma."""
    return f"loo_{j}"


def loo_errors(name, key, params, data, rng):
    """A row for each natural logarithm of sigma, a column for each gamma that multiplies |a|^2.

    Another base, or gamma times l, only moves the printed place on the same surface.
    """
    split = PrintedSplit(data[name], name, params, rng)
    times = GAMMA_TIMES[params["gamma_scale"]](split.n_train)
    rows = []
    for log_sigma in np.arange(LOWEST, HIGHEST + 1e-9, STEP[name]).round(2):
        gram = gram_matrix(split.X, gamma=rbf_gamma(np.exp(log_sigma)))
        ridge = RidgeSpectrum(gram, overwrite=True)
        found = ridge.loo_errors(split.y, GAMMAS * times)
        rows.append(
            {"log_sigma": float(log_sigma / np.log(BASES[params["log_base"]]))}
            | {gamma_column(j): float(f"{error:.5g}") for j, error in enumerate(found)}
        )
    return rows


for item, name in ITEMS.items():
    full = f"transductive_regression/{item}"
    experiment(
        full,
        version=1,
        title=f"Leave-one-out error (15) over gamma and sigma on {name}, as printed",
        datasets=(name,),
        open_choices=OPEN_CHOICES[name],
        parameters=DEFAULT_SCALING,
        units=crossed(split=SPLITS[name]),
        agreement={gamma_column(j): 1e-6 for j in range(len(GAMMAS))},
        page="inductive",
    )(partial(loo_errors, name))

    def kept(key, n=N_OPTION_SPLITS[name]):
        return key["split"] < (N_STANDARDISED_SPLITS if key["choice"] == "binary" else n)

    options(full, keep=kept)
