"""Figure 1, the finitely many cells, and two identities of section 3.

Document 1: figure 1; section 2, footnote 1; section 3.2.
"""

from __future__ import annotations

import numpy as np

from transductive._exact.labellings import count_cells, count_labellings, cover_number
from transductive._exact.volumes import probability_positive
from transductive.kernels import gram_matrix
from transductive.version_space import FeatureSpan, KernelBilliard
from transductive.version_space.start import chord_walk, max_margin_point

from ...datasets.generators import separable_sphere, toy_perceptron
from ...runner.declaration import Experiment, crossed, register
from ...runner.parameters import Parameter


def _run_figure_1(key, params, data, rng):
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


register(
    Experiment(
        name="bayesian_transduction/figure_1",
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
        run_unit=_run_figure_1,
        agreement={"x": 0.02, "y": 0.02, "z": 0.02},
    )
)


# ---- cells --------------------------------------------------------------------------------------


def _run_cells(key, params, data, rng):
    n_points, dimension = key["points"], key["dimension"]
    X = rng.standard_normal((n_points, dimension))
    degenerate = X.copy()
    # three points on one great circle: no longer in general position from dimension 3 on
    degenerate[-1] = degenerate[0] + degenerate[1]
    train = max(1, n_points // 2)
    teacher = rng.standard_normal(dimension)
    y = np.where(X[:train] @ teacher > 0, 1, -1)
    return [
        {
            "cells": count_cells(X),
            "cover": cover_number(n_points, dimension),
            "cells_degenerate": count_cells(degenerate),
            "labellings_in_version_space": count_labellings(X[:train], X[train:], y),
            "growth_function": cover_number(n_points - train, dimension),
            "all_labellings": 2 ** (n_points - train),
        }
    ]


_CELL_SIZES = [(n, d) for d in (2, 3, 4) for n in range(d, 11)]

register(
    Experiment(
        name="bayesian_transduction/cells",
        version=1,
        title="The finitely many equivalence classes, counted",
        units=lambda params, profile: [
            {"points": n, "dimension": d}
            for n, d in (_CELL_SIZES[:6] if profile == "smoke" else _CELL_SIZES)
        ],
        run_unit=_run_cells,
    )
)


# ---- identities ---------------------------------------------------------------------------------


def _run_identities(key, params, data, rng):
    l, m = 30, 12
    X = rng.standard_normal((l + m, 4))
    y = np.where(X[:l] @ rng.standard_normal(4) > 0, 1.0, -1.0)
    K = gram_matrix(X, gamma=0.25)
    gram = K[:l, :l] * np.outer(y, y)
    cross = K[:l, l:] * y[:, None]
    billiard = KernelBilliard(gram, random_state=np.random.SeedSequence(rng.integers(2**63)))
    flown = billiard.run(30)
    together = flown.flight_times(cross).probability
    w, v = flown.positions[0], flown.velocities[0]
    alone = [_one_at_a_time(gram, cross[:, j], w, v, 30) for j in range(m)]
    # the ball around w reaches the nearest wall, at the smallest margin over |x| = 1
    span = FeatureSpan(gram)
    centre = max_margin_point(span, l)
    centre = centre / span.norm(centre)
    radius = float((gram @ centre).min())
    rivals = [chord_walk(span, l, centre, steps, rng) for steps in (1, 1, 1, 2, 5, 20)]
    rivals += [centre + 1e-3 * span.random_tangent(centre, rng) for _ in range(20)]
    best = max(float((gram @ w).min()) / span.norm(w) for w in rivals)
    # optimality certificate: w is a non-negative combination of the walls it touches
    touching = gram @ centre < radius * (1 + 1e-6)
    raised = gram_matrix(X[:l], kernel="poly", gamma=0.25, degree=2) * np.outer(y, y)
    printed, normalised = _speeds_after_bounce(FeatureSpan(raised), rng)
    return [
        {
            "one_trajectory": float(np.abs(together - alone).max()),
            "radius": radius,
            "best_rival": best,
            "certificate": float(max(-centre.min(), np.abs(centre[~touching]).max(initial=0.0))),
            "support_vectors": int(touching.sum()),
            "speed_as_printed": printed,
            "speed_normalised": normalised,
        }
    ]


def _one_at_a_time(gram, column, w, v, n_bounces):
    """p+ by step 3 as printed: the working point's wall stops the ball and lets it through."""
    length = {True: 0.0, False: 0.0}
    bounces, last = 0, None
    while bounces < n_bounces:
        s, t = np.append(gram @ w, column @ w), np.append(gram @ v, column @ v)
        side = s[-1]
        if side < 0.0:
            s[-1], t[-1] = -s[-1], -t[-1]
        s[s < 0.0] = 0.0
        cotangent = -t / np.maximum(s, 1e-300)
        if last is not None:
            cotangent[last] = -np.inf
        hit = int(np.argmax(cotangent))
        arc = np.arctan2(1.0, cotangent[hit])
        landed = np.cos(arc) * w + np.sin(arc) * v
        length[bool((w + landed) @ column > 0.0)] += arc
        v = np.cos(arc) * v - np.sin(arc) * w
        w, last = landed, hit
        if hit < len(gram):
            v = v.copy()
            v[hit] -= 2.0 * (gram[hit] @ v) / gram[hit, hit]
            bounces += 1
    return length[True] / (length[True] + length[False])


def _speeds_after_bounce(span, rng):
    """|v'| for |v| = 1: v' = v - 2 <v, x> x as printed, and with 2 <v, x> / <x, x>."""
    v = span.coefficients(rng.standard_normal(span.rank))
    v = v / span.norm(v)
    wall = int(np.argmax(np.abs(span.gram @ v)))
    speed = (span.gram @ v)[wall]
    lengths = []
    for square in (1.0, span.gram[wall, wall]):
        turned = v.copy()
        turned[wall] -= 2.0 * speed / square
        lengths.append(span.norm(turned))
    return lengths


register(
    Experiment(
        name="bayesian_transduction/identities",
        version=3,
        title="One trajectory serves all points; the SVM is the centre of the largest ball",
        units=crossed(sample={"smoke": 5, "paper": 50, "full": 50}),
        run_unit=_run_identities,
        agreement={
            "radius": 1e-6,
            "best_rival": 1e-4,
            "one_trajectory": 1e-6,
            # of a velocity drawn in LAPACK's eigenbasis, whose signs are the processor's own
            "speed_as_printed": "ignore",
        },
    )
)


# ---- separable sphere: shared with the decisions ------------------------------------------------


def draw_cone(rng, n_train, n_working, dimension):
    """Folded training points and working points, uniform on the sphere, with a teacher."""
    problem = separable_sphere(n_train, dimension, seed=rng, n_working=n_working)
    return problem.X * problem.y[:, None], problem.X_working
