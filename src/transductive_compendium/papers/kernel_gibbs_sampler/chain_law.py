"""Share of a long chain's steps in each cell against the exact posterior, on points of figure 1.

Graepel and Herbrich (2001), sections 1, 3 and 4. The paper publishes no experiment for this.
"""

import numpy as np

from ...exact.arrangement import Arrangement
from ...runner import Parameter, crossed, experiment
from ...runner.companions import options
from .first_states import AS_PRINTED, states
from .sphere_points import FLIP_RATE, signed_points

N_POINTS = 10
BLOCK = 20_000


@experiment(
    "kernel_gibbs_sampler/chain_law",
    version=1,
    page="law",
    title="Share of steps in each cell of the sphere against the exact posterior",
    parameters={"n_steps": Parameter(200_000, int, "steps of each chain", minimum=BLOCK)},
    open_choices=("angles", "points", "direction"),
    units=crossed(draw={"smoke": 2, "paper": 200, "full": 200}, q=(0.05, 0.2)),
    agreement=dict.fromkeys(("largest", "total_variation"), "chaotic"),
)
def distance_from_posterior(key, params, data, rng):
    """One row: how far the shares of a chain's steps in the cells are from the posterior."""
    # both q see the same points
    points_rng = np.random.default_rng([params["seed"], 1, key["draw"]])
    signed = signed_points(params["points"], N_POINTS, FLIP_RATE, points_rng, params["angles"])
    cells = Arrangement(signed)
    exact, n = cells.posterior(key["q"]), params["n_steps"]
    visited = states(signed, np.ones(N_POINTS), key["q"], n, rng, AS_PRINTED | params)
    counts = np.zeros(len(exact))
    for block in np.array_split(visited, n // BLOCK):
        counts += np.bincount(cells.cell_of(block), minlength=len(exact))
    off = np.abs(counts / n - exact)
    return [
        {"cells": len(exact), "largest": float(off.max()), "total_variation": float(off.sum() / 2)}
    ]


options("kernel_gibbs_sampler/chain_law", keep=lambda key: key["draw"] < 6)
