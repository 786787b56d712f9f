"""Bayes point machine and hard-margin SVM without label noise.

Graepel and Herbrich (2001), section 4 (Bayes point machines), on the points of section 5.
"""

from ...runner import crossed, experiment
from .first_states import AS_PRINTED
from .flipped_sphere import CHAIN, KEYED_ANGLES, N_SETS, FlippedSphere, angles_rng

NAME = "kernel_gibbs_sampler/noise_free"


@experiment(
    NAME,
    version=2,
    title="Bayes point machine at q = 0 and hard-margin SVM, no labels flipped",
    parameters=CHAIN,
    units=crossed(set=N_SETS, angles=KEYED_ANGLES),
    agreement=dict.fromkeys(("bpm_error", "exact_error", "svm_error"), "chaotic"),
)
def errors_without_flips(key, params, data, rng):
    """Test errors of Bayes point machine, exact Bayes point and hard-margin SVM."""
    rng = angles_rng(NAME, key, params)
    sphere = FlippedSphere(key["angles"], 0.0, rng)
    svm = sphere.soft_margin(0.0)
    bpm = exact = None
    if svm is not None:
        bpm = sphere.bayes_point(0.0, AS_PRINTED | params, rng)
        exact = sphere.arrangement(rng).bayes_point(0.0)
    return [
        {
            # w* separates the points, but where both classes meet at a pole, by no margin that
            # double precision resolves
            "resolved": int(svm is not None),
            "bpm_error": sphere.errors(bpm)[1],
            "exact_error": sphere.errors(exact)[1],
            "svm_error": sphere.errors(svm)[1],
        }
    ]
