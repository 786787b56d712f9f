"""Figure 1: errors over log sigma (1a, 1c) and over the size of test sets (1b, 1d).

Chapelle, Vapnik and Weston, section 4.1, as printed.
"""

from functools import partial

import numpy as np

from ...runner import crossed, experiment
from ...runner.companions import groups, options
from .printed_setting import PrintedSplit
from .regression_setting import GAMMA_STAR, LOG_SIGMA_OF_SIZES, SHRINKING

N_SPLITS = {"smoke": 2, "paper": 1000, "full": 2000}
#: Splits of each other option.
N_OPTION_SPLITS = 100
#: Splits of each group of cases left out: a jackknife multiplies their sampling error by about
#: four, so as many as a few minutes allow.
N_GROUP_SPLITS = {"figure_1a": 60, "figure_1b": 175, "figure_1c": 90, "figure_1d": 325}
SIZES = {"boston": (1, 5, 10, 15, 20, 25), "kin32fh": (16, 32, 64, 128, 256)}
#: Half of the range about the printed minimum; the narrow range as it is.
HALF_RANGE, NARROW = 1.0, {"boston": (0.4, 1.0), "kin32fh": (1.5, 3.0)}
#: Ends of the range of log sigma about a centre, by option of "sigma_range".
RANGES = {
    "wide": lambda name, centre: (centre - HALF_RANGE, centre + HALF_RANGE),
    "narrow": lambda name, centre: NARROW[name],
}
#: gamma at a width that the named gamma was not chosen with, by option of "gamma_elsewhere".
GAMMA_ELSEWHERE = {
    "fixed": lambda fit, named_gamma: named_gamma,
    "per_sigma": lambda fit, named_gamma: fit.chosen_gamma(),
}
#: First points of the groups that are transduced together, by option of "sizes".
STARTS = {
    "subset": lambda n_test, size: (0,),
    "blocks": lambda n_test, size: range(0, n_test, size),
}
QUANTILES = (0.1, 0.3, 0.5, 0.7, 0.9)


def places(name, params, centre):
    """Values of log sigma that judge curves: the named one, quantiles, 1d's on kin-32fh."""
    low, high = RANGES[params["sigma_range"]](name, centre)
    found = {"named": centre}
    found |= {f"q{100 * q:.0f}": low + q * (high - low) for q in QUANTILES}
    if name == "kin32fh":
        found["figure 1d"] = LOG_SIGMA_OF_SIZES[name]
    return {place: round(log_sigma, 6) for place, log_sigma in found.items()}


def errors_over_sigma(name, key, params, data, rng):
    """A row for each place: mean squared errors of both methods at its log sigma."""
    split = PrintedSplit(data[name], name, params, rng)
    named_gamma, centre = split.minimum()
    gamma_elsewhere = GAMMA_ELSEWHERE[params["gamma_elsewhere"]]
    every, rows, done = np.arange(split.n_test), [], {}
    for place, log_sigma in places(name, params, centre).items():
        if log_sigma not in done:
            fit, gamma = split.at(log_sigma), named_gamma
            if log_sigma != round(centre, 6):
                gamma = gamma_elsewhere(fit, named_gamma)
            (transduced,) = fit.transduced(gamma, every, [GAMMA_STAR[name]])
            done[log_sigma] = {
                "log_sigma": log_sigma,
                "gamma": float(gamma),
                "ridge": np.mean((fit.ridge_values(gamma) - split.truth) ** 2),
                "transductive": np.mean((transduced - split.truth) ** 2),
            }
        rows.append({"place": place} | done[log_sigma])
    return rows


def errors_over_sizes(name, key, params, data, rng):
    """A row for each size: errors at the first m test points, or at all of them, m at a time."""
    split = PrintedSplit(data[name], name, params, rng)
    gamma, log_sigma = split.minimum()
    fit, starts_of = split.at(log_sigma), STARTS[params["sizes"]]
    if name == "kin32fh":  # figure 1d stands elsewhere
        fit = split.at(LOG_SIGMA_OF_SIZES[name])
        gamma = GAMMA_ELSEWHERE[params["gamma_elsewhere"]](fit, gamma)
    ridge, rows = (fit.ridge_values(gamma) - split.truth) ** 2, []
    for size in (s for s in SIZES[name] if s <= split.n_test):
        errors = np.full(split.n_test, np.nan)
        for start in starts_of(split.n_test, size):
            # the last block is completed with the first points
            group = (start + np.arange(size)) % split.n_test
            (values,) = fit.transduced(gamma, group, [SHRINKING[name] / size])
            new = np.isnan(errors[group])
            errors[group[new]] = (values - split.truth[group])[new] ** 2
        judged = ~np.isnan(errors)
        rows.append(
            {
                "size": size,
                "gamma": float(gamma),
                "ridge": ridge[judged].mean(),
                "transductive": errors[judged].mean(),
            }
        )
    return rows


EVERYWHERE = ("scaling", "target", "log_base", "gamma_scale", "y0_basis", "parameters")
PAGES = {"boston": "figure_1a", "kin32fh": "figure_1c"}
for item, name, errors, axis, more in (
    ("figure_1a", "boston", errors_over_sigma, "log sigma", ("gamma_elsewhere", "sigma_range")),
    ("figure_1b", "boston", errors_over_sizes, "the number of test points", ("sizes",)),
    ("figure_1c", "kin32fh", errors_over_sigma, "log sigma", ("gamma_elsewhere", "sigma_range")),
    (
        "figure_1d",
        "kin32fh",
        errors_over_sizes,
        "the number of test points",
        ("gamma_elsewhere", "sizes"),
    ),
):
    full = f"transductive_regression/{item}"
    experiment(
        full,
        version=1,
        title=f"Ridge and transductive regression on {name} over {axis}",
        datasets=(name,),
        open_choices=EVERYWHERE + more,
        units=crossed(split=N_SPLITS),
        stream=f"{full}_printed",  # named before the rename
        page=PAGES[name],
    )(partial(errors, name))
    options(full, keep=lambda key: key["split"] < N_OPTION_SPLITS)
    groups(full, keep=lambda key, n=N_GROUP_SPLITS[item]: key["split"] < n)
