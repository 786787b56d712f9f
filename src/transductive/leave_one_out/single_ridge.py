"""Ridge regression at one ridge, without eigenvectors."""

from __future__ import annotations

import numpy as np
from scipy.linalg import LinAlgError, cholesky, lu_factor, lu_solve
from scipy.linalg.blas import dsyrk, dtrsm
from scipy.linalg.lapack import dlauum, dpotrf, dpotri, dtrtri

from ..kernels import NotPositiveSemidefiniteError, check_gram
from .spectrum import BACKWARD_ERROR, EPS, PENALTIES

__all__ = ["SingleRidge", "UnresolvedError"]

# The Gram matrix is squared if the bound of C's relative error is at most the first value. Actual
# errors are far smaller: up to the second value they are measured with random vectors. Otherwise
# `_half_without_square` takes twice the work.
SQUARING_ERROR = 1e-7
MEASURED_SQUARING_ERROR = 1e-5
N_PROBES = 8
# Refinement of the coefficients converges if the bound is at most this.
MAX_SQUARING_ERROR = 1e-3
# Rounds of refinement, and the largest relative change in the last round that counts as converged.
REFINEMENTS = 4
REFINED = 1e-8
BLOCK_COLUMNS = 256


class UnresolvedError(ArithmeticError):
    """The ridge is so small that only eigenvectors resolve the leverages."""


class SingleRidge:
    """`RidgeSpectrum` for one alpha, in a fraction of the time.

    The methods are those of `RidgeSpectrum`, but accept this alpha only.

    ``C = alpha (K^2 + alpha I)^-1``, or ``alpha (K + alpha I)^-1`` with the penalty "norm", is kept
    as ``half' half``. Where rounding in the square does no harm, ``half`` is the inverse of
    Cholesky's factor of that matrix. Otherwise it comes from ``G = sqrt(alpha) (K + sqrt(alpha)
    I)^-1``, whose errors are those of `RidgeSpectrum`: ``C = G (I - 2 G + 2 G^2)^-1 G``, and the
    eigenvalues of the matrix in brackets lie between 1/2 and 1.

    Parameters
    ----------
    gram : ndarray of shape (n, n)
        Symmetric and positive semi-definite; kept, not overwritten.
    alpha : float
        Positive.
    penalty : {"coefficients", "norm"}, default="coefficients"
    semidefinite : bool, default=False
        Whether the kernel is known to be positive semi-definite; otherwise a Cholesky
        factorisation checks it.

    Attributes
    ----------
    n : int
    alpha : float

    Raises
    ------
    NotPositiveSemidefiniteError
        If there is a clearly negative eigenvalue.
    UnresolvedError
        If alpha is so small that only `RidgeSpectrum` resolves the leverages.
    """

    def __init__(self, gram, alpha, penalty="coefficients", *, semidefinite=False):
        check_gram(gram, "the Gram matrix")
        if penalty not in PENALTIES:
            raise ValueError(f"penalty must be one of {PENALTIES}, got {penalty!r}")
        self.n, self.alpha, self.penalty = len(gram), float(alpha), penalty
        # largest sum of a row: a bound of the largest eigenvalue
        size = max(np.abs(gram[i : i + BLOCK_COLUMNS]).sum(axis=1).max()
                   for i in range(0, self.n, BLOCK_COLUMNS))  # fmt: skip
        unit = BACKWARD_ERROR * np.sqrt(self.n) * EPS
        norm = penalty == "norm"
        error = unit * (size if norm else size**2) / self.alpha
        if not error <= (SQUARING_ERROR if norm else MAX_SQUARING_ERROR):
            raise UnresolvedError(f"alpha = {alpha:.3g} needs eigenvectors")
        if not semidefinite:
            _refuse_indefinite(gram)
        self._gram = gram
        self._full = None
        # the transpose of a C array is the same matrix in Fortran order
        self._triangular = True
        if norm:
            self._half = _half(np.array(gram.T, order="F"), self.alpha)
        elif error <= MEASURED_SQUARING_ERROR:
            self._half = _half(dsyrk(1.0, gram.T, lower=0), self.alpha)
            self._triangular = error <= SQUARING_ERROR or self._error() <= SQUARING_ERROR
        else:
            self._triangular = False
        if not self._triangular:
            self._half = _half_without_square(gram, self.alpha)

    def _error(self):
        """Estimate of the Frobenius norm of ``(K^2 / alpha + I) C - I``.

        Its eigenvalues are the relative errors of C as a quadratic form.
        """
        probes = np.random.default_rng(0).standard_normal((self.n, N_PROBES))
        image = self.times(self.alpha, probes)
        left = self._gram @ (self._gram @ image) / self.alpha + image - probes
        return np.linalg.norm(left) / np.sqrt(N_PROBES)

    @property
    def gram(self):
        """The Gram matrix, as it was given."""
        return self._gram

    def complement(self, alpha):
        """C of equation (26), shape (n, n), Fortran order."""
        self._check(alpha)
        if self._full is None:
            if self._triangular:
                self._full = dlauum(self._half.T, lower=0)[0]
            else:
                self._full = dsyrk(1.0, self._half, trans=1, lower=0)
            _mirror(self._full)
        return self._full

    def diagonal(self, alpha):
        """``diag(C)`` without the rest of C, shape (n,)."""
        self._check(alpha)
        return np.einsum("ij,ij->j", self._half, self._half)

    def last_columns(self, alpha, n_columns):
        """The last columns of C without the others, shape (n, n_columns)."""
        self._check(alpha)
        return self._half.T @ self._half[:, self.n - n_columns :]

    def times(self, alpha, values):
        """C times values of shape (n,) or (n, k)."""
        self._check(alpha)
        if self._full is None and values.ndim == 2 and 2 * values.shape[1] > self.n:
            self.complement(alpha)
        return self._half.T @ (self._half @ values) if self._full is None else self._full @ values

    def loo_residuals(self, y, alpha):
        """The terms of equation (15), shape (n, 1)."""
        return (self.times(alpha, np.asarray(y)) / self.diagonal(alpha))[:, None]

    def loo_errors(self, y, alpha):
        """Equation (15), shape (1,)."""
        return np.mean(self.loo_residuals(y, alpha) ** 2, axis=0)

    def coefficients(self, y, alpha):
        """Equation (9), or ``(K + alpha I)^-1 y`` with the penalty "norm".

        Parameters
        ----------
        y : array of shape (n,) or (n, k)
        alpha : float

        Returns
        -------
        coefficients : ndarray of the shape of y

        Raises
        ------
        ValueError
            If `alpha` is not the one that was factored.
        """
        self._check(alpha)
        return self._refined(np.asarray(y, dtype=np.float64), self._gram, self._solve)[0]

    def first_coefficients(self, y, alpha, columns):
        """`coefficients` on the first points alone, without a factorisation of their own.

        The other points leave by a Schur complement: ``P = (K + z I)^-1`` on all points has the
        blocks of which ``P_11 - P_12 P_22^-1 P_21`` is the same on the first ones. With the penalty
        "norm" z is alpha and P is ``C / alpha``. With "coefficients" z is ``i sqrt(alpha)`` and P
        is ``K C / alpha - i C / sqrt(alpha)``, whose imaginary part has what (9) needs.

        Parameters
        ----------
        y : array of shape (l,)
        alpha : float
        columns : ndarray of shape (n, n - l)
            `last_columns` of C.

        Returns
        -------
        coefficients : ndarray of shape (l,), or None if they cannot be refined

        Raises
        ------
        ValueError
            If `alpha` is not the one that was factored.
        """
        self._check(alpha)
        l = len(y)
        P = self._resolvent(columns)
        factored = lu_factor(P[l:], check_finite=False)

        def solve(right):
            image = self._resolvent(self.times(alpha, np.r_[right, np.zeros(self.n - l)]))
            image = image[:l] - P[:l] @ lu_solve(factored, image[l:], check_finite=False)
            return image if self.penalty == "norm" else image.imag / -np.sqrt(alpha)

        coefficients, change = self._refined(np.asarray(y, np.float64), self._gram[:l, :l], solve)
        size = np.linalg.norm(coefficients)
        return coefficients if change <= REFINED * size else None

    def _resolvent(self, image):
        """``(K + z I)^-1 V`` from ``C V``."""
        if self.penalty == "norm":
            return image / self.alpha
        return self._gram @ image / self.alpha - 1j / np.sqrt(self.alpha) * image

    def _solve(self, right):
        return self.times(self.alpha, right) / self.alpha

    def _refined(self, y, gram, solve):
        """The normal equations, refined by their residual as it follows from K, not its square."""
        coefficients = np.zeros_like(y)
        for _ in range(REFINEMENTS):
            left = y - gram @ coefficients
            if self.penalty == "coefficients":
                left = gram @ left
            change = solve(left - self.alpha * coefficients)
            coefficients = coefficients + change
        return coefficients, np.linalg.norm(change)

    def _check(self, alpha):
        if alpha != self.alpha:
            raise ValueError(f"factored for alpha = {self.alpha!r}, asked for {alpha!r}")


def _cholesky(matrix, shift, clean=0):
    """Upper factor of ``matrix + shift I``, whose upper triangle is read and overwritten."""
    matrix[np.diag_indices_from(matrix)] += shift
    factor, info = dpotrf(matrix, lower=0, overwrite_a=1, clean=clean)
    if info:
        raise UnresolvedError(f"the shift {shift:.3g} needs eigenvectors")
    return factor


def _half(matrix, alpha):
    """Lower triangular H with ``H'H = alpha (matrix + alpha I)^-1``; overwrites the matrix."""
    inverse, info = dtrtri(_cholesky(matrix, alpha, clean=1), lower=0, overwrite_c=1)
    if info:
        raise UnresolvedError(f"alpha = {alpha:.3g} needs eigenvectors")
    inverse *= np.sqrt(alpha)
    return inverse.T


def _half_without_square(gram, alpha):
    """H with ``H'H = alpha (K^2 + alpha I)^-1``, K never squared.

    With g = sqrt(alpha) / (k + sqrt(alpha)) for an eigenvalue k of K,
    alpha / (k^2 + alpha) = g^2 / (1 - 2 g + 2 g^2).
    """
    root = np.sqrt(alpha)
    G, info = dpotri(_cholesky(np.array(gram.T, order="F"), root), lower=0, overwrite_c=1)
    if info:
        raise UnresolvedError(f"alpha = {alpha:.3g} needs eigenvectors")
    G *= root
    _mirror(G)
    brackets = dsyrk(2.0, G, beta=-2.0, c=G, lower=0)
    factor = _cholesky(brackets, 1.0)
    return dtrsm(1.0, factor, G, trans_a=1, overwrite_b=1)


def _mirror(matrix):
    """Copy the upper triangle to the lower one, in place."""
    for start in range(0, len(matrix), BLOCK_COLUMNS):
        stop = start + BLOCK_COLUMNS
        corner = matrix[start:stop, start:stop]
        corner[...] = np.triu(corner) + np.triu(corner, 1).T
        matrix[stop:, start:stop] = matrix[start:stop, stop:].T


def _refuse_indefinite(gram):
    size = max(gram.max(), -gram.min())
    vector = np.ones(len(gram))
    for _ in range(20):  # powers of K, whose growth approaches its largest eigenvalue from below
        image = gram @ (vector / np.linalg.norm(vector))
        if not image.any():
            break
        vector = image
    shift = 1e-8 * max(np.linalg.norm(vector), size)
    shifted = np.array(gram.T, order="F")
    shifted[np.diag_indices_from(shifted)] += max(shift, np.finfo(float).tiny)
    try:
        cholesky(shifted, overwrite_a=True, check_finite=False)
    except LinAlgError:
        raise NotPositiveSemidefiniteError(
            "the kernel matrix has a negative eigenvalue: use a positive semi-definite kernel, or "
            "add a ridge to its diagonal"
        ) from None
