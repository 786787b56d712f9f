"""MNIST, 5 against 8: the size of the universum.

Inference with the Universum (poster), Experiments, MNIST: the table of sizes.
"""

from __future__ import annotations

from ...runner import experiment
from ...runner.companions import options
from .mnist_data import (
    N_DRAWS,
    N_OPTION_DRAWS,
    NO_UNIVERSUM,
    TRAINING_SIZES,
    UNIVERSA,
    UNIVERSUM_SIZES,
    split_seed,
)
from .mnist_validation import (
    AGREEMENT,
    OPEN_CHOICES,
    SELECTION,
    WHOLE,
    Protocol,
    choose_u_svm,
    points_of_unit,
    result_row,
)

#: Random splits with all four universa; the others have only the means, which the table may mean.
N_ALL_UNIVERSA = 10
MEANS = UNIVERSA[-1]
#: The universum in the place of the means, by option of the open choice `which_universum`.
WHICH_UNIVERSUM = {kind: kind for kind in UNIVERSA}
#: Whether C_universum stays as chosen with the fewest points.
FIXED = {"anew": False, "fixed": True}


def _units(params, profile):
    keys = [
        {"draw": draw, "n_universum": n, "universum": kind}
        for draw in range(N_DRAWS[profile])
        for n in (0, *UNIVERSUM_SIZES)
        for kind in (UNIVERSA[::-1] if n else (NO_UNIVERSUM,))
        if draw < N_ALL_UNIVERSA or kind in (NO_UNIVERSUM, MEANS)
    ]
    return keys[: 2 if profile == "smoke" else None]


@experiment(
    "universum/mnist_size",
    version=2,
    title="MNIST, 5 against 8: the size of the universum",
    page="mnist_universa",
    datasets=("mnist",),
    open_choices=(*OPEN_CHOICES, "training_set", "which_universum", "tuned_by_size"),
    parameters={"selection": SELECTION},
    units=_units,
    agreement=AGREEMENT,
)
def fit_size(key, params, data, rng):
    """A row with the test error of the SVM, or of the U-SVM with so many universum points."""
    name, seed, n_train = data["mnist"].name, split_seed(key, params), max(TRAINING_SIZES)
    protocol, whole = Protocol.of(params), WHOLE[params["training_set"]]
    meant, fixed = WHICH_UNIVERSUM[params["which_universum"]], FIXED[params["tuned_by_size"]]
    kind = meant if key["universum"] == MEANS else key["universum"]
    points = points_of_unit(
        name, seed, n_train, kind, max(UNIVERSUM_SIZES), protocol.balanced, whole
    )
    few, costs = min(UNIVERSUM_SIZES), None
    if points is not None:
        share = len(points) / max(UNIVERSUM_SIZES)
        if fixed and key["n_universum"] > few:
            first = choose_u_svm(name, seed, n_train, points[: round(share * few)], protocol)
            costs = (first.C_universum,)
        points = points[: round(share * key["n_universum"])]
    return [{"n_train": n_train} | result_row(name, seed, n_train, points, protocol, costs)]


options(
    "universum/mnist_size",
    keep=lambda key: key["draw"] < N_OPTION_DRAWS and key["universum"] in (NO_UNIVERSUM, MEANS),
)
