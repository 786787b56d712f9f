"""The billiard as one would write it in NumPy, twice; what the kernel is measured against.

Both know walls by the label-folded Gram matrix and further points by their inner
products with the walls, and both are written to be fast: no temporary arrays in the loop,
no angles computed for a point that does not change sides.
"""

from math import atan2, cos, sin

import numpy as np


class _Points:
    """Arc on the positive side of further points, one segment at a time."""

    def __init__(self, margins):
        m = len(margins)
        self.margins = margins
        self.after = np.empty(m)
        self.positive = np.zeros(m)
        self._side = margins > 0.0
        self._now = np.empty(m, dtype=bool)
        self._both = np.empty(m, dtype=bool)
        self._gain = np.empty(m)

    def fly(self, speeds, arc):
        """Count the segment of length `arc` that ends with the margins in `after`."""
        np.greater(self.after, 0.0, out=self._now)
        np.logical_and(self._side, self._now, out=self._both)
        np.multiply(self._both, arc, out=self._gain)
        self.positive += self._gain
        np.not_equal(self._side, self._now, out=self._both)
        for i in self._both.nonzero()[0]:
            s, t = self.margins.item(i), speeds.item(i)
            root = atan2(s, -t) if s > 0.0 else atan2(-s, t)
            self.positive[i] += root if s > 0.0 else arc - root
        self._side, self._now = self._now, self._side
        self.margins, self.after = self.after, self.margins


def recomputing(gram, cross, position, velocity, n_bounces):
    """K a and K b anew at every bounce: the document's cost, O(l (l + m)).

    Parameters
    ----------
    gram : array of shape (l, l)
        Label-folded Gram matrix of the walls.
    cross : array of shape (l, m)
        Inner products of the walls with further points; m may be 0.
    position, velocity : arrays of shape (l,)
        Coefficients of a unit vector in version space and of a unit tangent there.
    n_bounces : int

    Returns
    -------
    walls, arcs : ndarrays of shape (n_bounces,)
    positive : ndarray of shape (m,)
        Arc on the positive side of each further point.
    """
    l, m = cross.shape
    wide = np.ascontiguousarray(np.hstack([gram, cross])) if m else gram
    a, b, spare = position.copy(), velocity.copy(), np.empty(l)
    s, t, ratio = np.empty(l + m), np.empty(l + m), np.empty(l)
    walls, arcs = np.empty(n_bounces, dtype=np.intp), np.empty(n_bounces)
    points = _Points(a @ cross)
    wall = None
    with np.errstate(divide="ignore"):
        for k in range(n_bounces):
            np.dot(a, wide, out=s)
            if wall is not None:
                s[wall] = 0.0  # the wall just left
            np.dot(b, wide, out=t)
            np.divide(t[:l], s[:l], out=ratio)
            wall = int(ratio.argmin())
            arc = atan2(1.0, -ratio.item(wall))
            cosine, sine = cos(arc), sin(arc)
            if m:
                np.multiply(s[l:], cosine, out=points.after)
                points.after += sine * t[l:]
                points.fly(t[l:], arc)
            speed = cosine * t.item(wall) - sine * s.item(wall)
            np.multiply(b, sine, out=spare)
            b *= cosine
            b -= np.multiply(a, sine, out=ratio)
            a *= cosine
            a += spare
            b[wall] -= 2.0 * speed / gram.item(wall, wall)
            walls[k], arcs[k] = wall, arc
    return walls, arcs, points.positive


def keeping(gram, cross, position, velocity, n_bounces):
    """Margins and speeds kept up to date, O(l + m) a bounce.

    Parameters and results are those of `recomputing`.
    """
    l, m = cross.shape
    wide = np.ascontiguousarray(np.hstack([gram, cross])) if m else gram
    s, t = position @ wide, velocity @ wide
    turned, spare, ratio = np.empty(l + m), np.empty(l + m), np.empty(l)
    walls, arcs = np.empty(n_bounces, dtype=np.intp), np.empty(n_bounces)
    points = _Points(s[l:].copy())
    with np.errstate(divide="ignore"):
        for k in range(n_bounces):
            np.divide(t[:l], s[:l], out=ratio)
            wall = int(ratio.argmin())
            arc = atan2(1.0, -ratio.item(wall))
            cosine, sine = cos(arc), sin(arc)
            np.multiply(s, sine, out=turned)
            np.multiply(t, sine, out=spare)
            s *= cosine
            s += spare
            if m:
                points.after[:] = s[l:]
                points.fly(t[l:], arc)
            t *= cosine
            t -= turned
            t += np.multiply(wide[wall], -2.0 * t.item(wall) / gram.item(wall, wall), out=spare)
            s[wall] = 0.0
            walls[k], arcs[k] = wall, arc
    return walls, arcs, points.positive
