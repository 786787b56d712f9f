"""Table 1: centres and penalties of AB and AB_R, by validation on the first five training sets."""

from sklearn.model_selection import KFold

from ...runner import experiment
from .boosted_networks import CENTRES, DATASETS, POWERS, units, wrong_rows
from .table_1_splits import partition

N_CHOICE, N_FOLDS, VALIDATION_ROUNDS = 5, 5, 50
TRIED_CENTRES = (2, 4, 8, 16, 32)
#: Rule whose centres the penalties of either influence are validated with.
CENTRES_OF = {"squared_influence": "median", "linear_influence": "least_mean"}
PENALTIES = (0.003, 0.01, 0.03, 0.1, 0.3, 0.9)  # from 1 on the first weight is unbounded


@experiment(
    "transductive_regression/boosting_choice",
    version=2,
    title="Validation error of AdaBoost by number of centres, and of AB_R by penalty",
    units=units(1, N_CHOICE),
    agreement={"error": "chaotic"},
    datasets=DATASETS,
    page="table_1",
)
def validation_errors(key, params, data, rng):
    """A row for each number of centres of AB, and each penalty and power of AB_R."""
    table, seed = data[key["dataset"]], int(rng.integers(2**31))
    train, _ = partition(table, key["split"])
    folds = list(KFold(N_FOLDS, shuffle=True, random_state=seed).split(train))
    candidates = [(k, 0.0, 2) for k in TRIED_CENTRES]
    for how, rule in CENTRES_OF.items():
        n_centres = CENTRES[rule][DATASETS.index(key["dataset"])]
        candidates += [(n_centres, penalty, POWERS[how]) for penalty in PENALTIES]
    rows = []
    for k, penalty, power in candidates:
        wrong = sum(
            wrong_rows(table, train[kept], train[held], k, penalty, seed, VALIDATION_ROUNDS, power)[
                0
            ]
            for kept, held in folds
        )
        error = 100.0 * wrong / len(train)
        rows.append({"centres": k, "penalty": penalty, "error": error, "power": power})
    return rows
