"""The parameter `manifold` of estimators that take working points."""

from __future__ import annotations

from functools import partial

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils._param_validation import StrOptions

from .caller_warning import warn_caller
from .class_share import MIN_LABELS
from .kernel_estimator import NOT_NEGATIVE
from .kernels import NotPositiveSemidefiniteError, gram_matrix, stack
from .manifold_kernel import MAX_POINTS, STRENGTHS, deform, graph_laplacian, least_loo

__all__ = ["ManifoldMixin"]

# With fewer labels the leave-one-out error often equals that of a constant by chance.
COMPARED_LABELS = 25


class ManifoldMixin:
    """Adds the parameter ``manifold`` to a `KernelEstimator`; `fit` calls `_deform`."""

    _parameter_constraints = {"manifold": [NOT_NEGATIVE, StrOptions({"auto"})]}
    _n_neighbors, _rescale = 7, True
    # "auto" costs seconds up to here, and minutes beyond
    _auto_max_points = 5000
    _auto_strengths = STRENGTHS
    # whether the estimator accepts an indefinite kernel
    _may_be_indefinite = False

    def _strengths(self, X, X_working):
        """Strengths to choose from, or None where the kernel stays as it is."""
        if self.manifold == 0 or X_working is None:
            return None
        if self.kernel == "precomputed":
            if self.manifold == "auto":
                return None
            raise ValueError(
                "manifold needs the points themselves, not kernel='precomputed': give the values "
                "of manifold_gram, and leave manifold at 0"
            )
        n = X.shape[0] + X_working.shape[0]
        if self.manifold == "auto":
            return self._auto_strengths if n <= self._auto_max_points else None
        if n > MAX_POINTS:
            raise ValueError(
                f"manifold needs matrices of {n} x {n} numbers, and is for at most {MAX_POINTS} "
                "points: give fewer working points, or manifold=0"
            )
        return (float(self.manifold),)

    def _deform(self, X, X_working, targets, gammas, weight=None):
        """Set ``gamma_``, ``manifold_``; the deformed kernel's values at all points, or None.

        Parameters
        ----------
        X, X_working : arrays or CSR matrices of shape (l, d) and (m, d)
        targets : array of shape (l,) or (l, k)
        gammas : list
            Kernel coefficients to choose from if there are several, widest first.
        weight : array of shape (l,) or None
            Different weights suppress the warning about the choice, which counts each row once.
        """
        shared = vars(self).pop("_shared_kernel", None)
        if shared is not None:
            self._deformed, self.gamma_, self.manifold_, gram = shared
            return gram
        self._deformed, self.gamma_, self.manifold_ = None, gammas[0], 0.0
        strengths = self._strengths(X, X_working)
        if strengths is None:
            return None
        points = stack(X, X_working)
        laplacian = graph_laplacian(points, self._n_neighbors)
        options = {"rescale": self._rescale}
        self.manifold_ = strengths[0]
        if len(gammas) * len(strengths) > 1:
            try:
                self.gamma_, self.manifold_, error = least_loo(
                    points, targets, laplacian, self._with_gamma, gammas, strengths, **options
                )
                if is_classifier(self) and (weight is None or np.ptp(weight) == 0):
                    _compare_with_constant(error, targets)
            except NotPositiveSemidefiniteError:
                if self.manifold != "auto" or not self._may_be_indefinite:
                    raise
                self.manifold_ = 0.0
        if self.manifold_ == 0:
            return None
        kernel = self._with_gamma(self.gamma_)
        self._deformed, gram = deform(points, laplacian, self.manifold_, kernel, **options)
        return gram

    def _with_gamma(self, gamma):
        parameters = {"kernel": self.kernel, "degree": self.degree, "coef0": self.coef0}
        return partial(gram_matrix, gamma=gamma, **parameters)

    def _share_kernel(self, estimators, X, y, others):
        """One graph, one strength and one Gram matrix for the estimators of all classes."""
        self._deformed, X_working = None, others["X_working"]
        if self._strengths(X, X_working) is None:
            for estimator in estimators:
                estimator.manifold = 0.0
            return
        first = estimators[0]
        signs = np.where(y[:, None] == self.classes_, 1.0, -1.0)
        weight = others.get("sample_weight")
        gram = first._deform(X, X_working, signs, first._gammas(X), weight)
        for estimator in estimators:
            estimator.gamma, estimator.manifold = first.gamma_, first.manifold_
            estimator._shared_kernel = first._deformed, first.gamma_, first.manifold_, gram


def _compare_with_constant(error, signs):
    """Warn if the leave-one-out error on the labels is not below that of their mean, or of 0."""
    n = len(signs)
    # a kernel without an intercept may learn a rare class, and yet err more than a constant
    if n < COMPARED_LABELS or n - np.abs(signs.sum(axis=0)).max() < 2 * MIN_LABELS:
        return
    if error >= min(1.0, signs.var(axis=0).mean() * (n / (n - 1)) ** 2):
        warn_caller(
            f"the leave-one-out error on the {n} labels is not below that of a constant, so that "
            "labels of working points may be random: scale the features, drop those that cannot "
            "matter, change the kernel or its gamma, or give more labels",
            UserWarning,
        )
