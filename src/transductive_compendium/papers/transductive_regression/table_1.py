"""Table 1: support vector machine (SVM), linear discriminant (LD) and transductive one (TLD).

Chapelle, Vapnik and Weston, section 4.2. The linear discriminant is ridge regression (9)
on labels of -1 and +1; the paper compares with it in words only.
"""

import numpy as np
from sklearn.svm import SVC

from transductive.kernels import gram_matrix, rbf_gamma
from transductive.leave_one_out import RidgeSpectrum, TransductiveRidge

from ...runner import experiment
from .table_1_design import CHOSEN, POOLED, SETS
from .table_1_splits import N_POSTAL_RUNS, N_POSTAL_TEST, features, partition, wrong_signs

N_SPLITS = 100


def division(table, split, pooled=False):
    """Training and test rows of a split, and whether it is the publisher's own.

    As in `partition`, or `pooled`: tested on rows of the other postal runs.
    """
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
    return keys[: len(SETS) if profile == "smoke" else None]


@experiment(
    "transductive_regression/table_1",
    version=1,
    title="Table 1: test errors of SVM, LD and TLD over the same splits",
    datasets=tuple(SETS),
    units=_units,
)
def run_unit(key, params, data, rng):
    pooled = key["dataset"] == POOLED
    name = "usps" if pooled else key["dataset"]
    table, chosen = data[name], CHOSEN[key["rule"]][name]
    X, y = features(table), table.y.astype(float)
    train, test, published = division(table, key["split"], pooled and not table.substitute)

    sigma, C = chosen["SVM"]
    svm = SVC(C=C, gamma=rbf_gamma(sigma)).fit(X[train], y[train])
    sigma, gamma = chosen["LD"]
    rbf = rbf_gamma(sigma)
    sample = RidgeSpectrum(gram_matrix(X[train], gamma=rbf), symmetric=True, overwrite=True)
    discriminant = sample.coefficients(y[train], gamma)
    sigma, gamma, gamma_star = chosen["TLD"]
    transductive = TransductiveRidge(gamma, gamma_star, gamma=rbf_gamma(sigma))
    transductive.fit(X[train], y[train], X[test])
    values = {
        "svm": svm.decision_function(X[test]),
        "ld": gram_matrix(X[test], X[train], gamma=rbf) @ discriminant,
        "tld": transductive.transduction_,
        "start": transductive.inductive_,
    }
    return [
        {
            "published": published,
            "n_train": len(train),
            "n_test": len(test),
            **{
                f"{k}_error": 100.0 * wrong_signs(v, y[test]) / len(test) for k, v in values.items()
            },
        }
    ]
