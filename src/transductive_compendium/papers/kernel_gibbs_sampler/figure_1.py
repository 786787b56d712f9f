"""Figure 1: the log posterior density on the sphere in R^3.

Graepel and Herbrich (2001), section 2. The longitude is the azimuth, in [0, 2 pi], and the latitude
the polar angle, in [0, pi]: so the teacher's (pi/2, pi) is the pole at the upper edge of the map.
"""

import numpy as np
from scipy.special import xlog1py, xlogy

from ...exact.arrangement import Arrangement
from ...runner import Parameter, experiment
from .sphere_points import ASSUMED_NOISE, FLIP_RATE, LAWS, signed_points


@experiment(
    "kernel_gibbs_sampler/figure_1",
    version=2,
    title="Log posterior density over longitude and latitude, 10 and 1000 points",
    parameters={
        "q": ASSUMED_NOISE,
        "resolution": Parameter(45, int, "fields of the map along the latitude", minimum=2),
    },
    units=lambda params, profile: [{"points": law, "m": m} for m in (10, 1000) for law in LAWS],
)
def log_posterior_map(key, params, data, rng):
    """Log posterior density and training errors, a row for each field of the map."""
    q, m = params["q"], key["m"]
    signed = signed_points(key["points"], m, FLIP_RATE, rng, "pole")
    evidence = Arrangement(signed).log_evidence(q)
    n = params["resolution"]
    # centres of the map's fields
    longitude, latitude = np.meshgrid(
        (np.arange(2 * n) + 0.5) * np.pi / n, (np.arange(n) + 0.5) * np.pi / n, indexing="ij"
    )
    W = np.stack(
        [
            np.sin(latitude) * np.cos(longitude),
            np.sin(latitude) * np.sin(longitude),
            np.cos(latitude),
        ],
        axis=-1,
    )
    errors = np.sum(W @ signed.T <= 0.0, axis=-1)
    log_posterior = xlogy(errors, q) + xlog1py(m - errors, -q) - evidence
    return [
        {"longitude": float(a), "latitude": float(b), "errors": int(k), "log_posterior": float(p)}
        for a, b, k, p in zip(
            longitude.flat, latitude.flat, errors.flat, log_posterior.flat, strict=True
        )
    ]
