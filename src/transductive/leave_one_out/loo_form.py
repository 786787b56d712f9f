"""The leave-one-out error as a quadratic form in all values, and its minimum: (22) to (34)."""

from __future__ import annotations

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from ._loo import eigh, loo_matrix

__all__ = ["LooForm", "SingleLooForm"]


class LooForm:
    """``(l + m) T_loo = Y' M Y`` on l training and m working points.

    Parameters
    ----------
    joint : RidgeSpectrum or SingleRidge
        Of all l + m points, the l training points first: equation (24).
    alpha : float
        The paper's gamma.
    n_train : int
        l.

    Attributes
    ----------
    matrix : ndarray of shape (l + m, l + m)
        M of equation (27).

    Raises
    ------
    LeverageError
        If alpha is too small for any digit of ``C_kk``.
    ArithmeticError
        If alpha is so small that M overflows.
    ValueError
        If `n_train` leaves no training or no working point.

    Notes
    -----
    Entries of M are about as accurate as those of C, to ``eps |K| / sqrt(alpha)``. A value of the
    form smaller than these errors has no correct digit: for the smoothest Y, ``Y' M Y`` is about
    ``(alpha / |K|^2)^2``, which is lost for ``alpha < sqrt(eps) |K|^2``. There the residuals of
    `RidgeSpectrum.loo_residuals` keep their digits, and `transduce` loses fewer than the form.
    """

    def __init__(self, joint, alpha, n_train):
        self.n_train = _checked(n_train, joint)
        with np.errstate(over="ignore", invalid="ignore"):
            self.matrix = loo_matrix(joint.complement(alpha))
        # no entry exceeds the diagonal's largest
        _refuse_overflow(self.matrix.trace(), alpha)
        # (32); the paper calls them M0, M1, M2
        self._m1 = self.matrix[:n_train, n_train:]
        self._m2 = self.matrix[n_train:, n_train:]

    def error(self, values):
        """``T_loo`` of all l + m values: equation (28), equal to (22)."""
        values = np.asarray(values, dtype=np.float64)
        return float(values @ (self.matrix @ values)) / len(values)

    def transduce(self, y, y0, alpha_star):
        """Equation (34): the working values that minimise (30).

        Parameters
        ----------
        y : array of shape (l,)
        y0 : array of shape (m,)
            Ridge regression's values, equation (17).
        alpha_star : float
            The paper's gamma*, not negative: the weight of ``|Y* - Y0|^2``. Infinite gives `y0`.

        Returns
        -------
        values : ndarray of shape (m,)
            Y*.

        Raises
        ------
        ArithmeticError
            If alpha and alpha_star are so small that the system is singular in floating point.
        ValueError
            If alpha_star is negative or the shapes of `y` and `y0` are wrong.
        """
        if not alpha_star >= 0:
            raise ValueError(f"alpha_star must not be negative, got {alpha_star!r}")
        y, y0 = np.asarray(y, dtype=np.float64), np.array(y0, dtype=np.float64)
        if y.shape != (self.n_train,) or y0.shape != (len(self._m2),):
            raise ValueError(
                f"y and y0 must have shapes ({self.n_train},) and ({len(self._m2)},), "
                f"got {y.shape} and {y0.shape}"
            )
        if np.isinf(alpha_star):
            return y0
        system = self._m2 + alpha_star * np.eye(len(self._m2))
        # (34) for the difference to Y0, so that nothing cancels when gamma* is large; with M1
        # transposed, as (31), (33) and (34) are printed without
        right = -self._pull(y, y0)
        try:
            factored = cho_factor(system, overwrite_a=True, check_finite=False)
        except LinAlgError as error:
            raise ArithmeticError(
                "gamma* I + M2 is singular to working precision: raise alpha or alpha_star"
            ) from error
        return y0 + cho_solve(factored, right)

    def _pull(self, y, y0):
        """``M1' Y + M2 Y0``."""
        return self._m1.T @ y + self._m2 @ y0

    def transductive_loo(self, y, y0, loo_values, influence, alphas_star):
        """Leave-one-out values of the transduction itself, for a grid of alpha_star.

        Pair i is left out of the training sample and its point joins the working points, so that
        (34) estimates its value. (Not in the paper, which fixes gamma*.)

        Parameters
        ----------
        y : array of shape (l,)
        y0 : array of shape (m,)
        loo_values : array of shape (l,)
            Ridge regression's leave-one-out values of the training points, ``y - (15)'s terms``.
        influence : array of shape (m, l)
            ``Y0 = influence @ y``. Leaving out y_i amounts to replacing it by its leave-one-out
            value.
        alphas_star : array of shape (g,)
            Positive and finite.

        Returns
        -------
        values : ndarray of shape (l, g)

        Notes
        -----
        One eigendecomposition of M2 and O(g l m): eliminating the working values leaves one
        equation for each left-out value.
        """
        y, loo_values = np.asarray(y, dtype=np.float64), np.asarray(loo_values)
        if not (np.isfinite(alphas_star).all() and np.min(alphas_star) > 0):
            raise ValueError(f"alphas_star must be positive and finite, got {alphas_star!r}")
        vectors = np.array(self._m2, order="F")
        theta = eigh(vectors)
        cross = vectors.T @ self._m1.T
        influence = vectors.T @ influence
        base = vectors.T @ y0
        # of Y0 without pair i, in the coordinates in which M2 is diagonal
        without = base[:, None] + influence * (loo_values - y)
        diagonal = np.diag(self.matrix)[: self.n_train]
        linear = self.matrix[: self.n_train, : self.n_train] @ y
        through = cross.T * (cross @ y)  # (l, m)
        square = cross.T**2
        out = np.empty((self.n_train, len(alphas_star)))
        for j, alpha_star in enumerate(alphas_star):
            inverse = 1.0 / (theta + alpha_star)
            own = diagonal - square @ inverse
            rest = linear - through @ inverse - own * y
            pull = (cross * without).T @ (alpha_star * inverse)
            out[:, j] = (alpha_star * loo_values - rest - pull) / (own + alpha_star)
        return out


class SingleLooForm(LooForm):
    """`LooForm` that forms no more of C and M than `transduce` and `error` need.

    These are the working points' columns of C, ``diag(C)`` and M2: O((l + m)^2 m) operations, where
    M takes ``(l + m)^3``. There is no `matrix`, which `transductive_loo` needs.

    Parameters
    ----------
    joint : SingleRidge
    alpha : float
    n_train : int

    Attributes
    ----------
    columns : ndarray of shape (l + m, m)
        Of C.
    """

    def __init__(self, joint, alpha, n_train):
        self.n_train = _checked(n_train, joint)
        self._joint, self._alpha = joint, alpha
        self.columns = joint.last_columns(alpha, joint.n - n_train)
        self._diagonal = joint.diagonal(alpha)
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            scaled = self.columns / self._diagonal[:, None]
            self._m2 = scaled.T @ scaled
            _refuse_overflow(self._m2.trace() + np.sum(self._diagonal**-2.0), alpha)

    def error(self, values):
        """``T_loo`` of all l + m values: equation (28), equal to (22)."""
        values = np.asarray(values, dtype=np.float64)
        return float(np.mean((self._joint.times(self._alpha, values) / self._diagonal) ** 2))

    def _pull(self, y, y0):
        image = self._joint.times(self._alpha, np.r_[y, y0])
        return self.columns.T @ (image / self._diagonal**2)


def _checked(n_train, joint):
    if not 0 < n_train < joint.n:
        raise ValueError(f"n_train must be between 1 and {joint.n - 1}, got {n_train!r}")
    return n_train


def _refuse_overflow(trace, alpha):
    if not np.isfinite(trace):
        raise ArithmeticError(f"alpha = {alpha:.3g} is so small that M overflows: raise alpha")
