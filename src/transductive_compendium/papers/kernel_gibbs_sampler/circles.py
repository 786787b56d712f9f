"""Figure 2: a step of the sampler on its great circle, and the error counts of many steps.

The Kernel Gibbs Sampler, section 3, steps 2 to 8.
"""

from __future__ import annotations

import numpy as np

from transductive.version_space import FeatureSpan, GibbsChains
from transductive.version_space._gibbs import circle
from transductive.version_space._gibbs_reference import (
    as_printed,
    gibbs_step,
    hit_angles,
    training_errors,
)
from transductive.version_space.gibbs import inverse_temperature

from ...datasets.generators import separable_sphere
from ...runner.declaration import Experiment, crossed, register
from ...runner.parameters import Parameter
from .posterior import FLIP_RATE, folded_points


def _chain(folded, q, rng):
    seed = np.random.SeedSequence(rng.integers(2**63))
    return GibbsChains(folded, q, n_chains=1, random_state=seed)


# ---- figure 2 -----------------------------------------------------------------------------------


def _run_figure_2(key, params, data, rng):
    problem = separable_sphere(params["n_train"], 3, seed=params["problem"])
    labels = problem.y.copy()
    labels[0] *= -1  # a flipped label, and no weight vector with zero training error
    folded = labels[:, None] * problem.X
    # so few steps that rounding cannot yet send the chain elsewhere
    w = _chain(folded, params["q"], rng).run(1, burn_in=20).positions[0, 0]
    span = FeatureSpan(folded @ folded.T)
    a = np.linalg.lstsq(folded.T, w, rcond=None)[0]
    b = span.random_tangent(a, rng)
    v = b @ folded
    step = gibbs_step(span, a, params["q"], rng, direction=b)

    after = np.r_[step.angles[1:], step.angles[0] + 2.0 * np.pi]
    mass = np.exp(-inverse_temperature(params["q"]) * step.errors)
    density = mass / (mass @ (after - step.angles))
    # which points' circles are crossed where
    order = np.argsort(hit_angles(folded @ w, folded @ v))
    rows = [
        _row("point", i, x, label=int(label))
        for i, (x, label) in enumerate(zip(problem.X, labels, strict=True))
    ]
    rows += [
        _row("hit", i % len(folded), _on_circle(angle, w, v), start=angle)
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
        _row("draw", 0, step.position @ folded, start=step.angle),
    ]


def _on_circle(angle, w, v):
    return np.cos(angle) * w + np.sin(angle) * v


def _row(kind, index, place=(np.nan,) * 3, label=0, **of_arc):
    x, y, z = map(float, place)
    arc = dict.fromkeys(("start", "stop", "errors", "density"), np.nan)
    arc |= {name: float(value) for name, value in of_arc.items()}
    return {"kind": kind, "index": int(index), "x": x, "y": y, "z": z, "label": label} | arc


register(
    Experiment(
        name="kernel_gibbs_sampler/figure_2",
        version=1,
        title="One step on its great circle: hit angles, training errors, density, draw",
        parameters={
            "n_train": Parameter(8, int, "training points", minimum=4),
            "problem": Parameter(5, int, "seed of the toy problem", minimum=0),
            "q": Parameter(0.1, float, "label noise", exclusive_minimum=0.0, exclusive_maximum=0.5),
        },
        units=crossed(step={"smoke": 1, "paper": 1, "full": 10}),
        run_unit=_run_figure_2,
    )
)


# ---- error counts -------------------------------------------------------------------------------


def _run_steps(key, params, data, rng):
    m, n = key["m"], params["n_steps"]
    folded = folded_points("uniform", m, FLIP_RATE, rng)
    positions = _chain(folded, params["q"], rng).run(n, burn_in=100).positions[0]
    apart = angle_apart = printed_wrong = printed_off = turns = negative = 0.0
    for w in positions:
        v = rng.standard_normal(3)
        v -= (v @ w) * w
        s, t = folded @ w, folded @ v / np.linalg.norm(v)
        ours, counted = circle(s, t)
        angles = np.sort(hit_angles(s, t))
        middles = 0.5 * (angles + np.r_[angles[1:], angles[0] + 2.0 * np.pi])
        recount = training_errors(s, t, middles)
        # the arcs of the first half turn, then those opposite
        increments = np.r_[counted[1:], m - counted[1:]]
        apart = max(apart, np.abs(increments - recount).max())
        angle_apart = max(angle_apart, np.abs(np.r_[ours, ours + np.pi] - angles).max())
        printed = training_errors(s, t, as_printed(angles))
        printed_wrong += np.mean(printed != recount) / n
        printed_off += np.mean(np.abs(printed - recount)) / n
        # steps 3 and 4 as printed, to the letter
        b_w, b_v = 1.0 / np.hypot(1.0, s / t), -(s / t) / np.hypot(1.0, s / t)
        first = -np.sign(b_v) * np.arccos(b_w)
        zeta = np.r_[first, (first + np.pi) % (2.0 * np.pi)]
        turns = max(turns, np.ptp(zeta) / (2.0 * np.pi))
        negative += np.mean(zeta < 0.0) / n
    return [
        {
            "arcs": 2 * m * n,
            "largest_difference": int(apart),
            "largest_angle_difference": float(angle_apart),
            "printed_wrong": float(printed_wrong),
            "printed_difference": float(printed_off),
            "printed_turns": float(turns),
            "printed_negative": float(negative),
        }
    ]


register(
    Experiment(
        name="kernel_gibbs_sampler/steps",
        version=2,
        title="Error counts by increments against a recount, and as printed",
        parameters={
            "n_steps": Parameter(100, int, "steps of each chain", minimum=1),
            "q": Parameter(0.2, float, "label noise", minimum=0.0, maximum=0.5),
        },
        units=crossed(sample={"smoke": 1, "paper": 20, "full": 100}, m=(10, 100, 1000)),
        run_unit=_run_steps,
        # the chain takes another way after any change of rounding
        agreement={
            "largest_angle_difference": 1e-9,
            "printed_wrong": 0.1,
            "printed_difference": "ignore",
            "printed_turns": 0.3,
            "printed_negative": 0.2,
        },
    )
)
