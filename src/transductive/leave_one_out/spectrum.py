"""One factorisation of a Gram matrix that serves every alpha: equations (9), (14) to (17)."""

from __future__ import annotations

import numpy as np

from ..kernels import NotPositiveSemidefiniteError, check_gram
from ._loo import complement, eigh, loo_path

__all__ = ["PENALTIES", "LeverageError", "RidgeSpectrum"]

#: Ridge regression penalises ``|a|^2``, equation (8), or ``a'Ka``, the squared norm in feature
#: space.
PENALTIES = ("coefficients", "norm")
EPS = np.finfo(float).eps
# Rounding errors of the factorisation are at most this times eps sqrt(n) times the largest singular
# value; the largest ratio measured was 2.
BACKWARD_ERROR = 4.0


class LeverageError(ValueError):
    """A leverage is 1 to working precision: the other pairs do not determine that pair's value."""


class RidgeSpectrum:
    """Ridge regression on one Gram matrix, for any ridge `alpha`.

    With the eigenvalues s of the matrix K the hat matrix is ``U diag(s^2 / (s^2 + alpha)) U'``
    (``coefficients``) or ``U diag(s / (s + alpha)) U'`` (``norm``). ``K'K`` is never formed, since
    that would square the rounding errors.

    Parameters
    ----------
    gram : array of shape (n, n)
        ``K[i, j] = phi_j(x_i)``, equation (11), with one basis function per point: symmetric and
        positive semi-definite.
    penalty : {"coefficients", "norm"}, default="coefficients"
        What alpha multiplies.
    overwrite : bool, default=False
        Overwrite a float64 matrix by its factor.

    Attributes
    ----------
    n : int
    vectors : ndarray of shape (n, n), Fortran order
        U.
    spectrum : ndarray of shape (n,)
        f, so that ``1 - h = U diag(alpha / (f + alpha)) U'``.
    scale : float
        Size of the largest eigenvalue.

    Raises
    ------
    NotPositiveSemidefiniteError
        If there is a clearly negative eigenvalue.
    ValueError
        If the matrix is not finite, empty, or not symmetric.
    """

    def __init__(self, gram, *, penalty="coefficients", overwrite=False):
        gram = np.asarray(gram, dtype=np.float64)
        check_gram(gram, "the Gram matrix")
        if penalty not in PENALTIES:
            raise ValueError(f"penalty must be one of {PENALTIES}, got {penalty!r}")
        self.penalty = penalty
        self._from_gram(gram, overwrite)
        self.n = len(gram)
        self.scale = float(np.abs(self._values).max())
        self._error = BACKWARD_ERROR * np.sqrt(self.n) * EPS * self.scale
        if penalty == "coefficients":
            self.spectrum = self._values**2
        else:
            self.spectrum = self._values
            # a negative eigenvalue counts as an error
            self._error = max(self._error, -float(self._values.min()))

    def _from_gram(self, gram, overwrite):
        size = max(gram.max(), -gram.min())
        # symmetric: the transpose of a C array is the same matrix in Fortran order
        work = gram if gram.flags.f_contiguous else gram.T
        if not (overwrite and work.flags.f_contiguous and work.flags.writeable):
            work = np.array(work, order="F")
        values = self._factor(work)
        if values[0] < -1e-8 * max(values[-1], size):
            raise NotPositiveSemidefiniteError(
                f"the kernel matrix has the eigenvalue {values[0]:.3g}: use a positive "
                "semi-definite kernel, or add a ridge to its diagonal"
            )
        # not clipped at zero: (9) has their squares, and holds for any symmetric matrix
        self._values = values

    def _factor(self, gram):
        """Eigenvalues, ascending; the array becomes what is kept of the eigenvectors."""
        self.vectors = gram
        return eigh(gram)

    def resolution(self, alpha):
        """Bound on the relative rounding error of every ``1 - h``: ``eps |K| / sqrt(alpha)``.

        A perturbation E of the design changes C, as a quadratic form, by about
        ``|E| / sqrt(alpha)`` of itself, or ``2 |E| / s`` if that is less, for the smallest singular
        value s; with the penalty "norm" by ``|E| / (alpha + s)``.
        """
        alpha = np.asarray(alpha, dtype=np.float64)
        least = max(float(self._values.min()), 0.0)
        if self.penalty == "coefficients":
            root = np.maximum(np.sqrt(alpha), least / 2.0)
        else:
            root = alpha + least
        with np.errstate(divide="ignore"):
            return self._error / root

    def check_alphas(self, alphas):
        """Return `alphas` as an array; raise if rounding leaves no correct digit of ``1 - h``.

        Raises
        ------
        LeverageError
            If an alpha is so small that a leverage is 1 to working precision.
        ValueError
            If an alpha is negative or not finite.
        """
        alphas = np.atleast_1d(np.asarray(alphas, dtype=np.float64))
        if alphas.ndim != 1 or not np.isfinite(alphas).all() or (alphas < 0).any():
            raise ValueError(f"alphas must be finite and not negative, got {alphas}")
        if (alphas == 0).any():
            raise LeverageError("alpha must be positive: without it every leverage may be 1")
        if (self.resolution(alphas) >= 1.0).any():
            least = self._error**2 if self.penalty == "coefficients" else self._error
            raise LeverageError(
                f"alpha = {alphas.min():.3g} leaves leverages that are 1 to working precision, so "
                f"there is no leave-one-out error: scale the features, or take alpha "
                f"above {least:.2g}"
            )
        return np.ascontiguousarray(alphas)

    def loo_residuals(self, y, alphas):
        """``y_i - f(x_i)``, f fitted without pair i: the terms of equation (15).

        Parameters
        ----------
        y : array of shape (n,)
        alphas : float or array of shape (g,)

        Returns
        -------
        residuals : ndarray of shape (n, g)

        Raises
        ------
        LeverageError
            If an alpha is so small that a leverage is 1 to working precision.
        ValueError
            If `y` or an alpha has a wrong shape, or is not finite.
        """
        alphas = self.check_alphas(alphas)
        return self._residuals(self._check_targets(y), alphas)

    def _check_targets(self, y):
        y = np.ascontiguousarray(y, dtype=np.float64)
        if y.shape != (self.n,):
            raise ValueError(f"y must have shape ({self.n},), got {y.shape}")
        if not np.isfinite(y).all():
            raise ValueError("y has values that are not finite")
        return y

    def _residuals(self, y, alphas):
        if not len(alphas):
            return np.empty((self.n, 0))
        residuals, complements = loo_path(self.vectors, self.spectrum, y, alphas)
        residuals /= complements
        return residuals

    def loo_errors(self, y, alphas):
        """Equation (15) for each alpha: the mean squared leave-one-out residual, shape (g,)."""
        residuals = self.loo_residuals(y, alphas)
        return np.einsum("ij,ij->j", residuals, residuals) / self.n

    def complement(self, alpha):
        """C of equation (26), shape (n, n), Fortran order.

        Raises
        ------
        LeverageError
        ValueError
            Without eigenvectors.
        """
        if self.vectors is None:
            raise ValueError("C needs eigenvectors: a RidgeSpectrum, not a RidgeTridiagonal")
        (alpha,) = self.check_alphas(float(alpha))
        return complement(self.vectors, self.spectrum, alpha)

    def coefficients(self, y, alpha):
        """Equation (9), or ``(K + alpha I)^-1 y`` with the penalty "norm".

        Parameters
        ----------
        y : array of shape (n,) or (n, k)
        alpha : float

        Returns
        -------
        coefficients : ndarray of shape (p,) or (p, k)
        """
        if not alpha > 0:
            raise ValueError(f"alpha must be positive, got {alpha!r}")
        values = self._values
        if self.penalty == "norm":
            weights = 1.0 / (values + alpha)
        else:
            weights = values / (values**2 + alpha)
        return self.vectors @ (weights * (np.transpose(y) @ self.vectors)).T
