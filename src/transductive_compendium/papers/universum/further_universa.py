"""Universa beyond the poster's: unlabelled images of the classes, and changed images.

U-SVMs with each of them, and the SVM, are tested on the test images and on unused training images.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from .grid_search import error, grid
from .mnist_data import ALL_IMAGES, FURTHER_SIZES, classes, scaled_size, split, universum
from .mnist_validation import EPSILONS, UNIVERSUM_COSTS, choose_svm

#: Points of every universum.
N_UNIVERSUM = 1000
#: Unlabelled images of one class or of both, by their signs; strictly speaking not a universum.
UNLABELLED_CLASSES = {"fives": (-1,), "eights": (1,), "fives and eights": (-1, 1)}
#: Changes of the images of the universum Rest.
CHANGES = {
    "pixels shuffled": lambda images, rng: rng.permuted(images.reshape(len(images), -1), axis=1),
    "one permutation": lambda images, rng: images.reshape(len(images), -1)[
        :, rng.permutation(images[0].size)
    ],
    "turned": lambda images, rng: np.rot90(images, axes=(1, 2)),
    "inverted": lambda images, rng: 1.0 - images,
}
# an image at the boundary may fall on either side by rounding, and with it a choice among
# classifiers of equal merit
CHOICE_AGREEMENT = dict.fromkeys(("C_universum", "epsilon"), "chaotic")
ERROR_AGREEMENT = dict.fromkeys(
    ("error", "error_unused", "error_unseen", "error_validation"), "chaotic"
)


@lru_cache(maxsize=1)
def _reserve(name, seed):
    """Images outside training and validation: half for a universum, half for testing."""
    whole = split(name, seed, ALL_IMAGES)[0]
    rest = whole[np.arange(scaled_size(name, max(FURTHER_SIZES)), len(whole.y))]
    return rest[np.arange(len(rest.y) // 2)], rest[np.arange(len(rest.y) // 2, len(rest.y))]


def universum_points(name, kind, labelled, seed, rng):
    """Points of a universum: one of the poster's, of a class, or of changed images.

    Parameters
    ----------
    name : {"mnist", "digits"}
    kind : str
        A universum of the poster, or of `UNLABELLED_CLASSES` or `CHANGES`.
    labelled : Part
    seed : tuple of int
        From `split_seed`.
    rng : Generator

    Returns
    -------
    ndarray of shape (n, d)
        `N_UNIVERSUM` points, or fewer for the substitute data set.
    """
    n = scaled_size(name, N_UNIVERSUM)
    if kind in UNLABELLED_CLASSES:
        unlabelled = _reserve(name, seed)[0]
        return unlabelled.X[np.isin(unlabelled.y, UNLABELLED_CLASSES[kind])][:n]
    if kind in CHANGES:
        points = universum(name, "Rest", labelled, N_UNIVERSUM, seed)
        side = int(np.sqrt(points.shape[1]))
        return CHANGES[kind](points.reshape(-1, side, side), rng).reshape(len(points), -1)
    points = universum(name, kind, labelled, N_UNIVERSUM, seed)
    return points[rng.permutation(len(points))[:n]]


def judged_parts(name, seed, n_train):
    """Training subset, and the parts on which classifiers are tested."""
    train, validation = split(name, seed, n_train)
    unused = _reserve(name, seed)[1]
    return train, {"test": classes(name)[1], "unused": unused, "validation": validation}


@lru_cache(maxsize=2)
def chosen_svm(name, seed, n_train):
    """The SVM that validation chose, with its values."""
    train, judged = judged_parts(name, seed, n_train)
    chosen = choose_svm(name, seed, n_train)
    where = {at: part.X for at, part in judged.items()}
    return grid(train.X, train.y, None, where, gammas=(chosen.gamma,), costs=(chosen.C,))[0]


def all_with_universum(name, seed, n_train, points):
    """All U-SVMs of the grid, at the width and C that the SVM chose."""
    train, judged = judged_parts(name, seed, n_train)
    svm = chosen_svm(name, seed, n_train)
    return grid(
        train.X,
        train.y,
        points,
        {at: part.X for at, part in judged.items()},
        gammas=(svm.gamma,),
        costs=(svm.C,),
        universum_costs=UNIVERSUM_COSTS,
        epsilons=EPSILONS,
    )


def judged_errors(values, judged):
    """Errors at test images, unused images and both, and at validation images if values exist."""
    columns = {"test": "error", "unused": "error_unused", "validation": "error_validation"}
    found = {columns[at]: error(f, judged[at].y) for at, f in values.items()}
    sizes = [len(judged[at].y) for at in ("test", "unused")]
    unseen = np.average([found["error"], found["error_unused"]], weights=sizes)
    return found | {"error_unseen": unseen}
