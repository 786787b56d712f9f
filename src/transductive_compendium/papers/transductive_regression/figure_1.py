"""Figure 1: transductive and ridge regression, over sigma and over the number of test points.

Chapelle, Vapnik and Weston, section 4.1, under three interpretations of what gamma multiplies.
"""

from functools import partial

import numpy as np

from transductive.kernels import gram_matrix, rbf_gamma
from transductive.leave_one_out import JoiningPoints

from ...runner import crossed, experiment
from .gaussian_ridge import both_penalties
from .regression_setting import (
    ALPHA_STAR,
    DATASET_OF_FIGURE,
    INTERPRETATIONS,
    LOG_SIGMA_OF_SIZES,
    SHRINKING,
    scale,
    settings,
    split_sizes,
)

N_SPLITS = {"smoke": 2, "paper": 100, "full": 300}
LOG_SIGMAS = {"boston": np.arange(-3, 8) * 0.35, "kin32fh": np.arange(1, 16) * 0.25}
SIZES = {
    "boston": (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 25),
    "kin32fh": (1, 2, 4, 8, 16, 32, 64, 128, 256),
}


def groups(n, size):
    """Groups of `size` out of n points whose first `kept` points together are all n.

    Yields
    ------
    group : ndarray of int, shape (size,)
        If `size` does not divide n, the last group continues with the first points.
    kept : int
        Number of its first points that are in no earlier group.
    """
    for start in range(0, n, size):
        yield (start + np.arange(size)) % n, min(size, n - start)


class Split:
    """One random division into training and test rows; all interpretations use the same one."""

    def __init__(self, name, data, rng):
        dataset = data[name]
        self.n_train, self.n_test = split_sizes(name, dataset)
        order = rng.permutation(len(dataset.y))[: self.n_train + self.n_test]
        scalings = {scaling for _, scaling, *_ in INTERPRETATIONS.values()}
        self.X = {scaling: scale(dataset.X, scaling)[order] for scaling in scalings}
        self.y, self.truth = dataset.y[order[: self.n_train]], dataset.y[order[self.n_train :]]
        self._factored = {}

    def _factors(self, scaling, log_sigma):
        if (scaling, log_sigma) not in self._factored:
            gram = gram_matrix(self.X[scaling], gamma=rbf_gamma(np.exp(log_sigma)))
            n = self.n_train
            both = both_penalties(gram[:n, :n])
            self._factored[scaling, log_sigma] = both, gram[:n, n:], gram[n:, n:]
        return self._factored[scaling, log_sigma]

    def errors(self, reading, gamma, log_sigma, size, alphas_star):
        """Squared errors at the test points, transduced in groups of `size`.

        Returns
        -------
        ridge : ndarray of shape (n_test,)
        transductive : ndarray of shape (g, n_test)
        """
        penalty, scaling, centred, per_point = INTERPRETATIONS[reading]
        both, cross, own = self._factors(scaling, log_sigma)
        ridge, shift = both[penalty], self.y.mean() if centred else 0.0
        y = self.y - shift
        y0 = cross.T @ ridge.coefficients(y, gamma * (self.n_train if per_point else 1))
        alpha = gamma * (self.n_train + size if per_point else 1)
        joining = JoiningPoints(ridge, cross, own, y, alpha)
        values = [
            joining.transduce(group, y0[group], alphas_star)[:, :kept]
            for group, kept in groups(self.n_test, size)
        ]
        truth = self.truth - shift
        return (y0 - truth) ** 2, (np.hstack(values) - truth) ** 2


def _run_sigmas(name, key, params, data, rng):
    split, rows = Split(name, data, rng), []
    for reading, source, gamma, _ in settings(name):
        for log_sigma in map(float, LOG_SIGMAS[name].round(2)):
            ridge, (transductive,) = split.errors(
                reading, gamma, log_sigma, split.n_test, [ALPHA_STAR[name]]
            )
            rows.append(
                {
                    "reading": reading,
                    "source": source,
                    "gamma": gamma,
                    "log_sigma": log_sigma,
                    "ridge": ridge.mean(),
                    "transductive": transductive.mean(),
                }
            )
    return rows


def _run_sizes(name, key, params, data, rng):
    """A row for each size of the working set, at the published log sigma or the search's own.

    All test points count for every size; "first" is the paper's test set of that size alone.
    """
    split, rows = Split(name, data, rng), []
    for reading, source, gamma, log_sigma in settings(name):
        if source == "published":
            log_sigma = LOG_SIGMA_OF_SIZES[name]
        for size in SIZES[name]:
            if size > split.n_test:  # a substitute is small
                continue
            ridge, transductive = split.errors(
                reading, gamma, log_sigma, size, [SHRINKING[name] / size, ALPHA_STAR[name]]
            )
            rows.append(
                {
                    "reading": reading,
                    "source": source,
                    "gamma": gamma,
                    "log_sigma": log_sigma,
                    "size": size,
                    "ridge": ridge.mean(),
                    "transductive": transductive[0].mean(),
                    # with gamma* the same at every size
                    "transductive_fixed": transductive[1].mean(),
                    "ridge_first": ridge[:size].mean(),
                    "transductive_first": transductive[0, :size].mean(),
                }
            )
    return rows


for item, run_unit, axis in (
    ("figure_1a", _run_sigmas, "log sigma"),
    ("figure_1b", _run_sizes, "the number of test points"),
    ("figure_1c", _run_sigmas, "log sigma"),
    ("figure_1d", _run_sizes, "the number of test points"),
):
    name = DATASET_OF_FIGURE[item]
    experiment(
        f"transductive_regression/{item}",
        version=1,
        title=f"Ridge and transductive regression on {name} over {axis}",
        datasets=(name,),
        units=crossed(split=N_SPLITS),
    )(partial(run_unit, name))
