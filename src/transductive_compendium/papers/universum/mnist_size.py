"""MNIST, 5 against 8: the size of the universum.

Inference with the Universum (poster), Experiments, MNIST: the table of sizes.
"""

from __future__ import annotations

from ...runner import experiment
from .mnist_data import split_seed
from .mnist_design import N_SPLITS, NO_UNIVERSUM, TRAINING_SIZES, UNIVERSA, UNIVERSUM_SIZES
from .mnist_validation import AGREEMENT, points_of_unit, result_row


def _units(params, profile):
    keys = [
        {"draw": draw, "n_universum": n, "universum": kind}
        for draw in range(N_SPLITS[profile])
        for n in (0, *UNIVERSUM_SIZES)
        for kind in (UNIVERSA[::-1] if n else (NO_UNIVERSUM,))
    ]
    return keys[: 2 if profile == "smoke" else None]


@experiment(
    "universum/mnist_size",
    version=1,
    title="MNIST, 5 against 8: the size of the universum",
    datasets=("mnist",),
    units=_units,
    agreement=AGREEMENT,
)
def run_size(key, params, data, rng):
    name, seed, n_train = data["mnist"].name, split_seed(key, params), max(TRAINING_SIZES)
    points = points_of_unit(name, seed, n_train, key["universum"], key["n_universum"])
    return [{"n_train": n_train} | result_row(name, seed, n_train, points)]
