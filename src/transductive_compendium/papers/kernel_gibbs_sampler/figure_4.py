"""Figure 4: Bayes point machine and quadratic soft-margin SVM under label noise.

Graepel and Herbrich (2001), section 5, second experiment. Burn-in, thinning, start, law of the
directions and the angles are as printed; ``figure_4_options`` has what the paper leaves open.
"""

from ...companions import options
from ...datasets.generators import ANGLE_INTERPRETATIONS
from ...runner import Parameter, crossed, experiment
from .figure_4_design import FLIP_RATE, PENALTIES_BEYOND, READ_AT, SHARED_VALUES
from .first_states import CHAIN_OPTIONS
from .flipped_sphere import (
    ANGLE_OPTIONS,
    BIAS_OPTIONS,
    CHAIN_OPEN,
    N_SETS,
    FlippedSphere,
)
from .sphere_points import POLE, READINGS


@experiment(
    "kernel_gibbs_sampler/figure_4",
    version=2,
    title="Bayes point machine over q and quadratic soft-margin SVM over lambda, 5 % flips",
    parameters={
        **CHAIN_OPEN,
        "reading": Parameter(
            POLE,
            str,
            "which angle is which, and where w* is",
            choices=(*ANGLE_INTERPRETATIONS, READINGS["half"]),
        ),
        "test_labels": Parameter("flipped", str, "of the test sets", choices=("flipped", "clean")),
        "abscissa": Parameter("to_fifth", str, "range that is read", choices=tuple(READ_AT)),
        "clearly": Parameter("means", str, "what has to be below", choices=("means", "bars")),
        "bpm_kernel": Parameter(
            "without", str, "the Bayes point's kernel, with lambda = q or without lambda",
            choices=("without", "same_lambda"),
        ),
    },
    units=crossed(set=N_SETS),
    agreement=dict.fromkeys(
        [f"{name}_{what}" for name in ("bpm", "exact", "svm") for what in ("error", "true_error")],
        "chaotic",
    ),
)  # fmt: skip
def run_set(key, params, data, rng):
    sphere = FlippedSphere(params["reading"], FLIP_RATE, rng)
    arrangement = sphere.arrangement(rng)
    q_read, penalty_read = READ_AT[params["abscissa"]]
    rows = []
    for value in SHARED_VALUES + PENALTIES_BEYOND:
        bpm = exact = None
        if value in SHARED_VALUES:
            kernel = params["bpm_kernel"]
            found = sphere.bayes_point if kernel == "without" else sphere.penalised_bayes_point
            bpm = found(value, params, rng)
            exact = arrangement.bayes_point(value)
        row = {"value": value}
        svm, threshold = sphere.svm(value, params)
        for name, w, b in (("bpm", bpm, 0.0), ("exact", exact, 0.0), ("svm", svm, threshold)):
            errors = sphere.errors(w, b)
            row[f"{name}_error"] = errors[params["test_labels"] == "clean"]
            row[f"{name}_true_error"] = errors[1]
        rows.append(
            row
            | {
                "q_read": value in q_read,
                "penalty_read": value in penalty_read,
                "bars": params["clearly"] == "bars",
            }
        )
    return rows


options(
    "kernel_gibbs_sampler/figure_4",
    {
        "angles": ANGLE_OPTIONS,
        "test_labels": {"clean": {"test_labels": "clean"}},
        "abscissa": {name: {"abscissa": name} for name in ("to_half", "decades")},
        "clearly": {"bars": {"clearly": "bars"}},
        "bpm_kernel": {"same_lambda": {"bpm_kernel": "same_lambda"}},
        "bias": BIAS_OPTIONS,
        **CHAIN_OPTIONS,
    },
    keep=lambda key: key["set"] < 100,
)
