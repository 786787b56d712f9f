"""Points in orthonormal coordinates of their span, without their Gram matrix."""

from __future__ import annotations

import numpy as np
from scipy.linalg import solve_triangular
from scipy.linalg.lapack import dpotrf, dpstrf

from ..kernels import NotPositiveSemidefiniteError, check_gram
from ..low_rank import pivoted_cholesky, refuse_negative

__all__ = ["WhitenedPoints"]

BLOCK_ROWS = 512
# Squared length outside the span, as a fraction, at which a point counts as inside.
IN_SPAN_TOL = 1e-12


class WhitenedPoints:
    """A factor C of a Gram matrix, ``K = C C'``: row i is point i in orthonormal coordinates.

    A law that is isotropic in these coordinates is isotropic in feature space. The factor is
    Cholesky's if K is well conditioned. Otherwise it is Cholesky's with pivots, which stops when
    all other points are in the span of the pivots, up to `tol`.

    Parameters
    ----------
    coordinates : array of shape (m, r)
    pivots : array of shape (r,), optional
        Points whose rows are lower triangular: a basis of the span. Without them `coefficients`
        and `transform` are not available.
    truncation : float
        Largest squared length that any point has outside the span, as a fraction of its own.
    triangular : bool
        Whether `coordinates` is square and lower triangular as it stands.

    Attributes
    ----------
    coordinates : ndarray of shape (m, r), Fortran order
    pivots : ndarray of shape (r,), or None
    truncation : float
    triangular : bool
    """

    def __init__(self, coordinates, pivots=None, truncation=0.0, triangular=False):
        self.coordinates = np.asfortranarray(coordinates, dtype=np.float64)
        if self.coordinates.ndim != 2 or not self.coordinates.size:
            raise ValueError(
                f"points must be an array of shape (m, r), not empty, got shape "
                f"{self.coordinates.shape}"
            )
        square = np.einsum("ij,ij->i", self.coordinates, self.coordinates)
        if not np.all(np.isfinite(square)):
            raise ValueError("points must be finite")
        if not square.all():
            where = int(np.argmin(square))
            raise ValueError(
                f"point {where} has length zero and so no sign: remove it, or raise the rank if "
                "low rank made it zero"
            )
        self.pivots = None if pivots is None else np.asarray(pivots, dtype=np.intp)
        self.truncation = float(truncation)
        self.triangular = bool(triangular)

    @property
    def rank(self):
        """Dimension of the span."""
        return self.coordinates.shape[1]

    @classmethod
    def from_gram(cls, gram, *, tol=IN_SPAN_TOL, overwrite=False):
        """Factor a Gram matrix.

        Parameters
        ----------
        gram : array of shape (m, m)
            Symmetric positive semi-definite.
        tol : float, default=1e-12
            Squared length outside the span, as a fraction, at which a point counts as inside.
        overwrite : bool, default=False
            Overwrite a float64 matrix by its factor, which saves the memory of a second one.

        Raises
        ------
        NotPositiveSemidefiniteError
        ValueError
            If `gram` is not square, finite and symmetric, or a point has length zero.
        """
        gram = np.asarray(gram, dtype=np.float64)
        check_gram(gram, "gram")
        square = np.diag(gram).copy()
        _refuse_zero_length(square)
        # symmetric: the transpose of a C array is the same matrix in Fortran order
        work = gram if gram.flags.f_contiguous else gram.T
        if not (overwrite and work.flags.f_contiguous and work.flags.writeable):
            work = np.array(work, order="F")
        lower, failed = dpotrf(work, lower=1, clean=0, overwrite_a=1)
        if not failed and np.min(np.diag(lower) ** 2 / square) >= tol:
            for start in range(0, len(lower), BLOCK_ROWS):
                rows = slice(start, start + BLOCK_ROWS)
                lower[rows, start + BLOCK_ROWS :] = 0.0
                lower[rows, rows] = np.tril(lower[rows, rows])
            return cls(lower, np.arange(len(square)), triangular=True)
        # the factorisation kept to one triangle: the other still holds the matrix
        for start in range(0, len(work), BLOCK_ROWS):
            rows = slice(start, start + BLOCK_ROWS)
            work[start + BLOCK_ROWS :, rows] = work[rows, start + BLOCK_ROWS :].T
            upper = np.triu(work[rows, rows], 1)
            work[rows, rows] = upper + upper.T
        work[np.diag_indices(len(work))] = square
        return cls._pivoted(work, square, tol)

    @classmethod
    def _pivoted(cls, gram, square, tol):
        """With pivots, where the matrix stands if it is our copy in Fortran order."""
        lengths = np.sqrt(square)
        gram /= lengths
        gram /= lengths[:, None]
        probe = np.sin(np.arange(len(square)) + 1.0)
        image = gram @ probe
        lower, pivots, rank, _ = dpstrf(gram, tol=tol, lower=1, overwrite_a=1)
        coordinates = np.zeros((len(square), rank), order="F")
        for k in range(rank):
            coordinates[pivots[k:] - 1, k] = lower[k:, k]
        left = 1.0 - np.einsum("ij,ij->i", coordinates, coordinates)
        missed = np.abs(coordinates @ (coordinates.T @ probe) - image).max()
        # what is left over has a diagonal of at most the tolerance, and so all its entries
        if left.min() < -1e-8 or missed > (1e-8 + tol) * len(square):
            raise NotPositiveSemidefiniteError(
                f"the kernel matrix is not positive semi-definite: after {rank} pivots its factor "
                f"is off by {max(missed, -left.min()):.2g}; use a positive definite kernel or add "
                "a ridge to the diagonal"
            )
        coordinates *= lengths[:, None]
        return cls(coordinates, pivots[:rank] - 1, max(left.max(), 0.0))

    @classmethod
    def from_kernel(cls, X, kernel, rank):
        """Factor at most `rank` columns of a Gram matrix that is never formed.

        The next pivot is the point that is longest outside the span so far. When the rank is
        reached, projections on the span of the pivots replace the points, and the prior's
        projection the prior; `truncation` bounds the loss.

        Parameters
        ----------
        X : array of shape (m, d)
        kernel : callable
            ``kernel(A, B)`` gives the kernel values of all rows of A with all rows of B.
        rank : int
        """
        partial = pivoted_cholesky(
            X,
            kernel,
            rank,
            # relative to each point's own length
            done=lambda left, square: np.all(left <= IN_SPAN_TOL * square),
            weight=_refuse_zero_length,
        )
        truncation = (partial.left / partial.square).max()
        return cls(partial.factor, partial.pivots, max(truncation, 0.0))

    def _basis(self):
        if self.pivots is None:
            raise ValueError("these points were given by coordinates: there are no pivots")
        return self.coordinates if self.triangular else self.coordinates[self.pivots]

    def coefficients(self, w):
        """Coefficients on the pivots of vectors given in coordinates, (..., r) to (..., r)."""
        basis = self._basis()
        flat = np.reshape(w, (-1, self.rank))
        solved = solve_triangular(basis, flat.T, lower=True, trans="T", check_finite=False).T
        return solved.reshape(np.shape(w))

    def transform(self, cross):
        """Coordinates of other points' projections on the span.

        Parameters
        ----------
        cross : array of shape (n, r)
            Kernel values of n points with the pivots.

        Returns
        -------
        coordinates : ndarray of shape (n, r)
        """
        basis = self._basis()
        return solve_triangular(basis, np.asarray(cross).T, lower=True, check_finite=False).T


def _refuse_zero_length(square):
    refuse_negative(square)
    if square.min() == 0:
        raise ValueError(
            f"training point {int(square.argmin())} has length zero in feature space, so it can "
            "have no sign; remove it or use another kernel"
        )
    return square
