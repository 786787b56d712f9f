"""What the estimators on the solver share: points beside the sample, their Gram matrix, and f."""

from __future__ import annotations

from numbers import Integral, Real

import numpy as np
from scipy.sparse import issparse
from scipy.sparse import vstack as sparse_vstack
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from ..kernel_estimator import KernelEstimator
from ..kernels import is_symmetric
from .gram import solver_gram

__all__ = ["MarginClassifier", "stack"]

# A tolerance below it asks for more digits than single precision has in a Gram matrix.
_SINGLE = 1e-4
# Costs above it add up the rounding errors of single precision.
_STIFF = 1e3


class MarginClassifier(ClassifierMixin, KernelEstimator):
    """Two classes, told apart by a hyperplane that other points than the sample shape as well.

    Subclasses call `_keep` at the end of ``fit``.
    """

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.sparse = bool(self._sparse())
        return tags

    def _sparse(self):
        return False if self.kernel == "precomputed" else "csr"

    def _check_costs(self, **least):
        """Costs are numbers, of which each is "positive" or "not negative"."""
        for name, low in least.items():
            value = getattr(self, name)
            number = isinstance(value, Real) and not isinstance(value, bool)
            if not number or not (value > 0 or (value == 0 and low == "not negative")):
                raise ValueError(f"{name} must be {low}, got {value!r}")
        if not self.tol < 1:
            raise ValueError(f"tol must be below 1, got {self.tol!r}")
        if not isinstance(self.max_iter, Integral) or self.max_iter < -1 or self.max_iter == 0:
            raise ValueError(f"max_iter must be a positive integer or -1, got {self.max_iter!r}")

    def _gram(self, joint, others, tol, most):
        """Gram matrix of all points for the solver, where no cost exceeds `most`."""
        if self.kernel == "precomputed" and joint.shape[0] != joint.shape[1]:
            raise ValueError(
                f"kernel='precomputed' needs the values of the training and then the {others} "
                f"points with one another, a square matrix; together they have shape {joint.shape}"
            )
        if self.kernel == "precomputed" and not is_symmetric(joint, 1e-6):
            raise ValueError("the precomputed kernel matrix is not symmetric")
        return solver_gram(
            joint,
            self.kernel,
            gamma=self.gamma_,
            degree=self.degree,
            coef0=self.coef0,
            single=tol >= _SINGLE and most <= _STIFF,
        )

    def _keep(self, coefficients, intercept, joint):
        self.dual_coef_, self.intercept_ = coefficients.copy(), intercept
        if self.kernel == "linear":
            self.coef_ = joint.T @ self.dual_coef_
        elif self.kernel != "precomputed":
            self.support_ = np.flatnonzero(self.dual_coef_)
            self._support_points = joint[self.support_]

    def decision_function(self, X):
        """``<w, x> + b``, of shape (n,).

        Parameters
        ----------
        X : array or sparse matrix of shape (n, d)
            With kernel="precomputed" kernel values with all points of `fit`, the training points
            first.
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse=self._sparse(), dtype=np.float64, reset=False)
        if self.kernel == "linear":
            return X @ self.coef_ + self.intercept_
        if self.kernel == "precomputed":
            return X @ self.dual_coef_ + self.intercept_
        if not len(self.support_):
            return np.full(X.shape[0], self.intercept_)
        values = self._kernel(X, self._support_points)
        return values @ self.dual_coef_[self.support_] + self.intercept_

    def predict(self, X):
        """Classes by the sign of `decision_function`, of shape (n,)."""
        values = self.decision_function(X)
        return self.classes_[(values > 0).astype(np.intp)]


def stack(X, others):
    """The rows of both, sparse if either is."""
    if issparse(X) or issparse(others):
        return sparse_vstack([X, others], format="csr")
    return np.vstack([X, others])
