"""Steps for an independent sample by the number of points, on substitutes of figure 3.

Graepel and Herbrich (2001), sections 1 and 6. The paper publishes no experiment for this.
"""

import numpy as np

from transductive.kernels import gram_matrix
from transductive.version_space import WhitenedPoints
from transductive.version_space.mixing import mixing

from ...runner import crossed, experiment
from ...runner.companions import options
from .diversity import GAMMA
from .first_states import AS_PRINTED, states
from .surrogates import substitute

SIZES = (50, 100, 200, 400)
NOISE = 0.1
N_STEPS, N_DISCARDED = 10_000, 1_000


@experiment(
    "kernel_gibbs_sampler/growth",
    version=1,
    page="mixing",
    title="Autocorrelation time of the training errors against the number of points",
    open_choices=("surrogate", "direction"),
    units=crossed(draw={"smoke": 1, "paper": 100, "full": 100}, m=SIZES),
    agreement=dict.fromkeys(("rank", "log_time", "mean_errors"), "chaotic"),
)
def autocorrelation_time(key, params, data, rng):
    """One row: autocorrelation time of one chain's training errors."""
    m = key["m"]
    X, y = substitute(params["surrogate"], m, rng)
    points = WhitenedPoints.from_gram(gram_matrix(X, gamma=GAMMA))
    visited = states(points, y, NOISE, N_STEPS, rng, AS_PRINTED | params)[N_DISCARDED:]
    errors = (visited @ (y[:, None] * points.coordinates).T <= 0).sum(axis=1)
    steps = len(errors) / mixing(errors[None, :, None].astype(float)).least_ess
    return [
        {"rank": points.rank, "log_time": float(np.log(steps)), "mean_errors": float(errors.mean())}
    ]


options("kernel_gibbs_sampler/growth", keep=lambda key: key["draw"] < 25)
