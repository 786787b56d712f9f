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
from ..manifold_mixin import ManifoldMixin
from .exhaustive_labelling import MAX_WORKING_POINTS, BoundedSVM, best_labels
from .label_switching import HISTORY, JointLinearSVM, JointManySVM, JointSVM, switch_labels
from .linear_programme import LinearPoints
from .margin_classifier import MarginClassifier

__all__ = ["TransductiveSVC"]

# Labellings are compared by their objectives, so the solver's errors must be smaller.
EXHAUSTIVE_MAX_TOL = 1e-8
# From so many points on many pairs switch at once, and a linear kernel is solved for the
# hyperplane, without a Gram matrix. On sparse rows that takes less time however few there are.
SWITCH_MANY_MIN_POINTS = 1001


class TransductiveSVC(ManifoldMixin, MarginClassifier):
    """Support vector machine with the labels of working points among its unknowns.

    Minimises ``1/2 |w|^2 + C sum xi + C_star sum xi_star`` over the hyperplane and the labels.
    Without working points it is the support vector machine.

    Parameters
    ----------
    C : float, default=10.0
        Cost of a training slack, positive; infinite for a hard margin.
    C_star : float, default=1.0
        Cost of a working slack, not negative; infinite for a hard margin.
    n_positive : int, dict, "estimate" or "any", default=None
        Number of working points that get the class ``classes_[1]``, the slides' num_+. A
        dictionary from class to number is for any number of classes; it may leave classes out, and
        numbers of more than two classes need not add up to all working points. "any" (with
        `exhaustive` only) leaves the number open. None: the share in the training sample, rounded.
        Give the number if you know it: the share is wrong if the sample is small or not drawn like
        the working points, and then so are many labels. There is a warning if only one class
        remains, or if the outputs contradict the share (see Notes). "estimate", for a sample
        that is not drawn like the working points: the number that agrees with the outputs of
        inductive SVMs in cross-validation (see Notes), at least one and less than all, from at
        least ten labels of each class. 0, or all working points, determines the labels.
        Wrong labels spoil the share and its estimate; of labels that may be wrong let
        `BayesianTransduction` say which, and give ``sample_weight=1 - flip_proba_`` to `fit`.
    kernel : str or callable, default="rbf"
        "linear", "poly", "rbf", "sigmoid", "laplacian", "cosine" or "precomputed", as in
        scikit-learn, except ``coef0=1.0``; or a function of two points, arrays of shape (d,), that
        returns a number (scikit-learn's SVC gives it matrices). With "precomputed", `fit` takes
        kernel values with the training points, then the working points: (l, l + m) and (m, l + m).
    gamma : float or {"scale", "auto"}, default="scale"
        As in scikit-learn's SVC, from the training points alone, counted by `sample_weight`.
    degree, coef0 : default=3 and 1.0
        Of the polynomial and sigmoid kernels.
    manifold : float or "auto", default="auto"
        Strength of a deformation of the kernel by the graph of nearest neighbours among training
        and working points, so that functions count as simple if they differ little between
        neighbours; see `manifold_gram`, also for the cost. 0 is none. "auto": that of 0, 1, 10, 100
        and 1000 which the leave-one-out error on the labels chooses; 0 with kernel="linear"
        or "precomputed" and for more than 5,000 points in all. A positive number is an error with
        kernel="precomputed" and for more than 20,000 points. Ignored without working points.
    class_weight : dict, "balanced" or None, default=None
        Positive numbers by which `C` is multiplied for the rows of a class, 1 for classes that a
        dictionary leaves out; "balanced": the mean size of a class over that of the row's class.
        It does not change `n_positive`, nor the costs of working points.
    fit_intercept : bool, default=True
    first_costs : {"balanced", "slides"}, default="balanced"
        The greedy algorithm's first C*+ divided by its C*-: ``(m - num_+)/num_+``, so that the two
        classes of working points have equal weight, or ``num_+/(m - num_+)`` as the slides print
        it, which gives a rarer class even less weight. Equal for classes of equal size.
    exhaustive : bool, default=False
        Search all labellings of at most 24 working points, by branch and bound, instead of the
        greedy algorithm. Many copies of one point take long, since their labellings tie.
    tol : float, default=1e-3
        Largest violation of the KKT conditions, at least 1e-15, with `exhaustive` at most 1e-8.
        From 1e-4 on, the Gram matrix is in single precision unless a cost exceeds 1000.
    max_iter : int, default=-1
        Iterations of one SVM, at most; -1 for ten million, or a hundred for each point if that is
        more. For a linear kernel without a Gram matrix (see Notes), Newton steps or sweeps over the
        points; -1 for ten thousand. With -1, an SVM gets only 20,000, or 30 steps or sweeps, after
        one that missed `tol`, and all of them do if the largest cost times the largest kernel
        value k(x, x) leaves a rounding error above `tol` and above 1e-6: badly scaled features have
        this effect.
    n_jobs : int or None, default=1
        Threads over which more than two classes are distributed; the result does not depend on it.
    verbose : bool, default=False
        Show a progress bar on standard error: doublings of the greedy algorithm or, with
        `exhaustive`, labellings decided, out of ``2^m`` or m over num_+. Of more than two classes
        it is one bar that counts the classes done.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    estimators_ : list of TransductiveSVC
        One for each class against the rest; for two classes the estimator itself. For more than
        two classes `coef_`, `dual_coef_`, `intercept_` and `n_iter_` have a row for each, and
        attributes of binary estimators, such as `objective_`, are only in `estimators_`.
    transduction_ : ndarray of shape (m,), or None
        Classes of the working points; None without any. For more than two classes, the class with
        the highest of the `working_values_`, so that the numbers `n_positive` hold approximately.
    working_values_ : ndarray of shape (m,), or (m, n_classes) for more than two classes, or None
        `decision_function` at the working points. For two classes its signs need not agree with
        `transduction_`: the labels come from the greedy algorithm's last costs, and a point may
        lie on the wrong side of the boundary.
    objective_ : float
        Primal objective for `transduction_` at C and C_star. It does not count slacks that the
        tolerance leaves at a hard margin.
    n_positive_ : int or None
        Number of working points labelled ``classes_[1]``; None without working points.
    n_positive_interval_ : (int, int) or None
        95 % interval of an estimated number; None if it was not estimated.
    dual_coef_ : ndarray of shape (l + m,)
        Signed: y times the dual variable.
    intercept_ : float
    coef_ : ndarray of shape (d,)
        Only with kernel="linear" and no `manifold_`.
    support_ : ndarray
        Points with a non-zero coefficient, training points first; not with `coef_` or
        kernel="precomputed".
    gamma_ : float or None
    manifold_ : float
        Strength used, the same for all classes; 0 without working points.
    n_switches_ : int
        Pairs that the greedy algorithm switched.
    switch_possible_ : bool
        Whether a pair of labels could still be switched at C_star, up to the tolerance. The
        slides' algorithm never trains there: its Loop 1 ends when both costs have reached C_star.
    history_ : structured ndarray
        The greedy algorithm's solutions in order: ``C_minus`` and ``C_plus``; ``switch``, whether
        it follows a switch of the working points ``positive`` and ``negative``;
        ``switched_objective`` right after the switch and ``objective`` when solved again (primal,
        at the costs of that moment); ``violation``, ``gap``, ``iterations``; ``pairs``, the number
        of pairs switched at once, of which ``positive`` and ``negative`` have the largest slacks.
        Without a switch the points are -1 and ``switched_objective`` is NaN. The last entry is the
        solution at C_star.
        Empty if exhaustive.
    n_iter_ : int
        Iterations of all SVMs.
    n_machines_ : int
        Number of SVMs solved; if exhaustive, with labels of some or of all working points.

    Raises
    ------
    NotSeparableError
        If a hard margin does not exist.
    NotPositiveSemidefiniteError
        If two points show that the kernel has a negative eigenvalue. One that goes unnoticed may
        lead to a point that only satisfies the KKT conditions: ``numpy.linalg.eigvalsh`` tells.
    ValueError
        If there is only one class or a parameter is out of range, or if labels or outputs do not
        suffice for n_positive="estimate".

    Warns
    -----
    ConvergenceWarning
        If an SVM stops at `max_iter`, or because no step changes the last digit.
    UserWarning
        If the interval of an estimated number has more than half of the working points; if the
        default `n_positive` rounds to 0 or m, or if the outputs contradict it. With
        ``manifold="auto"``, at least 25 labels, ten of each class, and equal weights, if the
        leave-one-out error on them is not below that of a constant: in more than half of the fits
        if the features say nothing, and in 3 % of them or fewer, also with a class of 5 %, if an
        ideal rule errs on 16 % or less of classes of equal size.

    Notes
    -----
    The greedy algorithm ranks the working points by the inductive SVM, gives the first
    `n_positive` the positive class, and trains with costs from 1e-5 on, doubled up to C_star
    (Loop 1). At each of them it exchanges the labels of the positive and the negative point with
    the largest slacks, as long as both slacks are positive and sum to more than 2 (Loop 2): the
    objective falls with each switch. A gain below the solver's accuracy ends Loop 2. First costs
    above C_star are reduced to it; if both are, the inductive labels stay.

    With more than 1,000 points in all, or with kernel="linear" on sparse rows, a faster variant
    runs if the costs are finite and not `exhaustive`. It switches every pair that may switch before
    the next solution, the largest slacks with the largest, and coefficients grow with the costs.
    While labels change it allows KKT violations up to 0.1 if `tol` is smaller, but never a higher
    objective after a switch than before. The last solution is exact to `tol`. The labels may differ
    from those of one pair at a time: on sixty random problems the objective was 0.4 ± 0.4 % higher,
    and in single problems up to about 15 % higher or lower.

    With kernel="linear" this variant forms no Gram matrix: it solves for the hyperplane, by
    Newton's method with at most 500 features, otherwise by dual coordinate descent (Hsieh et al.
    2008), and memory is proportional to the points. With other kernels and more than 12,000 points
    the Gram matrix is not held: pairs move in active sets, and blocks of the matrix are recomputed
    to update all other points. A set has 4,096 variables; memory stays below half a gigabyte, plus
    three copies of the points. When more than half of a set's variables are between their bounds
    (overlapping classes at large costs), the set grows, up to 16,384 variables: 1 GiB, or 2 GiB in
    double precision. With more than 8,192 between their bounds the variables take turns, which
    needs more iterations.

    n_positive="estimate" takes the share of the positive class as unknown and the outputs of each
    class as distributed alike in the sample and the working points. Five inductive SVMs, each
    without a fifth of the labels, give outputs, and Platt's sigmoid makes probabilities of them,
    which are adjusted to a share (Saerens et al. 2002). The share is found whose adjusted
    probabilities have the mean that it predicts from the left-out labels of either class (Bella et
    al. 2010): the EM algorithm of Saerens et al. without its bias where few labels make
    probabilities cautious. Of more than two classes each is estimated against the rest, which is
    assumed to keep its own shares. `n_positive_interval_` has percentiles of 200 estimates from
    resampled labels and working points.

    With the default None the same outputs may contradict the share. There is a warning if the mean
    probability at the working points differs from that at the left-out labels by more than three
    standard errors. With fewer than ten labels of a class or ten working points, or `exhaustive`,
    shares are not compared, and five more SVMs are solved only if the shares of positive outputs
    and of labels differ by more than two standard errors of the latter. Labels that were asked for
    where outputs were doubtful have another share by design: give the number.

    There is no ``predict_proba``: `working_values_` rank the points, `BayesianTransduction` has
    probabilities, and scikit-learn's ``CalibratedClassifierCV`` calibrates `decision_function` (see
    Examples). Its probabilities are those of points drawn like the sample: if the working points
    have other shares of the classes, they are too close to the shares of the sample. From a few
    dozen labels they hold only roughly.

    References
    ----------
    Transductive learning (LING 572), after Joachims, Transductive Inference for Text
    Classification using SVMs, ICML 1999: soft margin, Algorithm TSVM of the additional slides.

    Saerens, Latinne, Decaestecker, Adjusting the Outputs of a Classifier to New a Priori
    Probabilities: A Simple Procedure, Neural Computation 14 (2002). Bella, Ferri,
    Hernandez-Orallo, Ramirez-Quintana, Quantification via Probability Estimators, ICDM 2010.

    Hsieh, Chang, Keerthi, Sundararajan, Lin, A Dual Coordinate Descent Method for Large-scale
    Linear SVM, ICML 2008.

    Examples
    --------
    Choose the costs by cross-validation on the sample, which needs more than a handful of labels.
    Metadata routing gives all working points to every fold; ``C_star=0`` is the SVM without them.
    A search keeps the first of equally good candidates, and from few labels many are: so `C_star`
    begins with the value that is to win a tie.

    >>> from sklearn import config_context
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.model_selection import GridSearchCV
    >>> from transductive import TransductiveSVC
    >>> points, y = make_moons(200, noise=0.2, random_state=0)
    >>> X, y, X_working = points[:40], y[:40], points[40:]
    >>> grid = {"C": [1.0, 10.0, 0.1], "C_star": [1.0, 0.1, 0.0]}
    >>> with config_context(enable_metadata_routing=True):
    ...     model = TransductiveSVC(gamma=2.0).set_fit_request(X_working=True)
    ...     search = GridSearchCV(model, grid).fit(X, y, X_working=X_working)
    >>> sorted(search.best_params_)
    ['C', 'C_star']
    >>> search.best_estimator_.transduction_.shape
    (160,)

    Probabilities of the working points, by Platt's sigmoid from cross-validation; every fold gets
    all of them (but see `X_working` if they are as many as the rows of `X`):

    >>> from sklearn.calibration import CalibratedClassifierCV
    >>> with config_context(enable_metadata_routing=True):
    ...     calibrated = CalibratedClassifierCV(model, ensemble=False)
    ...     probabilities = calibrated.fit(X, y, X_working=X_working).predict_proba(X_working)
    >>> probabilities.shape
    (160, 2)

    A cross-validation would estimate the number of positive working points from each fold's labels,
    which are fewer. Estimate it once, from all labels, and give it to the folds:

    >>> number = TransductiveSVC(gamma=2.0, n_positive="estimate").fit(X, y, X_working).n_positive_
    >>> with config_context(enable_metadata_routing=True):
    ...     model = TransductiveSVC(gamma=2.0, n_positive=number).set_fit_request(X_working=True)
    ...     calibrated = CalibratedClassifierCV(model, ensemble=False)
    ...     probabilities = calibrated.fit(X, y, X_working=X_working).predict_proba(X_working)
    """

    _column_per_class = ("working_values_",)
    _same_for_all = (*MarginClassifier._same_for_all, "manifold_")
    _may_be_indefinite = True
    #: Whether `n_positive` of one class against the rest is a number only because it was None.
    _share_by_default = False
    _parameter_constraints = {
        **MarginClassifier._parameter_constraints,
        **ManifoldMixin._parameter_constraints,
        "C_star": [NOT_NEGATIVE_OR_INFINITE],
        "n_positive": [COUNT_OR_ZERO, dict, StrOptions({"any", "estimate"}), None],
        "first_costs": [StrOptions({"balanced", "slides"})],
        "exhaustive": ["boolean"],
        "n_jobs": JOBS,
        "verbose": ["boolean"],
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
        coef0=1.0,
        manifold="auto",
        class_weight=None,
        fit_intercept=True,
        first_costs="balanced",
        exhaustive=False,
        tol=1e-3,
        max_iter=-1,
        n_jobs=1,
        verbose=False,
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
        self.fit_intercept = fit_intercept
        self.first_costs = first_costs
        self.exhaustive = exhaustive
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X, y, X_working=None, sample_weight=None):
        """Find the labels of the working points and the hyperplane together.

        Parameters
        ----------
        X : array, data frame or sparse matrix of shape (l, d)
        y : array of shape (l,)
            Two classes or more. Rows without a label belong in `X_working`, and a mark in `y` is a
            class like others: `split_unlabelled` divides a table whose labels have one.
        X_working : array, data frame or sparse matrix of shape (m, d), optional
            Working points; without them `fit` is the support vector machine on the sample, and
            `n_positive` counts for nothing. Scale them as `X`: yourself, or by a pipeline with
            ``transform_input=["X_working"]`` and metadata routing; ``step__X_working`` of a
            pipeline hands them over as they are, and labels of points on another scale are wrong.
            If they are as many as the rows of `X`, a grid search or another cross-validation
            divides them into folds: give it ``X_working[1:]``, and `fit` its best parameters with
            all.
        sample_weight : array of shape (l,), optional
            Not negative. `C` is multiplied by a row's weight, so that a whole number is the same as
            so many copies of the row, and 0 as none, also in the share behind the default
            `n_positive`; but `manifold` takes each row once. None: 1 for all.

        Returns
        -------
        self
        """
        self._validate_params()
        if self._fit_each_class(X, y, sample_weight=sample_weight, X_working=X_working):
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
        n_positive = self._count(signs, weight, costs, m)
        with one_blas_thread():
            make = self._solver(joint, signs, costs, given)
            self.n_positive_interval_ = None
            if self.n_positive == "estimate" and m:
                outputs = CrossFittedOutputs(make, signs, costs)
                n_positive, self.n_positive_interval_ = self._estimated(outputs, m)
            svm = make(costs)
            self.history_, self.n_machines_ = np.empty(0, dtype=HISTORY), 1
            if X_working is None:
                svm.solve()
            elif self.exhaustive:
                _, self.n_machines_ = best_labels(svm, C_star, n_positive, progress=self.verbose)
            else:
                found = switch_labels(
                    svm, C_star, n_positive, self.first_costs, progress=self.verbose
                )
                self.history_, self.n_machines_ = found.history, 1 + len(found.history)
                # outputs of unsolved problems say nothing of shares
                if (self.n_positive is None or self._share_by_default) and not svm.missed:
                    self._compare_shares(make, signs, weight, costs, found.inductive)
        self._keep_svm(svm, joint, m)
        return self

    def _strengths(self, X, X_working):
        # a hyperplane stays one, with its coefficients
        kept = self.manifold == "auto" and self.kernel == "linear"
        return None if kept else super()._strengths(X, X_working)

    def _solver(self, joint, signs, costs, known):
        """A function from the costs of training slacks to a solver of all points.

        Those are `costs`, or 0 for some. All solvers share the Gram matrix.
        """
        tol = min(self.tol, EXHAUSTIVE_MAX_TOL) if self.exhaustive else self.tol
        largest_cost = max(np.max(costs), self.C_star)
        linear = self.kernel == "linear" and known is None
        many = joint.shape[0] >= SWITCH_MANY_MIN_POINTS or (linear and issparse(joint))
        many = many and np.isfinite(largest_cost)
        if self.exhaustive:
            svm = BoundedSVM
        elif many and linear:
            svm = JointLinearSVM
        else:
            svm = JointManySVM if many else JointSVM
        if svm is JointLinearSVM:
            given = (LinearPoints(joint, centred=self.fit_intercept),)
        else:
            given = self._gram(joint, "working", tol, largest_cost, known)
        return lambda costs: svm(*given, signs, costs, self.fit_intercept, tol, self.max_iter)

    def _count(self, signs, weight, costs, m):
        """Return num_+, or None for any number or one to be estimated."""
        if self.exhaustive and m > MAX_WORKING_POINTS:
            raise ValueError(
                f"exhaustive=True allows at most {MAX_WORKING_POINTS} working points, there are "
                f"{m}: use the greedy algorithm"
            )
        if self.n_positive == "any":
            if not self.exhaustive:
                raise ValueError(
                    "n_positive='any' needs exhaustive=True: the greedy algorithm switches "
                    "pairs, which keeps the number of positive labels"
                )
            return None
        if self.n_positive == "estimate":
            if m and (few := fewest_labels(signs, costs)) < MIN_LABELS:
                raise ValueError(
                    f"n_positive='estimate' needs {MIN_LABELS} labels of each class, there are "
                    f"{few} of one (a cross-validation leaves some out: estimate once, outside it, "
                    "and give it n_positive=model.n_positive_): give the number; None is the share "
                    "in the sample, which may be far off, and BayesianTransduction needs no number"
                )
            return None
        _, count = self._numbers(m)
        return self._by_share(1, signs > 0, weight, m) if count is None else count

    def _estimated(self, outputs, m):
        """num_+ and its 95 % interval."""
        share = outputs.share()
        if np.isnan(share):
            raise ValueError(
                "n_positive='estimate': in cross-validation the outputs do not rise with the "
                "labels, so that they say nothing about the working points: give the number, or "
                "other kernel parameters"
            )
        low, high = outputs.interval()
        ends = round(m * share), int(np.floor(m * low)), int(np.ceil(m * high))
        number, low, high = np.clip(ends, 1, max(1, m - 1)).tolist()
        low, high = min(low, number), max(high, number)
        if high - low > m / 2:
            warn_caller(
                f"n_positive='estimate': the 95 % interval of the number of class "
                f"{self._positive_class()} among {m} working points is {low} to {high}, which says "
                "next to nothing: give the number, or more labels; wrong labels have this effect, "
                "too",
                UserWarning,
            )
        return number, (low, high)

    def _compare_shares(self, make, signs, weight, costs, inductive):
        """Warn if working points seem to have another share of positive ones than the sample."""
        label = self._positive_class()
        if doubt := doubted_share(make, signs, costs, weight, inductive > 0, label):
            warn_caller(
                f"{doubt}, and n_positive is by default that of the sample: give the number, or "
                "n_positive='estimate'",
                UserWarning,
            )

    def _numbers(self, m):
        """The number of working points that `n_positive` gives each class, or None."""
        classes, given = self.classes_.tolist(), self.n_positive or {}
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

    def _by_share(self, k, of_class, weight, m):
        """As many of the working points as the sample has of class k, rounded."""
        share = np.average(of_class, weights=weight)
        number = int(np.floor(m * share + 0.5))
        if m and number in (0, m):
            warn_caller(
                f"{share:.2g} of {m} working points, the share of class {self.classes_[k]} in the "
                f"sample, rounds to {number}; set n_positive",
                UserWarning,
            )
        return number

    def _class_parameters(self, X, y, others):
        weight = self._row_weights(X, y, others.get("sample_weight"))
        parameters = super()._class_parameters(X, y, others)
        if self.n_positive in ("any", "estimate"):
            return parameters
        m = 0 if others["X_working"] is None else others["X_working"].shape[0]
        for k, (label, n) in enumerate(zip(self.classes_, self._numbers(m), strict=True)):
            parameters[k]["_share_by_default"] = n is None
            parameters[k]["n_positive"] = (
                self._by_share(k, y == label, weight, m) if n is None else n
            )
        return parameters

    def _gather(self):
        super()._gather()
        values = self.working_values_
        self.transduction_ = None if values is None else self._highest(values)

    def _keep_svm(self, svm, joint, m):
        n_train = svm.n_train
        self._keep(svm.coefficients, svm.intercept, joint)
        if isinstance(svm, JointLinearSVM):
            # the sum of far points would leave no digits
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
