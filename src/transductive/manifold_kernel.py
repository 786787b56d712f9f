"""A kernel deformed by a graph over training and working points, and the strength that it needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, cholesky, solve_triangular
from scipy.sparse import csr_array, issparse
from scipy.sparse.csgraph import laplacian
from sklearn.neighbors import NearestNeighbors

from .blas_threads import one_blas_thread
from .kernel_width import first_within_one_error, some_of_each_class, squared_loo_errors
from .kernels import NotPositiveSemidefiniteError
from .low_rank import refuse_negative

__all__ = ["MAX_POINTS", "STRENGTHS", "ManifoldKernel", "deform", "graph_laplacian", "least_loo"]

#: Strengths to choose from by leave-one-out.
STRENGTHS = (0.0, 1.0, 10.0, 100.0, 1000.0)
#: Four matrices of this many points have 13 GB.
MAX_POINTS = 20_000
# Kernel values of new points held at a time.
BLOCK_ENTRIES = 2**24
DIAGONAL_BLOCK_ROWS = 64
# A smaller share of a squared length is rounding error.
LEAST_LEFT = 1e-9


def graph_laplacian(points, n_neighbors):
    """Normalised Laplacian ``I - D^-1/2 W D^-1/2`` of the graph of nearest neighbours.

    Two points are joined if either is among the `n_neighbors` nearest of the other, or all are, if
    there are no more. Weights are ``exp(-d^2 / (2 w^2))`` for Euclidean distances d and their
    median w, zeros left out. A point whose weights underflow is joined to none, and its row is 0.

    Parameters
    ----------
    points : array or CSR matrix of shape (n, d)
    n_neighbors : int

    Returns
    -------
    L : csr_array of shape (n, n)

    Raises
    ------
    ValueError
        If distances overflow.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        if issparse(points):
            squares = points.multiply(points)
        else:
            # distances by norms and inner products keep more digits near the origin
            points = points - points.mean(axis=0)
            squares = np.square(points)
        largest = squares.sum(axis=1).max()
    if not largest < np.finfo(float).max / 8:
        raise ValueError("distances between points overflow: scale the features")
    nearest = NearestNeighbors(n_neighbors=min(n_neighbors, points.shape[0] - 1), n_jobs=1)
    graph = nearest.fit(points).kneighbors_graph(mode="distance")
    lengths = graph.data[graph.data > 0]
    if len(lengths):
        graph.data /= np.median(lengths)
    graph.data = np.exp(-0.5 * graph.data**2)
    return csr_array(laplacian(graph.maximum(graph.T), normed=True))


@dataclass(frozen=True, eq=False)
class ManifoldKernel:
    """Values of a deformed kernel at points that may be in neither set; see `deform`.

    Attributes
    ----------
    kernel : callable
        ``kernel(A, B)``, or ``kernel(A)`` of the points with one another.
    points : array or CSR matrix of shape (n, d)
    root : csr_array of shape (n, n)
        S, whose square is M.
    lower : ndarray of shape (n, n)
        Cholesky factor C of ``I + S K S``.
    images : ndarray of shape (n, n)
        Rows ``C^-1 S k_x`` of the points.
    factors : ndarray of shape (n,), or None
        Of the points, so that they have the squared lengths that they have without deformation.
    """

    kernel: Callable
    points: np.ndarray
    root: csr_array
    lower: np.ndarray
    images: np.ndarray
    factors: np.ndarray | None

    def rows(self, X, columns=slice(None)):
        """Kernel values of the rows of `X` with the points.

        Parameters
        ----------
        X : array or sparse matrix of shape (m, d)
        columns : slice or array of int, default=all
            Points whose values are wanted.

        Returns
        -------
        values : ndarray of shape (m, number of columns)

        Notes
        -----
        O(m n^2) operations, by blocks of rows.
        """
        size = max(1, BLOCK_ENTRIES // self.points.shape[0])
        parts = [X[start : start + size] for start in range(0, X.shape[0], size)]
        return np.concatenate([self._block(part, columns) for part in parts])

    def _block(self, X, columns):
        cross = self.kernel(X, self.points)
        images = solve_triangular(self.lower, self.root @ cross.T, lower=True, check_finite=False)
        values = cross[:, columns] - images.T @ self.images[columns].T
        if self.factors is not None:
            square = self._square(X)
            values *= _factors(square, square - np.square(images).sum(axis=0))[:, None]
            values *= self.factors[columns]
        return values

    def _square(self, X):
        """``k(x, x)`` of the rows of `X`."""
        starts = range(0, X.shape[0], DIAGONAL_BLOCK_ROWS)
        blocks = [self.kernel(X[start : start + DIAGONAL_BLOCK_ROWS]) for start in starts]
        return np.concatenate([np.diag(block) for block in blocks])


def deform(points, laplacian, strength, kernel, *, rescale=True):
    """The kernel whose norm also measures how much a function differs between neighbours.

    ``k~(x, z) = k(x, z) - k_x' (I + M K)^-1 M k_z`` with ``M = r L^2`` is the kernel of the norm
    ``|f|^2 + f' M f``, where f on the right has the values at the points. With ``S = sqrt(r) L``
    the correction is ``(S k_x)' (I + S K S)^-1 S k_z``, an inner product of ``C^-1 S k_x``.

    Parameters
    ----------
    points : array or CSR matrix of shape (n, d)
    laplacian : csr_array of shape (n, n)
    strength : float
        r times the mean ``k(x, x)``, positive.
    kernel : callable
        ``kernel(A, B)``, or ``kernel(A)`` of the points with one another.
    rescale : bool, default=True
        Multiply ``k~(x, z)`` by a factor for x and one for z so that ``k~(x, x) = k(x, x)``.

    Returns
    -------
    deformed : ManifoldKernel
    gram : ndarray of shape (n, n)

    Raises
    ------
    NotPositiveSemidefiniteError
        If the kernel matrix has a clearly negative eigenvalue.
    ArithmeticError
        If the strength leaves rounding errors of a squared length.
    """
    gram = kernel(points)
    square = np.diag(gram).copy()
    root = np.sqrt(_per_square(square) * strength) * laplacian
    images = root @ gram
    lower = _factor(root @ images.T)
    images = solve_triangular(lower, images, lower=True, check_finite=False).T
    gram -= images @ images.T
    factors = None
    if rescale:
        left = np.diag(gram)
        if (left < LEAST_LEFT * square).any():
            raise ArithmeticError(
                f"strength {strength:g} leaves less than {LEAST_LEFT:g} of a point's squared "
                "length, which rounding decides: take a weaker one"
            )
        factors = _factors(square, left)
        _stretch(gram, factors)
    return ManifoldKernel(kernel, points, root, lower, images, factors), gram


def _per_square(square):
    refuse_negative(square)
    return 1.0 / square.mean() if square.any() else 0.0


def _factor(inner):
    """Cholesky factor of ``I + inner``, which is overwritten."""
    inner[np.diag_indices_from(inner)] += 1.0
    try:
        # the transpose is the same matrix, in the order that needs no copy
        return cholesky(inner.T, lower=True, overwrite_a=True, check_finite=False)
    except LinAlgError:
        raise NotPositiveSemidefiniteError(
            "the kernel matrix of training and working points has a negative eigenvalue, or "
            "rounding makes one: use a positive semi-definite kernel, or a weaker manifold"
        ) from None


def _factors(square, left):
    """Roots of the ratios of squared lengths; 0 for a point at the origin of feature space."""
    left = np.maximum(left, LEAST_LEFT * square)
    return np.sqrt(np.divide(square, left, out=np.zeros(len(square)), where=square > 0))


def _stretch(gram, factors):
    gram *= factors
    gram *= factors[:, None]


def least_loo(points, targets, laplacian, kernel, gammas, strengths, *, rescale=True):
    """Kernel coefficient and strength by the leave-one-out error of ridge regression on the labels.

    Of all pairs whose mean squared error, at its best ridge, is within one standard error of the
    least (of the differences, point by point) the strongest, and of these the widest. With ten
    labels the strongest erred least on average over nineteen problems that no paper uses; with a
    hundred labels it made no difference. Strengths whose result would be rounding error are left
    out.

    Parameters
    ----------
    points : array or CSR matrix of shape (n, d)
        Labelled points first.
    targets : array of shape (l,) or (l, k)
        Labels, -1 and 1, a column for each class of several; or values.
    laplacian : csr_array of shape (n, n)
    kernel : callable
        ``kernel(gamma)`` gives a kernel as `deform` takes it.
    gammas : sequence of float or None
        Widest first.
    strengths : sequence of float
    rescale : bool, default=True

    Returns
    -------
    gamma : float or None
    strength : float
    error : float
        Mean squared error of the choice, of targets that are at most 1 in size; NaN without
        candidates.

    Notes
    -----
    About ``n^3 / 3`` operations for each pair of a gamma and a positive strength.

    References
    ----------
    Transductive Inference for Estimating Values of Functions (Chapelle, Vapnik, Weston), equation
    (15).
    """
    columns = np.reshape(targets, (len(targets), -1)).T
    kept = some_of_each_class(columns)
    # squares of squares must neither overflow nor underflow
    columns = columns[:, kept] / (np.abs(columns).max() or 1.0)
    # the last bits depend on the number of threads, and a tie on the last bits
    with one_blas_thread():
        candidates = [
            (-strength, position, squared_loo_errors(gram, columns))
            for position, gamma in enumerate(gammas)
            for strength, gram in _labelled_blocks(
                points, laplacian, kernel(gamma), strengths, kept, rescale
            )
        ]
    if not candidates:
        # `deform` says why
        return gammas[0], strengths[0], np.nan
    candidates.sort(key=lambda candidate: candidate[:2])
    strength, position, errors = candidates[
        first_within_one_error([errors for *_, errors in candidates])
    ]
    return gammas[position], -strength, errors.mean()


def _labelled_blocks(points, laplacian, kernel, strengths, kept, rescale):
    """Strengths, and the deformed kernel's values of some of the points with one another."""
    gram = kernel(points)
    square = np.diag(gram).copy()
    per_square = _per_square(square)
    rows = laplacian @ gram
    inner = laplacian @ rows.T
    rows = rows[:, kept]
    gram = gram[np.ix_(kept, kept)]
    for strength in strengths:
        if strength == 0:
            yield strength, gram.copy()
            continue
        r = per_square * strength
        images = solve_triangular(_factor(r * inner), rows, lower=True, check_finite=False)
        block = gram - r * (images.T @ images)
        if rescale:
            left = np.diag(block)
            if (left < LEAST_LEFT * square[kept]).any():
                continue
            _stretch(block, _factors(square[kept], left))
        yield strength, block
