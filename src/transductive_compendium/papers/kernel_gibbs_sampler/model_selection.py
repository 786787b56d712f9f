"""Kernel width and label noise chosen by the evidence.

Graepel and Herbrich (2001), section 4 (evidence estimation for model selection).
"""

import numpy as np

from transductive.kernels import gram_matrix, rbf_gamma
from transductive.version_space import GibbsChains, WhitenedPoints

from ...runner import crossed, experiment
from .chains import chain_seed
from .evidence_estimates import (
    N_SAMPLES,
    N_SELECTION,
    THIN,
    evidence_of,
    flip_exactly,
    training_sample,
)

WIDTHS = {
    "crescents": (0.25, 0.5, 1.0, 2.0, 4.0, 8.0),
    "thyroid": (0.25, 0.5, 1.0, 2.0, 4.0, 8.0),
    "heart": (1.0, 2.0, 4.0, 8.0, 16.0, 32.0),
}
NOISE_LEVELS = (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3)
FLIP_RATES = (0.0, 0.05, 0.1, 0.2)


@experiment(
    "kernel_gibbs_sampler/model_selection",
    version=1,
    title="Kernel width and label noise chosen by the evidence",
    datasets=("thyroid", "heart"),
    parameters={"n_samples": N_SAMPLES, "thin": THIN},
    units=crossed(
        split={"smoke": 1, "paper": 8, "full": 30},
        flip_rate=FLIP_RATES,
        dataset=WIDTHS,
        smoke=1,
    ),
    agreement=dict.fromkeys(("log_evidence", "error", "r_hat", "test_error"), "chaotic"),
)
def evidence_and_error_over_grid(key, params, data, rng):
    """Estimated log evidence and test error of the Bayes point, a row for each width and q."""
    data_rng = np.random.default_rng([3, key["split"]])
    X, y, X_test, y_test = training_sample(
        key["dataset"], key["split"], N_SELECTION, data, data_rng
    )
    y = flip_exactly(y, round(key["flip_rate"] * N_SELECTION), data_rng)
    rows = []
    for sigma in WIDTHS[key["dataset"]]:
        gamma = rbf_gamma(sigma)
        points = WhitenedPoints.from_gram(gram_matrix(X, gamma=gamma))
        new = points.transform(gram_matrix(X_test, X[points.pivots], gamma=gamma))
        found = evidence_of(
            points, NOISE_LEVELS, rng, signs=y, n_samples=params["n_samples"], thin=params["thin"]
        )
        for i, q in enumerate(NOISE_LEVELS):
            chains = GibbsChains(points, q, signs=y, random_state=chain_seed(rng))
            centre = chains.run(250, thin=params["thin"], burn_in=100 * params["thin"]).mean
            rows.append(
                {
                    "sigma": sigma,
                    "q": q,
                    "log_evidence": found.log_evidence[i],
                    "error": found.error[i],
                    "r_hat": found.r_hat[i],
                    "test_error": float(np.mean((new @ centre > 0) != (y_test > 0))),
                }
            )
    return rows
