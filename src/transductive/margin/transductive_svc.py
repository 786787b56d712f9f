"""Transductive support vector machine: the slides' problem, greedy and exhaustive."""

from __future__ import annotations

from numbers import Integral

import numpy as np
from scipy.sparse import issparse
from sklearn.utils._param_validation import StrOptions

from ..blas_threads import one_blas_thread
from ..caller_warning import warn_caller
from ..class_share import MIN_LABELS, CrossFittedOutputs, doubted_share, fewest_labels
from ..kernel_estimator import COUNT_OR_ZERO, JOBS, NOT_NEGATIVE_OR_INFINITE, two_classes
from ..kernels import stack
from ..manifold_kernel import STRENGTHS
from ..manifold_mixin import ManifoldMixin
from .exhaustive_labelling import MAX_WORKING_POINTS, BoundedSVM, best_labels
from .label_switching import HISTORY, JointLinearSVM, JointManySVM, JointSVM, switch_labels
from .linear_programme import LinearPoints
from .margin_classifier import MarginClassifier
from .positive_number import MIN_WORKING_POINTS, NumberByObjective, share_interval

__all__ = ["TransductiveSVC"]

# Labellings are compared by their objectives, so the solver's errors must be smaller.
EXHAUSTIVE_MAX_TOL = 1e-8
# From this number of points on, many pairs switch at once, and a linear kernel is solved for the
# hyperplane without a Gram matrix; for sparse or badly scaled rows the latter is always faster.
SWITCH_MANY_MIN_POINTS = 1001
# Warn if there is no valley and the interval of the share is wider: from 40 labels on it seldom is.
RELIABLE_INTERVAL = 0.3


class TransductiveSVC(ManifoldMixin, MarginClassifier):
    """Support vector machine with the labels of working points among its unknowns.

    Minimises ``1/2 |w|^2 + C sum xi + C_star sum xi_star`` over the hyperplane and the labels.
    Without working points it is the support vector machine.

    Parameters
    ----------
    C, C_star : float, default=10.0 and 1.0
        Cost of a training slack, positive, and of a working slack, not negative; infinite for a
        hard margin.
    n_positive : int, dict, "sample", "estimate" or "any", default=None
        Number of working points of class ``classes_[1]``, or, for more than two classes, a
        dictionary from class to number; give it if you know it. "sample": as in the sample. None:
        in the 95 % interval of that share, where the objective has a valley, else between both,
        sample and its SVM; "sample" if `exhaustive` or m < 10. "estimate": by cross-validated SVMs,
        from ten labels a class, for working points of another share. "any": with `exhaustive`.
    kernel, gamma, degree, coef0 : default="rbf", "scale", 3 and 0.0
        As in scikit-learn's SVC, functions included; also "laplacian" and "cosine". "scale" is of
        the training points. With "precomputed", `fit` takes kernel values with all training and
        then all working points, of shape (l, l + m) and (m, l + m).
    manifold : float or "auto", default="auto"
        Strength of a deformation of the kernel by the graph of nearest neighbours, see
        `manifold_gram`. "auto": 0, 1 or 10, by leave-one-out; 0 for a linear or precomputed
        kernel, or above 5,000 points. With a larger one new points often get wrong labels.
    class_weight : dict, "balanced" or None, default=None
        Factors of `C` for the classes, as in scikit-learn's SVC.
    first_costs : {"balanced", "slides"}, default="balanced"
        Ratio of the first costs C*+ and C*- of the greedy algorithm: ``(m - num_+)/num_+``, which
        gives both classes equal weight, or its inverse, as printed.
    exhaustive : bool, default=False
        Search all labellings of at most 24 working points, by branch and bound, instead of the
        greedy algorithm.
    tol : float, default=1e-3
        Largest violation of the KKT conditions, at least 1e-15; with `exhaustive` at most 1e-8.
    max_iter : int, default=-1
        Most iterations of one SVM; -1 for a limit that grows with the points.
    n_jobs : int or None, default=None
        Threads for more than two classes; the result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    estimators_ : list of TransductiveSVC
        One for each class against the rest, or the estimator itself for two classes. For more
        classes, attributes other than those with one row a class are only here.
    transduction_ : ndarray of shape (m,), or None
        Classes of the working points. A point may lie on the wrong side of the hyperplane.
    working_values_ : ndarray of shape (m,) or (m, n_classes), or None
        `decision_function` at the working points.
    objective_ : float
        Primal objective for `transduction_`.
    n_positive_, n_positive_interval_, objective_curve_ : int, (int, int), structured ndarray
        Number of working points labelled ``classes_[1]``; its 95 % interval if estimated; by
        default each ``n_positive`` tried and its ``objective``. None otherwise.
    dual_coef_, intercept_ : ndarray of shape (l + m,) and float
        Signed duals, y times the dual variable.
    coef_ : ndarray of shape (d,), with a linear kernel only
    support_ : ndarray of int, with other kernels unless precomputed
    gamma_, manifold_, n_switches_, n_iter_, n_machines_ : float, float, int, int, int
        Kernel and deformation used; pairs switched, iterations, SVMs solved.
    switch_possible_ : bool
        Whether a pair may still be switched at C_star, where the slides stop.
    history_ : structured ndarray
        Solutions in order, those of the chosen number last; see `SwitchedLabels`.

    Raises
    ------
    NotSeparableError, NotPositiveSemidefiniteError
        If a hard margin does not exist; if two points show a negative eigenvalue of the kernel.

    References
    ----------
    Joachims (1999), as taught in LING 572: soft margin and Algorithm TSVM.

    Examples
    --------
    >>> from transductive import TransductiveSVC
    >>> model = TransductiveSVC(kernel="linear", n_positive=1)
    >>> model.fit([[0.0], [1.0]], [0, 1], X_working=[[0.2], [0.7], [0.1]]).transduction_
    array([0, 1, 0])
    """

    _column_per_class = ("working_values_",)
    _same_for_all = (*MarginClassifier._same_for_all, "manifold_")
    _may_be_indefinite = True
    # a stronger deformation draws new points to the side of the intercept
    _auto_strengths = STRENGTHS[:3]
    #: Of one class against the rest: share among the labels and their number, by weights.
    _labelled_share = None
    _parameter_constraints = {
        **MarginClassifier._parameter_constraints,
        **ManifoldMixin._parameter_constraints,
        "C_star": [NOT_NEGATIVE_OR_INFINITE],
        "n_positive": [COUNT_OR_ZERO, dict, StrOptions({"any", "estimate", "sample"}), None],
        "first_costs": [StrOptions({"balanced", "slides"})],
        "exhaustive": ["boolean"],
        "n_jobs": JOBS,
    }

    def __init__(
        self,
        C=10.0,
        C_star=1.0,
        *,
        n_positive=None,
        kernel="rbf",
        gamma="scale",
        degree=3,
        coef0=0.0,
        manifold="auto",
        class_weight=None,
        first_costs="balanced",
        exhaustive=False,
        tol=1e-3,
        max_iter=-1,
        n_jobs=None,
    ):
        self.C = C
        self.C_star = C_star
        self.n_positive = n_positive
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.manifold = manifold
        self.class_weight = class_weight
        self.first_costs = first_costs
        self.exhaustive = exhaustive
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs

    def fit(self, X, y, X_working=None, sample_weight=None):
        """Find the labels of the working points and the hyperplane together.

        Parameters
        ----------
        X : array, data frame or sparse matrix of shape (l, d)
        y : array of shape (l,)
            Two classes or more. A placeholder for missing labels would be a class:
            `split_unlabelled` divides such a table.
        X_working : array, data frame or sparse matrix of shape (m, d), optional
            Working points, on the scale of `X`. A pipeline with ``transform_input=["X_working"]``
            scales them if metadata routing is enabled and this estimator requests them by
            `set_fit_request`. scikit-learn splits any argument with as many rows as `X` into folds:
            leave one point out then, ``X_working[1:]``.
        sample_weight : array of shape (l,), optional
            Factors of `C`, not negative. A whole number equals so many copies of the row, except
            that `manifold` takes each row once.

        Returns
        -------
        self
        """
        self._validate_params()
        if self._fit_each_class(X, y, sample_weight=sample_weight, X_working=X_working):
            self._warn_of_number([one._unsure for one in self.estimators_])
            return self
        C_star = float(self.C_star)
        X, y = self._check_labelled(X, y, accept_sparse=self._sparse())
        self.classes_, signs = two_classes(y, self)
        weight = self._row_weights(X, y, sample_weight)
        if X_working is not None:
            X_working = self._check_others("X_working", X_working, accept_sparse=self._sparse())
        given = self._deform(X, X_working, signs, [self._resolve_gamma(X, weight)], weight)
        joint = X if X_working is None else stack(X, X_working)
        m = joint.shape[0] - X.shape[0]
        costs = np.broadcast_to(self._costs(y, weight), signs.shape)
        # one class against the rest gets costs of classes as weights, which count no rows
        weight = vars(self).pop("_counted", weight)
        n_positive = self._count(signs, weight, costs, m)
        by_objective = self.n_positive is None
        with one_blas_thread():
            make = self._solver(joint, signs, costs, given)
            self.n_positive_interval_ = self.objective_curve_ = self._unsure = None
            if self.n_positive == "estimate" and m:
                outputs = CrossFittedOutputs(make, signs, costs)
                n_positive, self.n_positive_interval_ = self._estimated(outputs, m)
                by_objective = n_positive is None
                if by_objective:
                    n_positive = self._by_share(signs > 0, weight, m)
            svm = make(costs)
            self.history_, self.n_machines_ = np.empty(0, dtype=HISTORY), 1
            if X_working is None:
                svm.solve()
            elif self.exhaustive:
                _, self.n_machines_ = best_labels(
                    svm, C_star, n_positive, progress=not self._is_part
                )
            else:
                switched = switch_labels(
                    svm, C_star, n_positive, self.first_costs, progress=not self._is_part
                )
                self.history_, self.n_machines_ = switched.history, 1 + len(switched.history)
                # outputs of unsolved problems do not estimate shares
                if self.n_positive in (None, "sample") and not svm.missed:
                    self._compare_shares(make, signs, weight, costs, switched.inductive)
                if by_objective and not (svm.missed or svm.in_doubt):
                    self._choose_number(svm, signs, weight, switched.inductive)
            svm.settle(self._exact_values(svm.coefficients, joint, given))
        self._keep_svm(svm, joint, m)
        if not self._is_part:
            self._warn_of_number([self._unsure])
        return self

    def _choose_number(self, svm, signs, weight, inductive):
        """Move to the number that the objective prefers; keep what leaves it unsure."""
        m, C_star = len(inductive), float(self.C_star)
        if m < MIN_WORKING_POINTS or not 0 < C_star < np.inf:
            return
        share, size = self._share(signs > 0, weight)
        low, high = share_interval(share, size)
        chosen = NumberByObjective(svm, C_star, low, high, size, int((inductive > 0).sum()))
        self.objective_curve_ = chosen.curve
        self.history_ = np.concatenate([self.history_, chosen.history])
        self.n_machines_ = len(self.history_) + len(chosen.curve)
        if not chosen.valley and high - low > RELIABLE_INTERVAL:
            self._unsure = self._positive_class(), low, high

    def _warn_of_number(self, unsure):
        if unsure := [one for one in unsure if one is not None]:
            label, low, high = unsure[0]
            warn_caller(
                f"no gap shows how many working points are of class {label}, and its share among "
                f"so few labels leaves {low:.0%} to {high:.0%}: give n_positive, or compare with "
                "the SVM, which is fit without working points, and with BayesianTransduction",
                UserWarning,
            )

    def _strengths(self, X, X_working):
        # a linear kernel keeps its coefficients coef_
        kept = self.manifold == "auto" and self.kernel == "linear"
        return None if kept else super()._strengths(X, X_working)

    def _solver(self, joint, signs, costs, known):
        """A function from the costs of training slacks to a solver of all points.

        Those are `costs`, or 0 for some. All solvers share the Gram matrix.
        """
        tol = min(self.tol, EXHAUSTIVE_MAX_TOL) if self.exhaustive else self.tol
        largest_cost = max(np.max(costs), self.C_star)
        linear = self.kernel == "linear" and known is None
        many = joint.shape[0] >= SWITCH_MANY_MIN_POINTS or (
            linear and (issparse(joint) or self._badly_scaled(joint, tol, largest_cost))
        )
        many = many and np.isfinite(largest_cost)
        if self.exhaustive:
            svm = BoundedSVM
        elif many and linear:
            svm = JointLinearSVM
        else:
            svm = JointManySVM if many else JointSVM
        if svm is JointLinearSVM:
            given = (LinearPoints(joint, centred=True),)
        else:
            given = self._gram(joint, "working", tol, largest_cost, known)
        return lambda costs: svm(*given, signs, costs, tol=tol, max_iter=self.max_iter)

    def _count(self, signs, weight, costs, m):
        """Return num_+, or None for any number or one to be estimated."""
        if self.exhaustive and m > MAX_WORKING_POINTS:
            raise ValueError(
                f"exhaustive=True allows at most {MAX_WORKING_POINTS} working points, there are "
                f"{m}: use the greedy algorithm"
            )
        if self.n_positive == "any":
            if self.exhaustive:
                return None
            raise ValueError(
                "n_positive='any' needs exhaustive=True: the greedy algorithm keeps the number"
            )
        if self.n_positive == "estimate":
            if m and (few := fewest_labels(signs, costs)) < MIN_LABELS:
                raise ValueError(
                    f"n_positive='estimate' needs {MIN_LABELS} labels of each class, one has {few}:"
                    " give the number, or estimate it from all labels before a cross-validation"
                )
            return None
        _, count = self._numbers(m)
        return self._by_share(signs > 0, weight, m) if count is None else count

    def _estimated(self, outputs, m):
        """num_+, None if its 95 % interval is too wide, and that interval."""
        share = outputs.share()
        if np.isnan(share):
            raise ValueError(
                "n_positive='estimate': cross-validated outputs do not rise with the labels: give "
                "the number, or other kernel parameters"
            )
        low, high = outputs.interval()
        ends = round(m * share), int(np.floor(m * low)), int(np.ceil(m * high))
        number, low, high = np.clip(ends, 1, max(1, m - 1)).tolist()
        low, high = min(low, number), max(high, number)
        if high - low > m / 2:
            warn_caller(
                f"n_positive='estimate': the 95 % interval of the number of class "
                f"{self._positive_class()} among {m} working points is {low} to {high}, and the "
                "number is chosen as by default: give it, or more labels",
                UserWarning,
            )
            number = None
        return number, (low, high)

    def _compare_shares(self, make, signs, weight, costs, inductive):
        """Warn if working points seem to have another share of positive ones than the sample."""
        label = self._positive_class()
        if doubt := doubted_share(make, signs, costs, weight, inductive > 0, label):
            warn_caller(
                f"{doubt}, and n_positive is by default near that of the sample: give the number, "
                "or n_positive='estimate'",
                UserWarning,
            )

    def _numbers(self, m):
        """The number of working points that `n_positive` gives each class, or None."""
        classes, given = self.classes_.tolist(), self.n_positive
        given = {} if given in (None, "sample") else given
        if isinstance(self.n_positive, Integral):
            if len(classes) > 2:
                raise ValueError(
                    f"n_positive={self.n_positive} is for two classes, there are {len(classes)}: "
                    "give a dictionary from class to number"
                )
            given = {classes[1]: self.n_positive}
        if unknown := [label for label in given if label not in classes]:
            raise ValueError(f"n_positive names {unknown}, the classes are {classes}")
        for number in given.values():
            if not COUNT_OR_ZERO.is_satisfied_by(number):
                raise ValueError(f"n_positive must hold integers, not negative, got {number!r}")
            if m and number > m:
                raise ValueError(
                    f"n_positive must be at most {m}, the number of working points, got {number}; "
                    "a cross-validation divides working points that are as many as the rows of X"
                )
        numbers = [given.get(label) for label in classes]
        if len(classes) == 2 and m and len(given) == 2 and sum(numbers) != m:
            raise ValueError(f"n_positive={numbers} must sum to {m}, the number of working points")
        if len(classes) == 2 and numbers[1] is None and numbers[0] is not None:
            numbers[1] = m - numbers[0]
        return numbers

    def _share(self, positive, weight):
        """Share of positive labels, and how many labels there are; weighted ones count less."""
        if self._labelled_share is not None:
            return self._labelled_share
        share = np.average(positive, weights=weight)
        scaled = np.ones(len(positive)) if weight is None else weight / weight.max()
        return share, scaled.sum() ** 2 / (scaled @ scaled)

    def _by_share(self, positive, weight, m):
        """As many positive working points as in the sample, rounded."""
        share, _ = self._share(positive, weight)
        number = int(np.floor(m * share + 0.5))
        if m and number in (0, m):
            warn_caller(
                f"{share:.2g} of {m} working points, the share of class {self._positive_class()} "
                f"in the sample, rounds to {number}; set n_positive",
                UserWarning,
            )
        return number

    def _class_parameters(self, X, y, others):
        weight = self._row_weights(X, y, others.get("sample_weight"))
        parameters = super()._class_parameters(X, y, others)
        for one in parameters:
            one["_counted"] = np.ones(len(y)) if weight is None else weight
        if self.n_positive in ("any", "estimate"):
            return parameters
        m = 0 if others["X_working"] is None else others["X_working"].shape[0]
        for k, (label, n) in enumerate(zip(self.classes_, self._numbers(m), strict=True)):
            # the weights that the estimators get have costs of classes in them
            parameters[k]["_labelled_share"] = self._share(y == label, weight)
            default = "sample" if self.n_positive == "sample" else None
            parameters[k]["n_positive"] = default if n is None else n
        return parameters

    def _gather(self):
        super()._gather()
        values = self.working_values_
        self.transduction_ = None if values is None else self._highest(values)

    def _keep_svm(self, svm, joint, m):
        n_train = svm.n_train
        self._keep(svm.coefficients, svm.intercept, joint)
        if isinstance(svm, JointLinearSVM):
            # a sum over points far from 0 would lose all digits
            self.coef_, self.intercept_ = svm.plane()
        self.objective_, self.n_iter_ = svm.primal(), svm.iterations
        self.transduction_ = self.working_values_ = self.n_positive_ = None
        if m:
            signs = svm.signs[n_train:]
            self.transduction_ = self.classes_[(signs > 0).astype(np.intp)]
            self.working_values_ = svm.decision_values()[n_train:]
            self.n_positive_ = int((signs > 0).sum())
        self.n_switches_ = int(self.history_["pairs"].sum())
        self.switch_possible_ = svm.pair_to_switch() is not None
