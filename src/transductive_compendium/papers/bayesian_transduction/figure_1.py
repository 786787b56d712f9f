"""Figure 1: data space and parameter space of a toy example, and the ball in version space.

Graepel et al. (2000), section 3.1.
"""

from __future__ import annotations

import numpy as np

from transductive.version_space import KernelBilliard

from ...datasets.generators import toy_perceptron
from ...exact.volumes import probability_positive
from ...runner import Parameter, experiment


@experiment(
    "bayesian_transduction/figure_1",
    version=1,
    title="Data space and parameter space of a toy example",
    parameters={
        "problem": Parameter(5, int, "number of the toy problem", minimum=0),
        "n_train": Parameter(6, int, "training points", minimum=2, maximum=200),
        "margin": Parameter(
            0.15,
            float,
            "distance of the points from the teacher's line",
            minimum=0.01,
            maximum=0.5,
        ),
        "n_bounces": Parameter(20_000, int, "events of the billiard", minimum=100),
    },
    units=lambda params, profile: [{"unit": 0}],
    agreement=dict.fromkeys(("x", "y", "z"), "chaotic"),
)
def toy_problem(key, params, data, rng):
    """A row for each point to draw: the sample, the teacher, the ball's corners, p+."""
    problem = toy_perceptron(
        params["n_train"], n_working=1, seed=params["problem"], margin=params["margin"]
    )
    walls = problem.X * problem.y[:, None]
    point = problem.X_working[0]
    exact = probability_positive(walls, point)
    billiard = KernelBilliard(
        walls @ walls.T,
        refresh=np.pi,
        random_state=np.random.SeedSequence(rng.integers(2**63)),
    )
    flown = billiard.run(params["n_bounces"])
    times = flown.flight_times((walls @ point)[:, None], n_batches=20)
    centre = flown.centre_of_mass() @ walls
    rows = [
        {"kind": kind, "index": i, "x": float(x), "y": float(y), "z": float(z), "label": int(label)}
        for kind, points, labels in (
            ("training", problem.X, problem.y),
            ("working", problem.X_working, [0]),
            ("teacher", problem.teacher[None], [0]),
            ("centre of mass", (centre / np.linalg.norm(centre))[None], [0]),
        )
        for i, ((x, y, z), label) in enumerate(zip(points, labels, strict=True))
    ]
    # corners of the trajectory, for the picture: the positions at the first bounces
    shown = KernelBilliard(walls @ walls.T, random_state=1).run(30)
    w, v = shown.positions[0] @ walls, shown.velocities[0] @ walls
    for i, (arc, wall, impulse) in enumerate(
        zip(shown.arcs, shown.walls, shown.impulses, strict=True)
    ):
        rows.append(_point("ball", i, w))
        w, v = np.cos(arc) * w + np.sin(arc) * v, np.cos(arc) * v - np.sin(arc) * w
        v = v + impulse * walls[wall]
    rows.append(_point("ball", len(shown.arcs), w))
    error = float(times.standard_error()[0])
    rows.append(
        {"kind": "p_plus", "index": 0, "x": exact.value, "y": float(times.probability[0])}
        | {"z": error, "label": 0}
    )
    return rows


def _point(kind, index, w):
    x, y, z = map(float, w)
    return {"kind": kind, "index": index, "x": x, "y": y, "z": z, "label": 0}
