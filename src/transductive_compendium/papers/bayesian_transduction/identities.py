"""One trajectory serves all working points; the SVM is the centre of the largest ball.

Graepel et al. (2000), section 3.2.
"""

from __future__ import annotations

import numpy as np

from transductive.kernels import gram_matrix
from transductive.version_space import FeatureSpan, KernelBilliard
from transductive.version_space.start import chord_walk, max_margin_point

from ...runner import crossed, experiment


@experiment(
    "bayesian_transduction/identities",
    version=3,
    title="One trajectory serves all points; the SVM is the centre of the largest ball",
    units=crossed(sample={"smoke": 5, "paper": 50, "full": 50}),
    agreement={
        "radius": 1e-6,
        "best_rival": 1e-4,
        "one_trajectory": 1e-6,
        # of a velocity drawn in LAPACK's eigenbasis, whose signs are the processor's own
        "speed_as_printed": "chaotic",
    },
)
def errors_of_identities(key, params, data, rng):
    """One row: by how much one random sample departs from the identities."""
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
