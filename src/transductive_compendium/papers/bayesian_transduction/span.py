"""p+ when the ball moves in the span of the training points, and in the joint span.

Graepel et al. (2000), section 3.2.
"""

from __future__ import annotations

import numpy as np

from transductive._exact.volumes import cone_volume
from transductive.kernels import gram_matrix
from transductive.version_space import KernelBilliard

from ...runner import Parameter, crossed, experiment


@experiment(
    "bayesian_transduction/span",
    version=2,
    title="p+ when the ball moves in the span of the training points, and in the joint span",
    parameters={"n_bounces": Parameter(5000, int, "events of each ball", minimum=100)},
    units=crossed(sample={"smoke": 2, "paper": 40, "full": 400}),
    agreement=dict.fromkeys(
        ("train", "joint", "train_error", "joint_error", "joint_exact", "joint_exact_error"),
        "chaotic",
    ),
)
def p_plus_in_both_spans(key, params, data, rng):
    """One row: p+ of one point in the training span and in the joint span, and exactly."""
    l = 20
    X = rng.uniform(-2.0, 2.0, size=(l + 1, 2))
    y = np.where(X[:l, 0] > 0, 1.0, -1.0)
    K = gram_matrix(X, gamma=0.5)
    signs = np.r_[y, 1.0]
    signed = K * np.outer(signs, signs)
    seed = np.random.SeedSequence(rng.integers(2**63))
    row = {}
    for span, size in (("train", l), ("joint", l + 1)):
        billiard = KernelBilliard(
            signed[:size, :size], l, refresh=np.pi, n_starts=8, random_state=seed
        )
        times = billiard.run(params["n_bounces"]).flight_times(signed[:size, l:])
        row[span] = float(times.probability[0])
        row[f"{span}_error"] = float(times.standard_error("chain")[0])
    # in the joint span p+ is a ratio of two Gaussian orthant probabilities
    whole = cone_volume(gram=signed[:l, :l])
    part = cone_volume(gram=signed)
    row["joint_exact"] = part.value / whole.value
    row["joint_exact_error"] = row["joint_exact"] * float(
        np.hypot(part.error / part.value, whole.error / whole.value)
    )
    # the working point's height over the training span, as a fraction of its length
    inside = np.linalg.solve(signed[:l, :l], signed[:l, l])
    row["outside"] = float(np.sqrt(max(0.0, 1.0 - inside @ signed[:l, l] / signed[l, l])))
    return [row]
