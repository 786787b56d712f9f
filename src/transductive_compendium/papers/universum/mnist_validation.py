"""MNIST, 5 against 8: U-SVMs and SVMs chosen by validation, and their test errors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from .grid_search import best, error, grid
from .mnist_data import classes, split, universum
from .mnist_design import ALL_IMAGES, NO_UNIVERSUM

#: Grids, from the U-SVM nearest to the SVM on. A larger C gives the same SVM: none errs on its
#: own points.
GAMMAS, COSTS = (1 / 60, 1 / 40, 1 / 25), (1.0, 10.0)
UNIVERSUM_COSTS, EPSILONS = (0.01, 0.1, 1.0, 10.0), (0.1, 0.01)
# The last digits of a Gram matrix, computed in another order, moved errors by two images, where
# they chose other parameters of the grid.
AGREEMENT = {
    "error": 0.005,
    "error_validation": 0.0025,
    "error_oracle": 0.0025,
    **dict.fromkeys(("gamma", "C", "C_universum", "epsilon"), "ignore"),
    **dict.fromkeys(("only_svm_wrong", "only_universum_wrong", "both_wrong"), 10),
}


@dataclass(frozen=True, eq=False)
class Choice:
    """The classifier that validation chose.

    Attributes
    ----------
    gamma, C, C_universum, epsilon : float
        The last two are 0 for the SVM.
    wrong : ndarray of bool, shape (n,)
        Test images that it gets wrong.
    validation, oracle : float
        Its error at the validation images; the least test error of the grid.
    """

    gamma: float
    C: float
    C_universum: float
    epsilon: float
    wrong: np.ndarray
    validation: float
    oracle: float


def _choose(name, seed, n_train, points, **choices):
    """Fit the grid on the training subset and choose; with all images, fit it on them again."""
    train, validation = split(name, seed, n_train)
    whole, test = classes(name)
    where = {"validation": validation.X, "test": test.X}
    fits = grid(train.X, train.y, points, where, **choices)
    chosen = best(fits, validation.y)
    found = error(chosen.values["validation"], validation.y)
    if n_train == ALL_IMAGES:
        at = next(k for k, fit in enumerate(fits) if fit is chosen)
        fits = grid(whole.X, whole.y, points, {"test": test.X}, **choices)
        chosen = fits[at]
    return Choice(
        chosen.gamma,
        chosen.C,
        *((0.0, 0.0) if points is None else (chosen.C_universum, chosen.epsilon)),
        np.where(chosen.values["test"] > 0, 1, -1) != test.y,
        found,
        min(error(fit.values["test"], test.y) for fit in fits),
    )


@lru_cache(maxsize=8)
def choose_svm(name, seed, n_train):
    """The SVM's `Choice`: of width and C."""
    return _choose(name, seed, n_train, None, gammas=GAMMAS, costs=COSTS)


def choose_u_svm(name, seed, n_train, points):
    """The U-SVM's `Choice`: width and C as the SVM chose them, then C_universum and epsilon."""
    svm = choose_svm(name, seed, n_train)
    return _choose(
        name,
        seed,
        n_train,
        points,
        gammas=(svm.gamma,),
        costs=(svm.C,),
        universum_costs=UNIVERSUM_COSTS,
        epsilons=EPSILONS,
    )


def result_row(name, seed, n_train, points):
    """Row of the SVM or a U-SVM; its wrong test images against those of the split's SVM."""
    svm = choose_svm(name, seed, n_train)
    found = svm if points is None else choose_u_svm(name, seed, n_train, points)
    return {
        "method": "SVM" if points is None else "U-SVM",
        "error": found.wrong.mean(),
        "error_validation": found.validation,
        "error_oracle": found.oracle,
        "gamma": found.gamma,
        "C": found.C,
        "C_universum": found.C_universum,
        "epsilon": found.epsilon,
        "only_svm_wrong": int((svm.wrong & ~found.wrong).sum()),
        "only_universum_wrong": int((found.wrong & ~svm.wrong).sum()),
        "both_wrong": int((svm.wrong & found.wrong).sum()),
    }


def points_of_unit(name, seed, n_train, kind, n):
    """The universum of a unit, or None."""
    if kind == NO_UNIVERSUM:
        return None
    return universum(name, kind, split(name, seed, n_train)[0], n, seed)
