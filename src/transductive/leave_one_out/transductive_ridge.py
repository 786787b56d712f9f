"""Transductive regression: values at the working points, without a function in between."""

from __future__ import annotations

import warnings

import numpy as np
from scipy.linalg import eigvalsh
from sklearn.base import RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from .kernel_ridge import TransductiveBase
from .loo_form import LooForm
from .low_rank_form import LowRankLooForm, LowRankRidge
from .spectrum import LeverageError

__all__ = ["TransductiveRidge"]

# From so many points on, low rank is tried first: below it saves nothing.
LOW_RANK_MIN_SAMPLES = 1500
# Truncation that a full factorisation's own rounding would hide.
NEGLIGIBLE_TRUNCATION = 1e-9
MAX_TRUNCATION = 1e-2
# Numbers in a matrix that nobody asked for by name: 1 GiB.
MAX_GRAM_ENTRIES = 2**27
# Kernel values that are held at a time.
BLOCK_ENTRIES = 2**24


class TransductiveRidge(RegressorMixin, TransductiveBase):
    """Values at the working points that minimise the leave-one-out error of ridge regression.

    There is no intercept: centre `y`, or values shrink towards 0. Take `alpha` and `gamma` from
    `RidgeLOO` with the same `penalty`; the defaults only hold their places.

    Parameters
    ----------
    alpha : float, default=1.0
        Ridge, positive; the paper's gamma.
    alpha_star : float or array of shape (g,), default=1.0
        Weight of the distance from ridge regression's own values, not negative; the paper's
        gamma*. Infinite gives those values. Of several (positive, finite) the one is taken whose
        transduction has the smallest leave-one-out error; see `LooForm.transductive_loo`.
    kernel : str or callable, default="rbf"
        As in scikit-learn's SVC; "precomputed" without working points only.
    gamma : float or {"scale", "auto"}, default="scale"
        For the paper's width sigma of a Gaussian kernel ``1 / (2 sigma^2)``.
    degree, coef0
        Of the polynomial and sigmoid kernels.
    penalty : {"coefficients", "norm"}, default="coefficients"
        What alpha multiplies: ``|a|^2`` as in equation (20), or ``a'Ka``.
    rank : int or {"auto"}, optional
        Most columns of a low-rank factor of the Gram matrix; None factors all of it. By default
        ("auto") low rank is used for 1500 points or more where it loses nothing.

    Attributes
    ----------
    transduction_ : ndarray of shape (m,), or None
        Y* of equation (34); None without working points.
    inductive_ : ndarray of shape (m,), or None
        Y0 of equation (17), from the basis functions at the training points.
    alpha_star_ : float
    loo_error_ : float
        Equation (28) at the solution, in which the working values are free: no estimate of the
        error, and not to be compared with (15). Without working points equation (15).
    rank_ : int
        Columns of the joint factor; l + m without low rank.
    truncation_ : float
        Relative bound on what low rank changes in C of equation (26); 0 without.

    Raises
    ------
    LeverageError
        If alpha is so small that a leverage is 1 to working precision.
    NotPositiveSemidefiniteError
    ValueError
        If the targets are constant, a parameter is out of range, or there are too many points.
    ArithmeticError
        If alpha and alpha_star are too small for (34) to be solved.

    Warns
    -----
    ConvergenceWarning
        If `truncation_` exceeds 0.01.

    References
    ----------
    Transductive Inference for Estimating Values of Functions (Chapelle, Vapnik, Weston), section
    3, with M1 transposed in (34).
    """

    def fit(self, X, y, X_working=None):
        """Estimate the values at the working points.

        Parameters
        ----------
        X : array of shape (l, d)
        y : array of shape (l,)
        X_working : array of shape (m, d), optional
            Without it ridge regression on the sample. Nothing scales it but the caller, or a
            pipeline that has it in its ``transform_input``, with metadata routing.

        Returns
        -------
        self
        """
        X, y = self._check_targets(X, y)
        alpha, candidates = float(self.alpha), _candidates(self.alpha_star)
        if len(candidates) > 1 and self.rank not in (None, "auto"):
            raise ValueError("choosing alpha_star by leave-one-out needs rank=None or 'auto'")
        self.gamma_ = self._resolve_gamma(X)
        self.rank_, self.truncation_ = len(X), 0.0
        if X_working is None:
            self.transduction_ = self.inductive_ = None
            self.alpha_star_ = float(candidates[0])
            ridge = self._factored(X, alpha)
            self.loo_error_ = float(ridge.loo_errors(y, alpha)[0])
            self.X_fit_, self.dual_coef_ = X, ridge.coefficients(y, alpha)
            return self
        if self.kernel == "precomputed":
            raise ValueError("working points need the points themselves, not kernel='precomputed'")
        X_working = self._check_others("X_working", X_working)
        joint = np.vstack([X, X_working])
        low_rank = self._try_low_rank(joint, alpha, len(candidates) > 1)
        if low_rank is not None:
            try:
                self._fit_low_rank(X, y, X_working, joint, low_rank, alpha, candidates[0])
                return self
            except (LeverageError, ArithmeticError):
                if self.rank != "auto" or len(joint) ** 2 > MAX_GRAM_ENTRIES:
                    raise
        self._fit_dense(X, y, X_working, joint, alpha, candidates)
        return self

    def _fit_dense(self, X, y, X_working, joint, alpha, candidates):
        sample = self._factored(X, alpha)
        cross = self._kernel(X_working, X)
        self.inductive_ = cross @ sample.coefficients(y, alpha)
        self.truncation_ = 0.0
        ridge = self._factored(joint, alpha)
        form = LooForm(ridge, alpha, len(X))
        self.alpha_star_ = float(candidates[0])
        if len(candidates) > 1:
            loo_values = y - sample.loo_residuals(y, alpha)[:, 0]
            influence = cross @ sample.coefficients(np.eye(len(X)), alpha)
            values = form.transductive_loo(y, self.inductive_, loo_values, influence, candidates)
            errors = np.mean((values - y[:, None]) ** 2, axis=0)
            self.alpha_star_ = float(candidates[errors.argmin()])
        self.transduction_ = form.transduce(y, self.inductive_, self.alpha_star_)
        values = np.r_[y, self.transduction_]
        self.loo_error_ = form.error(values)
        self.X_fit_, self.dual_coef_ = joint, ridge.coefficients(values, alpha)
        self.rank_ = len(joint)

    def _try_low_rank(self, joint, alpha, choosing):
        """A low-rank factor of the joint Gram matrix, or None to factor all of it."""
        if self.rank is None:
            return None
        if self.rank != "auto":
            found = LowRankRidge(
                joint, self._kernel, alpha, self.penalty, self.rank, NEGLIGIBLE_TRUNCATION
            )
            return found if found.rank else None
        if len(joint) < LOW_RANK_MIN_SAMPLES or (choosing and len(joint) ** 2 <= MAX_GRAM_ENTRIES):
            return None
        if choosing:
            raise ValueError(
                f"{len(joint)} points are too many for choosing alpha_star: give one alpha_star"
            )
        most = min(len(joint) // 8, MAX_GRAM_ENTRIES // len(joint))
        if len(joint) ** 2 <= MAX_GRAM_ENTRIES and self._needs_more(joint, most, alpha):
            return None
        found = LowRankRidge(joint, self._kernel, alpha, self.penalty, most, NEGLIGIBLE_TRUNCATION)
        if found.rank and found.truncation <= NEGLIGIBLE_TRUNCATION:
            return found
        if len(joint) ** 2 > MAX_GRAM_ENTRIES:
            raise ValueError(
                f"{len(joint)} points are too many for all of their Gram matrix, and rank "
                f"{found.rank} leaves a relative error of {found.truncation:.2g} in C: set rank, "
                "or raise alpha or the kernel's width"
            )
        return None

    def _needs_more(self, joint, rank, alpha):
        """Whether every factor of this rank leaves more than a negligible part, soon told.

        What it leaves of some points alone has at least the trace of their other eigenvalues.
        """
        part = joint[np.linspace(0, len(joint) - 1, 2 * rank).astype(int)]
        values = eigvalsh(self._kernel(part, part), check_finite=False)
        rounding = len(part) * np.finfo(float).eps * np.abs(values).sum()
        root = np.sqrt(alpha) if self.penalty == "coefficients" else alpha
        return values[:rank].sum() > NEGLIGIBLE_TRUNCATION * root + rounding

    def _fit_low_rank(self, X, y, X_working, joint, factor, alpha, alpha_star):
        self.rank_, self.truncation_ = factor.rank, factor.truncation
        if factor.truncation > MAX_TRUNCATION:
            warnings.warn(
                f"rank {factor.rank} leaves a relative error of {factor.truncation:.2g} in C: "
                "raise rank or alpha",
                ConvergenceWarning,
                stacklevel=3,
            )
        sample = LowRankRidge(
            X, self._kernel, alpha, self.penalty, min(factor.rank, len(X)), NEGLIGIBLE_TRUNCATION
        )
        self.inductive_ = self._values(X_working, X, sample.coefficients(y))
        form = LowRankLooForm(factor, len(X))
        self.alpha_star_ = float(alpha_star)
        self.transduction_ = form.transduce(y, self.inductive_, self.alpha_star_)
        values = np.r_[y, self.transduction_]
        self.loo_error_ = form.error(values)
        self.X_fit_, self.dual_coef_ = joint, factor.coefficients(values)

    def _values(self, X, points, coefficients):
        """Values of an expansion at the rows of `X`, by blocks of rows."""
        size = max(1, BLOCK_ENTRIES // len(points))
        parts = [X[start : start + size] for start in range(0, len(X), size)]
        return np.concatenate([self._kernel(part, points) @ coefficients for part in parts])

    def predict(self, X):
        """Values of the function fitted to training and estimated working values together.

        Parameters
        ----------
        X : array of shape (n, d)

        Returns
        -------
        values : ndarray of shape (n,)
            Equation (9) on the joint sample. At the working points they need not be
            `transduction_`, which no function had to pass through.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return self._values(X, self.X_fit_, self.dual_coef_)


def _candidates(alpha_star):
    values = np.atleast_1d(np.array(alpha_star, dtype=np.float64))
    if values.ndim != 1 or not values.size or np.isnan(values).any() or (values < 0).any():
        raise ValueError(f"alpha_star must be a number that is not negative, got {alpha_star!r}")
    if len(values) > 1 and not (np.isfinite(values).all() and values.min() > 0):
        raise ValueError(f"alphas_star to choose from must be positive, got {alpha_star!r}")
    return values
