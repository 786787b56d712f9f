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
from .table_1_design import CHOSEN, CHOSEN_OPTIONS, POOLED, PRINTED_SVM, SETS
from .table_1_discriminants import Discriminants
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
#: Interpretations that change the formulas of LD and TLD.
OF_THE_FORMULAS = ("tld_basis", "y0_basis", "gamma_scale")
#: Interpretations of what the paper leaves open that these parameters express, the default first.
OPEN = {
    "tld_basis": ("rbf", "linear"),
    "choice": ("least_mean", "median", "leave_one_out"),
    "gamma_star_size": ("constant", "over_m"),
    "y0_basis": ("training", "all"),
    "gamma_scale": ("closed_form", "functional"),
    "rivals": ("trained", "quoted"),
    "postal": ("random", "in_order"),
}
DEFAULTS = {name: choices[0] for name, choices in OPEN.items()}


def division(table, split, pooled=False, in_order=False):
    """Training and test rows of a split, and whether it is the publisher's own.

    By default as in `partition`. `pooled` tests on rows of the other postal runs; `in_order` makes
    postal runs of consecutive rows.
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


def free_parameters(name, rule, params):
    """Free parameters on a data set by method, as they were chosen under the options `params`.

    Raises
    ------
    ValueError
        If several options need their own choice: it was made for one option at a time.
    """
    anew = [(i, o) for i, o in params.items() if (i, o) in CHOSEN_OPTIONS]
    if len(anew) > 1 or (anew and params["choice"] == "median"):
        raise ValueError(
            f"no free parameters were chosen for {', '.join(f'{i}={o}' for i, o in anew)} with "
            f"choice={params['choice']}: change one of them at a time"
        )
    if anew:
        return CHOSEN["mean"][name] | CHOSEN_OPTIONS[anew[0]][name]
    return CHOSEN["median" if params["choice"] == "median" else rule][name]


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


def _as_printed(sample, chosen, per_point, formulas):
    """Values of LD, of TLD and of its start at the test points, by the closed forms as printed."""
    X, y, X_test = sample
    sigma, gamma = chosen["LD"]
    rbf = rbf_gamma(sigma)
    ridge = RidgeSpectrum(gram_matrix(X, gamma=rbf), symmetric=True, overwrite=True)
    discriminant = ridge.coefficients(y, gamma)
    sigma, gamma, gamma_star = chosen["TLD"]
    transductive = TransductiveRidge(gamma, gamma_star * per_point, gamma=rbf_gamma(sigma))
    transductive.fit(X, y, X_test)
    return {
        "ld": gram_matrix(X_test, X, gamma=rbf) @ discriminant,
        "tld": transductive.transduction_,
        "start": transductive.inductive_,
    }


def _under(sample, chosen, per_point, formulas):
    """The same values with the formulas under another interpretation."""
    sigma, gamma = chosen["LD"]
    values = {"ld": Discriminants(*sample, sigma, **formulas).ridge(gamma)}
    sigma, gamma, gamma_star = chosen["TLD"]
    both = Discriminants(*sample, sigma, **formulas)
    (values["tld"],) = both.transduced(gamma, [gamma_star * per_point])
    return values | {"start": both.start(gamma)}


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
    table, chosen = data[name], free_parameters(name, key["rule"], params)
    X, y = features(table), table.y.astype(float)
    train, test, published = division(
        table, key["split"], pooled and not table.substitute, params["postal"] == "in_order"
    )

    sigma, C = chosen["SVM"]
    svm = SVC(C=C, gamma=rbf_gamma(sigma)).fit(X[train], y[train])
    m = len(test)
    # what was validated is gamma* times a fold's size
    per_point = len(train) / N_FOLDS / m if params["gamma_star_size"] == "over_m" else 1.0
    formulas = {i: params[i] for i in OF_THE_FORMULAS}
    discriminants = _under if formulas.items() - DEFAULTS.items() else _as_printed
    values = {
        "svm": svm.decision_function(X[test]),
        **discriminants((X[train], y[train], X[test]), chosen, per_point, formulas),
    }
    errors = {f"{k}_error": 100.0 * wrong_signs(v, y[test]) / m for k, v in values.items()}
    if params["rivals"] == "quoted":
        errors["svm_error"] = PRINTED_SVM.get(name, errors["svm_error"])
    return [
        {"published": published, "n_train": len(train), "n_test": m, **errors},
    ]


def _first_splits(n):
    return lambda key: key["rule"] == "mean" and key["split"] < n and key["dataset"] != POOLED


options(
    NAME,
    {name: {o: {name: o} for o in choices[1:]} for name, choices in OPEN.items()},
    keep=_first_splits(30),
)
