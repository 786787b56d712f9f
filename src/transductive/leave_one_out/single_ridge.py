"""Ridge regression at one ridge, without eigenvectors."""

from __future__ import annotations

import numpy as np
from scipy.linalg import LinAlgError, cholesky
from scipy.linalg.blas import dsyrk
from scipy.linalg.lapack import dgeqrf, dgeqrf_lwork, dpotrf, dpotri, dtpqrt

from ..kernels import NotPositiveSemidefiniteError, check_gram
from .spectrum import BACKWARD_ERROR, EPS, PENALTIES

__all__ = ["SingleRidge", "UnresolvedError"]

# The Gram matrix is squared if this bounds the relative error of C (actual errors are far smaller);
# otherwise it is factored by QR, at twice the work.
SQUARING_ERROR = 1e-7
# Most of this bound with which refinement of the coefficients still converges.
MAX_SQUARING_ERROR = 1e-3
BLOCK_COLUMNS = 256
QR_BLOCK = 64


class UnresolvedError(ArithmeticError):
    """The ridge is so small that only eigenvectors resolve the leverages."""


class SingleRidge:
    """`RidgeSpectrum` for one alpha, in a third of the time.

    The methods are those of `RidgeSpectrum`, but accept this alpha only.

    ``C = alpha (K^2 + alpha I)^-1``, or ``alpha (K + alpha I)^-1`` with the penalty "norm", from
    Cholesky's factor of that matrix. Where rounding in the square does no harm, ``K^2 + alpha I``
    is factored itself; otherwise the factor is R of a QR factorisation of ``[K; sqrt(alpha) I]``,
    whose errors are those of `RidgeSpectrum`.

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
        if norm:
            factor = _cholesky(np.array(gram.T, order="F"), self.alpha)
        elif error <= SQUARING_ERROR:
            # the transpose of a C array is the same matrix in Fortran order
            factor = _cholesky(dsyrk(1.0, gram.T, lower=0), self.alpha)
        else:
            factor = _triangle(gram, self.alpha)
        inverse, info = dpotri(factor, lower=0, overwrite_c=1)
        if info:
            raise UnresolvedError(f"alpha = {alpha:.3g} needs eigenvectors")
        _mirror(inverse)
        inverse *= self.alpha
        self._complement = inverse

    def complement(self, alpha):
        """C of equation (26), shape (n, n), Fortran order."""
        self._check(alpha)
        return self._complement

    def loo_residuals(self, y, alpha):
        """The terms of equation (15), shape (n, 1)."""
        self._check(alpha)
        return ((self._complement @ y) / np.diag(self._complement))[:, None]

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
        y = np.asarray(y, dtype=np.float64)
        found = np.zeros_like(y)
        # the normal equations, refined by their residual as it follows from K, not from its square
        for _ in range(4):
            left = y - self._gram @ found
            if self.penalty == "coefficients":
                left = self._gram @ left
            found = found + self._complement @ (left / alpha - found)
        return found

    def _check(self, alpha):
        if alpha != self.alpha:
            raise ValueError(f"factored for alpha = {self.alpha!r}, asked for {alpha!r}")


def _cholesky(matrix, alpha):
    """Upper factor of ``matrix + alpha I``, whose upper triangle is read and overwritten."""
    matrix[np.diag_indices_from(matrix)] += alpha
    factor, info = dpotrf(matrix, lower=0, overwrite_a=1, clean=0)
    if info:
        raise UnresolvedError(f"alpha = {alpha:.3g} needs eigenvectors")
    return factor


def _triangle(gram, alpha):
    """R'R = K^2 + alpha I, K never squared."""
    n = len(gram)
    work = int(dgeqrf_lwork(n, n)[0])
    upper = dgeqrf(np.array(gram.T, order="F"), lwork=work, overwrite_a=1)[0]
    root = np.asfortranarray(np.diag(np.full(n, np.sqrt(alpha))))
    upper = dtpqrt(n, min(n, QR_BLOCK), upper, root, overwrite_a=1, overwrite_b=1)[0]
    return upper


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
