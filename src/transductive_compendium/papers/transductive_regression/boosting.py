"""Table 1: test errors of AdaBoost (AB) and regularised AdaBoost (AB_R)."""

from ...runner import experiment
from .boosted_networks import CHOICE, units, wrong_rows
from .table_1_splits import partition


@experiment(
    "transductive_regression/boosting",
    version=1,
    title="Test error of AdaBoost and regularised AdaBoost, Table 1",
    units=units(len(CHOICE), 100),
    agreement={"ab_error": 2.0, "ab_reg_error": 2.0, "ab_rounds": "ignore"},
    datasets=tuple(CHOICE),
)
def run_unit(key, params, data, rng):
    table, (n_centres, chosen) = data[key["dataset"]], CHOICE[key["dataset"]]
    train, test, published = partition(table, key["split"])
    seed = int(rng.integers(2**31))
    (ab, rounds), (ab_reg, _) = (
        wrong_rows(table, train, test, n_centres, penalty, seed) for penalty in (0.0, chosen)
    )
    row = {"published": published, "n_train": len(train), "n_test": len(test), "ab_rounds": rounds}
    return [row | {"ab_error": 100.0 * ab / len(test), "ab_reg_error": 100.0 * ab_reg / len(test)}]
