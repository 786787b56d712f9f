"""MNIST, 5 against 8: universa of noise, other digits, generated images and means.

Inference with the Universum (poster), Experiments, MNIST: universa (i) to (iv).
"""

from __future__ import annotations

from ...runner import crossed, experiment
from .mnist_data import split_seed
from .mnist_design import N_SPLITS, N_UNIVERSUM, NO_UNIVERSUM, TRAINING_SIZES, UNIVERSA
from .mnist_validation import AGREEMENT, points_of_unit, result_row


@experiment(
    "universum/mnist_universa",
    version=1,
    title="MNIST, 5 against 8: four universa",
    datasets=("mnist",),
    # means come first and noise last: the smoke tier has the SVM and one universum
    units=crossed(
        draw=N_SPLITS, n_train=TRAINING_SIZES, universum=(NO_UNIVERSUM, *UNIVERSA[::-1]), smoke=2
    ),
    agreement=AGREEMENT,
)
def run_universa(key, params, data, rng):
    # splits are the same for every universum and size, so none depends on the unit's own rng
    name, seed = data["mnist"].name, split_seed(key, params)
    points = points_of_unit(name, seed, key["n_train"], key["universum"], N_UNIVERSUM)
    n_universum = 0 if points is None else len(points)
    return [{"n_universum": n_universum} | result_row(name, seed, key["n_train"], points)]
