"""MNIST, 5 against 8: each other digit as the universum.

Inference with the Universum (poster), Experiments, MNIST: universa (v).
"""

from __future__ import annotations

import numpy as np

from ...runner import experiment
from ...runner.companions import options
from .mnist_data import (
    ALL_IMAGES,
    CLASSES,
    DIGIT_SIZES,
    DIGITS,
    N_DRAWS,
    N_OPTION_DRAWS,
    NO_UNIVERSUM,
    classes,
    correlations,
    split_seed,
)
from .mnist_validation import (
    AGREEMENT,
    OPEN_CHOICES,
    SELECTION,
    Protocol,
    points_of_unit,
    result_row,
)

NAME = "universum/mnist_digits"
#: Ways to take a digit's mean correlation with 5 and 8, each a pair of columns.
RHO = ("pairs", "mean_image", "cosine")


def _units(params, profile):
    keys = [
        {"draw": draw, "n_train": n, "universum": kind}
        for draw in range(N_DRAWS[profile])
        # all training images are the same in every split
        for n in (DIGIT_SIZES if draw else (*DIGIT_SIZES, ALL_IMAGES))
        for kind in (NO_UNIVERSUM, *map(str, DIGITS))
    ]
    return keys[: 2 if profile == "smoke" else None]


@experiment(
    NAME,
    version=2,
    title="MNIST, 5 against 8: each other digit as the universum",
    datasets=("mnist",),
    open_choices=OPEN_CHOICES,
    parameters={"selection": SELECTION},
    units=_units,
    agreement=AGREEMENT | {f"rho_{k}_{how}": 1e-5 for k in CLASSES for how in RHO},
)
def fit_digits(key, params, data, rng):
    """A row with the test error of the SVM or of the U-SVM with a digit, and its correlations."""
    name, seed, n_train = data["mnist"].name, split_seed(key, params), key["n_train"]
    points = points_of_unit(name, seed, n_train, key["universum"], None)
    row = {"n_universum": 0 if points is None else len(points)}
    row |= result_row(name, seed, n_train, points, Protocol.of(params))
    whole = classes(name)[0]
    for sign, number in zip((-1, 1), CLASSES, strict=True):
        # with images of the whole training part, whatever the subset
        same = whole.X[whole.y == sign]
        for how in RHO:
            found = np.nan if points is None else correlations(points, same, how)
            row[f"rho_{number}_{how}"] = found
    return [row]


#: Options that are run with all training images, too.
ALL_IMAGES_OPTIONS = (("selection", "test"), ("epsilon", "zero"))


def _is_run(key):
    """Of all training images only some options are run."""
    option = key["choice"], key["option"]
    few = key["n_train"] != ALL_IMAGES or option in ALL_IMAGES_OPTIONS
    return few and key["draw"] < N_OPTION_DRAWS


options(NAME, keep=_is_run)
