"""The span of a finite set of feature vectors: inner products, isotropic directions.

A vector of the span is held as its coefficients ``a``, so that
``w = sum_j a_j x_j``; its inner products with the same points are ``gram @ a``.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from scipy.linalg import cho_solve, cholesky, eigh
from scipy.linalg.blas import dtrmm
from scipy.linalg.lapack import dtrtrs

from ..kernels import NotPositiveSemidefiniteError, check_gram

__all__ = ["FeatureSpan"]

EPS = float(np.finfo(float).eps)
# Eigenvalues of the points scaled to unit length (lengths do not affect version space) below this
# fraction of the largest count as zero.
RANK_TOL = 1e-13
# Coefficients of unit vectors are as large as one over the points' lengths.
MIN_SQUARE = 1e-300
# Avoid products with the Gram matrix from this size on. The other ways round differently, and any
# change of rounding sends a billiard elsewhere.
SAVED_PRODUCTS_MIN_POINTS = 1001


class FeatureSpan:
    """Span of `n` feature vectors known by their Gram matrix.

    Parameters
    ----------
    gram : array of shape (n, n)
        Symmetric positive semi-definite inner products of the points.

    Attributes
    ----------
    coordinates : ndarray of shape (n, rank)
        The points in orthonormal coordinates of the span.
    lengths : ndarray of shape (n,)
        Of the points; 1 for one at the origin.
    rank : int
        Dimension of the span.
    condition : float
        Largest over smallest kept eigenvalue of the points scaled to unit
        length (a Cholesky estimate when the matrix is comfortably regular).

    Raises
    ------
    NotPositiveSemidefiniteError
        If an eigenvalue is negative by more than rounding.
    """

    def __init__(self, gram):
        gram = np.ascontiguousarray(gram, dtype=np.float64)
        check_gram(gram, "gram")
        self.gram = gram
        square = np.diag(gram)
        if 0.0 < square.max() < MIN_SQUARE:
            raise ValueError(
                f"the squared lengths of all points are below {MIN_SQUARE:g}, where floating point "
                "loses digits: scale the features, or the kernel matrix"
            )
        self.lengths = np.sqrt(np.where(square > 0, square, 1.0))
        cosines = gram / self.lengths
        cosines /= self.lengths[:, None]
        self._lower = self._regular_factor(cosines)
        if self._lower is None:
            self._values, self._vectors = self._spectrum(cosines)
            self.condition = float(self._values[-1] / self._values[0])
            self.coordinates = self.lengths[:, None] * self._vectors * np.sqrt(self._values)
        else:
            self.coordinates = self._lower
        self.rank = self.coordinates.shape[1]

    def _regular_factor(self, cosines):
        """Cholesky factor, or None where the matrix is too close to singular for one."""
        try:
            lower = cholesky(cosines, lower=True, check_finite=False)
        except np.linalg.LinAlgError:
            return None
        pivots = np.diag(lower)
        self.condition = float((pivots.max() / pivots.min()) ** 2)
        # pivots overestimate the smallest eigenvalue, hence the safety factor
        if self.condition * RANK_TOL >= 1e-3:
            return None
        lower *= self.lengths[:, None]
        return lower

    def _spectrum(self, cosines):
        values, vectors = eigh(cosines)
        top = values[-1]
        if top <= 0:
            raise NotPositiveSemidefiniteError("the kernel matrix has no positive eigenvalue")
        rounding = len(values) * EPS
        if values[0] < -top * max(1e-10, rounding):
            raise NotPositiveSemidefiniteError(
                f"the kernel matrix is not positive semi-definite: smallest eigenvalue "
                f"{values[0]:.3g}, largest {top:.3g} with the diagonal scaled to one; use a "
                f"positive definite kernel or a ridge of at least "
                f"{-values[0] * self.lengths.max() ** 2:.3g}"
            )
        keep = values > top * max(RANK_TOL, rounding)
        return values[keep], vectors[:, keep]

    @property
    def n_points(self):
        """Number of points that span the space."""
        return len(self.gram)

    @property
    def is_regular(self):
        """Whether the points are linearly independent to working precision."""
        return self._lower is not None

    def coefficients(self, vectors):
        """Coefficients of vectors given in orthonormal coordinates.

        Parameters
        ----------
        vectors : array of shape (..., rank)

        Returns
        -------
        coefficients : ndarray of shape (..., n)
            The smallest ones for points of unit length, where the points are
            linearly dependent.
        """
        if self.is_regular:
            # LAPACK's routine: the checks of solve_triangular take far longer for a small vector
            return dtrtrs(self._lower, np.asarray(vectors).T, lower=1, trans=1)[0].T
        scaled = (np.asarray(vectors) / np.sqrt(self._values)) @ self._vectors.T
        return scaled / self.lengths

    def products(self, vectors):
        """Inner products of the points with vectors given in orthonormal coordinates.

        Parameters
        ----------
        vectors : array of shape (k, rank)

        Returns
        -------
        products : ndarray of shape (k, n)
        """
        if self.is_regular:
            # half of the factor is zero
            return dtrmm(1.0, self._lower, vectors.T, lower=1).T
        return vectors @ self.coordinates.T

    def with_unit_margins(self, n_walls):
        """Coefficients on the first points of the vector whose products with them are all 1.

        Parameters
        ----------
        n_walls : int

        Returns
        -------
        a : ndarray of shape (n_walls,)
        """
        if n_walls < SAVED_PRODUCTS_MIN_POINTS:
            return np.linalg.solve(self.gram[:n_walls, :n_walls], np.ones(n_walls))
        lower = self._lower[:n_walls, :n_walls]
        return cho_solve((lower, True), np.ones(n_walls), check_finite=False)

    def smallest_coefficients(self, a):
        """The smallest coefficients, for points of unit length, of the vector that has `a`."""
        if self.is_regular:
            return a
        return self._vectors @ (self._vectors.T @ (self.lengths * a)) / self.lengths

    def rounding(self, a):
        """Rounding error of a vector's inner products with points of unit length.

        A row k of the Gram matrix times a is off by about ``eps |k| |a|``, with at most n for
        ``|k|^2``; the entries of k are known no better. The smallest coefficients of a unit vector
        keep it below ``eps sqrt(condition)``, for ``|a|^2`` is then at most the inverse of the
        smallest eigenvalue, and ``|k|^2`` at most the largest: 7e-10 where `RANK_TOL` cuts.
        """
        scaled = self.lengths * a
        return EPS * sqrt(len(scaled)) * sqrt(scaled.dot(scaled))

    def norm(self, a):
        """Length of the vector with coefficients `a`."""
        return float(np.sqrt(max(a @ self.gram @ a, 0.0)))

    def random_tangent(self, a, rng):
        """Unit vector, isotropic in the tangent space of the sphere at `a`.

        Isotropic in feature space: normal in orthonormal coordinates, then
        freed of its part along `a`. Normal coefficients would follow the large
        eigenvalues of the Gram matrix and bias every sampler that uses them.

        Parameters
        ----------
        a : array of shape (n,)
            Coefficients of a unit vector.
        rng : numpy.random.Generator

        Returns
        -------
        b : ndarray of shape (n,)
            Coefficients of the direction.
        """
        if self.rank < 2:
            raise ValueError(
                "the span has one dimension: version space is a point and nothing moves; use a "
                "richer kernel, or append a constant feature (a bias)"
            )
        z = rng.standard_normal(self.rank)
        # projected in coordinates, so that a rounding error in the length of `a` does no harm
        w = a.dot(self.coordinates)
        z -= z.dot(w) / w.dot(w) * w
        return self.coefficients(z / sqrt(z.dot(z)))

    def tangent_of_normal_coefficients(self, a, rng):
        """Unit tangent at `a` whose coefficients were normal before projection: not isotropic.

        This is "a random direction" drawn in the algorithm's coefficients. It is
        suitable for a first velocity only, on which no stationary law depends.

        Parameters
        ----------
        a : array of shape (n,)
            Coefficients of a unit vector.
        rng : numpy.random.Generator

        Returns
        -------
        b : ndarray of shape (n,)
        """
        b = rng.standard_normal(self.n_points)
        b -= (b @ self.gram @ a) * a
        return b / self.norm(b)
