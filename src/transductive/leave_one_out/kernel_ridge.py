"""What the ridge estimators share: samples, and the factorisations behind their spectra."""

from __future__ import annotations

import numpy as np

from ..kernel_estimator import KernelEstimator
from .spectrum import PENALTIES, RidgeSpectrum

__all__ = ["KernelRidgeBase", "TransductiveBase"]


class KernelRidgeBase(KernelEstimator):
    """Estimator with the parameters ``kernel, gamma, degree, coef0, penalty``."""

    def _check_targets(self, X, y):
        """The sample, checked: X of shape (l, d), y of shape (l,) with at least two values."""
        if self.penalty not in PENALTIES:
            raise ValueError(f"penalty must be one of {PENALTIES}, got {self.penalty!r}")
        X, y = self._check_labelled(X, y, y_numeric=True, ensure_min_samples=2)
        y = np.asarray(y, dtype=np.float64)
        if np.ptp(y) == 0:
            raise ValueError(
                f"all {len(y)} targets are {y[0]:g}: there is nothing to regress, and every "
                "leave-one-out error would be that of a constant; give targets that vary"
            )
        return X, y

    def _gram(self, X):
        gram = self._kernel(X, X)
        if gram.shape[0] != gram.shape[1]:
            raise ValueError(
                f"kernel='precomputed' needs a square matrix in fit, got shape {gram.shape}"
            )
        return gram

    def _spectrum(self, X):
        gram = self._gram(X)
        # what the caller passed in is not ours to overwrite
        own = self.kernel != "precomputed"
        return RidgeSpectrum(gram, symmetric=True, penalty=self.penalty, overwrite=own)


class TransductiveBase(KernelRidgeBase):
    """Ridge estimator with working points: what `TransductiveRidge` takes."""

    def __init__(
        self,
        alpha=1.0,
        alpha_star=1.0,
        *,
        kernel="rbf",
        gamma="scale",
        degree=3,
        coef0=1.0,
        penalty="coefficients",
        rank="auto",
    ):
        self.alpha = alpha
        self.alpha_star = alpha_star
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.penalty = penalty
        self.rank = rank


def positive(name, value):
    """`value` as a float, or a ValueError if it is not a positive number."""
    if not (np.isscalar(value) and np.isreal(value) and value > 0 and np.isfinite(value)):
        raise ValueError(f"{name} must be a positive number, got {value!r}")
    return float(value)
