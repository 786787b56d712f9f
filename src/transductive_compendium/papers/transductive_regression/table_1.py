"""Table 1: support vector machine (SVM), linear discriminant (LD) and transductive one (TLD).

Chapelle, Vapnik and Weston, section 4.2. The linear discriminant is ridge regression (9)
on labels of -1 and +1; the paper compares with it in words only.
"""

import numpy as np
from sklearn.svm import SVC

from transductive.kernels import gram_matrix, rbf_gamma
from transductive.leave_one_out import RidgeSpectrum, TransductiveRidge

from ...companions import options
from ...runner import Parameter, experiment
from .table_1_design import CHOSEN, POOLED, PRINTED_SVM, SETS
from .table_1_splits import (
    N_POSTAL_CUTS,
    N_POSTAL_RUNS,
    N_POSTAL_TEST,
    features,
    partition,
    wrong_signs,
)

NAME = "transductive_regression/table_1"
#: Splits under either rule of choice; under the rule of the claims, besides the postal cuts.
N_SPLITS, N_MEAN_SPLITS = 100, 200
N_FOLDS = 5
#: Options of what print leaves open that these parameters express, the default first.
OPEN = {
    "choice": ("least_mean", "median"),
    "gamma_star_size": ("constant", "over_m"),
    "rivals": ("trained", "quoted"),
    "postal": ("random", "in_order"),
}


def division(table, split, pooled=False, in_order=False):
    """Training and test rows of a split, and whether it is the publisher's own.

    As in `partition`; or `pooled`: tested on rows of the other postal runs; or `in_order`: postal
    runs of rows that follow one another.
    """
    if in_order and table.name == "usps" and not table.substitute:
        rows = np.arange(len(table.y))
        runs = rows[: table.n_train].reshape(N_POSTAL_RUNS, -1)
        return runs[split % N_POSTAL_RUNS], rows[table.n_train :][:N_POSTAL_TEST], False
    train, test, published = partition(table, split)
    if pooled:
        others = [partition(table, s)[0] for s in range(N_POSTAL_RUNS) if s != split]
        others = np.random.default_rng([N_POSTAL_TEST, split]).permutation(np.concatenate(others))
        test = others[:N_POSTAL_TEST]
    return train, test, published


def _units(params, profile):
    keys = [
        {"dataset": name, "split": split, "rule": rule}
        for rule in CHOSEN
        for split in range(N_SPLITS)
        for name in (*SETS, POOLED)
        if split < N_POSTAL_RUNS or name in SETS.keys() - {"usps"}
    ]
    more = [(name, split) for split in range(N_SPLITS, N_MEAN_SPLITS) for name in SETS]
    more = [(name, split) for name, split in more if name != "usps"]
    more += [("usps", split) for split in range(N_POSTAL_RUNS, N_POSTAL_CUTS * N_POSTAL_RUNS)]
    keys += [{"dataset": name, "split": split, "rule": "mean"} for name, split in more]
    return keys[: len(SETS) if profile == "smoke" else None]


@experiment(
    NAME,
    version=3,
    title="Table 1: test errors of SVM, LD and TLD over the same splits",
    datasets=tuple(SETS),
    parameters={
        name: Parameter(choices[0], str, "what print leaves open", choices=choices)
        for name, choices in OPEN.items()
    },
    units=_units,
)
def run_unit(key, params, data, rng):
    pooled = key["dataset"] == POOLED
    name = "usps" if pooled else key["dataset"]
    rule = "median" if params["choice"] == "median" else key["rule"]
    table, chosen = data[name], CHOSEN[rule][name]
    X, y = features(table), table.y.astype(float)
    train, test, published = division(
        table, key["split"], pooled and not table.substitute, params["postal"] == "in_order"
    )

    sigma, C = chosen["SVM"]
    svm = SVC(C=C, gamma=rbf_gamma(sigma)).fit(X[train], y[train])
    sigma, gamma = chosen["LD"]
    rbf = rbf_gamma(sigma)
    sample = RidgeSpectrum(gram_matrix(X[train], gamma=rbf), symmetric=True, overwrite=True)
    discriminant = sample.coefficients(y[train], gamma)
    sigma, gamma, gamma_star = chosen["TLD"]
    if params["gamma_star_size"] == "over_m":  # what was validated is gamma* times a fold's size
        gamma_star *= len(train) / N_FOLDS / len(test)
    transductive = TransductiveRidge(gamma, gamma_star, gamma=rbf_gamma(sigma))
    transductive.fit(X[train], y[train], X[test])
    values = {
        "svm": svm.decision_function(X[test]),
        "ld": gram_matrix(X[test], X[train], gamma=rbf) @ discriminant,
        "tld": transductive.transduction_,
        "start": transductive.inductive_,
    }
    errors = {f"{k}_error": 100.0 * wrong_signs(v, y[test]) / len(test) for k, v in values.items()}
    if params["rivals"] == "quoted":
        errors["svm_error"] = PRINTED_SVM.get(name, errors["svm_error"])
    return [
        {"published": published, "n_train": len(train), "n_test": len(test), **errors},
    ]


def _first_splits(n):
    return lambda key: key["rule"] == "mean" and key["split"] < n and key["dataset"] != POOLED


options(
    NAME,
    {name: {o: {name: o} for o in choices[1:]} for name, choices in OPEN.items()},
    keep=_first_splits(N_SPLITS),
)
