"""Figure 4: Bayes point machine and quadratic soft-margin SVM under label noise.

Graepel and Herbrich (2000), section 5, second experiment.
"""

from ...datasets.generators import ANGLE_INTERPRETATIONS
from ...runner import Parameter, UnitMean, crossed, experiment
from .figure_4_design import FLIP_RATE, PENALTIES_BEYOND, SHARED_VALUES
from .flipped_sphere import CHAIN, N_SETS, FlippedSphere

DEFAULT_INTERPRETATION = next(iter(ANGLE_INTERPRETATIONS))


@experiment(
    "kernel_gibbs_sampler/figure_4",
    version=1,
    title="Bayes point machine over q and quadratic soft-margin SVM over lambda, 5 % flips",
    parameters={
        **CHAIN,
        "reading": Parameter(
            DEFAULT_INTERPRETATION,
            str,
            "which angle is which, and where w* is",
            choices=tuple(ANGLE_INTERPRETATIONS),
        ),
    },
    units=crossed(set=N_SETS),
    agreement={
        "bpm_error": UnitMean(0.01),
        "bpm_true_error": UnitMean(0.01),
        "exact_error": 0.0015,
        "exact_true_error": 0.0015,
        "svm_error": 0.0015,
        "svm_true_error": 0.0015,
    },
)
def run_set(key, params, data, rng):
    sphere = FlippedSphere(params["reading"], FLIP_RATE, rng)
    arrangement = sphere.arrangement(rng)
    rows = []
    for value in SHARED_VALUES + PENALTIES_BEYOND:
        bpm = exact = None
        if value in SHARED_VALUES:
            bpm = sphere.bayes_point(value, params, rng)
            exact = arrangement.bayes_point(value)
        row = {"value": value}
        for name, w in (("bpm", bpm), ("exact", exact), ("svm", sphere.soft_margin(value))):
            row[f"{name}_error"], row[f"{name}_true_error"] = sphere.errors(w)
        rows.append(row)
    return rows
