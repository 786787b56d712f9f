"""Base of the estimators on the solver: points beside the sample, the Gram matrix, predictions."""

from __future__ import annotations

from numbers import Integral, Real

import numpy as np
from sklearn.utils._param_validation import Interval, Options, StrOptions
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from ..kernel_estimator import (
    COUNT,
    POSITIVE,
    POSITIVE_OR_INFINITE,
    KernelEstimator,
    refuse_masked,
)
from ..kernels import canonical, check_gram
from ..one_vs_rest import OneVsRestMixin, column_per_class, label_of_highest
from .gram import far_centre, shifted, solver_gram
from .linear_programme import NEWTON_MAX_FEATURES

__all__ = ["MarginClassifier"]

# For a smaller tolerance a Gram matrix in single precision has too few digits.
FLOAT32_MIN_TOL = 1e-4
# Smaller tolerances are below the rounding errors: the solver would not stop before `max_iter`.
MIN_TOL = 1e-15
# Roundings of the largest product of a cost and a kernel value that `tol` must exceed.
FLOAT32_ROUNDINGS = 10 * float(np.finfo(np.float32).eps)
# Newton's method on a linear kernel loses its digits above this cost times kernel value.
NEWTON_MAX_PRODUCT = 1e10
# Most kernel values computed at once for the outputs of a solution.
VALUES_AT_ONCE = 4_000_000


def _largest_float32(tol, most):
    """Largest kernel value whose rounding in single precision `tol` exceeds at the cost `most`."""
    return tol / FLOAT32_ROUNDINGS / most


class MarginClassifier(OneVsRestMixin, KernelEstimator):
    """Classifier by a hyperplane that depends on further points besides the sample.

    Subclasses call `_keep` at the end of ``fit``.
    """

    fit_intercept = True

    _same_for_all = ("gamma_",)
    _row_per_class = ("coef_", "dual_coef_", "intercept_", "n_iter_")

    _parameter_constraints = {
        **KernelEstimator._parameter_constraints,
        "C": [POSITIVE_OR_INFINITE],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "tol": [Interval(Real, MIN_TOL, 1, closed="left")],
        "max_iter": [COUNT, Options(Integral, {-1})],
    }

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = bool(self._sparse())
        return tags

    def _sparse(self):
        return False if self.kernel == "precomputed" else "csr"

    def _row_weights(self, X, y, sample_weight):
        """`sample_weight` of `fit`, checked: each class has a positive weight; None for None."""
        if sample_weight is None:
            return None
        refuse_masked("sample_weight", sample_weight)
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        for label in self.classes_:
            if not weight[y == label].any():
                raise ValueError(f"all rows of class {label} have sample_weight 0: leave them out")
        return weight

    def _cost_factors(self, y, weight):
        """What multiplies C at each row: `class_weight` times its weight; None for 1 everywhere."""
        if self.class_weight is None:
            return weight
        weight = np.ones(len(y)) if weight is None else weight
        codes = np.searchsorted(self.classes_, y)
        if self.class_weight == "balanced":
            of_class = weight.sum() / (len(self.classes_) * np.bincount(codes, weight))
        else:
            labels = self.classes_.tolist()
            if unknown := [label for label in self.class_weight if label not in labels]:
                raise ValueError(f"class_weight names {unknown}, the classes are {labels}")
            for value in self.class_weight.values():
                if not POSITIVE.is_satisfied_by(value):
                    raise ValueError(f"class_weight must hold positive numbers, got {value!r}")
            of_class = np.array([self.class_weight.get(label, 1.0) for label in labels])
        return of_class[codes] * weight

    def _costs(self, y, weight):
        """Cost of each row's slack, or C if all are equal."""
        factors = self._cost_factors(y, weight)
        if factors is None:
            return float(self.C)
        # an infinite cost times a weight of 0 is NaN
        return np.multiply(self.C, factors, out=np.zeros(len(y)), where=factors > 0)

    def _class_parameters(self, X, y, others):
        """One width for all classes; each class's `sample_weight` has the class weights as well."""
        weight = self._row_weights(X, y, others.get("sample_weight"))
        others["sample_weight"] = self._cost_factors(y, weight)
        shared = {"class_weight": None}
        if self.kernel != "precomputed":
            shared["gamma"] = self._resolve_gamma(X, weight)
        return [dict(shared) for _ in self.classes_]

    def _gram(self, joint, others, tol, most, given=None):
        """Gram matrix of all points for the solver, where no cost exceeds `most`.

        `given` are the values of a deformed kernel.
        """
        kernel = self.kernel
        if given is not None:
            joint, kernel = given, "precomputed"
        elif kernel == "precomputed":
            name = f"the precomputed kernel matrix of training points and then {others} points"
            check_gram(joint, name, tol=1e-6)
        elif kernel == "linear":
            # far from 0, single precision would leave few digits of their distances
            joint = shifted(joint, self._centre(joint))
        # what overflows in single precision is computed again in double precision
        with np.errstate(over="ignore", invalid="ignore"):
            largest = _largest_float32(tol, most)
            return solver_gram(
                joint,
                kernel,
                gamma=self.gamma_,
                degree=self.degree,
                coef0=self.coef0,
                single=tol >= FLOAT32_MIN_TOL and largest > 0,
                largest=largest,
            )

    def _badly_scaled(self, joint, tol, most):
        """Whether single precision is too coarse for a linear kernel of dense points, which
        Newton's method solves to `tol`.
        """
        if tol < FLOAT32_MIN_TOL or joint.shape[1] > NEWTON_MAX_FEATURES:
            return False
        with np.errstate(over="ignore", invalid="ignore"):
            largest = np.square(joint - self._centre(joint)).sum(axis=1).max()
            return _largest_float32(tol, most) < largest < NEWTON_MAX_PRODUCT / most

    def _centre(self, joint):
        """What a linear kernel subtracts from points far from 0; the intercept absorbs it."""
        return far_centre(joint) if self.fit_intercept else np.zeros(joint.shape[1])

    def _exact_values(self, coefficients, joint, given=None):
        """``K b`` in double precision at all points, whatever the solver's Gram matrix was."""
        used = np.flatnonzero(coefficients)
        b = coefficients[used]
        if given is not None:
            return given[:, used] @ b
        if self.kernel == "linear":
            joint = shifted(joint, self._centre(joint))
            return joint @ (joint[used].T @ b)
        if self.kernel == "precomputed":
            return joint[:, used] @ b
        values, step = np.zeros(joint.shape[0]), max(1, VALUES_AT_ONCE // max(1, len(used)))
        for start in range(0, len(values) if len(used) else 0, step):
            some = slice(start, start + step)
            values[some] = self._kernel(joint[some], joint[used]) @ b
        return values

    def _keep(self, coefficients, intercept, joint):
        """Keep a solution; of a linear kernel for the points that `_centre` has shifted."""
        self.dual_coef_, self.intercept_ = coefficients.copy(), intercept
        if self.kernel == "linear" and self._deformed is None:
            centre = self._centre(joint)
            self.coef_ = shifted(joint, centre).T @ self.dual_coef_
            self.intercept_ = intercept - float(centre @ self.coef_)
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
        sparse = self._sparse()
        X = canonical(self._check_new(X, accept_sparse=sparse))
        if self.kernel == "linear" and self._deformed is None:
            return X @ self.coef_ + self.intercept_
        if self.kernel == "precomputed":
            return X @ self.dual_coef_ + self.intercept_
        if not len(self.support_):
            return np.full(X.shape[0], self.intercept_)
        if self._deformed is None:
            values = self._kernel(X, self._support_points)
        else:
            values = self._deformed.rows(X, self.support_)
        return values @ self.dual_coef_[self.support_] + self.intercept_

    @label_of_highest("decision_function")
    def predict(self, X):
        """Classes of the rows of `X`, shape (n,), by the sign or maximum of `decision_function`."""
        values = self.decision_function(X)
        return self.classes_[(values > 0).astype(np.intp)]
