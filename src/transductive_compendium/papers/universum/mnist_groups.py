"""MNIST, 5 against 8, on disjoint training sets: do the gains hold for new images?

Inference with the Universum (poster), Experiments, MNIST. Training sets of one size share no
images, and errors are counted by groups of test images.
"""

from __future__ import annotations

import numpy as np

from ...runner import experiment
from ...runner.companions import N_GROUPS, case_groups
from .grid_search import best, grid
from .mnist_data import (
    ALL_IMAGES,
    N_UNIVERSUM,
    N_VALIDATION,
    NO_UNIVERSUM,
    TRAINING_SIZES,
    UNIVERSA,
    classes,
    scaled_size,
    universum,
)
from .mnist_validation import COSTS, EPSILON, GAMMAS, UNIVERSUM_COSTS

# of the hundred test images of a group
AGREEMENT = dict.fromkeys(("error", "error_fixed"), "chaotic")


def _units(params, profile):
    keys = [{"n_train": n, "draw": i} for n in TRAINING_SIZES for i in range(ALL_IMAGES // n)]
    return keys[: 1 if profile == "smoke" else None]


class DisjointSet:
    """One of the disjoint training sets of a size, and the SVM chosen on it.

    The images of a set follow those of the previous set in a fixed random order; the 2000 images
    after the set choose the parameters.
    """

    def __init__(self, name, seed, n_train, number):
        whole, self.test = classes(name)
        order = np.random.default_rng(seed).permutation(len(whole.y))
        n = scaled_size(name, n_train)
        rows = np.arange(number * n, (number + 1) * n + scaled_size(name, N_VALIDATION))
        rows = order.take(rows, mode="wrap")
        self.name, self.seed = name, (seed, n_train, number)
        self.train, self.validation = whole[rows[:n]], whole[rows[n:]]
        self.svm = self._chosen(None, gammas=GAMMAS, costs=COSTS)

    def _chosen(self, points, **choices):
        where = {"validation": self.validation.X, "test": self.test.X}
        fits = grid(self.train.X, self.train.y, points, where, **choices)
        return best(fits, self.validation.y)

    def points(self, kind, n=None):
        """The universum, made from this training set if its kind is made from one."""
        return universum(self.name, kind, self.train, n, self.seed)

    def u_svm(self, points, universum_costs=UNIVERSUM_COSTS):
        """The U-SVM: width and C of the SVM, the universum's cost by validation."""
        return self._chosen(
            points,
            gammas=(self.svm.gamma,),
            costs=(self.svm.C,),
            universum_costs=universum_costs,
            epsilons=EPSILON["program"],
        )

    def rows(self, of, fit, fixed=None):
        """Errors by group of test images."""
        group = case_groups(len(self.test.y), N_GROUPS)

        def errors(fit):
            if fit is None:
                return np.full(N_GROUPS, np.nan)
            wrong = np.where(fit.values["test"] > 0, 1, -1) != self.test.y
            return np.bincount(group, wrong, N_GROUPS) / np.bincount(group, minlength=N_GROUPS)

        return [
            {**of, "test_group": g, "error": error, "error_fixed": error_fixed}
            for g, (error, error_fixed) in enumerate(zip(errors(fit), errors(fixed), strict=True))
        ]


@experiment(
    "universum/mnist_universa_groups",
    version=1,
    title="MNIST, 5 against 8: four universa, disjoint training sets",
    datasets=("mnist",),
    units=_units,
    agreement=AGREEMENT,
)
def fit_universa(key, params, data, rng):
    """Rows by group of test images: errors of the SVM and of a U-SVM for each universum."""
    found = DisjointSet(data["mnist"].name, params["seed"], key["n_train"], key["draw"])
    rows = found.rows({"universum": NO_UNIVERSUM}, found.svm)
    for kind in UNIVERSA:
        points = found.points(kind, N_UNIVERSUM)
        fixed = found.u_svm(points, (found.svm.C,)) if kind == "Noise" else None
        rows += found.rows({"universum": kind}, found.u_svm(points), fixed)
    return rows
