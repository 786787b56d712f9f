"""Table 1: test errors of AdaBoost (AB) and regularised AdaBoost (AB_R)."""

from ...runner import Parameter, experiment
from .boosted_networks import CHOICES, LINEAR_CHOICE, POWERS, units, wrong_rows
from .table_1_splits import partition


@experiment(
    "transductive_regression/boosting",
    version=2,
    title="Test error of AdaBoost and regularised AdaBoost, Table 1",
    parameters={
        "boosting": Parameter(
            "linear_influence", str, "influence in the soft margin", choices=tuple(POWERS)
        )
    },
    units=units(len(LINEAR_CHOICE), 100),
    agreement={"ab_error": 2.0, "ab_reg_error": 2.0, "ab_rounds": "ignore"},
    datasets=tuple(LINEAR_CHOICE),
)
def run_unit(key, params, data, rng):
    table, how = data[key["dataset"]], params["boosting"]
    n_centres, chosen = CHOICES[how][key["dataset"]]
    train, test, published = partition(table, key["split"])
    seed = int(rng.integers(2**31))
    (ab, rounds), (ab_reg, _) = (
        wrong_rows(table, train, test, n_centres, penalty, seed, power=POWERS[how])
        for penalty in (0.0, chosen)
    )
    row = {"published": published, "n_train": len(train), "n_test": len(test), "ab_rounds": rounds}
    return [row | {"ab_error": 100.0 * ab / len(test), "ab_reg_error": 100.0 * ab_reg / len(test)}]
