"""Leave-one-out errors for a grid of ridges, without eigenvectors."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigvalsh_tridiagonal, solve_banded

from ._loo import loo_tridiagonal, tridiagonal
from .spectrum import RidgeSpectrum

__all__ = ["RidgeTridiagonal"]


class RidgeTridiagonal(RidgeSpectrum):
    """`RidgeSpectrum` of a Gram matrix ``Q T Q'``, T tridiagonal: the same errors, faster.

    The factorisation takes little more than half as long; each ridge takes about the same time on
    processors with wide vectors. There are no `vectors`, which `LooForm` needs, and `spectrum` has
    only the smallest value and a bound of the largest, which is also `scale`.

    Parameters
    ----------
    gram : array of shape (n, n)
        Symmetric and positive semi-definite.
    penalty : {"coefficients", "norm"}, default="coefficients"
    overwrite : bool, default=False
        Overwrite a float64 matrix by its factor.

    Raises
    ------
    NotPositiveSemidefiniteError
        If there is a clearly negative eigenvalue.
    ValueError
        If the matrix is not finite, empty, or not symmetric.
    """

    vectors = None

    def __init__(self, gram, *, penalty="coefficients", overwrite=False):
        super().__init__(gram, penalty=penalty, overwrite=overwrite)

    def _factor(self, gram):
        self._form = diagonal, beside = tridiagonal(gram)
        self._basis = gram
        size = (np.abs(diagonal) + np.abs(np.r_[0.0, beside]) + np.abs(np.r_[beside, 0.0])).max()
        least = eigvalsh_tridiagonal(
            diagonal, beside, select="i", select_range=(0, 0), check_finite=False
        )[0]
        return np.array([least, size])

    def _residuals(self, y, alphas):
        return loo_tridiagonal(self._basis, *self._form, y, alphas, self.penalty == "norm")

    def coefficients(self, y, alpha):
        """Equation (9), or ``(K + alpha I)^-1 y``; see `RidgeSpectrum.coefficients`."""
        if not alpha > 0:
            raise ValueError(f"alpha must be positive, got {alpha!r}")
        diagonal, beside = self._form
        # K (K^2 + alpha)^-1 is the real part of (K + i sqrt(alpha))^-1
        shift = alpha if self.penalty == "norm" else 1j * np.sqrt(alpha)
        upper, lower = np.r_[0.0, beside], np.r_[beside, 0.0]
        bands = np.array([upper, diagonal + shift, lower])
        return self._basis @ solve_banded((1, 1), bands, self._basis.T @ y).real
