"""p+ by rule of flight and by start, against the exact value: is the billiard ergodic?

Graepel et al. (2000), section 3.2.
"""

from __future__ import annotations

import numpy as np

from transductive.version_space import FeatureSpan, KernelBilliard
from transductive.version_space.start import chord_walk, interior_point

from ...exact.billiard_reference import reference_billiard
from ...exact.volumes import probability_positive
from ...runner import Parameter, crossed, experiment

# A spherical triangle, and a working point that cuts off a corner: p+ = 0.8564.
TRIANGLE = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, -1.0, 3.0]])
TRIANGLE_POINT = np.array([-2.0, 4.0, 1.0])
# The positive orthant and a working point askew to it: p+ = 0.5971.
ORTHANT = np.eye(3)
ORTHANT_POINT = np.array([-5.0, -2.0, 10.0])
GEOMETRIES = {"triangle": (TRIANGLE, TRIANGLE_POINT), "orthant": (ORTHANT, ORTHANT_POINT)}
RULES = {
    "no refresh": "geodesic",
    "refreshed every pi": "refresh",
    "cosine law at the wall": "cosine at wall",
    "isotropic at the wall": "isotropic at wall",
    "the document's escape rule": "flat",
}


def ratio_and_error(positive, total):
    """p+ as the ratio of the total times, and its standard error from batches of events."""
    n_batches = 20
    edges = np.linspace(0, len(total), n_batches + 1).round().astype(int)[:-1]
    positive, total = np.add.reduceat(positive, edges), np.add.reduceat(total, edges)
    p = positive.sum() / total.sum()
    spread = np.sum((positive - p * total) ** 2) * n_batches / (n_batches - 1)
    return float(p), float(np.sqrt(spread) / total.sum())


def _fly(walls, point, rule, n_events, rng):
    """Arcs on the positive side and total arcs, per event, under one of the rules."""
    gram, cross = walls @ walls.T, (walls @ point)[:, None]
    if rule in ("geodesic", "refresh"):
        billiard = KernelBilliard(
            gram,
            refresh=np.pi if rule == "refresh" else None,
            n_starts=2,
            random_state=np.random.SeedSequence(rng.integers(2**63)),
        )
        # of two balls, each begins where a burn-in ended: the second is used
        flown = billiard.run(n_events)
        times = flown.flight_times(cross, n_batches=n_events)
        second = times.chain == 1
        return times.positive[second, 0], times.total[second]
    span = FeatureSpan(gram)
    w = chord_walk(span, len(walls), interior_point(span, len(walls)), 20, rng)
    run = reference_billiard(span, w, span.random_tangent(w, rng), n_events, rule, rng)
    positive, total = run.flight_times(cross)
    return positive[:, 0], total


@experiment(
    "bayesian_transduction/ergodicity",
    version=3,
    title="p+ by rule of flight and by start, against the exact value",
    page="long_runs",
    parameters={"n_bounces": Parameter(10_000, int, "events of each ball", minimum=100)},
    units=crossed(start={"smoke": 1, "paper": 20, "full": 100}, geometry=GEOMETRIES, rule=RULES),
    # the refreshed and random rules take another way after any change of rounding
    agreement=dict.fromkeys(("time_ratio", "error", "mean_of_fractions"), "chaotic"),
)
def p_plus_under_a_rule(key, params, data, rng):
    """One row: p+ by one ball under a rule of flight, and the exact value."""
    walls, point = GEOMETRIES[key["geometry"]]
    exact = probability_positive(walls, point).value
    positive, total = _fly(walls, point, RULES[key["rule"]], params["n_bounces"], rng)
    p, error = ratio_and_error(positive, total)
    # a boundary at which a segment has no length has no fraction either
    moved = total > 0
    return [
        {
            "exact": exact,
            "time_ratio": p,
            "error": error,
            "mean_of_fractions": float(np.mean(positive[moved] / total[moved])),
        }
    ]
