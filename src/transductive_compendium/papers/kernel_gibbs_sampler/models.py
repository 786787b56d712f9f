"""Evidence and test error of kernel widths and noise levels, on substitutes of figure 3.

Graepel and Herbrich (2001), section 4 (evidence estimation). The paper publishes no experiment for
this, and no estimator of the evidence.
"""

import numpy as np

from transductive.kernels import gram_matrix, rbf_gamma
from transductive.version_space import WhitenedPoints

from ...runner import crossed, experiment
from ...runner.companions import options
from .estimates import FROM_PRIOR, N_EVIDENCE, log_evidence
from .first_states import AS_PRINTED, bayes_point, states
from .surrogates import N_POINTS, substitute

WIDTHS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
NOISE_LEVELS = (0.02, 0.05, 0.1, 0.2, 0.3)
N_TEST = 1000


@experiment(
    "kernel_gibbs_sampler/models",
    version=2,
    page="uses",
    title="Evidence and test error by kernel width and noise level",
    open_choices=("surrogate", "evidence"),
    units=crossed(draw={"smoke": 1, "paper": 100, "full": 100}),
    agreement=dict.fromkeys(("log_evidence", "test_error"), "chaotic"),
)
def evidence_and_error(key, params, data, rng):
    """Log evidence and test error of the Bayes point, a row for each width and q."""
    X, y = substitute(params["surrogate"], N_POINTS, rng, N_TEST)
    (X, X_test), (y, y_test) = np.split(X, [N_POINTS]), np.split(y, [N_POINTS])
    prior = FROM_PRIOR[params["evidence"]]
    rows = []
    for sigma in WIDTHS:
        gamma = rbf_gamma(sigma)
        points = WhitenedPoints.from_gram(gram_matrix(X, gamma=gamma))
        new = points.transform(gram_matrix(X_test, X[points.pivots], gamma=gamma))
        signed = y[:, None] * points.coordinates

        def training_errors(visited, signed=signed):
            return (visited @ signed.T <= 0).sum(axis=1)

        if prior:
            from_prior = training_errors(states(points, y, 0.5, N_EVIDENCE, rng, AS_PRINTED))
        for q in NOISE_LEVELS:
            visited = states(points, y, q, N_EVIDENCE, rng, AS_PRINTED)
            errors = from_prior if prior else training_errors(visited)
            decided = np.where(new @ bayes_point(visited) > 0, 1, -1)
            rows.append(
                {
                    "sigma": sigma,
                    "q": q,
                    "log_evidence": log_evidence(errors, N_POINTS, q, params["evidence"]),
                    "test_error": float(np.mean(decided != y_test)),
                }
            )
    return rows


options("kernel_gibbs_sampler/models")
