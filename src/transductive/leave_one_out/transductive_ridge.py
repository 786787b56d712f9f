"""Transductive regression: values at the working points, without a function in between."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigvalsh
from sklearn.base import RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from ..caller_warning import warn_caller
from .kernel_ridge import TransductiveBase
from .loo_form import LooForm, SingleLooForm
from .low_rank_form import LowRankLooForm, LowRankRidge
from .single_ridge import SingleRidge
from .spectrum import LeverageError
from .values_bound import values_bound

__all__ = ["TransductiveRidge"]

# "auto" tries low rank from this many points on; for fewer it saves nothing.
LOW_RANK_MIN_SAMPLES = 1500
# A truncation below this is less than the rounding error of a full factorisation.
NEGLIGIBLE_TRUNCATION = 1e-9
MAX_TRUNCATION = 1e-2
# Downdate the joint factorisation if m / l is at most this; otherwise factor the sample anew.
MAX_LEAVING_SHARE = 0.25
# Largest Gram matrix that "auto" may allocate: 1 GiB.
MAX_GRAM_ENTRIES = 2**27
# Kernel values held at a time.
BLOCK_ENTRIES = 2**24


class TransductiveRidge(RegressorMixin, TransductiveBase):
    """Values at the working points that minimise the leave-one-out error of ridge regression.

    There is no intercept: centre `y`, or values shrink towards 0. Choose `alpha` and `gamma` with
    `RidgeLOO` and the same `penalty`.

    Parameters
    ----------
    alpha : float, default=1.0
        Ridge, positive; the paper's gamma.
    alpha_star : float or array of shape (g,), default=1.0
        Weight of the distance from ridge regression's own values, not negative; the paper's
        gamma*. Infinite gives those values. From several (positive, finite) `fit` chooses the one
        whose transduction has the smallest leave-one-out error; see `LooForm.transductive_loo`.
    kernel : str or callable, default="rbf"
        As in `RidgeLOO`; "precomputed" only without working points.
    gamma : float or {"scale", "auto"}, default="scale"
        Kernel coefficient; ``1 / (2 sigma^2)`` for the paper's width sigma of a Gaussian kernel.
    degree, coef0 : default=3 and 0.0
        Of the polynomial and sigmoid kernels.
    manifold : float or "auto", default=0.0
        Strength of a deformation of the kernel by the graph of nearest neighbours among training
        and working points; see `manifold_gram`. "auto" chooses by the leave-one-out error on the
        labels, and takes 0 for more than 5,000 points or with a number as `rank`, where a positive
        strength is an error. Ignored without working points.
    penalty : {"coefficients", "norm"}, default="coefficients"
        What alpha multiplies: ``|a|^2`` as in equation (20), or ``a'Ka``.
    rank : int or {"auto"}, optional
        Largest number of columns of a low-rank factor of the Gram matrix; None factors all of it.
        "auto" uses low rank from 1,500 points on where it loses nothing, and beyond 11,585 points,
        whose Gram matrix exceeds 1 GiB, in any case, with at most an eighth of the points as
        columns. `error_bound_` bounds the loss, and a loss for which a given rank would warn is an
        error.

    Attributes
    ----------
    transduction_ : ndarray of shape (m,), or None
        Y* of equation (34); None without working points.
    inductive_ : ndarray of shape (m,), or None
        Y0 of equation (17), from the basis functions at the training points.
    alpha_star_, manifold_ : float
        Weight and strength used; without working points the strength is 0.
    loo_error_ : float
        Equation (28) at the solution. The working values were chosen to minimise it, so it does not
        estimate the error and is not comparable with (15). Without working points equation (15).
    rank_ : int
        Columns of the joint factor; l + m without low rank.
    truncation_ : float
        Relative bound on the change of C, equation (26), by low rank; often far too large.
    error_bound_ : float
        Bound on the root mean square difference of `transduction_` from the solution of (34) with
        the whole Gram matrix and the same `inductive_`; infinite for ``alpha_star=0``. See
        `values_bound`; it fails with a probability of at most 1e-9.

    Raises
    ------
    LeverageError
        If alpha is so small that a leverage is 1 to working precision.
    NotPositiveSemidefiniteError
    ValueError
        If the targets are constant, a parameter is out of range, or there are too many points for
        choosing alpha_star.
    ArithmeticError
        If alpha and alpha_star are too small to solve (34), squares of the targets overflow or
        underflow, or ``rank="auto"`` loses too much: `truncation_` exceeds 0.01, and `error_bound_`
        a hundredth of the targets' standard deviation. A `rank` that loses as much warns.

    References
    ----------
    Transductive Inference for Estimating Values of Functions (Chapelle, Vapnik, Weston), section
    3, with M1 transposed in (34).

    Examples
    --------
    >>> import numpy as np
    >>> from transductive import TransductiveRidge
    >>> X = np.linspace(0.0, 3.0, 10)[:, None]
    >>> ridge = TransductiveRidge(0.1, gamma=0.5)
    >>> ridge.fit(X, np.sin(X[:, 0]), X_working=[[0.5], [2.5]]).transduction_.round(2)
    array([0.43, 0.55])
    """

    def fit(self, X, y, X_working=None):
        """Estimate the values at the working points.

        Parameters
        ----------
        X : array of shape (l, d)
        y : array of shape (l,)
        X_working : array of shape (m, d), optional
            Working points; without them `fit` is ridge regression on the sample. Scale them as `X`:
            yourself, or by a pipeline with ``transform_input=["X_working"]`` and metadata routing.
            If they are as many as the rows of `X`, a grid search or another cross-validation
            divides them into folds: give it ``X_working[1:]``, and `fit` its best parameters with
            all.

        Returns
        -------
        self
        """
        X, y = self._check_targets(X, y)
        alpha, candidates = float(self.alpha), _candidates(self.alpha_star)
        if len(candidates) > 1 and self.rank not in (None, "auto"):
            raise ValueError("choosing alpha_star by leave-one-out needs rank=None or 'auto'")
        gammas = self._gammas(X)
        self.rank_, self.truncation_, self.error_bound_ = len(X), 0.0, 0.0
        if X_working is None:
            self.transduction_ = self.inductive_ = None
            self.alpha_star_ = float(candidates[0])
            self._deform(X, None, y, gammas)
            ridge = self._factored(self._kernel(X, X), alpha)
            self.loo_error_ = float(ridge.loo_errors(y, alpha)[0])
            self.X_fit_, self.dual_coef_ = X, ridge.coefficients(y, alpha)
            return self
        if self.kernel == "precomputed":
            raise ValueError("working points need the points themselves, not kernel='precomputed'")
        X_working = self._check_others("X_working", X_working)
        joint = np.vstack([X, X_working])
        given = self._deform(X, X_working, y, gammas)
        if given is not None:
            n = len(X)
            blocks = given[:n, :n], given[n:, :n], given
            self._fit_dense(y, joint, lambda k: blocks[k], alpha, candidates)
            return self
        low_rank = self._try_low_rank(joint, alpha, len(candidates) > 1)
        if low_rank is not None:
            try:
                self._fit_low_rank(X, y, X_working, joint, low_rank, alpha, candidates[0])
                return self
            except (LeverageError, ArithmeticError):
                if self.rank != "auto" or len(joint) ** 2 > MAX_GRAM_ENTRIES:
                    raise
        pairs = (X, X), (X_working, X), (joint, joint)
        self._fit_dense(y, joint, lambda k: self._kernel(*pairs[k]), alpha, candidates)
        return self

    def _fit_dense(self, y, joint, block, alpha, candidates):
        """`block` gives kernel values: 0 of the sample, 1 of working points with it, 2 of all."""
        self.truncation_ = self.error_bound_ = 0.0
        self.alpha_star_ = float(candidates[0])
        ridge = self._factored(block(2), alpha)
        if len(candidates) == 1 and isinstance(ridge, SingleRidge) and len(joint) <= 2 * len(y):
            form = SingleLooForm(ridge, alpha, len(y))
            self.inductive_ = self._inductive(y, block, ridge, form.columns)
        else:
            form = LooForm(ridge, alpha, len(y))
            sample, cross = self._factored(block(0), alpha), block(1)
            self.inductive_ = cross @ sample.coefficients(y, alpha)
        if len(candidates) > 1:
            loo_values = y - sample.loo_residuals(y, alpha)[:, 0]
            influence = cross @ sample.coefficients(np.eye(len(y)), alpha)
            values = form.transductive_loo(y, self.inductive_, loo_values, influence, candidates)
            errors = np.mean((values - y[:, None]) ** 2, axis=0)
            self.alpha_star_ = float(candidates[errors.argmin()])
        self.transduction_ = form.transduce(y, self.inductive_, self.alpha_star_)
        values = np.r_[y, self.transduction_]
        self.loo_error_ = form.error(values)
        self.X_fit_, self.dual_coef_ = joint, ridge.coefficients(values, alpha)
        self.rank_ = len(joint)

    def _inductive(self, y, block, ridge, columns):
        """Equation (17), by the joint factorisation where few points have to leave it."""
        coefficients = None
        if len(columns.T) <= MAX_LEAVING_SHARE * len(y):
            coefficients = ridge.first_coefficients(y, ridge.alpha, columns)
        if coefficients is None:
            coefficients = self._factored(block(0), ridge.alpha).coefficients(y, ridge.alpha)
        return ridge.gram[len(y) :, : len(y)] @ coefficients

    def _try_low_rank(self, joint, alpha, choosing):
        """A low-rank factor of the joint Gram matrix, or None to factor all of it."""
        n, rank, negligible = len(joint), self.rank, NEGLIGIBLE_TRUNCATION
        if rank is None:
            return None
        too_many = n**2 > MAX_GRAM_ENTRIES
        if rank == "auto":
            if choosing and too_many:
                raise ValueError(
                    f"{n} points are too many for choosing alpha_star: give one alpha_star"
                )
            if choosing or n < LOW_RANK_MIN_SAMPLES:
                return None
            rank = min(n // 8, MAX_GRAM_ENTRIES // n)
            if not too_many and self._needs_more(joint, rank, alpha):
                return None
        factor = LowRankRidge(joint, self._kernel, alpha, self.penalty, rank, negligible)
        if not factor.rank or (
            self.rank == "auto" and not too_many and factor.truncation > negligible
        ):
            return None
        return factor

    def _needs_more(self, joint, rank, alpha):
        """Quick check whether every factor of this rank leaves more than a negligible part.

        Its residual on a few points has at least the trace of their remaining eigenvalues.
        """
        part = joint[np.linspace(0, len(joint) - 1, 2 * rank).astype(int)]
        values = eigvalsh(self._kernel(part, part), check_finite=False)
        rounding = len(part) * np.finfo(float).eps * np.abs(values).sum()
        root = np.sqrt(alpha) if self.penalty == "coefficients" else alpha
        return values[:rank].sum() > NEGLIGIBLE_TRUNCATION * root + rounding

    def _fit_low_rank(self, X, y, X_working, joint, factor, alpha, alpha_star):
        self.rank_, self.truncation_ = factor.rank, factor.truncation
        if len(X) < LOW_RANK_MIN_SAMPLES or len(X) ** 3 <= len(joint) * factor.rank**2:
            # all of the sample's matrix, which costs little, or no more than the rest
            self.inductive_ = self._values(
                X_working, X, self._factored(self._kernel(X, X), alpha).coefficients(y, alpha)
            )
        else:
            sample = LowRankRidge(
                X, self._kernel, alpha, self.penalty, min(factor.rank, len(X)),
                NEGLIGIBLE_TRUNCATION,
            )  # fmt: skip
            self.inductive_ = self._values(X_working, X, sample.coefficients(y))
        form = LowRankLooForm(factor, len(X))
        self.alpha_star_ = float(alpha_star)
        self.transduction_ = form.transduce(y, self.inductive_, self.alpha_star_)
        values = np.r_[y, self.transduction_]
        self.loo_error_ = form.error(values)
        self.X_fit_, self.dual_coef_ = joint, factor.coefficients(values)
        self.error_bound_ = values_bound(form, joint, self._kernel, values, self.alpha_star_)
        if min(factor.truncation, self.error_bound_ / y.std()) > MAX_TRUNCATION:
            lost = (
                f"rank {factor.rank} leaves a relative error of {factor.truncation:.2g} in C, and "
                f"in transduction_ a root mean square error of at most {self.error_bound_:.2g}, "
                f"where the targets' standard deviation is {y.std():.2g}: "
            )
            if self.rank == "auto":
                raise ArithmeticError(
                    f"{lost}raise alpha, alpha_star or the kernel's width, take fewer points, or "
                    f"set rank={factor.rank} to accept that"
                )
            warn_caller(f"{lost}raise rank or alpha", ConvergenceWarning)

    def _values(self, X, points, coefficients):
        """Values of an expansion at the rows of `X`, by blocks of rows."""
        size = max(1, BLOCK_ENTRIES // len(points))
        parts = [X[start : start + size] for start in range(0, len(X), size)]
        if self._deformed is not None:
            parts = map(self._deformed.rows, parts)
        return np.concatenate([self._kernel(part, points) @ coefficients for part in parts])

    def predict(self, X):
        """Values of the function fitted to training and estimated working values together.

        Parameters
        ----------
        X : array of shape (n, d)

        Returns
        -------
        values : ndarray of shape (n,)
            Equation (9) on the joint sample. At the working points they need not equal
            `transduction_`, since the function does not interpolate those values.
        """
        check_is_fitted(self)
        X = self._check_new(X)
        return self._values(X, self.X_fit_, self.dual_coef_)


def _candidates(alpha_star):
    try:
        values = np.atleast_1d(np.array(alpha_star, dtype=np.float64))
    except (TypeError, ValueError):
        values = np.empty(0)
    if values.ndim != 1 or not values.size or np.isnan(values).any() or (values < 0).any():
        raise ValueError(f"alpha_star must be a number that is not negative, got {alpha_star!r}")
    if len(values) > 1 and not (np.isfinite(values).all() and values.min() > 0):
        raise ValueError(f"every alpha_star to choose from must be positive, got {alpha_star!r}")
    return values
