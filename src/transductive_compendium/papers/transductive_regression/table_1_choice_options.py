"""Table 1: free parameters of LD and TLD under other interpretations, by the same validation."""

import numpy as np
from sklearn.model_selection import KFold

from ...runner import experiment
from .table_1_choice import GAMMAS, GAMMAS_STAR, N_CHOICE, N_FOLDS, WIDTHS
from .table_1_design import SETS
from .table_1_discriminants import Discriminants
from .table_1_splits import features, partition, wrong_signs

#: What the paper leaves open about the discriminants, and the option that is not the default.
OPTIONS = {
    "tld_basis": "linear",
    "y0_basis": "all",
    "gamma_scale": "functional",
    "choice": "leave_one_out",
}
#: What stands for the width of linear functions, which have none.
NO_WIDTH = 1.0
#: gamma that (8) and (20) multiply by some hundred points, for the range of `GAMMAS`.
SMALL_GAMMAS = tuple(gamma / 100.0 for gamma in GAMMAS)


def _widths(X):
    return [float(f"{width * np.sqrt(X.shape[1]):.3g}") for width in WIDTHS]


def _validated(X, y, train, key):
    """Wrong values in five folds of the training set by method, sigma, gamma and gamma*."""
    interpretation, option = key["interpretation"], key["option"]
    linear, counts = option == "linear", {}
    gammas = SMALL_GAMMAS if option == "functional" else GAMMAS
    folds = KFold(N_FOLDS, shuffle=True, random_state=key["training_set"]).split(train)
    for kept, held in ((train[kept], train[held]) for kept, held in folds):
        for sigma in [NO_WIDTH] if linear else _widths(X):
            both = Discriminants(X[kept], y[kept], X[held], sigma, **{interpretation: option})
            for gamma in gammas:
                found = zip(GAMMAS_STAR, both.transduced(gamma, GAMMAS_STAR), strict=True)
                found = [("TLD", gamma_star, values) for gamma_star, values in found]
                if not both.y0_of_all:  # LD is what it is without
                    found.append(("LD", np.inf, both.ridge(gamma)))
                for method, gamma_star, values in found:
                    candidate = method, sigma, gamma, gamma_star
                    counts[candidate] = counts.get(candidate, 0) + wrong_signs(values, y[held])
    return [(*candidate, wrong, np.nan) for candidate, wrong in counts.items()]


def _left_out(X, y, train):
    """(15) of the whole training set by sigma and gamma."""
    rows = []
    for sigma in _widths(X):
        errors = Discriminants(X[train], y[train], X[:0], sigma).loo_errors(GAMMAS)
        rows += [
            ("LD", sigma, gamma, np.inf, np.nan, float(error))
            for gamma, error in zip(GAMMAS, errors, strict=True)
        ]
    return rows


def _units(params, profile):
    keys = [
        {"interpretation": name, "option": option, "dataset": dataset, "training_set": number}
        for name, option in OPTIONS.items()
        for number in range(N_CHOICE)
        for dataset in SETS
    ]
    return keys[: 2 if profile == "smoke" else None]


@experiment(
    "transductive_regression/table_1_choice_options",
    version=1,
    title="Table 1: validation errors on the first five training sets: other interpretations",
    datasets=tuple(SETS),
    units=_units,
)
def run_unit(key, params, data, rng):
    """Errors on the five folds of one training set, for each candidate; a fold is the working set.

    For the choice by leave-one-out the error is (15) on the training set; gamma* is then that of
    the least error in `table_1_choice`.
    """
    table = data[key["dataset"]]
    X, y = features(table), table.y.astype(float)
    train, _, _ = partition(table, key["training_set"])
    loo = key["option"] == "leave_one_out"
    names = ("method", "sigma", "gamma", "gamma_star", "wrong", "loo_error")
    found = _left_out(X, y, train) if loo else _validated(X, y, train, key)
    return [dict(zip(names, row, strict=True)) for row in found]
