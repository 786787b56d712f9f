"""All methods on the same labelled and working points: error, calibration, rejection, time."""

from __future__ import annotations

import warnings
from time import process_time

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from ...runner.declaration import Experiment, UnitMean, register
from .machines import METHODS
from .problems import DATASETS, PROBLEMS, draw, generator, sample, table
from .scores import BINS, calibration, error_told, rejection

N_LABELS = 40
DRAWS = {"smoke": 1, "paper": 50, "full": 100}


# Billiards and chains take another way after any change of rounding: seven standard deviations of a
# unit's mean over seeds, as measured, of the counts about so many.
AGREEMENT = {
    "seconds": "ignore",
    "error": UnitMean(0.03),
    "error_told": UnitMean(0.035),
    "error_kept": UnitMean(0.04),
    "risk_area": UnitMean(0.035),
    "brier": UnitMean(0.015),
    "log_loss": UnitMean(0.05),
    "claimed": UnitMean(0.06),
    **{f"{what}_{round(100 * b)}": UnitMean(90.0) for b in BINS for what in ("points", "right")},
}


def errors(answer, truth):
    """Error of the labels, and of the order of the values; see `error_told`."""
    return {
        "error": float(np.mean(answer.positive != truth)),
        "error_told": error_told(answer.value, truth),
    }


def _run_methods(key, params, data, rng):
    found = table(key["problem"], data)
    labelled, working = draw(found, generator(key["problem"], key["draw"], params["seed"]))
    seen = sample(key["problem"], found, labelled[:N_LABELS], working)
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


def _units(params, profile):
    return [{"draw": i, "problem": name} for i in range(DRAWS[profile]) for name in PROBLEMS]


register(
    Experiment(
        name="comparison/methods",
        version=1,
        title="Error, calibration, rejection and time of all methods on the same draws",
        datasets=DATASETS,
        units=_units,
        run_unit=_run_methods,
        agreement=AGREEMENT,
    )
)
