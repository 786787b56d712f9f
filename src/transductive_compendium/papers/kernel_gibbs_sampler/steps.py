"""Error counts of the sampler's steps: by increments, recounted, and as printed.

Graepel and Herbrich (2001), section 3, steps 3 to 6.
"""

import numpy as np

from transductive.version_space._gibbs import circle

from ...exact.gibbs_reference import as_printed, hit_angles, training_errors
from ...runner import Parameter, crossed, experiment
from .chains import single_chain
from .sphere_points import FLIP_RATE, signed_points


@experiment(
    "kernel_gibbs_sampler/steps",
    version=2,
    page="figure_2",
    title="Error counts by increments against a recount, and as printed",
    parameters={
        "n_steps": Parameter(100, int, "steps of each chain", minimum=1),
        "q": Parameter(0.2, float, "label noise", minimum=0.0, maximum=0.5),
    },
    units=crossed(sample={"smoke": 1, "paper": 20, "full": 100}, m=(10, 100, 1000)),
    # the chain takes another way after any change of rounding
    agreement=dict.fromkeys(
        ("printed_wrong", "printed_difference", "printed_turns", "printed_negative"), "chaotic"
    ),
)
def error_counts(key, params, data, rng):
    """One row: differences of the error counts by increments, recounted and as printed."""
    m, n = key["m"], params["n_steps"]
    signed = signed_points("uniform", m, FLIP_RATE, rng, "middle")
    positions = single_chain(signed, params["q"], rng).run(n, burn_in=100).positions[0]
    difference = angle_difference = 0.0
    printed_wrong = printed_difference = turns = negative = 0.0
    for w in positions:
        v = rng.standard_normal(3)
        v -= (v @ w) * w
        s, t = signed @ w, signed @ v / np.linalg.norm(v)
        hits, counted = circle(s, t)
        angles = np.sort(hit_angles(s, t))
        middles = 0.5 * (angles + np.r_[angles[1:], angles[0] + 2.0 * np.pi])
        recount = training_errors(s, t, middles)
        # the arcs of the first half turn, then those opposite
        increments = np.r_[counted[1:], m - counted[1:]]
        difference = max(difference, np.abs(increments - recount).max())
        angle_difference = max(angle_difference, np.abs(np.r_[hits, hits + np.pi] - angles).max())
        printed = training_errors(s, t, as_printed(angles))
        printed_wrong += np.mean(printed != recount) / n
        printed_difference += np.mean(np.abs(printed - recount)) / n
        # steps 3 and 4 exactly as printed
        b_w, b_v = 1.0 / np.hypot(1.0, s / t), -(s / t) / np.hypot(1.0, s / t)
        first = -np.sign(b_v) * np.arccos(b_w)
        zeta = np.r_[first, (first + np.pi) % (2.0 * np.pi)]
        turns = max(turns, np.ptp(zeta) / (2.0 * np.pi))
        negative += np.mean(zeta < 0.0) / n
    return [
        {
            "arcs": 2 * m * n,
            "largest_difference": int(difference),
            "largest_angle_difference": float(angle_difference),
            "printed_wrong": float(printed_wrong),
            "printed_difference": float(printed_difference),
            "printed_turns": float(turns),
            "printed_negative": float(negative),
        }
    ]
