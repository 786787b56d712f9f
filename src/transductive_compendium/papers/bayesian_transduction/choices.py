"""Open choices of section 4 of Graepel et al. (2000), and their effect on figure 2."""

from __future__ import annotations

import numpy as np

from transductive.version_space import (
    BilliardEscapeError,
    EmptyVersionSpaceError,
    IllConditionedError,
    hoeffding_bounces,
)

from ...rejection_curves import UNANIMOUS, confidence_of, theta_max
from ...runner import experiment
from .figure_2 import svm_outputs
from .printed_billiard import play
from .splits import N_SPLITS, SIGMA, p_plus_on_great_circles, split_of

#: Of the base, great circles: what the two printed thresholds of figure 2 had once chosen.
N_BOUNCES = 600
#: What each row changes of the base: the splits, the SVM, or the flight. The names are parts of the
#: units' keys, of which the random streams are made.
CHANGES = {
    "the reading": {},
    "start: unit margins": {"start": "unit_margins"},
    "SVM: with bias": {"svm": "hard_bias"},
    "SVM: with bias, C = 100": {"svm": "soft_100_bias"},
    "SVM: with bias, C = 10": {"svm": "soft_10_bias"},
    "scaling: training part only": {"scaling": "standardised on the training part"},
    "scaling: range -1 to 1": {"scaling": "range -1 to 1"},
    "scaling: range 0 to 1": {"scaling": "range 0 to 1"},
    "scaling: none": {"scaling": "raw"},
    "bounces: 100": {"n_bounces": 100},
    "bounces: 300": {"n_bounces": 300},
    "bounces: 400": {"n_bounces": 400},
    "bounces: 500": {"n_bounces": 500},
    "bounces: 700": {"n_bounces": 700},
    "bounces: 922, by equation (8)": {"n_bounces": hoeffding_bounces(0.05, 0.01)},
    "bounces: 3000": {"n_bounces": 3000},
    "bounces: 10000": {"n_bounces": 10_000},
    "velocity: isotropic": {"velocity": "isotropic"},
    "velocity: isotropic, 300 bounces": {"velocity": "isotropic", "n_bounces": 300},
    "velocity: isotropic, 1000 bounces": {"velocity": "isotropic", "n_bounces": 1000},
    "velocity: refreshed every pi": {"refresh": float(np.pi)},
    "flight: the document's flat rule": {"flight": "as_printed"},
    "classes: hyper against the rest": {"thyroid_class": "hyper"},
    "classes: hypo against the rest": {"thyroid_class": "hypo"},
}


def _p_plus(split, rng, flight="great_circles", n_bounces=N_BOUNCES, **library):
    """p+ at the test points: on great circles, or by the printed flight."""
    if flight == "great_circles":
        return p_plus_on_great_circles(split, n_bounces, rng, **library)
    law = "normal_coefficients"
    flown = play(split.gram, split.cross, rng, n_bounces=n_bounces, direction=law)
    return np.clip(flown.time_ratio(), 0.0, 1.0)


def _figure_2_in_short(
    table, sigma, rng, *, scaling="standardised", thyroid_class="normal", svm="hard", **flight
):
    """Summary of figure 2: its thresholds, rejection rates and errors, over all splits."""
    confidence, outputs, wrong, wrong_svm = [], [], [], []
    for number in range(N_SPLITS):
        split = split_of(table, number, sigma, scaling, thyroid_class)
        p_plus, f = _p_plus(split, rng, **flight), svm_outputs(split, svm)
        truth = split.truth > 0
        confidence.append(confidence_of(p_plus))
        outputs.append(np.abs(f))
        wrong.append((p_plus >= 0.5) != truth)
        wrong_svm.append((f >= 0.0) != truth)
    confidence, outputs, wrong, wrong_svm = map(np.array, (confidence, outputs, wrong, wrong_svm))
    picks = np.random.default_rng(0).integers(N_SPLITS, size=(200, N_SPLITS))
    kept = confidence >= UNANIMOUS
    at_one = [w[k].mean() for w, k in zip(wrong, kept, strict=True) if k.any()]
    return {
        "theta_max": theta_max(confidence, outputs),
        "theta_max_error": float(np.std([theta_max(confidence[i], outputs[i]) for i in picks])),
        "rejection_at_one": float(1.0 - kept.mean()),
        "error_at_one": float(np.mean(at_one)) if at_one else np.nan,
        "error": float(wrong.mean()),
        "error_svm": float(wrong_svm.mean()),
    }


@experiment(
    "bayesian_transduction/choices",
    version=2,
    title="What section 4 leaves open, and what it does to figure 2",
    datasets=("thyroid", "heart"),
    units=lambda params, profile: [
        {"dataset": dataset, "choice": choice}
        for choice in CHANGES
        for dataset in ("thyroid", "heart")
        if dataset == "thyroid" or not choice.startswith("classes")
    ][: 1 if profile == "smoke" else None],
    agreement=dict.fromkeys(
        ("theta_max", "theta_max_error", "rejection_at_one", "error_at_one", "error", "error_svm"),
        "chaotic",
    ),
)
def figure_2_under_a_choice(key, params, data, rng):
    """One row: thresholds, rejection and errors of figure 2 under one change of the base."""
    table, sigma = data[key["dataset"]], SIGMA[key["dataset"]]
    try:
        row = _figure_2_in_short(table, sigma, rng, **CHANGES[key["choice"]])
        return [row | {"failure": "none"}]
    except (EmptyVersionSpaceError, IllConditionedError, BilliardEscapeError) as error:
        names = ("theta_max", "theta_max_error", "rejection_at_one", "error_at_one", "error")
        blank = dict.fromkeys((*names, "error_svm"), np.nan)
        return [blank | {"failure": type(error).__name__}]
