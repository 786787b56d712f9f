"""The billiard by steps 1 to 3 as they are printed, and the same ball on great circles.

Graepel et al. (2000), section 3.2. The direction v is never projected on the tangent space, so an
unfolded path is one ray: it ends where no wall is ahead, and a new direction is drawn there. Inner
products with all points are updated, and recomputed from the coefficients at intervals.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from transductive.version_space import FeatureSpan
from transductive.version_space.start import max_margin_point

SYNC_BOUNCES = 500
CHUNK = 4096


@dataclass(frozen=True)
class Flown:
    """Segments of a run, by their inner products with m points.

    Parameters
    ----------
    start, speed : ndarrays of shape (n, m)
        Inner products with the points of a segment's first position and of its unit tangent.
    arcs : ndarray of shape (n,)
        A segment's length on the sphere.
    escapes : int
        Number of times that no wall was ahead.
    """

    start: np.ndarray
    speed: np.ndarray
    arcs: np.ndarray
    escapes: int

    def positive(self, first=0, last=None):
        """Arc on the positive side of each point, by segment: shape (n, m)."""
        a, c = self.start[first:last], self.speed[first:last]
        arcs = self.arcs[first:last, None]
        ends = a * np.cos(arcs) + c * np.sin(arcs)
        root = np.where(a > 0, np.arctan2(a, -c), np.arctan2(-a, c))
        crossed = np.where(a > 0, root, arcs - root)
        return np.where((a > 0) == (ends > 0), np.where(a > 0, arcs, 0.0), crossed)

    def time_ratio(self, n=None):
        """p+ of the first `n` segments after step 3: V+ / (V+ + V-)."""
        return self._sums(n)[0] / self.arcs[:n].sum()

    def mean_of_fractions(self, n=None):
        """p+ of the first `n` segments as in (8): the mean of each segment's fraction."""
        return self._sums(n)[1] / np.count_nonzero(self.arcs[:n] > 0)

    def _sums(self, n):
        n = len(self.arcs) if n is None else n
        times, fractions = np.zeros(self.start.shape[1]), np.zeros(self.start.shape[1])
        for first in range(0, n, CHUNK):
            last = min(first + CHUNK, n)
            part, arcs = self.positive(first, last), self.arcs[first:last]
            times += part.sum(axis=0)
            fractions += (part[arcs > 0] / arcs[arcs > 0, None]).sum(axis=0)
        # exactly all or nothing for a point that is never left
        return np.minimum(times, self.arcs[:n].sum()), fractions

    def centre_of_mass(self):
        """Inner products of the mean position with the points."""
        return np.sin(self.arcs) @ self.start + (1.0 - np.cos(self.arcs)) @ self.speed


def hoeffding_bounces(epsilon, eta):
    """Number of bounces by Hoeffding's inequality, equation (8): ``ln(1 / eta) / (2 epsilon^2)``.

    Parameters
    ----------
    epsilon : float
        Deviation of the mean of independent fractions from their expectation.
    eta : float
        Probability, one-sided, of a larger deviation.
    """
    return int(np.ceil(np.log(1.0 / eta) / (2.0 * epsilon**2)))


def perceptron_point(gram):
    """Coefficients by the kernel perceptron, cycled until no training error is left; step 1."""
    alpha, margins = np.zeros(len(gram)), np.zeros(len(gram))
    while True:
        mistakes = 0
        for i in range(len(gram)):
            if margins[i] <= 0:
                alpha[i] += 1.0
                margins += gram[i]
                mistakes += 1
        if not mistakes:
            return alpha


#: Coefficients of the ball's first position, by option of the open choice `start`.
STARTS = {
    "svm": lambda span: max_margin_point(span, len(span.gram)),
    "perceptron": lambda span: perceptron_point(span.gram),
}

#: Coefficients of a random vector, by its law: "coefficients", as in the authors' program, and
#: "isotropic" in the span are options of the open choice `direction`.
DIRECTIONS = {
    "coefficients": lambda span, rng: rng.uniform(-1.0, 1.0, span.n_points),
    "isotropic": lambda span, rng: span.coefficients(rng.standard_normal(span.rank)),
}


def first_point(span, start):
    """Coefficients of the ball's first position, by a name of `STARTS`; step 1."""
    return STARTS[start](span)


def draw_direction(span, direction, rng):
    """Coefficients of a random unit vector, by a name of `DIRECTIONS`."""
    v = DIRECTIONS[direction](span, rng)
    return v / span.norm(v)


def play(
    gram, cross, rng, *, start="svm", n_bounces=1000, flight="as_printed", direction="coefficients"
):
    """Steps 1 to 3 on label-signed Gram matrices, as section 4 is run; see `first_point` and `fly`.

    Parameters
    ----------
    gram, cross : arrays of shape (l, l) and (l, m)
        Of the training points, and their columns for the points to be labelled.
    rng : Generator
    start : {"svm", "perceptron"}
    n_bounces, flight, direction
        As in `fly`.

    Returns
    -------
    Flown
    """
    span = FeatureSpan(gram)
    return fly(span, cross, first_point(span, start), n_bounces, flight, direction, rng)


def fly(span, cross, w, n_bounces, flight, direction, rng):
    """Play billiard from `w` for `n_bounces` hits of training walls.

    Parameters
    ----------
    span : FeatureSpan
        Label-signed training points of unit length; all are walls.
    cross : array of shape (l, m)
        Their inner products with the points to be labelled.
    w : array of shape (l,)
        Coefficients of the start.
    n_bounces : int
    flight : {"as_printed", "great_circles"}
    direction : str
        Law of the first direction and of those after an escape; see `draw_direction`.
    rng : Generator

    Returns
    -------
    Flown
    """
    l = len(span.gram)
    products = np.hstack([span.gram, cross])
    straight = flight == "as_printed"
    if not straight and flight != "great_circles":
        raise ValueError(f"flight must be 'as_printed' or 'great_circles', got {flight!r}")
    n_points = products.shape[1] - l
    start, speed = np.empty((n_bounces, n_points)), np.empty((n_bounces, n_points))
    arcs = np.empty(n_bounces)
    w, v = w / span.norm(w), draw_direction(span, direction, rng)
    last, escapes, event, since = -1, 0, 0, SYNC_BOUNCES
    while event < n_bounces:
        if since >= SYNC_BOUNCES:
            w = w / span.norm(w)
            s, t = w @ products, v @ products
            along, square, since = float(v @ s[:l]), float(v @ t[:l]), 0
            if not straight:
                v = v - along * w
                t -= along * s
                length = np.sqrt(square - along**2)
                v, t, along, square = v / length, t / length, 0.0, 1.0
        margins, speeds = s[:l], t[:l]
        margins[margins < 0.0] = 0.0
        # 1 / tau: largest at the nearest wall; on great circles every wall is ahead
        inverse = -speeds / np.maximum(margins, 1e-300)
        if last >= 0:
            inverse[last] = -np.inf
        wall = int(inverse.argmax())
        if straight and inverse[wall] <= 0.0:
            escapes += 1
            v = draw_direction(span, direction, rng)
            while last >= 0 and span.gram[last] @ v <= 0.0:
                v = draw_direction(span, direction, rng)
            t = v @ products
            along, square = float(v @ s[:l]), 1.0
            continue
        rho = np.sqrt(max(square - along**2, 1e-300))
        start[event], speed[event] = s[l:], (t[l:] - along * s[l:]) / rho
        if straight:
            tau = 1.0 / inverse[wall]
            arcs[event] = np.arctan2(tau * rho, 1.0 + tau * along)
            length = np.sqrt(1.0 + 2.0 * tau * along + tau * tau * square)
            w, s = (w + tau * v) / length, (s + tau * t) / length
            along = (along + tau * square) / length
        else:
            arcs[event] = arc = np.arctan2(1.0, inverse[wall])
            cos, sin = np.cos(arc), np.sin(arc)
            w, v = cos * w + sin * v, cos * v - sin * w
            s, t = cos * s + sin * t, cos * t - sin * s
        kick = 2.0 * t[wall] / span.gram[wall, wall]
        v = v.copy()
        v[wall] -= kick
        t = t - kick * products[wall]
        s[wall] = 0.0
        last, event, since = wall, event + 1, since + 1
    return Flown(start, speed, arcs, escapes)
