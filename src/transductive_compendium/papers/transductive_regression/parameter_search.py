"""Search for the scaling, kernel and logarithm of the published parameters.

Chapelle, Vapnik and Weston, section 4.1: gamma and sigma minimise the leave-one-out error averaged
over five random splits. The text prints the minimum, but neither the scaling of the features nor
the base of log sigma.
"""

import numpy as np

from transductive.kernels import gram_matrix, rbf_gamma

from ...runner import crossed, experiment
from .gaussian_ridge import both_penalties
from .parameter_search_design import PENALTIES, TARGETS, gammas, log_sigmas
from .regression_setting import PUBLISHED, SCALES, scale, split_sizes

N_SPLITS = 5


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
def run_unit(key, params, data, rng):
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
