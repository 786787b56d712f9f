"""MNIST, 5 against 8: universa of noise, other digits, generated images and means.

Inference with the Universum (poster), Experiments, MNIST: universa (i) to (iv).
"""

from __future__ import annotations

from ...runner import Parameter, crossed, experiment
from ...runner.companions import options
from .mnist_data import (
    N_DRAWS,
    N_OPTION_DRAWS,
    N_UNIVERSUM,
    NO_UNIVERSUM,
    OF_ONE_CLASS,
    TRAINING_SIZES,
    UNIVERSA,
    split_seed,
)
from .mnist_validation import (
    AGREEMENT,
    OPEN_CHOICES,
    SELECTION,
    WHOLE,
    Protocol,
    choose_svm,
    choose_u_svm,
    points_of_unit,
    result_row,
)

#: Random splits for generated images of one class each.
N_GEN_DRAWS = 10


@experiment(
    "universum/mnist_universa",
    version=2,
    title="MNIST, 5 against 8: four universa",
    datasets=("mnist",),
    open_choices=(*OPEN_CHOICES, "n_universum", "training_set", "gen_classes"),
    parameters={
        "selection": SELECTION,
        "n_universum": Parameter(N_UNIVERSUM, int, "points of each universum", minimum=1),
    },
    # means come first and noise last: the smoke tier has the SVM and one universum
    units=crossed(
        draw=N_DRAWS,
        n_train=TRAINING_SIZES,
        universum=(NO_UNIVERSUM, *UNIVERSA[::-1]),
        smoke=2,
    ),
    agreement=AGREEMENT | {"error_fixed": "chaotic"},
)
def fit_universa(key, params, data, rng):
    """A row with the test error of the SVM, or of the U-SVM with one universum."""
    # splits are the same for every universum and size, so none depends on the unit's own rng
    name, seed, n_train = data["mnist"].name, split_seed(key, params), key["n_train"]
    protocol, whole = Protocol.of(params), WHOLE[params["training_set"]]
    of_one_class = OF_ONE_CLASS[params["gen_classes"]]
    points = points_of_unit(
        name,
        seed,
        n_train,
        key["universum"],
        params["n_universum"],
        protocol.balanced,
        whole,
        of_one_class,
    )
    row = {"n_universum": 0 if points is None else len(points)}
    row |= result_row(name, seed, n_train, points, protocol)
    # noise at a cost that nobody chose: C
    row["error_fixed"] = float("nan")
    if key["universum"] == "Noise":
        C = choose_svm(name, seed, n_train, protocol).C
        fixed = choose_u_svm(name, seed, n_train, points, protocol, (C,))
        row["error_fixed"] = fixed.wrong.mean()
    return [row]


def _kept(key):
    if key["choice"] == "gen_classes":  # no other unit makes such images
        return key["universum"] == "Gen" and key["draw"] < N_GEN_DRAWS
    # all draws of what is nearest to the poster: the size of the universum, and balanced subsets
    near = key["choice"] == "n_universum" or key["option"] == "balanced"
    return near or key["draw"] < N_OPTION_DRAWS


options("universum/mnist_universa", keep=_kept, apart=("gen_classes",))
