"""Table 1: test errors of AdaBoost (AB) and regularised AdaBoost (AB_R)."""

from ...runner import Parameter, experiment
from ...runner.companions import options
from .boosted_networks import CENTRES, DATASETS, POWERS, units, wrong_rows
from .table_1_splits import partition

NAME = "transductive_regression/boosting"
#: Penalties of AB_R by influence and rule of choice, in the order of `DATASETS`, validated with the
#: numbers of centres that `boosting_choice` tells.
PENALTIES = {
    "linear_influence": {
        "least_mean": (0.01, 0.1, 0.003, 0.3, 0.003, 0.9, 0.03),
        "median": (0.01, 0.1, 0.003, 0.03, 0.003, 0.9, 0.1),
    },
    "squared_influence": {
        "least_mean": (0.003, 0.01, 0.3, 0.1, 0.003, 0.1, 0.9),
        "median": (0.003, 0.003, 0.3, 0.1, 0.003, 0.1, 0.9),
    },
}


def chosen(dataset, influence, rule):
    """Number of centres of both methods, and penalty of AB_R."""
    place = DATASETS.index(dataset)
    return CENTRES[rule][place], PENALTIES[influence][rule][place]


@experiment(
    NAME,
    version=2,
    title="Test error of AdaBoost and regularised AdaBoost, Table 1",
    open_choices=("boosting", "choice"),
    parameters={
        "choice": Parameter(
            "least_mean",
            str,
            "how validation chooses; AdaBoost has no (15)",
            choices=tuple(CENTRES),
        )
    },
    units=units(len(DATASETS), 200),
    agreement=dict.fromkeys(("ab_error", "ab_reg_error", "ab_rounds"), "chaotic"),
    datasets=DATASETS,
    page="table_1",
)
def errors_of_a_split(key, params, data, rng):
    """A row: test errors in per cent of AB and AB_R, and the rounds of AB."""
    table, influence = data[key["dataset"]], params["boosting"]
    train, test = partition(table, key["split"])
    n_centres, penalty = chosen(key["dataset"], influence, params["choice"])
    seed, power = int(rng.integers(2**31)), POWERS[influence]
    (ab, rounds), (ab_reg, _) = (
        wrong_rows(table, train, test, n_centres, used, seed, power=power)
        for used in (0.0, penalty)
    )
    return [
        {
            "n_train": len(train),
            "n_test": len(test),
            "ab_rounds": rounds,
            "ab_error": 100.0 * ab / len(test),
            "ab_reg_error": 100.0 * ab_reg / len(test),
        }
    ]


# no number is printed for the postal digits
options(NAME, keep=lambda key: key["dataset"] != "usps" and key["split"] < 50)
