"""Which scaling, kernel and logarithm the published parameters are meant in.

Transductive Inference for Estimating Values of Functions, section 4.1: gamma and sigma minimise
the leave-one-out error averaged over five random splits. The text gives where, but not how the
features were scaled, nor the base of log sigma.
"""

from __future__ import annotations

from math import log

import numpy as np

from transductive.kernels import gram_matrix, rbf_gamma
from transductive.leave_one_out import RidgeSpectrum
from transductive.leave_one_out.spectrum import PENALTIES

from ...runner.declaration import Experiment, register

#: Training rows, published gamma and published log sigma.
PUBLISHED = {"kin32fh": (64, 0.1, 2.0), "boston": (481, 0.005, 0.7)}
N_TEST = {"boston": 25, "kin32fh": 256}

_SCALES = {
    "raw": lambda X: (0.0, 1.0),
    "unit variance": lambda X: (X.mean(axis=0), X.std(axis=0)),
    "[-1, 1]": lambda X: ((X.max(axis=0) + X.min(axis=0)) / 2, np.ptp(X, axis=0) / 2),
    "unit mean square": lambda X: (0.0, np.sqrt(np.mean(X**2, axis=0))),
}
#: Scaling to the one whose surface it shares, and what to add to ln sigma there.
SCALINGS = {**{name: (name, 0.0) for name in _SCALES}, "[0, 1]": ("[-1, 1]", log(2.0))}
#: What stands below |x - x'|^2 in the kernel, and what to add to ln sigma for 2 sigma^2.
KERNELS = {"2 sigma^2": 0.0, "sigma^2": -log(2.0) / 2, "4 sigma^2": log(2.0) / 2}
#: Base of the logarithm, and its natural logarithm.
BASES = {"e": 1.0, "10": log(10.0), "2": log(2.0)}
TARGETS = ("raw", "centred")
N_SPLITS = 5


def scale(X, scaling):
    """Features scaled one by one, over all rows: no target is looked at.

    Parameters
    ----------
    X : array of shape (n, d)
    scaling : {"raw", "unit variance", "[-1, 1]", "unit mean square"}

    Returns
    -------
    X : ndarray of shape (n, d)
    """
    centre, width = _SCALES[scaling](X)
    return (X - centre) / width


def sizes(name, data):
    """Training and test rows of one split: the document's, or as many as a stand-in allows."""
    n_test = min(N_TEST[name], len(data.y) // 4)
    return min(PUBLISHED[name][0], len(data.y) - n_test), n_test


def both_penalties(gram):
    """Ridge regression with either penalty from one factorisation, which spoils `gram`."""
    first = RidgeSpectrum(gram, symmetric=True, overwrite=True)
    return {penalty: first.with_penalty(penalty) for penalty in PENALTIES}


def gammas(name):
    """1, 2, 5 times powers of ten, among them the published value; and it times l, as in (8)."""
    n_train, gamma, _ = PUBLISHED[name]
    grid = [d * 10.0**e for e in range(-5, 1) for d in (1, 2, 5)]
    return np.unique(np.round([*grid, 10.0, gamma * n_train], 10))


def log_sigmas(name, scaling):
    """Natural logarithms in steps of 0.1 (raw features, whose scales differ, 0.25).

    And the published value in every reading that shares this surface.
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


def _run_search(key, params, data, rng):
    name = key["dataset"]
    dataset, alphas = data[name], gammas(name)
    n_train, _ = sizes(name, dataset)
    splits = [rng.permutation(len(dataset.y))[:n_train] for _ in range(N_SPLITS)]
    rows = []
    for scaling in _SCALES:
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


register(
    Experiment(
        name="transductive_regression/parameter_search",
        version=1,
        title="Leave-one-out error (15) over gamma and sigma, by scaling, penalty and target",
        datasets=tuple(PUBLISHED),
        units=lambda params, profile: [
            {"dataset": name, "group": group}
            for group in range(5 if profile == "full" else 1)
            for name in PUBLISHED
        ][: 1 if profile == "smoke" else None],
        run_unit=_run_search,
    )
)
