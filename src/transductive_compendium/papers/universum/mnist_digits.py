"""MNIST, 5 against 8: each other digit as the universum.

Inference with the Universum (poster), Experiments, MNIST: universa (v).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...companions import options
from ...runner import Parameter, experiment, get, register
from .mnist_data import classes, correlations, split_seed
from .mnist_design import ALL_IMAGES, CLASSES, DIGIT_SIZES, DIGITS, NO_UNIVERSUM, draws
from .mnist_validation import (
    AGREEMENT,
    OPTIONS,
    PARAMETERS,
    Protocol,
    points_of_unit,
    result_row,
)

NAME = "universum/mnist_digits"
#: Interpretations of a digit's mean correlation with 5 and 8.
RHO = ("pairs", "mean_image", "cosine")


def _units(params, profile):
    keys = [
        {"draw": draw, "n_train": n, "universum": kind}
        for draw in range({"smoke": 1, "paper": draws("mnist_digits"), "full": 100}[profile])
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
    parameters=PARAMETERS | {"rho": Parameter("pairs", str, "correlation of images", choices=RHO)},
    units=_units,
    agreement=AGREEMENT | {"rho_5": 1e-5, "rho_8": 1e-5},
)
def run_digits(key, params, data, rng):
    name, seed, n_train = data["mnist"].name, split_seed(key, params), key["n_train"]
    points = points_of_unit(name, seed, n_train, key["universum"], None)
    row = {"n_universum": 0 if points is None else len(points)}
    row |= result_row(name, seed, n_train, points, Protocol.of(params))
    whole = classes(name)[0]
    for sign, number in zip((-1, 1), CLASSES, strict=True):
        # with images of the whole training part, whatever the subset
        same = whole.X[whole.y == sign]
        row[f"rho_{number}"] = (
            np.nan if points is None else correlations(points, same, params["rho"])
        )
    return [row]


#: Options that are run with all training images, too.
ALL_IMAGES_OPTIONS = (("selection", "test"), ("epsilon", "zero"))


def _is_run(key):
    """Correlations need one split; of all training images only some options are run."""
    if key["interpretation"] == "rho":
        return key["draw"] == 0 and key["n_train"] == min(DIGIT_SIZES)
    option = key["interpretation"], key["option"]
    return key["n_train"] != ALL_IMAGES or option in ALL_IMAGES_OPTIONS


options(
    NAME,
    OPTIONS | {"rho": {how: {"rho": how} for how in RHO[1:]}},
    keep=lambda key: key["draw"] < draws("mnist_options"),
)
_companion = get(f"{NAME}_options")
register(
    replace(
        _companion,
        units=lambda params, profile: list(filter(_is_run, _companion.units(params, profile))),
    )
)
