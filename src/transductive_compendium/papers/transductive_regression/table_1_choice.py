"""Table 1: free parameters of SVM, LD and TLD, by validation on the first five training sets."""

import numpy as np
from sklearn.model_selection import KFold
from sklearn.svm import SVC

from transductive.kernels import gram_matrix, rbf_gamma
from transductive.leave_one_out import LooForm, RidgeSpectrum

from ...runner import experiment
from .table_1_design import SETS
from .table_1_splits import features, partition, wrong_signs

N_CHOICE, N_FOLDS = 5, 5
#: Widths sigma, times the root of the number of features.
WIDTHS = (0.125, 0.177, 0.25, 0.354, 0.5, 0.707, 1.0, 1.41, 2.0)
COSTS = (0.1, 0.316, 1.0, 3.16, 10.0, 31.6, 100.0, 316.0, 1000.0)
GAMMAS = tuple(10.0**k for k in range(-4, 4))
GAMMAS_STAR = tuple(10.0**k for k in range(-2, 3))
#: Sets small enough for all test points to be working points of every fold.
SMALL = ("ida_thyroid", "ida_heart", "ida_breast_cancer")


def _svms(X, y, X_held, held, sigma):
    for C in COSTS:
        svm = SVC(C=C, gamma=rbf_gamma(sigma)).fit(X, y)
        yield (
            ("SVM", sigma, C, np.nan, np.nan),
            wrong_signs(svm.decision_function(X_held), held),
        )


def _discriminants(X, y, X_working, held, sigma):
    """LD and TLD for all gamma and gamma_star; the first of the working points are held out."""
    rbf = rbf_gamma(sigma)
    sample = RidgeSpectrum(gram_matrix(X, gamma=rbf), symmetric=True, overwrite=True)
    cross = gram_matrix(X_working, X, gamma=rbf)
    joint = gram_matrix(np.vstack([X, X_working]), gamma=rbf)
    joint = RidgeSpectrum(joint, symmetric=True, overwrite=True)
    for gamma in GAMMAS:
        y0 = cross @ sample.coefficients(y, gamma)
        yield ("LD", sigma, np.nan, gamma, np.inf), wrong_signs(y0[: len(held)], held)
        form = LooForm(joint, gamma, len(X))
        for gamma_star in GAMMAS_STAR:
            values = form.transduce(y, y0, gamma_star)[: len(held)]
            yield ("TLD", sigma, np.nan, gamma, gamma_star), wrong_signs(values, held)


def _units(params, profile):
    keys = [
        {"dataset": name, "training_set": number, "working": working}
        for working, names in (("fold", SETS), ("all", SMALL))
        for number in range(N_CHOICE)
        for name in names
    ]
    return keys[: 2 if profile == "smoke" else None]


@experiment(
    "transductive_regression/table_1_choice",
    version=1,
    title="Table 1: validation errors on the first five training sets",
    datasets=tuple(SETS),
    units=_units,
)
def run_unit(key, params, data, rng):
    """Errors on the five folds of one training set, for each candidate.

    The working points are the held-out fold, or the fold and all test points.
    """
    table = data[key["dataset"]]
    X, y = features(table), table.y.astype(float)
    train, test, _ = partition(table, key["training_set"])
    alone, counts = key["working"] == "fold", {}
    folds = KFold(N_FOLDS, shuffle=True, random_state=key["training_set"]).split(train)
    for kept, held in ((train[kept], train[held]) for kept, held in folds):
        working = held if alone else np.r_[held, test]
        for width in WIDTHS:
            sigma = float(f"{width * np.sqrt(X.shape[1]):.3g}")
            sample = X[kept], y[kept]
            found = [*_discriminants(*sample, X[working], y[held], sigma)]
            if alone:
                found += _svms(*sample, X[held], y[held], sigma)
            for candidate, wrong in found:
                counts[candidate] = counts.get(candidate, 0) + wrong
    names = ("method", "sigma", "C", "gamma", "gamma_star")
    return [
        dict(zip(names, candidate, strict=True), wrong=wrong)
        for candidate, wrong in counts.items()
        if alone or candidate[0] == "TLD"  # the others do not depend on the working points
    ]
