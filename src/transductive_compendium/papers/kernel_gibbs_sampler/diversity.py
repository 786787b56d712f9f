"""How diverse sampled classifiers are, by assumed label noise.

Graepel and Herbrich (2000), section 5 and figure 3.
"""

import numpy as np

from transductive.version_space.active_learning import binary_entropy

from ...runner import Parameter, crossed, experiment
from .chains import fitted_sampler
from .crescents import FIGURE_3_KERNEL, N_POINTS, crescents


@experiment(
    "kernel_gibbs_sampler/diversity",
    version=1,
    title="Disagreement and entropy of sampled classifiers by assumed label noise",
    parameters={"thin": Parameter(100, int, "steps from sample to sample", minimum=1)},
    units=crossed(draw={"smoke": 1, "paper": 20, "full": 100}, q=(0.0, 0.05, 0.1, 0.2, 0.3)),
    agreement={
        "disagreement_training": 0.01,
        "entropy_training": 0.025,
        "disagreement_plane": 0.01,
        "entropy_plane": 0.02,
        "training_error": 0.006,
        "test_error": 0.01,
        "r_hat": "ignore",
        "ess": "ignore",
    },
)
def run_sampler(key, params, data, rng):
    # every q sees the same points
    data_rng = np.random.default_rng([3, key["draw"]])
    X, y = crescents(N_POINTS, data_rng)
    X_test, y_test = crescents(1000, data_rng)
    corner, opposite = X.min(axis=0), X.max(axis=0)
    axes = (np.linspace(a, b, 30) for a, b in zip(corner, opposite, strict=True))
    plane = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
    # version space is where the chain is slowest
    thin = params["thin"] * (4 if key["q"] == 0.0 else 1)
    gibbs = fitted_sampler(X, y, rng, q=key["q"], thin=thin, **FIGURE_3_KERNEL)
    row = {}
    for where, points in (("training", X), ("plane", plane)):
        p = gibbs.predict_proba(points)[:, 1]
        row[f"disagreement_{where}"] = float(np.mean(2.0 * p * (1.0 - p)))
        row[f"entropy_{where}"] = float(np.mean(binary_entropy(p)))
    return [
        row
        | {
            "training_error": float(gibbs.samples_.errors.mean() / N_POINTS),
            "test_error": float(np.mean(gibbs.predict(X_test) != y_test)),
            "r_hat": gibbs.r_hat_,
            "ess": gibbs.ess_,
        }
    ]
