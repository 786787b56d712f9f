"""Figure 4 under each law of the angles, which the text leaves open.

Graepel and Herbrich (2001), section 5, second experiment.
"""

from ...runner import crossed, experiment
from .first_states import AS_PRINTED
from .flipped_sphere import CHAIN, FLIP_RATE, KEYED_ANGLES, N_SETS, FlippedSphere, angles_rng

NAME = "kernel_gibbs_sampler/angles"


@experiment(
    NAME,
    version=2,
    title="Figure 4 by law of the angles; errors on the true labels",
    parameters=CHAIN,
    units=crossed(set=N_SETS, angles=KEYED_ANGLES),
    agreement=dict.fromkeys(("bpm_true_error", "svm_true_error"), "chaotic"),
)
def true_errors_over_q_and_lambda(key, params, data, rng):
    """Errors of Bayes point machine and SVM on the true labels, a row for each value."""
    rng = angles_rng(NAME, key, params)
    sphere = FlippedSphere(key["angles"], FLIP_RATE, rng)
    return [
        {
            "value": value,
            # of all points: shows a law that leaves one class
            "positive": sphere.positive,
            "bpm_true_error": sphere.errors(
                sphere.bayes_point(value, AS_PRINTED | params, rng) if value < 0.5 else None
            )[1],
            "svm_true_error": sphere.errors(sphere.soft_margin(value))[1],
        }
        for value in (0.01, 0.05, 0.2, 0.45, 1.0, 10.0)
    ]
