"""All methods on the same labelled and working points: error, calibration, rejection, time."""

import warnings
from time import process_time

from sklearn.exceptions import ConvergenceWarning

from ...runner import crossed, experiment
from .classifiers import METHODS
from .problems import DATASETS, PROBLEMS, generator, random_split, sample, table
from .scores import CONFIDENCE_ENDS, calibration, errors, rejection

#: Number of labels where all methods are compared.
N_LABELS_OF_METHODS = 40

# Billiards and chains take another way after any change of rounding: seven standard deviations of a
# unit's mean over seeds, as measured, of the counts about so many.
AGREEMENT = {"seconds": "ignore"} | dict.fromkeys(
    (
        *("error", "error_told", "error_kept", "risk_area", "brier", "log_loss", "claimed"),
        *(f"{what}_{round(100 * end)}" for end in CONFIDENCE_ENDS for what in ("points", "right")),
    ),
    "chaotic",
)


@experiment(
    "comparison/methods",
    version=1,
    title="Error, calibration, rejection and time of all methods on the same random splits",
    datasets=DATASETS,
    units=crossed(draw={"smoke": 1, "paper": 100, "full": 200}, problem=tuple(PROBLEMS)),
    agreement=AGREEMENT,
)
def scores_by_method(key, params, data, rng):
    """Error, calibration, rejection and time, a row for each method."""
    found = table(key["problem"], data)
    split = generator(key["problem"], key["draw"], params["seed"])
    labelled, working = random_split(found, split)
    seen = sample(key["problem"], found, labelled[:N_LABELS_OF_METHODS], working)
    seen.choice  # noqa: B018  (the common kernel is no method's own time)
    truth, rows = seen.truth > 0, []
    for name, method in METHODS.items():
        start = process_time()  # other processes do not count, and there is one thread
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # of the Gibbs chains
            answer = method(seen, rng)
        seconds = process_time() - start
        rows.append(
            {"method": name, "seconds": seconds}
            | errors(answer, truth)
            | rejection(answer.confidence, answer.positive != truth)
            | calibration(answer.probability, truth)
        )
    return rows
