"""The error of p+ after the number of bounces that equation (8) gives, and after others.

Graepel et al. (2000), end of section 3.2.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from transductive._exact.volumes import probability_positive
from transductive.kernels import gram_matrix
from transductive.version_space import KernelBilliard, hoeffding_bounces

from ...runner import crossed, experiment
from .known_volumes import TRIANGLE, TRIANGLE_POINT, ratio_and_error

BOUNCES = (30, 100, 300, hoeffding_bounces(0.05, 0.01), 3000, 10_000)


@cache
def _case(name):
    """Label-signed Gram matrix, inner products with one working point, true p+ and its error."""
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


@experiment(
    "bayesian_transduction/stopping",
    version=3,
    title="The error of p+ after the number of bounces of equation (8), and after others",
    units=crossed(
        repeat={"smoke": 2, "paper": 300, "full": 3000},
        case=("triangle", "RBF kernel"),
        rule=("the document's", "refreshed, drawn start"),
    ),
    agreement=dict.fromkeys(
        ("time_ratio", "measured_error", "mean_of_fractions", "truth", "truth_error"), "chaotic"
    ),
)
def p_plus_by_number_of_bounces(key, params, data, rng):
    """A row for each number of bounces: p+ of one ball, and the true value."""
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
        p, error = ratio_and_error(positive, total)
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
