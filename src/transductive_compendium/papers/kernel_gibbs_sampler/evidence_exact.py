"""The estimated evidence compared with exact values in R^3.

Graepel and Herbrich (2001), section 4 (evidence estimation). The unit's key determines samples and
flips; the seed affects only the sampler.
"""

import numpy as np

from ...datasets.generators import separable_sphere
from ...exact.arrangement import Arrangement
from ...runner import Parameter, crossed, experiment
from .evidence_estimates import N_SAMPLES, evidence_of, flip_exactly

NOISE_LEVELS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4)


@experiment(
    "kernel_gibbs_sampler/evidence_exact",
    version=1,
    page="estimates",
    title="Estimated log evidence against the exact one in R^3",
    parameters={
        "n_samples": N_SAMPLES,
        "thin": Parameter(5, int, "steps from sample to sample", minimum=1),
    },
    units=crossed(
        sample={"smoke": 1, "paper": 25, "full": 200}, n_train=(20, 60), flip_rate=(0.0, 0.1)
    ),
    agreement=dict.fromkeys(
        ("log_evidence", "error", "discretisation", "z", "r_hat", "rungs"), "chaotic"
    ),
)
def estimated_and_exact_evidence(key, params, data, rng):
    """Estimated and exact log evidence, a row for each q."""
    data_rng = np.random.default_rng([3, key["sample"]])
    problem = separable_sphere(key["n_train"], 3, seed=data_rng)
    y = flip_exactly(problem.y, round(key["flip_rate"] * key["n_train"]), data_rng)
    points = problem.X * y[:, None]
    exact = Arrangement(points)
    found = evidence_of(
        points, NOISE_LEVELS, rng, n_samples=params["n_samples"], thin=params["thin"]
    )
    rows = []
    for i, q in enumerate(NOISE_LEVELS):
        truth, estimate = exact.log_evidence(q), found.log_evidence[i]
        # where version space is empty, both are minus infinity
        z = (estimate - truth) / found.error[i] if np.isfinite(truth) else np.nan
        rows.append(
            {
                "q": q,
                "empty": bool(truth == -np.inf),
                "exact": truth,
                "log_evidence": estimate,
                "error": found.error[i],
                "discretisation": found.discretisation[i],
                "z": z,
                "r_hat": found.r_hat[i],
                "rungs": len(found.ladder.beta),
            }
        )
    return rows
