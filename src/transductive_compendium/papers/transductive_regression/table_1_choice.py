"""Table 1: free parameters of SVM, LD and TLD, by validation on the first five training sets."""

import numpy as np
from sklearn.model_selection import KFold
from sklearn.svm import SVC

from transductive.kernels import rbf_gamma

from ...runner import experiment
from ...runner.companions import options
from .table_1_discriminants import OF_THE_FORMULAS, Discriminants, changed, formulas
from .table_1_splits import SETS, features, partition, wrong_signs

NAME = "transductive_regression/table_1_choice"
N_CHOICE, N_FOLDS = 5, 5
#: Widths sigma of Gaussian functions, over the root of the number of features.
WIDTHS = (0.125, 0.177, 0.25, 0.354, 0.5, 0.707, 1.0, 1.41, 2.0)
COSTS = (0.1, 0.316, 1.0, 3.16, 10.0, 31.6, 100.0, 316.0, 1000.0)
#: gamma by option of "gamma_scale": (8) and (20) multiply it by some hundred points.
GAMMAS = {
    "closed_form": tuple(10.0**k for k in range(-4, 4)),
    "functional": tuple(10.0**k / 100.0 for k in range(-4, 4)),
}
GAMMAS_STAR = tuple(10.0**k for k in range(-2, 3))
#: Sets small enough for all test points to be working points of every fold.
SMALL = ("ida_thyroid", "ida_heart", "ida_breast_cancer")


def _gaussian_widths(n_features):
    return [float(f"{width * np.sqrt(n_features):.3g}") for width in WIDTHS]


#: Candidates for sigma, by option of "tld_basis". Linear functions have none: a 1 holds its place.
SIGMAS = {"rbf": _gaussian_widths, "linear": lambda n_features: [1.0]}


def _svms(X, y, X_held, held, sigma):
    for C in COSTS:
        svm = SVC(C=C, gamma=rbf_gamma(sigma)).fit(X, y)
        yield (
            ("SVM", sigma, C, np.nan, np.nan),
            wrong_signs(svm.decision_function(X_held), held),
        )


def _discriminants(X, y, X_working, held, sigma, params):
    """LD and TLD for all gamma and gamma_star; the first of the working points are held out."""
    both = Discriminants(X, y, X_working, sigma, **formulas(params))
    for gamma in GAMMAS[params["gamma_scale"]]:
        if not both.y0_of_all:  # LD is what it is without
            yield (
                ("LD", sigma, np.nan, gamma, np.inf),
                wrong_signs(both.ridge(gamma)[: len(held)], held),
            )
        found = both.transduced(gamma, GAMMAS_STAR)
        for gamma_star, values in zip(GAMMAS_STAR, found, strict=True):
            yield (
                ("TLD", sigma, np.nan, gamma, gamma_star),
                wrong_signs(values[: len(held)], held),
            )


def _validated(X, y, train, test, key, params):
    """Wrong values in five folds of the training set, by candidate.

    The working points are the held-out fold, or the fold and all test points.
    """
    alone, counts = key["working"] == "fold", {}
    folds = KFold(N_FOLDS, shuffle=True, random_state=key["training_set"]).split(train)
    for kept, held in ((train[kept], train[held]) for kept, held in folds):
        working = held if alone else np.r_[held, test]
        for sigma in SIGMAS[params["tld_basis"]](X.shape[1]):
            sample = X[kept], y[kept]
            found = [*_discriminants(*sample, X[working], y[held], sigma, params)]
            if alone and not changed(params):
                found += _svms(*sample, X[held], y[held], sigma)
            for candidate, wrong in found:
                counts[candidate] = counts.get(candidate, 0) + wrong
    return {
        candidate: wrong
        for candidate, wrong in counts.items()
        if alone or candidate[0] == "TLD"  # the others do not depend on the working points
    }


def _left_out(X, y, params):
    """(15) of a training set, by candidate of LD."""
    found, gammas = {}, GAMMAS[params["gamma_scale"]]
    for sigma in SIGMAS[params["tld_basis"]](X.shape[1]):
        errors = Discriminants(X, y, X[:0], sigma, **formulas(params)).loo_errors(gammas)
        for gamma, error in zip(gammas, errors, strict=True):
            found["LD", sigma, np.nan, gamma, np.inf] = float(error)
    return found


def _units(params, profile):
    keys = [
        {"dataset": name, "training_set": number, "working": working}
        for working, names in (("fold", SETS), ("all", SMALL))
        for number in range(N_CHOICE)
        for name in names
    ]
    return keys[: 2 if profile == "smoke" else None]


@experiment(
    NAME,
    version=1,
    title="Table 1: validation errors on the first five training sets",
    datasets=tuple(SETS),
    open_choices=OF_THE_FORMULAS,
    page="table_1",
    agreement={"loo_error": 1e-6},  # gamma 1e-4, hundreds of features: 3e-9 on another processor
    units=_units,
)
def validation_errors(key, params, data, rng):
    """A row for each candidate: errors on the five folds of one training set; of LD (15), too."""
    table = data[key["dataset"]]
    X, y = features(table), table.y.astype(float)
    train, test = partition(table, key["training_set"])
    loo = _left_out(X[train], y[train], params)
    names = ("method", "sigma", "C", "gamma", "gamma_star")
    return [
        dict(zip(names, candidate, strict=True), wrong=wrong, loo_error=loo.get(candidate, np.nan))
        for candidate, wrong in _validated(X, y, train, test, key, params).items()
    ]


options(NAME, keep=lambda key: key["working"] == "fold")
