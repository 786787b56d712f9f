"""Figure 3: sampled classifiers in the plane.

Graepel and Herbrich (2001), section 5, first experiment.
"""

import numpy as np

from transductive.version_space.mixing import mixing

from ...runner import Parameter, experiment
from .diversity import fifty_states
from .first_states import SAMPLES
from .surrogates import N_POINTS, substitute


@experiment(
    "kernel_gibbs_sampler/figure_3",
    version=2,
    title="Fifty sampled classifiers in the plane, by assumed label noise",
    parameters=SAMPLES | {"problem": Parameter(0, int, "seed of the points", minimum=0)},
    open_choices=("surrogate", "samples", "start", "direction", "q_zero"),
    units=lambda params, profile: [
        {"q": q} for q in (0.2, 0.1, 0.0)[: 1 if profile == "smoke" else None]
    ],
    agreement=dict.fromkeys(("output", "r_hat", "ess"), "chaotic"),
)
def fifty_classifiers(key, params, data, rng):
    """Points, outputs of fifty classifiers at each of them, and the chain's diagnostics."""
    data_rng = np.random.default_rng(params["problem"])
    X, y = substitute(params["surrogate"], N_POINTS, data_rng)
    points, found = fifty_states(X, y, key["q"], rng, params)
    shown = found @ points.coordinates.T
    spread = mixing(shown[None, :, :5])
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
    return [*rows, chain | {"r_hat": spread.worst_r_hat, "ess": spread.least_ess}]
