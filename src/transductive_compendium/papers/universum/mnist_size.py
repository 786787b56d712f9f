"""MNIST, 5 against 8: the size of the universum.

Inference with the Universum (poster), Experiments, MNIST: the table of sizes.
"""

from __future__ import annotations

from ...companions import options
from ...runner import Parameter, experiment
from .mnist_data import split_seed
from .mnist_design import NO_UNIVERSUM, TRAINING_SIZES, UNIVERSA, UNIVERSUM_SIZES, draws
from .mnist_validation import (
    AGREEMENT,
    OPTIONS,
    PARAMETERS,
    TRAINING_SET,
    Protocol,
    choose_u_svm,
    points_of_unit,
    result_row,
)

#: Random splits with all four universa; the others have only the means, which the table may mean.
N_ALL_UNIVERSA = 10
MEANS = UNIVERSA[-1]


def _units(params, profile):
    keys = [
        {"draw": draw, "n_universum": n, "universum": kind}
        for draw in range({"smoke": 1, "paper": draws("mnist_size"), "full": 100}[profile])
        for n in (0, *UNIVERSUM_SIZES)
        for kind in (UNIVERSA[::-1] if n else (NO_UNIVERSUM,))
        if draw < N_ALL_UNIVERSA or kind in (NO_UNIVERSUM, MEANS)
    ]
    return keys[: 2 if profile == "smoke" else None]


@experiment(
    "universum/mnist_size",
    version=2,
    title="MNIST, 5 against 8: the size of the universum",
    datasets=("mnist",),
    parameters=PARAMETERS
    | {
        "training_set": TRAINING_SET,
        "which_universum": Parameter(
            MEANS, str, "universum in the place of the means", choices=UNIVERSA
        ),
        "tuned_by_size": Parameter(
            "anew", str, "C_U chosen at each size, or with 500 points", choices=("anew", "fixed")
        ),
    },
    units=_units,
    agreement=AGREEMENT,
)
def run_size(key, params, data, rng):
    name, seed, n_train = data["mnist"].name, split_seed(key, params), max(TRAINING_SIZES)
    protocol, whole = Protocol.of(params), params["training_set"] == "all"
    kind = params["which_universum"] if key["universum"] == MEANS else key["universum"]
    points = points_of_unit(
        name, seed, n_train, kind, max(UNIVERSUM_SIZES), protocol.balanced, whole
    )
    few, costs = min(UNIVERSUM_SIZES), None
    if points is not None:
        share = len(points) / max(UNIVERSUM_SIZES)
        if params["tuned_by_size"] == "fixed" and key["n_universum"] > few:
            first = choose_u_svm(name, seed, n_train, points[: round(share * few)], protocol)
            costs = (first.C_universum,)
        points = points[: round(share * key["n_universum"])]
    return [{"n_train": n_train} | result_row(name, seed, n_train, points, protocol, costs)]


options(
    "universum/mnist_size",
    OPTIONS
    | {
        "training_set": {"all": {"training_set": "all"}},
        "which_universum": {kind: {"which_universum": kind} for kind in UNIVERSA[:-1]},
        "tuned_by_size": {"fixed": {"tuned_by_size": "fixed"}},
    },
    keep=lambda key: (
        key["draw"] < draws("mnist_options") and key["universum"] in (NO_UNIVERSUM, MEANS)
    ),
)
