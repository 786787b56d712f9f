"""Is the billiard ergodic in the setting of section 4? Long runs and runs of 1000 bounces.

Graepel et al. (2000), section 3.2, on thyroid and heart, from the SVM, by steps 1 to 3 as printed;
compared with p+ of refreshed balls on great circles, whose law is uniform on version space.
"""

from __future__ import annotations

import numpy as np

from transductive.version_space import FeatureSpan, KernelBilliard

from ...runner import crossed, experiment
from ...runner.companions import options
from .printed_billiard import draw_direction, first_point, fly, hoeffding_bounces, play
from .splits import SIGMA, split_of

EPSILON = 0.05
N_LONG = 50_000
# Events of the reference: heart's version space is so thin that a ball crosses it slowly.
LONG_EVENTS = {"thyroid": 200_000, "heart": 1_000_000}


def _split(key, params, data):
    dataset = key["dataset"]
    thyroid_class = params["thyroid_class"] if dataset == "thyroid" else "normal"
    return split_of(data[dataset], key["split"], SIGMA[dataset], params["scaling"], thyroid_class)


def _reference(split, n_events, n_chains, rng):
    """p+ of the uniform law by refreshed balls, and its mean standard error."""
    billiard = KernelBilliard(
        split.gram,
        refresh=4.0 * np.pi,
        n_chains=n_chains,
        burn_in=10,
        random_state=np.random.SeedSequence(rng.integers(2**63)),
    )
    times = billiard.run(n_events // n_chains).flight_times(split.cross)
    return times.probability, float(times.standard_error("chain").mean())


def _great_circles(split, w, direction, rng):
    """p+ and the mean of fractions of a ball on great circles: its arcs from the kernel."""
    billiard = KernelBilliard(split.gram, random_state=0)
    billiard.place(w, draw_direction(billiard.span, direction, rng))
    times = billiard.run(N_LONG).flight_times(split.cross, n_batches=N_LONG)
    moved = times.total > 0
    fractions = (times.positive[moved] / times.total[moved, None]).mean(axis=0)
    return times.probability, fractions


def farthest(deviation):
    """The largest deviation, leaving out one in a hundred points."""
    return float(np.sort(deviation)[-1 - int(0.01 * len(deviation))])


@experiment(
    "bayesian_transduction/long_runs",
    version=1,
    title="Long runs of the billiard as printed, against the uniform law on version space",
    datasets=("thyroid", "heart"),
    open_choices=("scaling", "thyroid_class", "start", "direction"),
    units=crossed(
        split={"smoke": 1, "paper": 100, "full": 100}, dataset=("thyroid", "heart"), smoke=1
    ),
    agreement=dict.fromkeys(
        (
            "farthest",
            "farthest_fraction",
            "mean",
            "farthest_circles",
            "farthest_fraction_circles",
            "mean_circles",
            "bias",
            "escapes",
            "reference_error",
        ),
        "chaotic",
    ),
)
def deviations_of_a_long_run(key, params, data, rng):
    """One row: how far p+ of a long run is from the uniform law, printed and on great circles."""
    split = _split(key, params, data)
    span = FeatureSpan(split.gram)
    w = first_point(span, params["start"])
    truth, error = _reference(split, LONG_EVENTS[key["dataset"]], 4, rng)
    flown = fly(span, split.cross, w, N_LONG, "as_printed", params["direction"], rng)
    ratio, fraction = flown.time_ratio(), flown.mean_of_fractions()
    circles, circles_fraction = _great_circles(split, w, params["direction"], rng)
    return [
        {
            # of p+ after step 3, and of the mean of the fractions in (8)
            "farthest": farthest(np.abs(ratio - truth)),
            "farthest_fraction": farthest(np.abs(fraction - truth)),
            "mean": float(np.abs(ratio - truth).mean()),
            "farthest_circles": farthest(np.abs(circles - truth)),
            "farthest_fraction_circles": farthest(np.abs(circles_fraction - truth)),
            "mean_circles": float(np.abs(circles - truth).mean()),
            # of the confidence (7): above zero, the run is too sure
            "bias": float((np.abs(2 * ratio - 1) - np.abs(2 * truth - 1)).mean()),
            "escapes": flown.escapes,
            "reference_error": error,
        }
    ]


@experiment(
    "bayesian_transduction/thousand_bounces",
    version=1,
    title="Deviations of p+ after the bounces of equation (8), on thyroid and heart",
    page="long_runs",
    datasets=("thyroid", "heart"),
    open_choices=("scaling", "thyroid_class", "start", "direction", "flight"),
    units=crossed(split={"smoke": 4, "paper": 1500, "full": 1500}, dataset=("thyroid", "heart")),
    agreement=dict.fromkeys(
        [
            *("deviation", "reference_error"),
            *(f"{what}_ratio_{n}" for what in ("missed", "too_high") for n in (1000, 922)),
            *(f"{what}_fraction_{n}" for what in ("missed", "too_high") for n in (1000, 922)),
        ],
        "chaotic",
    ),
)
def misses_of_thousand_bounces(key, params, data, rng):
    """One row: shares of test points whose p+ is off by epsilon after 1000 and 922 bounces."""
    split = _split(key, params, data)
    truth, error = _reference(split, 40_000, 2, rng)
    names = ("start", "flight", "direction")
    flown = play(split.gram, split.cross, rng, **{name: params[name] for name in names})
    row = {}
    for n in (1000, hoeffding_bounces(EPSILON, 0.01)):
        found = {"ratio": flown.time_ratio(n), "fraction": flown.mean_of_fractions(n)}
        for rule, p in found.items():
            row[f"missed_{rule}_{n}"] = float(np.mean(np.abs(p - truth) >= EPSILON))
            row[f"too_high_{rule}_{n}"] = float(np.mean(p - truth >= EPSILON))
    deviation = float(np.abs(flown.time_ratio() - truth).mean())
    return [row | {"deviation": deviation, "reference_error": error}]


options("bayesian_transduction/long_runs", keep=lambda key: key["split"] < 30)
options("bayesian_transduction/thousand_bounces", keep=lambda key: key["split"] < 100)
