"""When can the billiard be trusted: ergodicity, the stopping rule, the span of the ball.

Document 1, section 3.2 and equation (8).
"""

from __future__ import annotations

from functools import cache

import numpy as np

from transductive._exact.volumes import cone_volume, probability_positive
from transductive.kernels import gram_matrix
from transductive.version_space import FeatureSpan, KernelBilliard, hoeffding_bounces
from transductive.version_space._billiard_reference import reference_billiard
from transductive.version_space.start import chord_walk, interior_point

from ...runner.declaration import Experiment, UnitMean, crossed, register
from ...runner.parameters import Parameter

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


def _fly(walls, point, rule, n_events, rng):
    """Arcs on the positive side and in all, per event, under one of the rules."""
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


def _ratio_and_error(positive, total):
    n_batches = 20
    edges = np.linspace(0, len(total), n_batches + 1).round().astype(int)[:-1]
    positive, total = np.add.reduceat(positive, edges), np.add.reduceat(total, edges)
    p = positive.sum() / total.sum()
    spread = np.sum((positive - p * total) ** 2) * n_batches / (n_batches - 1)
    return float(p), float(np.sqrt(spread) / total.sum())


def _run_ergodicity(key, params, data, rng):
    walls, point = GEOMETRIES[key["geometry"]]
    exact = probability_positive(walls, point).value
    positive, total = _fly(walls, point, RULES[key["rule"]], params["n_bounces"], rng)
    p, error = _ratio_and_error(positive, total)
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


register(
    Experiment(
        name="bayesian_transduction/ergodicity",
        version=3,
        title="p+ by rule of flight and by start, against the exact value",
        parameters={"n_bounces": Parameter(10_000, int, "events of each ball", minimum=100)},
        units=crossed(
            start={"smoke": 1, "paper": 20, "full": 100}, geometry=GEOMETRIES, rule=RULES
        ),
        run_unit=_run_ergodicity,
        # the refreshed and random rules take another way after any change of rounding
        agreement={"time_ratio": 0.05, "error": 0.02, "mean_of_fractions": 0.05},
    )
)


# ---- the stopping rule --------------------------------------------------------------------------

BOUNCES = (30, 100, 300, hoeffding_bounces(0.05, 0.01), 3000, 10_000)


@cache
def _case(name):
    """Folded Gram matrix, inner products with one working point, true p+ and its error."""
    if name == "triangle":
        exact = probability_positive(TRIANGLE, TRIANGLE_POINT).value
        return TRIANGLE @ TRIANGLE.T, (TRIANGLE @ TRIANGLE_POINT)[:, None], exact, 0.0
    # an RBF kernel on points of the plane: the case that the estimator is made for
    rng = np.random.default_rng(7)
    X = rng.standard_normal((61, 2))
    y = np.where(X[:60, 0] + X[:60, 1] ** 2 > 0.5, 1.0, -1.0)
    X[60] = (0.3, 0.4)
    K = gram_matrix(X, gamma=2.0)
    gram, cross = K[:60, :60] * np.outer(y, y), K[:60, 60:] * y[:, None]
    # the long run that stands for the truth: 16 refreshed balls
    long = KernelBilliard(gram, refresh=np.pi, n_starts=16, random_state=5).run(50_000)
    times = long.flight_times(cross)
    return gram, cross, float(times.probability[0]), float(times.standard_error("chain")[0])


def _run_stopping(key, params, data, rng):
    gram, cross, truth, truth_error = _case(key["case"])
    drawn = key["rule"] == "refreshed, drawn start"
    rows = []
    for n in BOUNCES:
        # of two balls, each begins where a burn-in ended: the first of them is used
        billiard = KernelBilliard(
            gram,
            refresh=np.pi if drawn else None,
            n_starts=2 if drawn else 1,
            random_state=np.random.SeedSequence(rng.integers(2**63)),
        )
        times = billiard.run(n).flight_times(cross, n_batches=n)
        first = times.chain == 0
        positive, total = times.positive[first, 0], times.total[first]
        p, error = _ratio_and_error(positive, total)
        moved = total > 0
        rows.append(
            {
                "bounces": n,
                "time_ratio": p,
                "measured_error": error,
                "mean_of_fractions": float(np.mean(positive[moved] / total[moved])),
                "truth": truth,
                "truth_error": truth_error,
            }
        )
    return rows


register(
    Experiment(
        name="bayesian_transduction/stopping",
        version=3,
        title="What the number of bounces of equation (8) buys",
        units=crossed(
            repeat={"smoke": 2, "paper": 300, "full": 3000},
            case=("triangle", "RBF kernel"),
            rule=("the document's", "refreshed, drawn start"),
        ),
        run_unit=_run_stopping,
        agreement={
            "time_ratio": UnitMean(0.5),
            "measured_error": UnitMean(0.14),
            "mean_of_fractions": UnitMean(0.3),
            "truth": 0.006,
            "truth_error": 0.002,
        },
    )
)


# ---- the span -----------------------------------------------------------------------------------


def _run_span(key, params, data, rng):
    l = 20
    X = rng.uniform(-2.0, 2.0, size=(l + 1, 2))
    y = np.where(X[:l, 0] > 0, 1.0, -1.0)
    K = gram_matrix(X, gamma=0.5)
    signs = np.r_[y, 1.0]
    folded = K * np.outer(signs, signs)
    seed = np.random.SeedSequence(rng.integers(2**63))
    row = {}
    for span, size in (("train", l), ("joint", l + 1)):
        billiard = KernelBilliard(
            folded[:size, :size], l, refresh=np.pi, n_starts=8, random_state=seed
        )
        times = billiard.run(params["n_bounces"]).flight_times(folded[:size, l:])
        row[span] = float(times.probability[0])
        row[f"{span}_error"] = float(times.standard_error("chain")[0])
    # in the joint span p+ is a ratio of two Gaussian orthant probabilities
    whole = cone_volume(gram=folded[:l, :l])
    part = cone_volume(gram=folded)
    row["joint_exact"] = part.value / whole.value
    row["joint_exact_error"] = row["joint_exact"] * float(
        np.hypot(part.error / part.value, whole.error / whole.value)
    )
    # the working point's height over the training span, as a fraction of its length
    inside = np.linalg.solve(folded[:l, :l], folded[:l, l])
    row["outside"] = float(np.sqrt(max(0.0, 1.0 - inside @ folded[:l, l] / folded[l, l])))
    return [row]


register(
    Experiment(
        name="bayesian_transduction/span",
        version=2,
        title="p+ when the ball moves in the span of the training points, and in the joint span",
        parameters={"n_bounces": Parameter(5000, int, "events of each ball", minimum=100)},
        units=crossed(sample={"smoke": 2, "paper": 40, "full": 400}),
        run_unit=_run_span,
        agreement={
            "train": 0.015,
            "joint": 0.015,
            "train_error": 0.01,
            "joint_error": 0.01,
            "joint_exact": 0.002,
            "joint_exact_error": 0.002,
        },
    )
)
