"""Table 1: support vector machine (SVM), linear discriminant (LD) and transductive one (TLD).

Chapelle, Vapnik and Weston, section 4.2. The linear discriminant is ridge regression (9)
on labels of -1 and +1; the paper compares with it in words only.
"""

import numpy as np
from sklearn.svm import SVC

from transductive.kernels import rbf_gamma

from ...runner import experiment
from ...runner.companions import options
from .table_1_chosen import CHOSEN, CHOSEN_WITH
from .table_1_discriminants import Discriminants, changed, formulas
from .table_1_splits import (
    N_POSTAL_CUTS,
    N_POSTAL_RUNS,
    N_POSTAL_TEST,
    N_SPLITS,
    POOLED,
    SETS,
    features,
    partition,
    wrong_signs,
)

NAME = "transductive_regression/table_1"
N_POOLED_RUNS, N_FOLDS = 100, 5
#: Splits under each other option; the medians of the five choices have a table of their own.
N_OPTION_SPLITS, N_MEDIAN_SPLITS = 30, 100
#: Whether postal runs have consecutive rows, by option of "postal".
IN_ORDER = {"random": False, "in_order": True}
#: gamma* on m points over that of a fold of n, by option of "gamma_star_size". With "over_m" what
#: was validated is n gamma*.
GAMMA_STAR_RATIOS = {"constant": lambda n, m: 1.0, "over_m": lambda n, m: n / m}


def division(table, split, pooled=False, in_order=False):
    """Training and test rows of a split.

    By default as in `partition`. `pooled` tests on rows of the other postal runs of a cut;
    `in_order` makes postal runs of consecutive rows.
    """
    if in_order and table.name == "usps" and not table.substitute:
        rows = np.arange(len(table.y))
        runs = rows[: table.n_train].reshape(N_POSTAL_RUNS, -1)
        return runs[split % N_POSTAL_RUNS], rows[table.n_train :][:N_POSTAL_TEST]
    train, test = partition(table, split)
    if pooled:
        first = split - split % N_POSTAL_RUNS
        runs = range(first, first + N_POSTAL_RUNS)
        others = [partition(table, s)[0] for s in runs if s != split]
        others = np.random.default_rng([N_POSTAL_TEST, split]).permutation(np.concatenate(others))
        test = others[:N_POSTAL_TEST]
    return train, test


def free_parameters(name, params):
    """Free parameters on a data set by method, as they were chosen under the options `params`.

    Raises
    ------
    ValueError
        If several options need their own choice: it was made for one option at a time.
    """
    least_mean, rule = CHOSEN["least_mean"][name], params["choice"]
    options = changed(params)
    if not options:
        return least_mean | CHOSEN[rule][name]
    if len(options) > 1 or rule != "least_mean":
        raise ValueError(
            f"no free parameters were chosen for {', '.join(options)} with choice={rule}: change "
            f"one of them at a time"
        )
    return least_mean | CHOSEN_WITH[options[0]][name]


def _units(params, profile):
    keys = [
        {"dataset": name, "split": split}
        for split in range(N_SPLITS)
        for name in (*SETS, POOLED)
        if split < N_POSTAL_RUNS or name in SETS.keys() - {"usps"}
    ]
    for name, last in (("usps", N_POSTAL_CUTS * N_POSTAL_RUNS), (POOLED, N_POOLED_RUNS)):
        keys += [{"dataset": name, "split": split} for split in range(N_POSTAL_RUNS, last)]
    return keys[: len(SETS) if profile == "smoke" else None]


@experiment(
    NAME,
    version=3,
    title="Table 1: test errors of SVM, LD and TLD over the same splits",
    datasets=tuple(SETS),
    open_choices=("tld_basis", "choice", "gamma_star_size", "y0_basis", "gamma_scale", "postal"),
    units=_units,
)
def errors_of_a_split(key, params, data, rng):
    """A row: test errors in per cent of the SVM, of LD, of TLD and of the Y0 it starts from."""
    pooled = key["dataset"] == POOLED
    name = "usps" if pooled else key["dataset"]
    table, chosen = data[name], free_parameters(name, params)
    X, y = features(table), table.y.astype(float)
    in_order = IN_ORDER[params["postal"]]
    train, test = division(table, key["split"], pooled and not table.substitute, in_order)
    sample, m = (X[train], y[train], X[test]), len(test)

    sigma, C = chosen["SVM"]
    svm = SVC(C=C, gamma=rbf_gamma(sigma)).fit(X[train], y[train])
    sigma, gamma = chosen["LD"]
    discriminant = Discriminants(*sample, sigma, **formulas(params)).ridge(gamma)
    sigma, gamma, gamma_star = chosen["TLD"]
    gamma_star *= GAMMA_STAR_RATIOS[params["gamma_star_size"]](len(train) / N_FOLDS, m)
    transductive = Discriminants(*sample, sigma, **formulas(params))
    (transduced,) = transductive.transduced(gamma, [gamma_star])
    values = {
        "svm_error": svm.decision_function(X[test]),
        "ld_error": discriminant,
        "tld_error": transduced,
        "start_error": transductive.start(gamma),
    }
    errors = {column: 100.0 * wrong_signs(v, y[test]) / m for column, v in values.items()}
    return [{"n_train": len(train), "n_test": m, **errors}]


def _kept(key):
    if key["option"] == "median":
        postal = key["dataset"] in ("usps", POOLED)
        return key["split"] < (N_POSTAL_RUNS if postal else N_MEDIAN_SPLITS)
    return key["split"] < N_OPTION_SPLITS and key["dataset"] != POOLED


options(NAME, keep=_kept)
