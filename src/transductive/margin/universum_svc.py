"""Support vector machine with a universum: points of neither class, near the hyperplane."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils._param_validation import HasMethods, StrOptions
from sklearn.utils.validation import check_array

from ..blas_threads import one_blas_thread
from ..kernel_estimator import JOBS, NOT_NEGATIVE, two_classes
from ..kernels import canonical, stack
from .margin_classifier import MarginClassifier
from .universum_solver import LOSSES, UniversumSolver

__all__ = ["UniversumSVC"]

# With a smaller cost the ridge 1 / (2 C_universum) exceeds all else by more than rounding allows.
SQUARED_LOSS_MIN_COST = 1e-15


class UniversumSVC(MarginClassifier):
    """Support vector machine that keeps a universum close to its hyperplane (U-SVM).

    The universum is a set of points of the same domain that belong to neither class. More than two
    classes, each against the rest, share it. The estimator minimises
    ``1/2 |w|^2 + C sum H_1(y f) + C_universum sum U(f)`` with ``f = <w, x> + b``, where the first
    sum is over the sample and the second over the universum. Without a universum it is the support
    vector machine. It has no working points: label others with `predict`.

    Parameters
    ----------
    C : float, default=1.0
        Cost of a slack, positive; infinite for a hard margin.
    C_universum : float, default=1.0
        Cost of the loss at each universum point, not negative, finite: a universum twice as large
        has twice the weight. With loss="squared" 0 or at least 1e-15.
    epsilon : float, default=0.1
        Half the width of the tube in which a universum point costs nothing, in units of f, whose
        margin is 1; not negative. With loss="squared" it is not used.
    loss : {"epsilon_insensitive", "squared"}, default="epsilon_insensitive"
        ``max(0, |f| - epsilon)`` or ``f^2``.
    universum : transformer, optional
        Makes the universum from the sample when `fit` gets no `X_universum`, as `MeanOfPairs`
        does. Cross-validation thus makes a new universum from each training part. More than two
        classes share one universum, unless its maker needs two classes, as `MeanOfPairs` does:
        then each class against the rest has its own.
    kernel : str or callable, default="rbf"
        "linear", "poly", "rbf", "sigmoid", "laplacian", "cosine" or "precomputed", as in
        scikit-learn, except ``coef0=1.0``; or a function of two points, arrays of shape (d,), that
        returns a number (scikit-learn's SVC gives it matrices). With "precomputed", `fit` takes
        kernel values with the training points, then the universum: (l, l + u) and (u, l + u).
    gamma : float or {"scale", "auto"}, default="scale"
        As in scikit-learn's SVC, from the sample alone, counted by `sample_weight`.
    degree, coef0 : default=3 and 1.0
        Of the polynomial and sigmoid kernels.
    class_weight : dict, "balanced" or None, default=None
        Positive numbers by which `C` is multiplied for the rows of a class, 1 for classes that a
        dictionary leaves out; "balanced": the mean size of a class over that of the row's class.
    fit_intercept : bool, default=True
    tol : float, default=1e-3
        Largest violation of the KKT conditions, at least 1e-15, in units of f. So `objective_` may
        be too high by about ``u * C_universum * tol``: lower it for a large C_universum. From 1e-4
        on, the Gram matrix is in single precision unless a cost exceeds 1000.
    max_iter : int, default=-1
        Most iterations; -1 for ten million, or a hundred for each variable if that is more.
    n_jobs : int or None, default=1
        Threads over which more than two classes are distributed; the result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    estimators_ : list of UniversumSVC
        One for each class against the rest; for two classes the estimator itself. For more than
        two classes `coef_`, `dual_coef_`, `intercept_` and `n_iter_` have a row for each, and
        attributes of binary estimators, such as `objective_`, are only in `estimators_`.
    universum_values_ : ndarray of shape (u,), or (u, n_classes) for more than two classes
        `decision_function` at the universum.
    objective_ : float
        Primal objective. It does not count slacks that the tolerance leaves at a hard margin.
    gap_ : float
        Upper bound to the difference of `objective_` from its minimum, if the kernel is positive
        semi-definite; infinite for most hard margins.
    dual_coef_ : ndarray of shape (l + u,)
        Signed: y times the dual variable; of a universum point, the sum over its two copies.
    intercept_ : float
    coef_ : ndarray of shape (d,)
        Only with kernel="linear".
    support_ : ndarray
        Points with a non-zero coefficient, training points first; not with kernel="linear" or
        "precomputed".
    gamma_ : float or None
    universum_ : transformer or None
        The fitted `universum`. For more than two classes in `estimators_` if its maker needs two.
    n_iter_ : int
        Iterations of the solver.

    Raises
    ------
    NotSeparableError
        If a hard margin does not exist.
    NotPositiveSemidefiniteError
        If two points show that the kernel has a negative eigenvalue. One that goes unnoticed may
        lead to a point that only satisfies the KKT conditions: ``numpy.linalg.eigvalsh`` tells.
    ValueError
        If there is only one class or a parameter is out of range.

    Warns
    -----
    ConvergenceWarning
        If it stops at `max_iter`, or because no step changes the last digit.

    Notes
    -----
    The Gram matrix of more than 12,000 points is not held: the solver uses active sets. The Notes
    of `TransductiveSVC` state their memory.

    References
    ----------
    Weston, Collobert, Sinz, Bottou and Vapnik, Inference with the Universum: primal and dual
    formulation; squared loss, data dependent regularization.
    """

    _column_per_class = ("universum_values_",)
    _parameter_constraints = {
        **MarginClassifier._parameter_constraints,
        "C_universum": [NOT_NEGATIVE],
        "epsilon": [NOT_NEGATIVE],
        "loss": [StrOptions(set(LOSSES))],
        "universum": [HasMethods("fit_transform"), None],
        "n_jobs": JOBS,
    }

    def __init__(
        self,
        C=1.0,
        C_universum=1.0,
        *,
        epsilon=0.1,
        loss="epsilon_insensitive",
        universum=None,
        kernel="rbf",
        gamma="scale",
        degree=3,
        coef0=1.0,
        class_weight=None,
        fit_intercept=True,
        tol=1e-3,
        max_iter=-1,
        n_jobs=1,
    ):
        self.C = C
        self.C_universum = C_universum
        self.epsilon = epsilon
        self.loss = loss
        self.universum = universum
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.class_weight = class_weight
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs

    def fit(self, X, y, X_universum=None, sample_weight=None):
        """Find the hyperplane.

        Parameters
        ----------
        X : array, data frame or sparse matrix of shape (l, d)
        y : array of shape (l,)
            Two classes or more.
        X_universum : array or sparse matrix of shape (u, d), optional
            Points of neither class. Without them, and without `universum`, `fit` is the support
            vector machine. A grid search divides them into folds with `X` if both have equally many
            rows.
        sample_weight : array of shape (l,), optional
            Not negative. `C` is multiplied by a row's weight, so that a whole number is the same as
            so many copies of the row, and 0 as none. `universum` makes its points from the rows of
            positive weight, once each. None: 1 for all.

        Returns
        -------
        self
        """
        self._validate_params()
        if self.loss == "squared" and 0 < self.C_universum < SQUARED_LOSS_MIN_COST:
            raise ValueError(
                f"C_universum must be 0 or at least {SQUARED_LOSS_MIN_COST:g} with loss='squared', "
                f"got {self.C_universum!r}"
            )
        if self._fit_each_class(X, y, sample_weight=sample_weight, X_universum=X_universum):
            return self
        X, y = self._check_labelled(X, y, accept_sparse=self._sparse())
        self.classes_, signs = two_classes(y, self)
        weight = self._row_weights(X, y, sample_weight)
        self.gamma_, costs = self._resolve_gamma(X, weight), self._costs(y, weight)
        self.universum_ = None
        if X_universum is None and self.universum is not None:
            joint = stack(X, self._make_universum(X, y, weight))
        elif X_universum is not None:
            given = self._check_others("X_universum", X_universum, accept_sparse=self._sparse())
            joint = stack(X, given)
        else:
            joint = X
        with one_blas_thread():
            most = max(np.max(costs), self.C_universum)
            solver = UniversumSolver(
                *self._gram(joint, "universum", self.tol, most),
                signs,
                loss=self.loss,
                fit_intercept=self.fit_intercept,
                tol=self.tol,
                max_iter=self.max_iter,
            )
            solver.solve(costs, float(self.C_universum), float(self.epsilon))
        self._keep(solver.coefficients, solver.intercept, joint)
        self.universum_values_ = solver.values[len(signs) :]
        self.objective_, self.gap_ = solver.primal(), solver.gap
        self.n_iter_ = solver.iterations
        return self

    def _make_universum(self, X, y, weight):
        if self.kernel == "precomputed":
            raise ValueError(
                "universum makes points, but kernel='precomputed' needs kernel values: give fit "
                "their kernel values, X_universum"
            )
        self.universum_ = clone(self.universum)
        if weight is not None:
            X, y = X[weight > 0], y[weight > 0]
        made = self.universum_.fit_transform(X, y)
        made = check_array(made, accept_sparse=self._sparse(), dtype=np.float64)
        return canonical(made)

    def _class_parameters(self, X, y, others):
        self.universum_ = None
        parameters = super()._class_parameters(X, y, others)
        if others["X_universum"] is None and self.universum is not None:
            if _needs_two_classes(self.universum):
                # of each class and the rest it makes other points
                return parameters
            others["X_universum"] = self._make_universum(X, y, others["sample_weight"])
        return [{**of_class, "universum": None} for of_class in parameters]


def _needs_two_classes(maker):
    tags = getattr(maker, "__sklearn_tags__", BaseEstimator().__sklearn_tags__)()
    return tags.classifier_tags is not None and not tags.classifier_tags.multi_class
