"""Identities and propositions of sections 2 and 3, checked on random small problems.

Graepel and Herbrich (2001), (1) to (3), steps 1 to 9 and the caption of figure 2.
"""

import numpy as np

from transductive.kernels import gram_matrix
from transductive.version_space import FeatureSpan

from ...exact.arrangement import Arrangement
from ...exact.gibbs_reference import gibbs_step, hit_angles, training_errors
from ...runner import crossed, experiment

N_POINTS, DIMENSION = 12, 4


def _likelihood(errors, m, q):
    return q**errors * (1.0 - q) ** (m - errors)


def _unit(x):
    return x / np.linalg.norm(x)


def _tangent(w, rng):
    v = rng.standard_normal(len(w))
    return _unit(v - (v @ w) * w)


def _arcs(signed, w, v):
    """Hit angles in order, lengths of the arcs behind them, errors counted in their middles."""
    s, t = signed @ w, signed @ v
    angles = np.sort(hit_angles(s, t))
    lengths = np.diff(angles, append=angles[0] + 2.0 * np.pi)
    return angles, lengths, training_errors(s, t, angles + lengths / 2)


def stationary(signed, q, rng):
    """Detailed balance of the density of a step between two weight vectors, relative."""
    m = len(signed)
    w, other = (_unit(rng.standard_normal(signed.shape[1])) for _ in range(2))
    flows = []
    for a, b in ((w, other), (other, w)):
        _, lengths, errors = _arcs(signed, a, _unit(b - (b @ a) * a))
        circle = lengths @ _likelihood(errors, m, q)
        density = [_likelihood(np.sum(signed @ x <= 0), m, q) for x in (a, b)]
        # a direction's density becomes that of the point at the angle between the two
        angle = np.arctan2(np.linalg.norm(b - (b @ a) * a), a @ b)
        flows.append(density[0] * density[1] / circle / np.sin(angle) ** (len(a) - 2))
    return abs(flows[0] / flows[1] - 1.0)


def likelihood(signed, q, rng):
    """Product of the factors q and 1 - q against (3), relative."""
    m = len(signed)
    wrong = signed @ rng.standard_normal(signed.shape[1]) <= 0
    product = np.prod(np.where(wrong, q, 1.0 - q))
    share = wrong.mean()
    return abs(product / (q ** (m * share) * (1.0 - q) ** (m * (1.0 - share))) - 1.0)


def span(q, rng):
    """Evidence and Bayes point of two points in R^3 and in their plane: largest difference."""
    two = rng.standard_normal((2, 3))
    basis = np.linalg.svd(two)[2]
    flat = Arrangement(two @ basis[:2].T)
    # a third point, across the plane, cuts the sphere into cells and has no likelihood
    cells = Arrangement(np.vstack([two, basis[2] + 0.1 * two[0]]))
    density = _likelihood((cells.interior @ two.T <= 0).sum(axis=1), 2, q)
    evidence = cells.areas @ density
    point = _unit(density @ cells.moments)
    in_plane = basis[:2].T @ flat.bayes_point(q)
    return max(abs(evidence / np.exp(flat.log_evidence(q)) - 1.0), np.abs(point - in_plane).max())


def classes(q, rng):
    """Whether two points make four cells, and whether these have four densities."""
    two = Arrangement(rng.standard_normal((2, 2)))
    density = np.unique(np.round(_likelihood(two.errors, 2, q), 12))
    return len(two.areas) == 4 and len(density) == 4


def hits(signed, rng):
    """Steps 3 and 4 as printed: |<w(zeta), x>| at the hit points, and what is left of a turn."""
    w = _unit(rng.standard_normal(signed.shape[1]))
    v = _tangent(w, rng)
    b = w - ((signed @ w) / (signed @ v))[:, None] * v
    b /= np.linalg.norm(b, axis=1, keepdims=True)
    first = -np.sign(b @ v) * np.arccos(np.clip(b @ w, -1.0, 1.0))
    zeta = np.concatenate([first, (first + np.pi) % (2.0 * np.pi)])
    places = np.outer(np.cos(zeta), w) - np.outer(np.sin(zeta), v)
    points = np.vstack([signed, signed])
    off = np.abs(np.einsum("ij,ij->i", places, points)) / np.linalg.norm(points, axis=1)
    return off.max(), 2.0 * np.pi - np.ptp(zeta)


def draw(signed, q, rng):
    """Steps 7 and 8: the drawn angle against the inverse of the circle's mass, and its length."""
    features = FeatureSpan(signed @ signed.T)
    w = _unit(rng.standard_normal(signed.shape[1]))
    v = _tangent(w, rng)
    a, b = (np.linalg.lstsq(signed.T, x, rcond=None)[0] for x in (w, v))
    u = rng.random()
    step = gibbs_step(features, a, q, rng, direction=b, u=u)
    angles, lengths, errors = _arcs(signed, w, v)
    mass = lengths * _likelihood(errors, len(signed), q)
    before = (step.angle - angles[0]) % (2.0 * np.pi)
    covered = np.clip(before - (angles - angles[0]), 0.0, lengths)
    reached = covered @ _likelihood(errors, len(signed), q)
    return max(abs(reached / mass.sum() - u), abs(np.linalg.norm(step.position @ signed) - 1.0))


def kernel_only(q, rng):
    """Five steps by a polynomial kernel's Gram matrix against the same in explicit features."""
    X, y = rng.standard_normal((N_POINTS, 2)), rng.choice([-1.0, 1.0], N_POINTS)
    r2, one = np.sqrt(2.0), np.ones(N_POINTS)
    features = np.column_stack(
        [one, r2 * X[:, 0], r2 * X[:, 1], X[:, 0] ** 2, X[:, 1] ** 2, r2 * X[:, 0] * X[:, 1]]
    )
    gram = gram_matrix(X, kernel="poly", degree=2, gamma=1.0, coef0=1.0) * np.outer(y, y)
    signed = y[:, None] * features
    spaced = FeatureSpan(gram)
    a = rng.standard_normal(N_POINTS)
    a /= spaced.norm(a)
    w, largest = a @ signed, 0.0
    for _ in range(5):
        b = spaced.random_tangent(a, rng)
        step = gibbs_step(spaced, a, q, rng, direction=b)
        w = np.cos(step.angle) * w + np.sin(step.angle) * (b @ signed)
        w, a = _unit(w), step.position
        scale = np.linalg.norm(features, axis=1)
        largest = max(largest, np.abs((gram @ a - signed @ w) / scale).max())
    return largest


@experiment(
    "kernel_gibbs_sampler/identities",
    version=1,
    page="law",
    title="Identities and propositions of sections 2 and 3 on random small problems",
    units=crossed(case={"smoke": 5, "paper": 200, "full": 200}, q=(0.05, 0.2)),
    agreement=dict.fromkeys(
        ("stationary", "likelihood", "span", "hits", "turn_left", "draw", "kernel_only"), "chaotic"
    ),
)
def errors_of_identities(key, params, data, rng):
    """One row: the error of each identity on a random problem."""
    q = key["q"]
    signed = rng.standard_normal((N_POINTS, DIMENSION))
    off, left = hits(signed, rng)
    return [
        {
            "stationary": float(stationary(signed, q, rng)),
            "likelihood": float(likelihood(signed, q, rng)),
            "span": float(span(q, rng)),
            "four_classes": bool(classes(q, rng)),
            "hits": float(off),
            "turn_left": float(left),
            "draw": float(draw(signed, q, rng)),
            "kernel_only": float(kernel_only(q, rng)),
        }
    ]
