"""Figure 4 under every interpretation of the angles, which the text leaves open.

Graepel and Herbrich (2001), section 5, second experiment.
"""

from ...datasets.generators import ANGLE_INTERPRETATIONS
from ...runner import crossed, experiment
from .figure_4_design import FLIP_RATE
from .flipped_sphere import CHAIN, N_SETS, FlippedSphere


@experiment(
    "kernel_gibbs_sampler/angles",
    version=2,
    title="Figure 4 by interpretation of the angles; errors on the true labels",
    parameters=CHAIN,
    units=crossed(set=N_SETS, reading=ANGLE_INTERPRETATIONS),
    agreement=dict.fromkeys(("bpm_true_error", "svm_true_error"), "chaotic"),
)
def run_set(key, params, data, rng):
    sphere = FlippedSphere(key["reading"], FLIP_RATE, rng)
    return [
        {
            "value": value,
            # of all points: shows an interpretation that leaves one class
            "positive": sphere.positive,
            "bpm_true_error": sphere.errors(
                sphere.bayes_point(value, params, rng) if value < 0.5 else None
            )[1],
            "svm_true_error": sphere.errors(sphere.soft_margin(value))[1],
        }
        for value in (0.01, 0.05, 0.2, 0.45, 1.0, 10.0)
    ]
