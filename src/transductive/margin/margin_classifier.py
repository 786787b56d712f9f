"""Base of the estimators on the solver: points beside the sample, the Gram matrix, predictions."""

from __future__ import annotations

from numbers import Integral, Real

import numpy as np
from scipy.sparse import issparse
from scipy.sparse import vstack as sparse_vstack
from sklearn.utils._param_validation import Interval, Options
from sklearn.utils.validation import check_is_fitted, validate_data

from ..kernel_estimator import COUNT, POSITIVE_OR_INFINITE, KernelEstimator
from ..kernels import check_gram
from ..one_vs_rest import OneVsRestMixin, column_per_class, label_of_highest
from .gram import solver_gram

__all__ = ["MarginClassifier", "stack"]

# For a smaller tolerance a Gram matrix in single precision has too few digits.
FLOAT32_MIN_TOL = 1e-4
# Smaller tolerances are below the rounding errors: the solver would not stop before `max_iter`.
MIN_TOL = 1e-15
# Larger costs accumulate the rounding errors of single precision.
FLOAT32_MAX_COST = 1e3


class MarginClassifier(OneVsRestMixin, KernelEstimator):
    """Classifier by a hyperplane that depends on further points besides the sample.

    Subclasses call `_keep` at the end of ``fit``.
    """

    _same_for_all = ("gamma_",)
    _row_per_class = ("coef_", "dual_coef_", "intercept_", "n_iter_")

    _parameter_constraints = {
        **KernelEstimator._parameter_constraints,
        "C": [POSITIVE_OR_INFINITE],
        "fit_intercept": ["boolean"],
        "tol": [Interval(Real, MIN_TOL, 1, closed="left")],
        "max_iter": [COUNT, Options(Integral, {-1})],
    }

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = bool(self._sparse())
        return tags

    def _sparse(self):
        return False if self.kernel == "precomputed" else "csr"

    def _gram(self, joint, others, tol, most):
        """Gram matrix of all points for the solver, where no cost exceeds `most`."""
        if self.kernel == "precomputed":
            name = f"the precomputed kernel matrix of training points and then {others} points"
            check_gram(joint, name, tol=1e-6)
        # what overflows in single precision is computed again in double precision
        with np.errstate(over="ignore", invalid="ignore"):
            return solver_gram(
                joint,
                self.kernel,
                gamma=self.gamma_,
                degree=self.degree,
                coef0=self.coef0,
                single=tol >= FLOAT32_MIN_TOL and most <= FLOAT32_MAX_COST,
            )

    def _keep(self, coefficients, intercept, joint):
        self.dual_coef_, self.intercept_ = coefficients.copy(), intercept
        if self.kernel == "linear":
            self.coef_ = joint.T @ self.dual_coef_
        elif self.kernel != "precomputed":
            self.support_ = np.flatnonzero(self.dual_coef_)
            self._support_points = joint[self.support_]

    @column_per_class
    def decision_function(self, X):
        """``<w, x> + b``, of shape (n,); for more than two classes (n, n_classes).

        Parameters
        ----------
        X : array or sparse matrix of shape (n, d)
            With kernel="precomputed", kernel values with all points of `fit`, the training points
            first.

        Returns
        -------
        ndarray of shape (n,) or (n, n_classes)
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

    @label_of_highest("decision_function")
    def predict(self, X):
        """Classes of the rows of `X`, shape (n,), by the sign or maximum of `decision_function`."""
        values = self.decision_function(X)
        return self.classes_[(values > 0).astype(np.intp)]


def stack(X, others):
    """The rows of both, sparse if either is."""
    if issparse(X) or issparse(others):
        return sparse_vstack([X, others], format="csr")
    return np.vstack([X, others])
