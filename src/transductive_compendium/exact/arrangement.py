"""Exact posterior under label noise in two and three dimensions, cell by cell.

Label-signed points cut the unit circle into 2m arcs, the unit sphere into m(m - 1) + 2 spherical
polygons. Within each of these cells the likelihood q^k (1 - q)^(m - k) is constant, so their sizes
and first moments give posterior, evidence and Bayes point in closed form: the reference for tests
of samplers.

Each great circle is walked once. The circles of the other points cut it into arcs; at every
crossing one sign changes, and so do, by one step, the error count and the code of the cells on
both sides. A cell's code is the exclusive or of random 64-bit keys of the points it misclassifies.
A cell and its antipode misclassify complementary sets, so half of each circle and half of the
cells suffice. O(m^2 log m) time and O(m^2) memory.

References
----------
Graepel, Herbrich, "The Kernel Gibbs Sampler": equations (2), (3) and (5), figure 1, the evidence
of section 4.
Zobrist, A. L. (1970), "A new hashing method with application for game playing".
van Oosterom, A., Strackee, J. (1983), "The solid angle of a plane triangle".
"""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp, xlog1py, xlogy

from .volumes import unit_rows

__all__ = ["Arrangement"]

# Angles between points below this are rounding, and so are arcs below it over the sines of the
# angles at their two ends, which blur them.
MIN_ANGLE = 16 * np.finfo(float).eps
BLOCK_ENTRIES = 2**22  # entries of the sign matrices that `cell_of` holds at a time

REMEDY = (
    "leave one of them out, or add noise of size 1e-6 to the unit points, which moves their great "
    "circles by about that angle"
)


class Arrangement:
    """The cells into which label-signed points in general position cut the circle or the sphere.

    Parameters
    ----------
    points : array_like of shape (m, d)
        Label-signed points ``y[:, None] * X`` of rank d, where d is 2 or 3. Their lengths do not
        matter. No two may be parallel and, if d = 3, no three may lie in one plane through the
        origin.

    Attributes
    ----------
    points : ndarray of shape (m, d)
        The points, scaled to unit length.
    areas : ndarray of shape (c,)
        Fraction of the circle (c = 2 m) or of the sphere (c = m (m - 1) + 2) in each cell. They
        sum to one. Cell ``i`` and cell ``(i + c // 2) % c`` are antipodes.
    errors : ndarray of int of shape (c,)
        Training errors k in each cell.
    moments : ndarray of shape (c, d)
        ``E[w 1(w in cell)]`` for w uniform on the circle or sphere. Absolute error about 1e-16.
    interior : ndarray of shape (c, d)
        A unit vector inside each cell.
    is_mode : ndarray of bool of shape (c,)
        Whether every cell across an edge (if d = 2, across an end) has one error more, not one
        less: the local maxima of the posterior for q < 0.5.

    Raises
    ------
    ValueError
        For NaN, zero rows, another shape or rank, or points not in general position.
    """

    def __init__(self, points):
        X = unit_rows(points, name="points")
        m, d = X.shape
        if d not in (2, 3):
            raise ValueError(
                f"cells are enumerated in 2 or 3 dimensions, got {d} columns; if the points span "
                "no more, pass coordinates in their span: "
                "U, s, _ = np.linalg.svd(points, full_matrices=False); (U * s)[:, :rank]"
            )
        rank = np.linalg.matrix_rank(X)
        if rank != d:
            raise ValueError(
                f"the {m} points have {d} columns but span {rank} dimensions only; add points, "
                "or pass coordinates in their span if that has 2 dimensions"
            )
        self.points = X
        self._keys = _keys(m)
        self._all = np.bitwise_xor.reduce(self._keys)
        cells = (_arcs if d == 2 else _polygons)(X, self._keys)
        self._codes, errors, areas, moments, interior, mode, antimode = cells
        self.errors = np.concatenate([errors, m - errors])
        self.areas = np.concatenate([areas, areas])
        self.moments = np.concatenate([moments, -moments])
        self.interior = np.concatenate([interior, -interior])
        self.is_mode = np.concatenate([mode, antimode])
        expected = 2 * m if d == 2 else m * (m - 1) + 2  # Euler
        if len(self.areas) != expected or abs(self.areas.sum() - 1) > 1e-9:
            raise ValueError(
                f"found {len(self.areas)} cells of total area {self.areas.sum():.9g} instead of "
                f"{expected} of total area 1: rounding decides how some of the great circles "
                "cross; add noise of size 1e-6 to the unit points"
            )

    def cell_of(self, W):
        """The cell that each weight vector lies in.

        Parameters
        ----------
        W : array_like of shape (..., d)
            Weight vectors of any length.

        Returns
        -------
        ndarray of int of shape (...,)

        Raises
        ------
        ValueError
            For NaN, another number of columns, or a vector on a crossing of great circles. (A
            vector on a single great circle misclassifies that point, as in the paper.)
        """
        W = np.asarray(W, dtype=float)
        m, d = self.points.shape
        if W.ndim == 0 or W.shape[-1] != d:
            raise ValueError(f"W has shape {W.shape}; its last axis must have length {d}")
        if not np.isfinite(W).all():
            raise ValueError("W contains NaN or infinity; remove those weight vectors")
        rows = W.reshape(-1, d)
        codes = np.empty(len(rows), dtype=np.uint64)
        step = max(1, BLOCK_ENTRIES // m)
        for i in range(0, len(rows), step):
            wrong = rows[i : i + step] @ self.points.T <= 0
            codes[i : i + step] = np.bitwise_xor.reduce(
                np.where(wrong, self._keys, np.uint64(0)), axis=1
            )
        half = np.minimum(codes, codes ^ self._all)
        index = np.searchsorted(self._codes, half)
        known = self._codes[np.minimum(index, len(self._codes) - 1)] == half
        known &= rows.any(axis=1)
        if not known.all():
            raise ValueError(
                f"weight vector {int(np.argmin(known))} lies in no cell: it is zero or, to "
                "rounding, where great circles cross; move it or leave it out"
            )
        return (index + np.where(codes == half, 0, len(self._codes))).reshape(W.shape[:-1])

    def neighbours(self):
        """Pairs of cells with an edge in common, each pair once; points in R^3 only.

        Returns
        -------
        ndarray of int of shape (2, e)

        Raises
        ------
        ValueError
            If the points are in the plane.
        """
        if self.points.shape[1] != 3:
            raise ValueError("cells have edges on the sphere; on the circle they have ends")
        *_, index, across, along = _great_circles(self.points)
        # every arc of a circle is an edge between the cells on its two sides
        codes = _walk(across, along, index, self._keys)[2]
        codes = np.stack([codes.ravel(), (codes ^ self._keys[:, None]).ravel()])
        half = np.minimum(codes, codes ^ self._all)
        n = len(self._codes)
        pairs = np.searchsorted(self._codes, half) + np.where(codes == half, 0, n)
        return np.concatenate([pairs, (pairs + n) % (2 * n)], axis=1)

    def posterior(self, q):
        """Posterior probability of each cell under label noise q: equations (2) and (3).

        Parameters
        ----------
        q : float
            Between 0 (uniform on version space) and 0.5 (the prior).

        Returns
        -------
        ndarray of shape (c,)

        Raises
        ------
        ValueError
            If q = 0 and every cell has training errors, or q is out of range.
        """
        return self.areas * self._density(q, self.errors)

    def log_evidence(self, q):
        """Natural logarithm of ``E[q^k (1 - q)^(m - k)]``, the denominator of equation (2).

        Parameters
        ----------
        q : float
            Between 0 and 0.5. For q = 0 the evidence is the volume of version space as a fraction
            of the sphere; its logarithm is -inf if version space is empty.

        Returns
        -------
        float

        Raises
        ------
        ValueError
            If q is out of range.
        """
        return float(logsumexp(self._log_likelihood(q, self.errors), b=self.areas))

    def bayes_point(self, q):
        """Direction of the posterior mean: equation (5).

        Parameters
        ----------
        q : float
            Between 0 and 0.5, 0.5 excluded: the prior mean is the origin.

        Returns
        -------
        ndarray of shape (d,)
            Unit vector.

        Raises
        ------
        ValueError
            If q = 0 and every cell has training errors, q is out of range, or the posterior mean is
            the origin.
        """
        mean = self._density(q, self.errors) @ self.moments
        length = np.linalg.norm(mean)
        if length < 1e-12:
            raise ValueError(
                f"the posterior mean is the origin at q = {q}: no direction; choose a smaller q"
            )
        return mean / length

    def density_of_states(self):
        """Fraction of the circle or sphere at each number of training errors; shape (m + 1,)."""
        return np.bincount(self.errors, self.areas, len(self.points) + 1)

    def probability_positive(self, q, new_points):
        """Posterior probability that ``<w, x> > 0``, the p+ of section 4, for new points.

        Each new point adds its great circle, but no likelihood, to a copy of the arrangement. So
        the cost is that of one arrangement for each new point.

        Parameters
        ----------
        q : float
            Between 0 and 0.5.
        new_points : array_like of shape (n, d)
            Not label-signed.

        Returns
        -------
        ndarray of shape (n,)

        Raises
        ------
        ValueError
            If q = 0 and every cell has training errors, or q is out of range; for NaN, zero rows,
            another number of columns, or a new point in one plane through the origin with two
            others.
        """
        new = unit_rows(new_points, name="new_points", n_features=self.points.shape[1])
        p = np.empty(len(new))
        for i, x in enumerate(new):
            sines = np.linalg.norm(self.points - np.outer(self.points @ x, x), axis=1)
            is_new = sines.min() > MIN_ANGLE  # otherwise its great circle is there already
            cells = Arrangement(np.vstack([self.points, x])) if is_new else self
            positive = cells.interior @ x > 0  # where a new point adds no error
            p[i] = self._density(q, cells.errors[positive]) @ cells.areas[positive]
        return p

    def _log_likelihood(self, q, errors):
        if not 0 <= q <= 0.5:
            raise ValueError(
                f"label noise q must be between 0 and 0.5, got {q}; flip labels that are wrong "
                "more often than right"
            )
        return xlogy(errors, q) + xlog1py(len(self.points) - errors, -q)

    def _density(self, q, errors):
        """Posterior density with respect to the prior, for each number of errors."""
        log_evidence = self.log_evidence(q)
        if log_evidence == -np.inf:
            raise ValueError(
                f"version space is empty: every weight vector has training errors, at least "
                f"{self.errors.min()}; allow for label noise, q > 0"
            )
        return np.exp(self._log_likelihood(q, errors) - log_evidence)


def _keys(m):
    """A random key for each point, the same in every run."""
    return np.random.default_rng(2000).integers(2**64 - 1, size=m, dtype=np.uint64, endpoint=True)


def _walk(across, along, index, keys):
    """Walk half of each great circle, ``cos(t) e1 + sin(t) e2``, from one crossing to the next.

    Parameters
    ----------
    across, along : ndarrays of shape (n, k)
        Inner products of the k points that cut a circle with its e1 and e2.
    index : ndarray of int of shape (n, k)
        Which points these are.
    keys : ndarray of uint64 of shape (m,)

    Returns
    -------
    starts, lengths : ndarrays of shape (n, k)
        Arcs in order. The antipodes of the first ends the last.
    codes, errors : ndarrays of shape (n, k)
        On the arcs, of the k points.
    rises : ndarray of bool of shape (n, k)
        Whether a point becomes correctly classified at the start of an arc.
    """
    sines = np.hypot(across, along)
    _refuse(sines <= MIN_ANGLE, index)
    # <w(t), x> has its maximum at arctan2(along, across) and falls through zero a right angle on;
    # brought into [0, pi) by an odd number of half turns, that zero is one of rising.
    turns, starts = np.divmod(np.arctan2(along, across) + np.pi / 2, np.pi)
    rises = turns != 0
    own = keys[index]
    codes = np.bitwise_xor.reduce(np.where(rises, own, np.uint64(0)), axis=1, keepdims=True)
    errors = rises.sum(axis=1, keepdims=True)
    order = np.argsort(starts, axis=1)
    starts, rises, own, index, sines = (
        np.take_along_axis(a, order, axis=1) for a in (starts, rises, own, index, sines)
    )
    lengths = np.diff(starts, axis=1, append=starts[:, :1] + np.pi)
    blur = MIN_ANGLE * (1 / sines + 1 / np.roll(sines, -1, axis=1))
    _refuse(lengths <= blur, index, np.roll(index, -1, axis=1))
    codes = codes ^ np.bitwise_xor.accumulate(own, axis=1)
    errors = errors + np.cumsum(np.where(rises, -1, 1), axis=1)
    return starts, lengths, codes, errors, rises


def _refuse(bad, *index):
    """Raise for the points that are not in general position, if any."""
    if not bad.any():
        return
    row, column = np.argwhere(bad)[0]
    at = sorted({int(i[row, column]) for i in index} | ({int(row)} if len(bad) > 1 else set()))
    what = (
        f"points {at[0]} and {at[1]} are parallel"
        if len(at) == 2
        else f"the great circles of points {at[0]}, {at[1]} and {at[2]} meet in one point"
    )
    raise ValueError(f"the points are not in general position: {what}, to rounding; {REMEDY}")


def _arcs(X, keys):
    """One of each antipodal pair of arcs of the circle, in order of their codes."""
    index = np.arange(len(X))[None]
    (starts,), (lengths,), (codes,), (errors,), (rises,) = _walk(*X.T[:, None], index, keys)
    falls_next = np.append(~rises[1:], rises[0])
    antipodes = codes ^ np.bitwise_xor.reduce(keys)
    flip = antipodes < codes
    sign = np.where(flip, -1.0, 1.0)
    middle = starts + lengths / 2
    interior = sign[:, None] * np.column_stack([np.cos(middle), np.sin(middle)])
    moments = np.sin(lengths / 2)[:, None] / np.pi * interior
    errors = np.where(flip, len(X) - errors, errors)
    mode, antimode = rises & falls_next, ~rises & ~falls_next
    mode, antimode = np.where(flip, antimode, mode), np.where(flip, mode, antimode)
    codes = np.minimum(codes, antipodes)
    cells = codes, errors, lengths / (2 * np.pi), moments, interior, mode, antimode
    order = np.argsort(codes)
    return tuple(a[order] for a in cells)


def _great_circles(X):
    """A basis of each great circle's plane, and the other points' inner products with it."""
    m = len(X)
    e1 = np.cross(X, np.eye(3)[np.abs(X).argmin(axis=1)])
    e1 /= np.linalg.norm(e1, axis=1, keepdims=True)
    e2 = np.cross(X, e1)
    others = ~np.eye(m, dtype=bool)
    index = np.broadcast_to(np.arange(m), (m, m))[others].reshape(m, m - 1)
    across, along = ((e @ X.T)[others].reshape(m, m - 1) for e in (e1, e2))
    return e1, e2, index, across, along


def _polygons(X, keys):
    """One of each antipodal pair of polygons of the sphere, in order of their codes."""
    m = len(X)
    e1, e2, index, across, along = _great_circles(X)
    starts, lengths, codes, errors, _ = _walk(across, along, index, keys)

    # Every arc is an edge of two polygons: on the positive side of its own circle, and across.
    codes = np.stack([codes, codes ^ keys[:, None]])
    errors = np.stack([errors, errors + 1])
    antipodes = codes ^ np.bitwise_xor.reduce(keys)
    flip = antipodes < codes
    errors = np.where(flip, m - errors, errors)
    codes, first, cell = np.unique(
        np.minimum(codes, antipodes), return_index=True, return_inverse=True
    )
    cell = cell.reshape(flip.shape)
    sign = np.where(flip, -1.0, 1.0)
    inward = sign * np.array([1.0, -1.0])[:, None, None]  # of X along the edge's inner normal

    def total(values):
        return np.bincount(cell.ravel(), values.ravel(), len(codes))

    # The mean of the edges' midpoints is inside, and the polygon a fan of triangles around it. For
    # the triangle over an edge of length 2 h, tan(area / 2) = sin(h) <c, n> / (cos(h) + <c, mid>):
    # terms all positive, where the angles' excess would leave nothing but rounding of the smallest.
    middle = starts + lengths / 2
    cos, sin = np.cos(middle), np.sin(middle)
    interior = np.empty((len(codes), 3))
    moments = np.empty((len(codes), 3))
    for j in range(3):
        interior[:, j] = total(sign * (cos * e1[:, j, None] + sin * e2[:, j, None]))
        # Divergence theorem: twice the first moment is the sum of edge length times inner normal.
        moments[:, j] = total(inward * lengths * X[:, j, None]) / (8 * np.pi)
    interior /= np.linalg.norm(interior, axis=1, keepdims=True)
    height, reach = np.zeros(cell.shape), np.zeros(cell.shape)
    for j in range(3):
        own = interior[cell, j]
        height += own * X[:, j, None]
        reach += own * (cos * e1[:, j, None] + sin * e2[:, j, None])
    excess = np.arctan2(np.sin(lengths / 2) * height * inward, np.cos(lengths / 2) + reach * sign)
    areas = total(excess) / (2 * np.pi)

    wrong = total(inward < 0)
    mode, antimode = wrong == 0, wrong == np.bincount(cell.ravel(), minlength=len(codes))
    return codes, errors.ravel()[first], areas, moments, interior, mode, antimode
