"""How often the Bayes point and the SVM agree with the vote of version space.

Graepel et al. (2000), section 3.2, on the recorded splits of figure 2.
"""

from __future__ import annotations

import numpy as np

from transductive.version_space import KernelBilliard
from transductive.version_space.start import max_margin_point

from ...runner import Parameter, crossed, experiment
from .splits import N_SPLITS, SIGMA, split_of


@experiment(
    "bayesian_transduction/bayes_point",
    version=1,
    title="The vote of version space, the Bayes point and the SVM: how often do they agree?",
    page="calibration",
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
def agreement_of_three_labellings(key, params, data, rng):
    """One row: errors of vote, Bayes point and SVM, and shares of points that two label alike."""
    split = split_of(data[key["dataset"]], key["split"], SIGMA[key["dataset"]])
    billiard = KernelBilliard(
        split.gram,
        refresh=np.pi,
        n_starts=4,
        random_state=np.random.SeedSequence(rng.integers(2**63)),
    )
    flown = billiard.run(params["n_bounces"])
    svm = max_margin_point(billiard.span, len(split.gram))
    labels = {
        "vote": flown.flight_times(split.cross).probability >= 0.5,
        "bayes_point": split.cross.T @ flown.centre_of_mass() >= 0.0,
        "svm": split.cross.T @ svm >= 0.0,
    }
    truth = split.truth > 0
    row = {f"error_{name}": float(np.mean(b != truth)) for name, b in labels.items()}
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
