"""Figure 4: Bayes point machine and quadratic soft-margin SVM under label noise.

Graepel and Herbrich (2001), section 5, second experiment. Burn-in, thinning, start, law of the
directions and the angles are as printed; ``figure_4_options`` has the other options.
"""

from ...runner import crossed, experiment
from ...runner.companions import options
from .first_states import AS_PRINTED
from .flipped_sphere import CHAIN, FLIP_RATE, N_SETS, FlippedSphere

#: Values of the abscissa that the assumed noise q and the slack penalty lambda share.
SHARED_VALUES = (0.01, 0.02, 0.05, 0.06, 0.1, 0.14, 0.15, 0.18, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45)
#: Values beyond it, which lambda alone can take.
PENALTIES_BEYOND = (
    1e-4, 1e-3, 10**-2.4, 10**-1.2, 0.5, 1.0, 2.0, 5.0, 10.0, 10**1.2, 100.0, 10**2.4, 1e3, 1e4
)  # fmt: skip
#: The Bayes point machine, by option of "bpm_kernel".
BAYES_POINTS = {
    "without": FlippedSphere.bayes_point,
    "same_lambda": FlippedSphere.penalised_bayes_point,
}


@experiment(
    "kernel_gibbs_sampler/figure_4",
    version=2,
    title="Bayes point machine over q and quadratic soft-margin SVM over lambda, 5 % flips",
    parameters=CHAIN,
    open_choices=("angles", "flips", "bpm_kernel", "bias", "samples", "start", "direction"),
    units=crossed(set=N_SETS),
    agreement=dict.fromkeys(
        [f"{name}_{what}" for name in ("bpm", "exact", "svm") for what in ("error", "true_error")],
        "chaotic",
    ),
)
def errors_over_q_and_lambda(key, params, data, rng):
    """Test errors of Bayes point machine, exact Bayes point and SVM, a row for each value."""
    sphere = FlippedSphere(params["angles"], FLIP_RATE, rng, params["flips"])
    arrangement = sphere.arrangement(rng)
    sampled = BAYES_POINTS[params["bpm_kernel"]]
    rows = []
    for value in SHARED_VALUES + PENALTIES_BEYOND:
        bpm = exact = None
        if value in SHARED_VALUES:
            bpm = sampled(sphere, value, AS_PRINTED | params, rng)
            exact = arrangement.bayes_point(value)
        svm, threshold = sphere.svm(value, params)
        row = {"value": value}
        for name, w, b in (("bpm", bpm, 0.0), ("exact", exact, 0.0), ("svm", svm, threshold)):
            row[f"{name}_error"], row[f"{name}_true_error"] = sphere.errors(w, b)
        rows.append(row)
    return rows


options("kernel_gibbs_sampler/figure_4", keep=lambda key: key["set"] < 100)
