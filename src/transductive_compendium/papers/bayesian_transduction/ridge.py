"""A ridge on the diagonal of the Gram matrix lets the ball penetrate walls.

Graepel et al. (2000), section 5, on the recorded splits of figure 2.
"""

from __future__ import annotations

import numpy as np

from transductive.version_space import EmptyVersionSpaceError, KernelBilliard

from ...datasets.recorded_splits import partition, scaled
from ...runner import Parameter, crossed, experiment
from .splits import N_SPLITS, SIGMA, label_signed_grams

RIDGES = (0.0, 0.01, 0.1, 1.0, 10.0)


@experiment(
    "bayesian_transduction/ridge",
    version=1,
    title="A ridge on the diagonal lets the ball penetrate walls",
    page="bayes_error",
    datasets=("heart",),
    parameters={"n_bounces": Parameter(20_000, int, "events of the ball", minimum=1)},
    units=crossed(
        split={"smoke": 1, "paper": N_SPLITS, "full": 1000},
        ridge=RIDGES,
        contradiction=(False, True),
    ),
    agreement=dict.fromkeys(("error", "brier", "unanimous"), "chaotic"),
)
def error_with_a_ridge(key, params, data, rng):
    """One row: whether there is a version space, and error and Brier score of p+ if so."""
    table = data["heart"]
    y = np.array(table.y)
    train, test = partition(len(y), key["split"])
    X = scaled(table.X, "standardised")
    # a training point once more, with the other label: no function is right on both
    rows = np.append(train, train[0])
    signs = y[rows].astype(float)
    if key["contradiction"]:
        signs[-1] = -signs[0]
    gram, cross = label_signed_grams(X[rows], signs, X[test], SIGMA["heart"])
    gram[np.diag_indices(len(rows))] += key["ridge"]
    try:
        billiard = KernelBilliard(
            gram, refresh=np.pi, random_state=np.random.SeedSequence(rng.integers(2**63))
        )
    except EmptyVersionSpaceError:
        return [{"version_space": 0, "error": np.nan, "brier": np.nan, "unanimous": np.nan}]
    p_plus = billiard.run(params["n_bounces"]).flight_times(cross).probability
    truth = y[test] > 0
    return [
        {
            "version_space": 1,
            "error": float(np.mean((p_plus >= 0.5) != truth)),
            "brier": float(np.mean((p_plus - truth) ** 2)),
            "unanimous": float(np.mean((p_plus == 0.0) | (p_plus == 1.0))),
        }
    ]
