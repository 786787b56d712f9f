"""A wrong universum: its harm, and whether validation prevents it."""

from __future__ import annotations

from ...runner import crossed, experiment
from .further_universa import (
    CHANGES,
    CHOICE_AGREEMENT,
    ERROR_AGREEMENT,
    UNLABELLED_CLASSES,
    all_with_universum,
    chosen_svm,
    judged_errors,
    judged_parts,
    universum_points,
)
from .grid_search import best
from .mnist_data import FURTHER_SIZES, N_SPLITS, split_seed

CONTROLS = (*UNLABELLED_CLASSES, "Rest", *CHANGES)
#: C_universum and epsilon that help with Rest, used with every universum.
FIXED = (1.0, 0.1)


@experiment(
    "universum/controls",
    version=1,
    title="A wrong universum: what harm it does, and whether validation protects",
    page="mnist_digits",
    datasets=("mnist",),
    units=crossed(draw=N_SPLITS, universum=CONTROLS, smoke=2),
    agreement=CHOICE_AGREEMENT | ERROR_AGREEMENT,
)
def fit_controls(key, params, data, rng):
    """A row for the SVM and for the U-SVM at each choice of its cost."""
    name, n_train = data["mnist"].name, max(FURTHER_SIZES)
    seed = split_seed(key, params)
    train, judged = judged_parts(name, seed, n_train)
    points = universum_points(name, key["universum"], train, seed, rng)
    fits = all_with_universum(name, seed, n_train, points)
    methods = {
        "SVM": chosen_svm(name, seed, n_train),
        "fixed": next(fit for fit in fits if (fit.C_universum, fit.epsilon) == FIXED),
        "largest": next(fit for fit in reversed(fits) if fit.epsilon == FIXED[1]),
        "chosen": best(fits, judged["validation"].y),
    }
    return [
        {
            "method": method,
            **judged_errors(fit.values, judged),
            "C_universum": fit.C_universum,
            "epsilon": fit.epsilon,
        }
        for method, fit in methods.items()
    ]
