"""The billiard in plain NumPy: the paper's algorithm, and rules that are biased.

Margins and speeds are recomputed from the coefficients at every bounce, as in
Bayesian Transduction, section 3.2. The tests compare the compiled kernel with
this module, and the compendium uses its biased rules to show their bias.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["ReferenceRun", "reference_billiard"]


@dataclass(frozen=True)
class ReferenceRun:
    """Walls hit, arcs flown to them, positions at them, and the events of the rule.

    Attributes
    ----------
    walls : ndarray of shape (n,)
    arcs : ndarray of shape (n,)
        In radians.
    positions : ndarray of shape (n + 1, l)
        Coefficients at the start and after each event.
    velocities : ndarray of shape (n, l)
        Unit tangents at the start of each event's arc.
    escapes : ndarray of int
        Events before which the flat rule found no wall ahead.
    """

    walls: np.ndarray
    arcs: np.ndarray
    positions: np.ndarray
    velocities: np.ndarray
    escapes: np.ndarray

    def flight_times(self, cross):
        """Arc on the positive side of each point, and total arc, per event: (n, m) and (n,)."""
        s = self.positions[:-1] @ cross
        t = self.velocities @ cross
        arcs = self.arcs[:, None]
        end = s * np.cos(arcs) + t * np.sin(arcs)
        root = np.where(s > 0, np.arctan2(s, -t), np.arctan2(-s, t))
        crossing = np.where(s > 0, root, arcs - root)
        same = np.where(s > 0, arcs, 0.0)
        return np.where((s > 0) == (end > 0), same, crossing), self.arcs


def reference_billiard(span, position, velocity, n_events, rule="geodesic", rng=None):
    """Play billiard between the walls of `span` by a named rule.

    Parameters
    ----------
    span : FeatureSpan
        Label-signed points; all of them are walls.
    position, velocity : arrays of shape (l,)
        Coefficients of a unit vector inside and of a unit tangent.
    n_events : int
    rule : str
        ``"geodesic"``: great circles and reflections, as the kernel does.
        ``"flat"``: the paper's, tau = -<w,x>/<v,x>, the velocity not
        transported along the sphere, and an escape into any inward direction
        when no wall is ahead.
        ``"isotropic at wall"``: at every wall a velocity drawn uniformly from
        the inward half of the tangent space (biased).
        ``"cosine at wall"``: the same with density proportional to the
        cosine of the angle to the wall's normal (unbiased).
    rng : numpy.random.Generator
        Needed by all rules but the geodesic one.

    Returns
    -------
    ReferenceRun
    """
    gram = span.gram
    walls, arcs, positions, velocities, escapes = [], [], [position], [], []
    w, v, last = position, velocity, None
    for event in range(n_events):
        s, t = gram @ w, gram @ v
        if last is not None:
            s[last] = 0.0
        if rule == "flat":
            tau = _flat_times(s, t, last)
            if not np.isfinite(tau.min()):
                escapes.append(event)
                v, t, tau = _escape(span, s, last, rng)
            wall = int(np.argmin(tau))
            landed = w + tau[wall] * v
            landed = landed / span.norm(landed)
            tangent = v - (w @ t) * w
            tangent = tangent / span.norm(tangent)
            # the paper's arccos(1 - |w - w'|^2 / 2), in a form that keeps short arcs
            arc = 2.0 * np.arcsin(np.clip(span.norm(landed - w) / 2.0, 0.0, 1.0))
            turned = v
        else:
            tangent = v
            ratio = np.full(len(s), -np.inf)
            np.divide(-t, s, out=ratio, where=s > 0)
            wall = int(np.argmax(ratio))
            arc = np.arctan2(1.0, ratio[wall])
            landed = np.cos(arc) * w + np.sin(arc) * v
            turned = np.cos(arc) * v - np.sin(arc) * w
        walls.append(wall)
        arcs.append(arc)
        velocities.append(tangent)
        if rule in ("geodesic", "flat"):
            v = turned.copy()
            v[wall] -= 2.0 * (gram[wall] @ turned) / gram[wall, wall]
        else:
            landed = landed / span.norm(landed)
            v = _from_wall(span, landed, wall, rule, rng)
        w, last = landed, wall
        positions.append(w)
    return ReferenceRun(
        np.array(walls),
        np.array(arcs),
        np.array(positions),
        np.array(velocities),
        np.array(escapes, dtype=int),
    )


def _flat_times(s, t, last):
    with np.errstate(divide="ignore", invalid="ignore"):
        tau = np.where(t < 0, -s / t, np.inf)
    if last is not None:
        tau[last] = np.inf
    return tau


def _escape(span, s, last, rng):
    """Directions into version space, drawn until one of them has a wall ahead."""
    while True:
        v = span.coefficients(rng.standard_normal(span.rank))
        v = v / span.norm(v)
        t = span.gram @ v
        if last is not None and t[last] < 0:
            v, t = -v, -t
        tau = _flat_times(s, t, last)
        if np.isfinite(tau.min()):
            return v, t, tau


def _from_wall(span, w, wall, rule, rng):
    """A new velocity at a wall: uniform, or by the cosine law, over the inward half."""
    gram = span.gram
    tangent = span.random_tangent(w, rng)
    normal = np.zeros(len(w))
    normal[wall] = 1.0 / np.sqrt(gram[wall, wall])
    height = tangent @ (gram @ normal)
    if rule == "isotropic at wall":
        return tangent if height > 0 else tangent - 2.0 * height * normal
    if rule != "cosine at wall":
        raise ValueError(f"unknown rule {rule!r}")
    along = tangent - height * normal
    length = span.norm(along)
    # under the cosine law the part along the wall is uniform in a ball of dimension rank - 2
    radius = rng.uniform() ** (1.0 / (span.rank - 2)) if span.rank > 2 else 0.0
    return radius * along / max(length, 1e-300) + np.sqrt(1.0 - radius**2) * normal
