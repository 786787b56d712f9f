"""Is the billiard ergodic in the setting of section 4? Long runs, and their first 1000 bounces.

Graepel et al. (2000), section 3.2, on thyroid and heart, from the SVM, by steps 1 to 3 as printed
and on great circles; compared with p+ of refreshed balls, whose law is uniform on version space.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from transductive.version_space import FeatureSpan

from ...rejection_curves import confidence_of
from ...runner import crossed, experiment
from ...runner.companions import options
from .figure_2 import ESTIMATORS
from .printed_billiard import first_point, fly, hoeffding_bounces
from .splits import SIGMA, converged_p_plus, split_of

EPSILON = 0.05
N_LONG = 50_000
#: Lengths of a run: a long one, about 1000 bounces, and those of equation (8).
LENGTHS = (N_LONG, 1000, hoeffding_bounces(EPSILON, 0.01))


def farthest(deviation):
    """The largest deviation, leaving out one in a hundred points."""
    return float(np.sort(deviation)[-1 - int(0.01 * len(deviation))])


@experiment(
    "bayesian_transduction/long_runs",
    version=2,
    title="Long runs of the billiard as printed, against the uniform law on version space",
    datasets=("thyroid", "heart"),
    open_choices=("scaling", "thyroid_class", "start", "direction"),
    units=crossed(
        split={"smoke": 1, "paper": 100, "full": 100}, dataset=("thyroid", "heart"), smoke=1
    ),
    agreement=dict.fromkeys(
        ("farthest", "mean", "missed", "too_high", "bias", "escapes"), "chaotic"
    ),
)
def deviations_of_a_long_run(key, params, data, rng):
    """A row for each flight, length and estimator: how far p+ is from the uniform law."""
    dataset = key["dataset"]
    thyroid_class = params["thyroid_class"] if dataset == "thyroid" else "normal"
    split = split_of(data[dataset], key["split"], SIGMA[dataset], params["scaling"], thyroid_class)
    truth, span = converged_p_plus(split, rng), FeatureSpan(split.gram)
    w, rows = first_point(span, params["start"]), []
    for flight in ("as_printed", "great_circles"):
        flown = fly(span, split.cross, w, N_LONG, flight, params["direction"], rng)
        for bounces, (name, estimator) in product(LENGTHS, ESTIMATORS.items()):
            p_plus = np.clip(estimator(flown, bounces), 0.0, 1.0)
            off = p_plus - truth
            rows.append(
                {
                    "flight": flight,
                    "bounces": bounces,
                    "estimator": name,
                    "farthest": farthest(np.abs(off)),
                    "mean": float(np.abs(off).mean()),
                    "missed": float(np.mean(np.abs(off) >= EPSILON)),
                    "too_high": float(np.mean(off >= EPSILON)),
                    # of the confidence (7): above zero, the run is too sure
                    "bias": float((confidence_of(p_plus) - confidence_of(truth)).mean()),
                    "escapes": flown.escapes,  # of the whole run
                }
            )
    return rows


options("bayesian_transduction/long_runs", keep=lambda key: key["split"] < 30)
