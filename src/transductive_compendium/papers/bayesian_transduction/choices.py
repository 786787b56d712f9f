"""Choices that section 4 of Graepel et al. (2000) leaves open, and their effect on figure 2."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from transductive.version_space import (
    BilliardEscapeError,
    EmptyVersionSpaceError,
    IllConditionedError,
    hoeffding_bounces,
)

from ...rejection_curves import UNANIMOUS, confidence_of, theta_max
from ...runner import experiment
from .split_comparison import GREAT_CIRCLES, N_SPLITS, SIGMA, compare_on_split

_DEFAULT = GREAT_CIRCLES
INTERPRETATIONS = {
    "the reading": _DEFAULT,
    "start: unit margins": replace(_DEFAULT, start="unit_margins"),
    "SVM: with bias": replace(_DEFAULT, svm="hard margin"),
    "SVM: with bias, C = 100": replace(_DEFAULT, svm="C = 100"),
    "SVM: with bias, C = 10": replace(_DEFAULT, svm="C = 10"),
    "scaling: training part only": replace(_DEFAULT, scaling="standardised on the training part"),
    "scaling: range -1 to 1": replace(_DEFAULT, scaling="range -1 to 1"),
    "scaling: range 0 to 1": replace(_DEFAULT, scaling="range 0 to 1"),
    "scaling: none": replace(_DEFAULT, scaling="none"),
    "bounces: 100": replace(_DEFAULT, n_bounces=100),
    "bounces: 300": replace(_DEFAULT, n_bounces=300),
    "bounces: 400": replace(_DEFAULT, n_bounces=400),
    "bounces: 500": replace(_DEFAULT, n_bounces=500),
    "bounces: 700": replace(_DEFAULT, n_bounces=700),
    "bounces: 922, by equation (8)": replace(_DEFAULT, n_bounces=hoeffding_bounces(0.05, 0.01)),
    "bounces: 3000": replace(_DEFAULT, n_bounces=3000),
    "bounces: 10000": replace(_DEFAULT, n_bounces=10_000),
    "velocity: isotropic": replace(_DEFAULT, velocity="isotropic"),
    "velocity: isotropic, 300 bounces": replace(_DEFAULT, velocity="isotropic", n_bounces=300),
    "velocity: isotropic, 1000 bounces": replace(_DEFAULT, velocity="isotropic", n_bounces=1000),
    "velocity: refreshed every pi": replace(_DEFAULT, refresh=float(np.pi)),
    "flight: the document's flat rule": replace(_DEFAULT, flight="as printed"),
    "classes: hyper against the rest": replace(_DEFAULT, positive_class="hyper"),
    "classes: hypo against the rest": replace(_DEFAULT, positive_class="hypo"),
}


def _figure_2_in_short(X, y, interpretation, rng):
    """Summary of figure 2: its thresholds, rejection rates and errors, over all splits."""
    confidence, outputs, wrong, wrong_svm = [], [], [], []
    for number in range(N_SPLITS):
        _, test, p_plus, f, _ = compare_on_split(X, y, number, interpretation, rng)
        truth = y[test] > 0
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
        for choice in INTERPRETATIONS
        for dataset in ("thyroid", "heart")
        if dataset == "thyroid" or not choice.startswith("classes")
    ][: 1 if profile == "smoke" else None],
    agreement=dict.fromkeys(
        ("theta_max", "theta_max_error", "rejection_at_one", "error_at_one", "error", "error_svm"),
        "chaotic",
    ),
)
def _run_choice(key, params, data, rng):
    table = data[key["dataset"]]
    interpretation = replace(INTERPRETATIONS[key["choice"]], sigma=SIGMA[key["dataset"]])
    if interpretation.positive_class:
        table = table.with_positive_class(interpretation.positive_class)
    try:
        return [_figure_2_in_short(table.X, table.y, interpretation, rng) | {"failure": "none"}]
    except (EmptyVersionSpaceError, IllConditionedError, BilliardEscapeError) as error:
        names = ("theta_max", "theta_max_error", "rejection_at_one", "error_at_one", "error")
        blank = dict.fromkeys((*names, "error_svm"), np.nan)
        return [blank | {"failure": type(error).__name__}]
