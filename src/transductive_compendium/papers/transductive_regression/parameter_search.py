"""Search for the scaling, kernel and logarithm of the published parameters.

Chapelle, Vapnik and Weston, section 4.1: gamma and sigma minimise the leave-one-out error averaged
over five random splits. The text prints the minimum, but neither the scaling of the features nor
the base of log sigma.
"""

import numpy as np

from transductive.kernels import gram_matrix, rbf_gamma

from ...runner import crossed, experiment
from .gaussian_ridge import PENALTIES, both_penalties
from .regression_setting import PUBLISHED, SCALES, scale, split_sizes

N_SPLITS = 5
#: Scaling to the one whose surface it shares, and what to add to ln sigma there.
SCALINGS = {**{name: (name, 0.0) for name in SCALES}, "[0, 1]": ("[-1, 1]", np.log(2.0))}
#: What divides |x - x'|^2 in the kernel, and what to add to ln sigma for 2 sigma^2.
KERNELS = {"2 sigma^2": 0.0, "sigma^2": -np.log(2.0) / 2, "4 sigma^2": np.log(2.0) / 2}
#: Base of the logarithm, and its natural logarithm.
BASES = {"e": 1.0, "10": np.log(10.0), "2": np.log(2.0)}
TARGETS = ("raw", "centred")


def gammas(name):
    """1, 2, 5 times powers of ten, among them the published value; and it times l, as in (8)."""
    n_train, gamma, _ = PUBLISHED[name]
    grid = [d * 10.0**e for e in range(-5, 1) for d in (1, 2, 5)]
    return np.unique(np.round([*grid, 10.0, gamma * n_train], 10))


def log_sigmas(name, scaling):
    """Natural logarithms in steps of 0.1 (0.25 for raw features, whose scales differ).

    They include the published value under every combination that shares this surface.
    """
    published = [
        PUBLISHED[name][2] * base + kernel + shift
        for family, shift in SCALINGS.values()
        if family == scaling
        for base in BASES.values()
        for kernel in KERNELS.values()
    ]
    grid = np.arange(-1.0, 6.51, 0.25) if scaling == "raw" else np.arange(-2.0, 3.01, 0.1)
    return np.unique(np.round([*grid, *published], 10))


@experiment(
    "transductive_regression/parameter_search",
    version=1,
    title="Leave-one-out error (15) over gamma and sigma, by scaling, penalty and target",
    datasets=tuple(PUBLISHED),
    units=crossed(
        "dataset",
        "group",
        smoke=1,
        group={"smoke": 1, "paper": 1, "full": 5},
        dataset=tuple(PUBLISHED),
    ),
)
def loo_surfaces(key, params, data, rng):
    """A row for each scaling, sigma and gamma: (15) by penalty and target, mean of five splits."""
    name = key["dataset"]
    dataset, alphas = data[name], gammas(name)
    n_train, _ = split_sizes(name, dataset)
    splits = [rng.permutation(len(dataset.y))[:n_train] for _ in range(N_SPLITS)]
    rows = []
    for scaling in SCALES:
        X = scale(dataset.X, scaling)
        for log_sigma in log_sigmas(name, scaling):
            errors = dict.fromkeys([(p, t) for p in PENALTIES for t in TARGETS], 0.0)
            for train in splits:
                gram = gram_matrix(X[train], gamma=rbf_gamma(np.exp(log_sigma)))
                y = dataset.y[train]
                for penalty, ridge in both_penalties(gram).items():
                    for target in TARGETS:
                        shift = y.mean() if target == "centred" else 0.0
                        found = ridge.loo_errors(y - shift, alphas)
                        errors[penalty, target] = errors[penalty, target] + found / N_SPLITS
            rows += [
                {"scaling": scaling, "log_sigma": log_sigma, "gamma": gamma}
                | {f"{p}_{t}": error[j] for (p, t), error in errors.items()}
                for j, gamma in enumerate(alphas)
            ]
    return rows
