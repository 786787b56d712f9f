"""Figure 2: one step of the sampler on its great circle.

Graepel and Herbrich (2001), section 3, steps 2 to 8.
"""

import numpy as np

from transductive.version_space import FeatureSpan
from transductive.version_space.gibbs import inverse_temperature

from ...datasets.generators import separable_sphere
from ...exact.gibbs_reference import gibbs_step, hit_angles
from ...runner import Parameter, crossed, experiment
from .chains import single_chain


def _on_circle(angle, w, v):
    return np.cos(angle) * w + np.sin(angle) * v


def _row(kind, index, place=(np.nan,) * 3, label=0, **of_arc):
    x, y, z = map(float, place)
    arc = dict.fromkeys(("start", "stop", "errors", "density"), np.nan)
    arc |= {name: float(value) for name, value in of_arc.items()}
    return {"kind": kind, "index": int(index), "x": x, "y": y, "z": z, "label": label} | arc


@experiment(
    "kernel_gibbs_sampler/figure_2",
    version=1,
    title="One step on its great circle: hit angles, training errors, density, new position",
    parameters={
        "n_train": Parameter(8, int, "training points", minimum=4),
        "problem": Parameter(5, int, "seed of the toy problem", minimum=0),
        "q": Parameter(0.1, float, "label noise", exclusive_minimum=0.0, exclusive_maximum=0.5),
    },
    units=crossed(step={"smoke": 1, "paper": 1, "full": 10}),
)
def one_step(key, params, data, rng):
    """Points, hit points and arcs of one step's great circle, and the new position."""
    problem = separable_sphere(params["n_train"], 3, seed=params["problem"])
    labels = problem.y.copy()
    labels[0] *= -1  # a flipped label, and no weight vector with zero training error
    signed = labels[:, None] * problem.X
    # so few steps that a change of rounding cannot yet lead the chain elsewhere
    w = single_chain(signed, params["q"], rng).run(1, burn_in=20).positions[0, 0]
    span = FeatureSpan(signed @ signed.T)
    a = np.linalg.lstsq(signed.T, w, rcond=None)[0]
    b = span.random_tangent(a, rng)
    v = b @ signed
    step = gibbs_step(span, a, params["q"], rng, direction=b)

    after = np.r_[step.angles[1:], step.angles[0] + 2.0 * np.pi]
    mass = np.exp(-inverse_temperature(params["q"]) * step.errors)
    density = mass / (mass @ (after - step.angles))
    # which points' circles are crossed where
    order = np.argsort(hit_angles(signed @ w, signed @ v))
    rows = [
        _row("point", i, x, label=int(label))
        for i, (x, label) in enumerate(zip(problem.X, labels, strict=True))
    ]
    rows += [
        _row("hit", i % len(signed), _on_circle(angle, w, v), start=angle)
        for i, angle in zip(order, step.angles, strict=True)
    ]
    rows += [
        _row("arc", i, start=start, stop=stop, errors=k, density=p)
        for i, (start, stop, k, p) in enumerate(
            zip(step.angles, after, step.errors, density, strict=True)
        )
    ]
    return [
        *rows,
        _row("position", 0, w),
        _row("direction", 0, v),
        _row("draw", 0, step.position @ signed, start=step.angle),
    ]
