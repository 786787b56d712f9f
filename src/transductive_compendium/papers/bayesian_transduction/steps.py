"""Steps 1 to 3 of the billiard, and the text's statements about them, one by one.

Graepel et al. (2000), sections 1 to 3; kernels of random points, exact where possible.
"""

from __future__ import annotations

import numpy as np

from transductive.kernels import gram_matrix
from transductive.version_space import FeatureSpan
from transductive.version_space.start import max_margin_point

from ...exact.volumes import probability_positive
from ...runner import crossed, experiment
from .printed_billiard import draw_direction, fly

# A version space in 3 dimensions near a plane triangle, and three working points that each cut off
# a corner with less than half of it: no function votes as (6) does.
CORNER = 0.3
#: Directions tried in each sample for the order of the walls.
DIRECTIONS = 5


class _Script:
    """Directions drawn once and returned again in the same order."""

    def __init__(self, directions):
        self._rest = iter(directions)

    def uniform(self, low, high, size):
        return next(self._rest)


def _literally(gram, column, w, directions, n_bounces):
    """p+ of one point by steps 2 and 3: its wall stops the ball and lets it through."""
    l = len(gram)
    full = np.hstack([gram, column[:, None]])
    directions = iter(directions)

    def drawn():
        v = next(directions)
        return v / np.sqrt(v @ gram @ v)

    w, v = w / np.sqrt(w @ gram @ w), drawn()
    times = {True: 0.0, False: 0.0}
    bounces, last, wall = 0, -1, -1
    segments = []
    while bounces < n_bounces:
        s, t = w @ full, v @ full
        with np.errstate(divide="ignore", invalid="ignore"):
            tau = -s / t
        tau[~(tau > 0)] = np.inf
        if last >= 0:
            tau[last] = np.inf
        if wall == l:
            tau[l] = np.inf
        if not np.isfinite(tau[:l].min()):
            v = drawn()
            while last >= 0 and gram[last] @ v <= 0:
                v = drawn()
            wall = last
            continue
        wall = int(np.argmin(tau))
        landed = w + tau[wall] * v
        landed = landed / np.sqrt(landed @ gram @ landed)
        gap = landed - w
        arc = 2.0 * np.arcsin(min(np.sqrt(max(gap @ gram @ gap, 0.0)) / 2.0, 1.0))
        label = bool((w + landed) @ column > 0)
        times[label] += arc
        segments.append((w, v, tau[wall], label))
        w = landed
        if wall < l:
            v = v.copy()
            v[wall] -= 2.0 * (gram[wall] @ v)
            last, bounces = wall, bounces + 1
    return times[True] / (times[True] + times[False]), segments


def _labels_of_inner_points(segments, column):
    """Share of inner points of segments that have the segment's label."""
    right = [
        (column @ (w + x * tau * v) > 0) == label
        for w, v, tau, label in segments
        for x in np.linspace(0.0, 1.0, 22)[1:-1]
    ]
    return float(np.mean(right))


def _sorted_alike(gram, w, v):
    """Whether the walls ahead have the same order by flight time and by arc."""
    s, t = gram @ w, gram @ v
    ahead = np.flatnonzero(t < 0)
    tau = -s[ahead] / t[ahead]
    points = w + tau[:, None] * v
    cosine = (points @ gram @ w) / np.sqrt(np.einsum("ij,jk,ik->i", points, gram, points))
    return bool((np.argsort(tau) == np.argsort(-cosine)).all())


def _fly_in_features(walls, point, W, directions, n_bounces):
    """Segments by steps 2 and 3 on explicit vectors; `point` stops the ball and lets it through."""
    directions = iter(directions / np.linalg.norm(directions, axis=1, keepdims=True))
    W, V = W / np.linalg.norm(W), next(directions)
    bounces, last, stopped, segments = 0, None, False, []
    while bounces < n_bounces:
        ahead = [(-(x @ W) / (x @ V), i) for i, x in enumerate(walls) if i != last and x @ V < 0]
        if not ahead:
            V = next(directions)
            while last is not None and walls[last] @ V <= 0:
                V = next(directions)
            stopped = False
            continue
        tau, wall = min(ahead)
        at_point = -(point @ W) / (point @ V)
        stopped = not stopped and 0 < at_point < tau
        tau = at_point if stopped else tau
        landed = (W + tau * V) / np.linalg.norm(W + tau * V)
        segments.append((W, V, tau, bool((W + landed) @ point > 0)))
        W = landed
        if not stopped:
            V = V - 2.0 * (walls[wall] @ V) * walls[wall]
            last, bounces = wall, bounces + 1
    return segments


def _in_features(rng, n_bounces=40):
    """Largest difference of a run by coefficients from one in explicit features."""
    X = rng.standard_normal((13, 6))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    labels = rng.choice([-1.0, 1.0], 13)
    # the homogeneous quadratic kernel and its features; the last point is a test point
    kernel = (X @ X.T) ** 2 * np.outer(labels, labels)
    features = labels[:, None] * np.array([np.outer(x, x).ravel() for x in X])
    gram, column, walls, point = kernel[:-1, :-1], kernel[:-1, -1], features[:-1], features[-1]
    w = max_margin_point(FeatureSpan(gram), 12)
    directions = rng.uniform(-1.0, 1.0, (400, 12))
    _, by_coefficients = _literally(gram, column, w, directions, n_bounces)
    explicit = _fly_in_features(walls, point, w @ walls, directions @ walls, n_bounces)
    # the flight times are left out: to a wall that is nearly parallel they are ill-conditioned
    worst = [float(len(by_coefficients) != len(explicit))]
    for (w, v, _, label), (W, V, _, same) in zip(by_coefficients, explicit, strict=False):
        worst += [np.abs(w @ walls - W).max(), np.abs(v @ walls - V).max(), label != same]
    return float(max(worst))


def _majority_without_function(rng):
    """Labels (6) of three points, and whether a function of version space has them."""
    # walls and points by their values at the corners of a triangle far from the origin
    corners = np.array([[1.0, 0.0, 20.0], [-0.5, 0.866, 20.0], [-0.5, -0.866, 20.0]])
    barycentric = np.linalg.inv(corners.T)
    walls = barycentric
    # each point is positive where its coordinate exceeds CORNER: less than half of the triangle
    points = barycentric - CORNER * barycentric.sum(axis=0)
    shares = [probability_positive(walls, point).value for point in points]
    labels = np.where(np.array(shares) > 0.5, 1.0, -1.0)
    w = np.abs(rng.standard_normal((20_000, 3))) @ corners
    inside = ((w @ points.T > 0) == (labels > 0)).all(axis=1)
    return bool((labels < 0).all() and not inside.any())


@experiment(
    "bayesian_transduction/steps",
    version=2,
    title="Steps 1 to 3 of the billiard, and what the text says of them",
    units=crossed(sample={"smoke": 5, "paper": 200, "full": 200}),
    agreement=dict.fromkeys(("one_trajectory", "escapes", "volume"), "chaotic"),
)
def errors_of_the_steps(key, params, data, rng):
    """One row: by how much one random sample departs from each statement."""
    l, m = 25, 6
    X = rng.standard_normal((l + m, 4))
    y = np.where(X[:l] @ rng.standard_normal(4) > 0, 1.0, -1.0)
    K = gram_matrix(X, gamma=0.25)
    gram, cross = K[:l, :l] * np.outer(y, y), K[:l, l:] * y[:, None]
    span = FeatureSpan(gram)
    w = max_margin_point(span, l)
    w = w / span.norm(w)
    directions = rng.uniform(-1.0, 1.0, (400, l))
    together = fly(span, cross, w, 60, "as_printed", "coefficients", _Script(directions))
    alone = [_literally(gram, column, w, directions, 60) for column in cross.T]
    # a random pair of unit vectors, and a reflection at a random wall
    a, v = (draw_direction(span, "isotropic", rng) for _ in range(2))
    cosine, gap = a @ gram @ v, a - v
    turned, wall = v.copy(), int(rng.integers(l))
    turned[wall] -= 2.0 * (gram[wall] @ v)
    # the uniform prior on the sphere, of a triangle and a point
    corner = rng.standard_normal((3, 3))
    walls = corner * np.sign(corner @ corner.mean(axis=0))[:, None]
    point = rng.standard_normal(3)
    drawn = rng.standard_normal((40_000, 3))
    drawn = drawn[(drawn @ walls.T > 0).all(axis=1)]
    share = float(np.mean(drawn @ point > 0)) if len(drawn) else np.nan
    exact = probability_positive(walls, point).value
    spread = np.sqrt(max(exact * (1 - exact), 1e-4) / max(len(drawn), 1))
    return [
        {
            "one_trajectory": float(np.abs(together.time_ratio() - [p for p, _ in alone]).max()),
            "escapes": together.escapes,
            "segment_labels": min(
                _labels_of_inner_points(segments, column)
                for (_, segments), column in zip(alone, cross.T, strict=True)
            ),
            "sorted_alike": int(all(_sorted_alike(gram, w, d) for d in directions[:DIRECTIONS])),
            "arc_error": float(abs(np.arccos(cosine) - np.arccos(1.0 - gap @ gram @ gap / 2.0))),
            "mirror_error": float(
                max(
                    abs(gram[wall] @ turned + gram[wall] @ v),
                    abs(np.sqrt(turned @ gram @ turned) - np.sqrt(v @ gram @ v)),
                )
            ),
            "coefficients_error": _in_features(rng),
            "volume": float((share - exact) / spread) if len(drawn) > 100 else np.nan,
            "votes_of_no_function": int(_majority_without_function(rng)),
        }
    ]
