"""Base of the ridge estimators: checks of the sample, and the choice of factorisation."""

from __future__ import annotations

import numpy as np
from sklearn.utils._param_validation import StrOptions

from ..kernel_estimator import COUNT, NOT_NEGATIVE_OR_INFINITE, POSITIVE, TINY, KernelEstimator
from ..manifold_mixin import ManifoldMixin
from .single_ridge import SingleRidge, UnresolvedError
from .spectrum import PENALTIES, RidgeSpectrum

__all__ = ["KernelRidgeBase", "TransductiveBase"]

# One ridge is factored without eigenvectors from this many points on; for fewer both ways are fast.
SINGLE_RIDGE_MIN_SAMPLES = 1000
# Kernels whose Gram matrices never have a negative eigenvalue.
SEMIDEFINITE = {"rbf", "laplacian", "linear", "cosine"}


class KernelRidgeBase(KernelEstimator):
    """Estimator with the parameters ``kernel, gamma, degree, coef0, penalty``."""

    _parameter_constraints = {
        **KernelEstimator._parameter_constraints,
        "penalty": [StrOptions(set(PENALTIES))],
    }

    def _check_targets(self, X, y):
        """Check the sample: X of shape (l, d), y of shape (l,) with at least two values."""
        self._validate_params()
        try:
            X, y = self._check_labelled(X, y, y_numeric=True, ensure_min_samples=2)
            y = np.asarray(y, dtype=np.float64)
        except ValueError:
            if not _holds_text(y):
                raise
            raise ValueError(
                "y holds text, but targets are numbers: use TransductiveLinearDiscriminant for "
                "classes, or convert y to numbers"
            ) from None
        if y.min() == y.max():
            raise ValueError(
                f"all {len(y)} targets are {y[0]:g}, and regression needs targets that vary"
            )
        with np.errstate(over="ignore", under="ignore"):
            if not TINY <= np.sum(y**2) < np.inf:
                raise ArithmeticError(
                    f"the squares of targets from {y.min():.3g} to {y.max():.3g} are too large, or "
                    "too small, for floating point: scale the targets"
                )
        return X, y

    def _factored(self, gram, alpha):
        """Factor ridge regression: `SingleRidge` for many points, else `RidgeSpectrum`."""
        if len(gram) >= SINGLE_RIDGE_MIN_SAMPLES:
            known = isinstance(self.kernel, str) and self.kernel in SEMIDEFINITE
            try:
                return SingleRidge(gram, alpha, self.penalty, semidefinite=known)
            except UnresolvedError:
                pass
        # a matrix that the caller passed in, or that classes share, must not be overwritten
        own = self.kernel != "precomputed" and self._deformed is None
        return RidgeSpectrum(gram, penalty=self.penalty, overwrite=own)


def _holds_text(y):
    y = np.asarray(y)
    try:
        return y.dtype.kind in "OSTU" and y.astype(np.float64) is None
    except ValueError:
        return True
    except TypeError:
        return False


class TransductiveBase(ManifoldMixin, KernelRidgeBase):
    """Ridge estimator with working points, and the parameters of `TransductiveRidge`."""

    _parameter_constraints = {
        **KernelRidgeBase._parameter_constraints,
        **ManifoldMixin._parameter_constraints,
        "alpha": [POSITIVE],
        "alpha_star": [NOT_NEGATIVE_OR_INFINITE, "array-like"],
        "rank": [COUNT, StrOptions({"auto"}), None],
    }

    def __init__(
        self,
        alpha=1.0,
        alpha_star=1.0,
        *,
        kernel="rbf",
        gamma="scale",
        degree=3,
        coef0=0.0,
        manifold=0.0,
        penalty="coefficients",
        rank="auto",
    ):
        self.alpha = alpha
        self.alpha_star = alpha_star
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.manifold = manifold
        self.penalty = penalty
        self.rank = rank

    def _strengths(self, X, X_working):
        strengths = super()._strengths(X, X_working)
        if strengths is None or self.rank in (None, "auto"):
            return strengths
        if self.manifold == "auto":
            return None
        raise ValueError(
            "a rank avoids the Gram matrix, which manifold needs: leave rank at 'auto', or "
            "manifold at 0"
        )
