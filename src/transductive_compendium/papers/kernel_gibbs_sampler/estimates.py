"""Estimates from samples on one training set of figure 4: the entropy S, and the evidence.

Graepel and Herbrich (2001), section 4. The paper publishes no experiment for this, and no estimator
of the evidence.
"""

import numpy as np

from transductive.version_space.active_learning import binary_entropy

from ...exact.arrangement import Arrangement
from ...runner import crossed, experiment
from ...runner.companions import options
from .first_states import AS_PRINTED, states
from .flipped_sphere import CHAIN, FLIP_RATE, N_SETS, N_TRAIN, FlippedSphere
from .sphere_points import JITTER

#: Samples of the long chain, which estimates the evidence; its S stands for the exact one.
N_EVIDENCE = 10_000
#: Whether the evidence is estimated from samples of the prior, by option of "evidence".
FROM_PRIOR = {"posterior": False, "prior": True}


def log_evidence(errors, m, q, evidence):
    """Log evidence from training errors of samples of the "posterior", or of the "prior".

    For the posterior, one over the mean of 1 / (3), which is (2) solved for its denominator; for
    the prior, the mean of (3). The prior's chain begins with a sample from the prior. The
    posterior's does not, and its first states have so many errors that they would dominate the
    mean: the first tenth is discarded.
    """
    from_prior = FROM_PRIOR[evidence]
    if not from_prior:
        errors = errors[len(errors) // 10 :]
    log_likelihood = errors * np.log(q) + (m - errors) * np.log1p(-q)
    if from_prior:
        return float(np.logaddexp.reduce(log_likelihood) - np.log(len(errors)))
    return float(np.log(len(errors)) - np.logaddexp.reduce(-log_likelihood))


def entropy(X, samples):
    """S(x, z) of each point, in bits."""
    outputs = np.float32(X) @ np.float32(samples).T
    return binary_entropy(np.count_nonzero(outputs > 0, axis=1) / len(samples))


@experiment(
    "kernel_gibbs_sampler/estimates",
    version=2,
    page="uses",
    title="Entropy S and log evidence from samples, on one training set of figure 4",
    parameters=CHAIN,
    open_choices=("angles", "samples", "start", "direction", "evidence"),
    units=crossed(set=N_SETS),
    agreement=dict.fromkeys(("entropy_off_95", "entropy_off", "log_evidence", "unsure"), "chaotic"),
)
def entropy_and_evidence(key, params, data, rng):
    """One row: deviations of S of few samples, the estimated and the exact log evidence."""
    sphere = FlippedSphere(params["angles"], FLIP_RATE, rng)
    moved = sphere.X + JITTER * rng.standard_normal(sphere.X.shape)
    exact = Arrangement(sphere.y[:, None] * moved).log_evidence(FLIP_RATE)
    few = sphere.samples(FLIP_RATE, AS_PRINTED | params, rng)
    many = states(sphere.X, sphere.y, FLIP_RATE, N_EVIDENCE, rng, AS_PRINTED)
    known = entropy(sphere.X_test, many)
    off = np.abs(entropy(sphere.X_test, few) - known)
    chosen, from_prior = many, FROM_PRIOR[params["evidence"]]
    law = AS_PRINTED | {"direction": params["direction"]}
    if from_prior or law != AS_PRINTED:
        q = 0.5 if from_prior else FLIP_RATE
        chosen = states(sphere.X, sphere.y, q, N_EVIDENCE, rng, law)
    errors = (chosen @ (sphere.y[:, None] * sphere.X).T <= 0).sum(axis=1)
    return [
        {
            "entropy_off_95": float(np.quantile(off, 0.95)),
            "entropy_off": float(off.mean()),
            "unsure": float(np.mean(known > 0.1)),
            "log_evidence": log_evidence(errors, N_TRAIN, FLIP_RATE, params["evidence"]),
            "exact": exact,
        }
    ]


options("kernel_gibbs_sampler/estimates", keep=lambda key: key["set"] < 100)
