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

    Minimises ``1/2 |w|^2 + C sum H_1(y f) + C_universum sum U(f)`` with ``f = <w, x> + b``, where
    the first sum is over the sample and the second over the universum: points of the same domain
    that belong to neither class. It has no working points: label others with `predict`. Without
    universum points it is the support vector machine. `MeanOfPairs(n_points=None,
    random_state=None)` makes them from the sample, by default as many as it has rows; the other
    makers are `MeanOfClosest`, `OtherClasses`, `PixelwiseEmpirical` and `UniformNoise`.

    Parameters
    ----------
    C : float, default=1.0
        Cost of a slack, positive; infinite for a hard margin.
    C_universum : float, default=1.0
        Cost of the loss at each universum point, not negative, finite. With loss="squared" 0 or at
        least 1e-15. Choose it by cross-validation, together with `C`, from 0, where the universum
        has no effect, and ``C * l / u`` times 0.01 to 10: there the u universum points weigh a
        hundredth to ten times what the l rows do.
    epsilon : float, default=0.1
        Half the width of the tube in which a universum point costs nothing, in units of f, whose
        margin is 1; not negative. The squared loss ignores it.
    loss : {"epsilon_insensitive", "squared"}, default="epsilon_insensitive"
        ``max(0, |f| - epsilon)`` or ``f^2``.
    universum : transformer, optional
        Maker of the universum, such as `MeanOfPairs`, unless `fit` gets `X_universum`, which wins.
        Cross-validation makes a new universum from each training part.
    kernel, gamma, degree, coef0 : default="rbf", "scale", 3 and 0.0
        As in scikit-learn's SVC, functions included; also "laplacian", "cosine". "scale" is of the
        sample. With "precomputed", `fit` takes kernel values with the training points and then the
        universum, of shape (l, l + u) and (u, l + u).
    class_weight : dict, "balanced" or None, default=None
        Factors of `C` for the classes, as in scikit-learn's SVC.
    fit_intercept : bool, default=True
    tol : float, default=1e-3
        Largest violation of the KKT conditions, at least 1e-15. `objective_` may be too high by
        about ``u * C_universum * tol``.
    max_iter : int, default=-1
        Most iterations; -1 for a limit that grows with the points.
    n_jobs : int or None, default=None
        Threads for more than two classes; the result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    estimators_ : list of UniversumSVC
        One for each class against the rest, or the estimator itself for two classes. For more
        classes, attributes other than those with one row a class are only here.
    universum_values_ : ndarray of shape (u,) or (u, n_classes)
        `decision_function` at the universum.
    objective_, gap_ : float
        Primal objective, and an upper bound to its excess over the minimum; the bound is infinite
        for most hard margins.
    dual_coef_, intercept_ : ndarray of shape (l + u,) and float
        Signed duals, y times the dual variable; of a universum point, the sum over its two copies.
    coef_ : ndarray of shape (d,), with a linear kernel only
    support_ : ndarray of int, with other kernels unless precomputed
    gamma_ : float or None
    universum_ : transformer or None
        The fitted `universum`. If its maker needs two classes, each of `estimators_` has its own.
    n_iter_ : int

    Raises
    ------
    NotSeparableError
        If a hard margin does not exist.
    NotPositiveSemidefiniteError
        If two points show that the kernel has a negative eigenvalue.

    References
    ----------
    Weston, Collobert, Sinz, Bottou and Vapnik, Inference with the Universum: primal and dual
    formulation; squared loss, data dependent regularization.

    Examples
    --------
    >>> from transductive import MeanOfPairs, UniversumSVC
    >>> model = UniversumSVC(universum=MeanOfPairs(2, random_state=0), kernel="linear")
    >>> model.fit([[0.0], [0.2], [0.8], [1.0]], [0, 0, 1, 1]).predict([[0.3], [0.9]])
    array([0, 1])
    """

    _column_per_class = ("universum_values_",)
    _parameter_constraints = {
        **MarginClassifier._parameter_constraints,
        "C_universum": [NOT_NEGATIVE],
        "epsilon": [NOT_NEGATIVE],
        "loss": [StrOptions(set(LOSSES))],
        "fit_intercept": ["boolean"],
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
        coef0=0.0,
        class_weight=None,
        fit_intercept=True,
        tol=1e-3,
        max_iter=-1,
        n_jobs=None,
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
            Points of neither class, in place of those that `universum` would make. A
            cross-validation divides them into folds if they are as many as the rows of `X`.
        sample_weight : array of shape (l,), optional
            Factors of `C`, not negative. A whole number equals so many copies of the row, but
            `universum` takes rows of positive weight once each.

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
            solver.settle(self._exact_values(solver.coefficients, joint))
        self._keep(solver.coefficients, solver.intercept, joint)
        self.universum_values_ = solver.values[len(signs) :]
        self.objective_, self.gap_ = solver.primal(), solver.gap
        self.n_iter_ = solver.iterations
        return self

    def _make_universum(self, X, y, weight):
        if self.kernel == "precomputed":
            raise ValueError(
                "universum makes points, not kernel values: with kernel='precomputed' give fit "
                "X_universum"
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
                # makes other points for each class against the rest
                return parameters
            others["X_universum"] = self._make_universum(X, y, others["sample_weight"])
        return [{**of_class, "universum": None} for of_class in parameters]


def _needs_two_classes(maker):
    tags = getattr(maker, "__sklearn_tags__", BaseEstimator().__sklearn_tags__)()
    return tags.classifier_tags is not None and not tags.classifier_tags.multi_class
