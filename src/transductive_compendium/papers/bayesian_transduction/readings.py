"""Interpretation that a measure uses, where the rows are the same under all of them."""

from __future__ import annotations

from ...companions import options
from ...runner import Parameter, experiment

READINGS = {
    "average": ("pooled",),
    "theta_max": ("mean_of_theta",),
    "twenty": ("band",),
    "approaches_zero": ("bar",),
    "minimal_variance": ("against_svm",),
    "four_percent": ("relative",),
    "significantly": ("bars_apart", "any_amount"),
    "pronounced": ("theta_gap", "error_gap", "rejection_at_one"),
    "lead": ("of_svm_error",),
    "sidedness": ("one_sided",),
    # of runs whose rows have both
    "flight": ("great_circles",),
    "n_bounces": ("n922",),
    "estimator": ("mean_of_fractions",),
}


@experiment(
    "bayesian_transduction/readings",
    version=1,
    title="Which reading of the text a measure takes",
    parameters={"reading": Parameter("default", str, "an option of interpretations.yml")},
    units=lambda params, profile: [{"unit": 0}],
)
def _run_reading(key, params, data, rng):
    return [{"reading": params["reading"]}]


options(
    "bayesian_transduction/readings",
    {name: {o: {"reading": o} for o in found} for name, found in READINGS.items()},
)
