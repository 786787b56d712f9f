"""MNIST, 5 against 8: U-SVMs and SVMs chosen by validation, and their test errors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ...runner import Parameter
from .grid_search import best, error, grid
from .mnist_data import ALL_IMAGES, NO_UNIVERSUM, classes, split, universum

#: Grids, from the U-SVM nearest to the SVM on. Costs are over the mean of k(x, x), 1 for RBF. A
#: larger C gives the same SVM: none errs on its own points.
GAMMAS, COSTS = (1 / 60, 1 / 40, 1 / 25), (1.0, 10.0)
UNIVERSUM_COSTS = (0.01, 0.1, 1.0, 10.0)
#: Widths and degree by kernel.
KERNELS = {"rbf": GAMMAS, "linear": (1.0,), "poly": (0.003, 0.01, 0.03)}
DEGREE = 3
#: Epsilon as in the program of the authors, among the cost's candidates, or none.
EPSILON = {"program": (0.05,), "tuned": (0.1, 0.05, 0.01), "zero": (0.0,)}
#: Whether a training subset has half of its images in each class.
BALANCED = {"random": False, "balanced": True}
#: Whether means and generated images are made from all training images.
WHOLE = {"subset": False, "all": True}
#: What the poster leaves open of every table on images.
OPEN_CHOICES = ("kernel", "selection", "epsilon", "subset")
#: Cross-validation on all these images is out of reach.
SELECTION = Parameter(
    "validation", str, "images that choose the parameters", choices=("validation", "test")
)
# The last digits of a Gram matrix, computed in another order, moved errors by two images, where
# they chose other parameters of the grid.
AGREEMENT = dict.fromkeys(
    (
        *("error", "error_validation", "error_oracle", "gamma", "C", "C_universum", "epsilon"),
        *("only_svm_wrong", "only_universum_wrong", "both_wrong"),
    ),
    "chaotic",
)


@dataclass(frozen=True)
class Protocol:
    """Rules for choosing classifiers; of every epsilon the best is chosen."""

    kernel: str = "rbf"
    selection: str = "validation"
    epsilons: tuple[float, ...] = EPSILON["program"]
    balanced: bool = BALANCED["random"]

    @classmethod
    def of(cls, params):
        """The protocol with an experiment's parameters, the `OPEN_CHOICES`."""
        return cls(
            params["kernel"],
            params["selection"],
            EPSILON[params["epsilon"]],
            BALANCED[params["subset"]],
        )


@dataclass(frozen=True, eq=False)
class Choice:
    """The classifier that was chosen.

    Attributes
    ----------
    gamma, C, C_universum, epsilon : float
        The last two are 0 for the SVM.
    wrong : ndarray of bool, shape (n,)
        Test images that it misclassifies.
    validation, oracle : float
        Its error at the validation images, and the least test error of the grid.
    """

    gamma: float
    C: float
    C_universum: float
    epsilon: float
    wrong: np.ndarray
    validation: float
    oracle: float


def _candidates(protocol, train, gammas, costs):
    """Widths, each with its costs: the given ones divided by the mean of k(x, x)."""
    squares = np.einsum("ij,ij->i", train.X, train.X)
    of_kernel = {
        "rbf": lambda gamma: 1.0,
        "linear": lambda gamma: squares.mean(),
        "poly": lambda gamma: ((gamma * squares + 1.0) ** DEGREE).mean(),
    }
    return [
        (gamma, tuple(C / of_kernel[protocol.kernel](gamma) for C in costs)) for gamma in gammas
    ]


def _choose(name, seed, n_train, points, protocol, candidates, **choices):
    """Fit the grid on the training subset and choose; with all images, fit it on them again.

    `candidates` are widths, each with the costs C.
    """
    train, validation = split(name, seed, n_train, protocol.balanced)
    whole, test = classes(name)
    signs = {"validation": validation.y, "test": test.y}[protocol.selection]

    def fitted(part, where):
        return [
            fit
            for gamma, costs in candidates
            for fit in grid(
                part.X,
                part.y,
                points,
                where,
                kernel=protocol.kernel,
                degree=DEGREE,
                gammas=(gamma,),
                costs=costs,
                **choices,
            )
        ]

    held_out = fitted(train, {"validation": validation.X, "test": test.X})
    fits = fitted(whole, {"test": test.X}) if n_train == ALL_IMAGES else held_out
    # the test images choose among the very classifiers whose errors are reported
    judged = fits if protocol.selection == "test" else held_out
    at = judged.index(best(judged, signs, protocol.selection))
    chosen = fits[at]
    return Choice(
        chosen.gamma,
        chosen.C,
        *((0.0, 0.0) if points is None else (chosen.C_universum, chosen.epsilon)),
        np.where(chosen.values["test"] > 0, 1, -1) != test.y,
        error(held_out[at].values["validation"], validation.y),
        min(error(fit.values["test"], test.y) for fit in fits),
    )


@lru_cache(maxsize=8)
def choose_svm(name, seed, n_train, protocol):
    """The SVM's `Choice`: of width and C."""
    train = split(name, seed, n_train, protocol.balanced)[0]
    candidates = _candidates(protocol, train, KERNELS[protocol.kernel], COSTS)
    return _choose(name, seed, n_train, None, protocol, candidates)


def choose_u_svm(name, seed, n_train, points, protocol, costs=None):
    """The U-SVM's `Choice`: width and C as the SVM chose them, then C_universum and epsilon.

    `costs` are candidates for C_universum that replace those of the grid.
    """
    svm = choose_svm(name, seed, n_train, protocol)
    if costs is None:
        train = split(name, seed, n_train, protocol.balanced)[0]
        ((_, costs),) = _candidates(protocol, train, (svm.gamma,), UNIVERSUM_COSTS)
    return _choose(
        name,
        seed,
        n_train,
        points,
        protocol,
        [(svm.gamma, (svm.C,))],
        universum_costs=costs,
        epsilons=protocol.epsilons,
    )


def result_row(name, seed, n_train, points, protocol, costs=None):
    """Row of the SVM or a U-SVM, with its wrong test images compared with those of the SVM."""
    svm = choose_svm(name, seed, n_train, protocol)
    found = svm
    if points is not None:
        found = choose_u_svm(name, seed, n_train, points, protocol, costs)
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


def points_of_unit(name, seed, n_train, kind, n, balanced=False, whole=False, of_one_class=False):
    """The universum of a unit, made of its training subset or of all training images; or None."""
    if kind == NO_UNIVERSUM:
        return None
    labelled = classes(name)[0] if whole else split(name, seed, n_train, balanced)[0]
    return universum(name, kind, labelled, n, seed, of_one_class)
