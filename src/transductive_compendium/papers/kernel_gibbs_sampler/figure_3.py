"""Figure 3: sampled classifiers in the plane.

Graepel and Herbrich (2000), section 5, first experiment.
"""

import numpy as np

from ...runner import Parameter, UnitMean, experiment
from .chains import fitted_sampler
from .crescents import FIGURE_3_KERNEL, N_POINTS, crescents

N_SAMPLES = 50


@experiment(
    "kernel_gibbs_sampler/figure_3",
    version=1,
    title="Fifty sampled classifiers in the plane, by assumed label noise",
    parameters={
        "thin": Parameter(400, int, "steps from sample to sample", minimum=1),
        "problem": Parameter(0, int, "seed of the points", minimum=0),
    },
    units=lambda params, profile: [
        {"q": q} for q in (0.2, 0.1, 0.0)[: 1 if profile == "smoke" else None]
    ],
    agreement={"output": UnitMean(0.03), "r_hat": "ignore", "ess": "ignore"},
)
def run_sampler(key, params, data, rng):
    X, y = crescents(N_POINTS, np.random.default_rng(params["problem"]))
    gibbs = fitted_sampler(X, y, rng, q=key["q"], thin=params["thin"], **FIGURE_3_KERNEL)
    outputs = gibbs.samples_.outputs(gibbs.points_.coordinates).reshape(-1, N_POINTS)
    shown = outputs[:: len(outputs) // N_SAMPLES]
    blank = dict.fromkeys(("x1", "x2", "output", "r_hat", "ess"), np.nan)
    rows = [
        {"kind": "point", "sample": 0, "point": i, "label": int(label)}
        | blank
        | {"x1": float(x[0]), "x2": float(x[1])}
        for i, (x, label) in enumerate(zip(X, y, strict=True))
    ]
    rows += [
        {"kind": "sample", "sample": j, "point": i, "label": 0} | blank | {"output": float(f)}
        for j, sample in enumerate(shown)
        for i, f in enumerate(sample)
    ]
    chain = {"kind": "chain", "sample": 0, "point": 0, "label": 0} | blank
    return [*rows, chain | {"r_hat": gibbs.r_hat_, "ess": gibbs.ess_}]
