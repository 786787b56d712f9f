"""How often the Bayes point and the SVM agree with the vote of version space.

Graepel et al. (2000), section 3.2, on the recorded splits of figure 2.
"""

from __future__ import annotations

import numpy as np

from transductive.version_space import KernelBilliard
from transductive.version_space.start import max_margin_point

from ...datasets.recorded_splits import partition, scaled
from ...runner import Parameter, crossed, experiment
from .split_comparison import N_SPLITS, SIGMA, label_signed_grams


@experiment(
    "bayesian_transduction/bayes_point",
    version=1,
    title="The vote of version space, the Bayes point and the SVM: how often do they agree?",
    datasets=("thyroid", "heart"),
    parameters={"n_bounces": Parameter(20_000, int, "events of each of four balls", minimum=8)},
    units=crossed(
        split={"smoke": 2, "paper": N_SPLITS, "full": 1000}, dataset=("thyroid", "heart")
    ),
    agreement=dict.fromkeys(
        (
            "error_vote",
            "error_bayes_point",
            "bayes_point_agrees",
            "svm_agrees",
            "svm_agrees_with_bayes_point",
        ),
        "chaotic",
    ),
)
def _run_bayes_point(key, params, data, rng):
    dataset = key["dataset"]
    table = data[dataset]
    y = table.y
    train, test = partition(len(y), key["split"])
    X = scaled(table.X, "standardised", train)
    gram, cross = label_signed_grams(X[train], y[train].astype(float), X[test], SIGMA[dataset])
    billiard = KernelBilliard(
        gram, refresh=np.pi, n_starts=4, random_state=np.random.SeedSequence(rng.integers(2**63))
    )
    flown = billiard.run(params["n_bounces"])
    svm = max_margin_point(billiard.span, len(train))
    labels = {
        "vote": flown.flight_times(cross).probability >= 0.5,
        "bayes_point": cross.T @ flown.centre_of_mass() >= 0.0,
        "svm": cross.T @ svm >= 0.0,
    }
    row = {f"error_{name}": float(np.mean(b != (y[test] > 0))) for name, b in labels.items()}
    return [
        row
        | {
            "bayes_point_agrees": float(np.mean(labels["bayes_point"] == labels["vote"])),
            "svm_agrees": float(np.mean(labels["svm"] == labels["vote"])),
            "svm_agrees_with_bayes_point": float(np.mean(labels["svm"] == labels["bayes_point"])),
            # the radius of the largest ball: positive where there is a version space
            "radius": 1.0 / billiard.span.norm(svm),
        }
    ]
