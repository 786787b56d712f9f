"""MNIST, 5 against 8: each other digit as the universum.

Inference with the Universum (poster), Experiments, MNIST: universa (v).
"""

from __future__ import annotations

import numpy as np

from ...runner import experiment
from .mnist_data import classes, correlations, split_seed
from .mnist_design import ALL_IMAGES, CLASSES, DIGIT_SIZES, DIGITS, N_SPLITS, NO_UNIVERSUM
from .mnist_validation import AGREEMENT, points_of_unit, result_row


def _units(params, profile):
    keys = [
        {"draw": draw, "n_train": n, "universum": kind}
        for draw in range(N_SPLITS[profile])
        # all training images are the same in every split
        for n in (DIGIT_SIZES if draw else (*DIGIT_SIZES, ALL_IMAGES))
        for kind in (NO_UNIVERSUM, *map(str, DIGITS))
    ]
    return keys[: 2 if profile == "smoke" else None]


@experiment(
    "universum/mnist_digits",
    version=1,
    title="MNIST, 5 against 8: each other digit as the universum",
    datasets=("mnist",),
    units=_units,
    agreement=AGREEMENT | {"rho_5": 1e-5, "rho_8": 1e-5},
)
def run_digits(key, params, data, rng):
    name, seed = data["mnist"].name, split_seed(key, params)
    points = points_of_unit(name, seed, key["n_train"], key["universum"], None)
    row = {"n_universum": 0 if points is None else len(points)}
    row |= result_row(name, seed, key["n_train"], points)
    whole = classes(name)[0]
    for sign, number in zip((-1, 1), CLASSES, strict=True):
        # with images of the whole training part, whatever the subset
        same = whole.X[whole.y == sign]
        row[f"rho_{number}"] = np.nan if points is None else correlations(points, same)
    return [row]
