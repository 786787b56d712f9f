"""Base of every estimator with a kernel: the kernel's parameters, and two classes as signs."""

from __future__ import annotations

from difflib import get_close_matches
from numbers import Integral, Real

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, is_classifier
from sklearn.utils import check_array
from sklearn.utils._param_validation import Interval, InvalidParameterError, StrOptions
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.sparsefuncs import mean_variance_axis
from sklearn.utils.validation import _check_feature_names, _get_feature_names, validate_data

from .caller_warning import warn_caller
from .kernels import KERNELS, canonical, gram_matrix
from .unlabelled_rows import refuse_missing_labels, warn_of_marks, where_rows_without_label_belong

__all__ = ["KernelEstimator", "checked", "refuse_masked", "two_classes"]

POSITIVE = Interval(Real, 0, None, closed="neither")
POSITIVE_OR_INFINITE = Interval(Real, 0, None, closed="right")
NOT_NEGATIVE = Interval(Real, 0, None, closed="left")
NOT_NEGATIVE_OR_INFINITE = Interval(Real, 0, None, closed="both")


class _Whole(Interval):
    """Whole numbers, without True and False, which Python counts as integers."""

    def is_satisfied_by(self, val):
        return not isinstance(val, bool) and super().is_satisfied_by(val)


COUNT = _Whole(Integral, 1, None, closed="left")
COUNT_OR_ZERO = _Whole(Integral, 0, None, closed="left")
JOBS = [COUNT, _Whole(Integral, None, -1, closed="right"), None]
FINITE = Interval(Real, None, None, closed="neither")
TINY = np.finfo(np.float64).tiny
# Warn if one feature exceeds this share of the squared distances, of at least this many rows.
MOST_OF_DISTANCES, LOOKED_AT_ROWS = 0.99, 10
RANDOM_STATE = [
    COUNT_OR_ZERO,
    np.random.Generator,
    np.random.SeedSequence,
    np.random.RandomState,
    None,
]


class KernelEstimator(BaseEstimator):
    """Estimator with the parameters ``kernel, gamma, degree, coef0``.

    Subclasses begin ``fit`` with `_validate_params` and `_check_labelled`, and set ``gamma_`` by
    `_resolve_gamma`.
    """

    #: Attributes that only a completed `fit` sets.
    _found_last = "dual_coef_"
    #: Set by `fit` where a kernel is deformed, to a `ManifoldKernel`.
    _deformed = None
    #: Whether it is a part of another estimator, which has checked the scales of the features.
    _is_part = False

    _parameter_constraints = {
        "kernel": [StrOptions(set(KERNELS)), callable],
        "gamma": [StrOptions({"scale", "auto"}), POSITIVE],
        "degree": [NOT_NEGATIVE],
        "coef0": [FINITE],
    }

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    def __sklearn_is_fitted__(self):
        return not vars(self).keys().isdisjoint({"estimators_", self._found_last})

    def _validate_params(self):
        kernel = self.kernel
        if isinstance(kernel, str) and kernel not in KERNELS:
            near = get_close_matches(kernel.lower(), KERNELS, 1)
            raise InvalidParameterError(
                f"The 'kernel' parameter of {type(self).__name__} must be a function or one of "
                f"{', '.join(map(repr, KERNELS))}. Got {kernel!r}"
                f"{f', did you mean {near[0]!r}?' if near else ' instead.'}"
            )
        super()._validate_params()

    def _forget(self):
        """Delete the results of an earlier fit, so that a failed fit leaves none of them."""
        kept = ("n_features_in_", "feature_names_in_")
        for name in [name for name in vars(self) if name.endswith("_") and name not in kept]:
            delattr(self, name)

    def _resolve_gamma(self, X, weight=None):
        if self.kernel == "precomputed":
            return None
        if self.gamma in ("scale", "loo"):
            # as scikit-learn does; a sparse matrix has no var()
            with np.errstate(over="ignore", invalid="ignore"):
                if weight is not None and np.ptp(weight) > 0:
                    spread = _variance_of_copies(X, weight)
                else:
                    spread = X.multiply(X).mean() - X.mean() ** 2 if issparse(X) else X.var()
            if not (TINY <= spread < np.inf or spread < 0) and X.max() > X.min():
                raise ValueError(
                    f"the variance of the features is {spread:.3g} in floating point, which gives "
                    "no gamma='scale': scale the features"
                )
            return 1.0 / (X.shape[1] * spread) if spread > 0 else 1.0
        return 1.0 / X.shape[1] if self.gamma == "auto" else float(self.gamma)

    def _check_labelled(self, X, y, **accepted):
        """Check X and y of `fit`; the error for rows without a label says where they belong."""
        refuse_missing_labels(y, self)
        X, y = checked(self, X, y, **accepted)
        self._forget()
        self._fitted_kernel = {name: getattr(self, name) for name in ("kernel", "degree", "coef0")}
        X = canonical(X)
        if not self._is_part:
            self._compare_scales(X)
        return X, y

    def _compare_scales(self, X):
        """Warn if an RBF kernel sees one feature and hardly anything of the others."""
        if self.kernel != "rbf" or X.shape[0] < LOOKED_AT_ROWS:
            return
        with np.errstate(over="ignore", invalid="ignore"):
            # of sparse rows, too, from deviations: a difference of squares loses its digits
            spread = mean_variance_axis(X.tocsr(), 0)[1] if issparse(X) else X.var(axis=0)
            total, k = spread.sum(), int(np.argmax(spread))
            if not MOST_OF_DISTANCES * total < spread[k] < total < np.inf:
                return
        name = repr(self.feature_names_in_[k]) if hasattr(self, "feature_names_in_") else k
        warn_caller(
            f"feature {name} has {100 * spread[k] / total:.4g} % of the squared distances between "
            "the rows, so that the RBF kernel hardly sees the others: scale the features (and "
            "other points with them), for instance by StandardScaler",
            UserWarning,
        )

    def _check_others(self, name, points, **accepted):
        """Check further points as the sample was checked, and name them in messages."""
        refuse_masked(name, points)
        try:
            # of any kind of table, as for the sample
            named = _get_feature_names(points) is not None
            if alike := named == hasattr(self, "feature_names_in_"):
                _check_feature_names(self, points, reset=False)
            if getattr(points, "shape", (1,))[:1] == (0,) or (type(points) is list and not points):
                raise ValueError("there are no rows: give at least one point, or None")
            # of numbers near the largest scikit-learn's own sum overflows
            with np.errstate(over="ignore", invalid="ignore"):
                points = check_array(points, dtype=np.float64, estimator=self, **accepted)
            if points.shape[1] != self.n_features_in_:
                raise ValueError(
                    f"there are {points.shape[1]} columns, {type(self).__name__} expects "
                    f"{self.n_features_in_}: give those of X in the same order"
                )
        except (TypeError, ValueError) as error:
            raise type(error)(f"{name}: {error}") from None
        if not alike:
            warn_caller(
                f"{name} has feature names but the sample has none: if a pipeline transforms the "
                f"sample, let it transform {name} as well, by transform_input=[{name!r}] and "
                "metadata routing"
                if named
                else f"{name} has no feature names but the sample has: the columns of {name} are "
                "assumed to be in the sample's order",
                UserWarning,
            )
        return canonical(points)

    def _check_new(self, X, **accepted):
        """Check points after `fit`, whose values need the kernel that was fitted."""
        for name, fitted in vars(self).get("_fitted_kernel", {}).items():
            if (now := getattr(self, name)) is not fitted and now != fitted:
                raise ValueError(
                    f"{name} is {now!r} now, but {name}={fitted!r} was fitted: call fit again, or "
                    "set it back"
                )
        return checked(self, X, reset=False, **accepted)

    def _gammas(self, X):
        """Kernel coefficients to choose from."""
        return [self._resolve_gamma(X)]

    def _share_kernel(self, estimators, X, y, others):
        """Give the estimators of each class against the rest what they share; here nothing."""

    def _kernel(self, X, Y):
        """Kernel values; of a deformed kernel `X` has them already, as of a precomputed one."""
        return gram_matrix(
            X,
            None if Y is X else Y,
            kernel=self.kernel if self._deformed is None else "precomputed",
            gamma=self.gamma_,
            degree=self.degree,
            coef0=self.coef0,
        )


def checked(estimator, X, *y, **accepted):
    """X, or X and y, as scikit-learn's `validate_data` returns them, in double precision.

    Raises
    ------
    ValueError
        As `validate_data`, and if values of `X` are masked.
    """
    refuse_masked("X", X)
    # of numbers near the largest scikit-learn's own sum overflows
    with np.errstate(over="ignore", invalid="ignore"):
        return validate_data(estimator, X, *y, dtype=np.float64, **accepted)


def refuse_masked(name, values):
    """Raise a ValueError if `values` is an array with a mask, under which NumPy keeps numbers."""
    if np.ma.isMaskedArray(values) and (masked := np.ma.count_masked(values)):
        raise ValueError(
            f"{name} is masked at {masked} of {values.size} places: leave out their rows, or fill "
            "in numbers (see numpy.ma.filled)"
        )


def _variance_of_copies(X, weight):
    """Variance of the entries of `X` if each row is there as often as its weight says."""
    share = weight / (weight.sum() * X.shape[1])
    mean = float((share @ X).sum())
    if issparse(X):
        return float((share @ X.multiply(X)).sum()) - mean**2
    return float((share @ (X - mean) ** 2).sum())


def two_classes(y, estimator):
    """The two classes in `y`, and `y` as signs: -1.0 for the first of them, 1.0 for the second.

    Parameters
    ----------
    y : array of shape (n,)
    estimator : BaseEstimator
        The estimator being fitted; error messages name it.

    Returns
    -------
    classes : ndarray of shape (2,)
    signs : ndarray of shape (n,)

    Raises
    ------
    ValueError
        If there are not exactly two classes, or labels are missing or of several types.

    Warns
    -----
    UserWarning
        If a class looks like a mark of rows without a label, and the estimator is a classifier.
    """
    name = type(estimator).__name__
    try:
        # it casts numbers to integers, even those too large for one
        with np.errstate(invalid="ignore"):
            check_classification_targets(y)
        classes, codes = np.unique(y, return_inverse=True)
    except ValueError as error:
        if np.asarray(y).dtype == object:
            error.add_note("y is an array of objects: give numbers as numbers, y.astype(int)")
        raise
    except TypeError:
        refuse_missing_labels(y, estimator)
        kinds = sorted({type(label).__name__ for label in y})
        if len(kinds) == 1:
            raise
        raise ValueError(
            f"labels must be of one type, y has {' and '.join(kinds)}. If one of them marks rows "
            f"without a label: {where_rows_without_label_belong(estimator)}"
        ) from None
    if len(classes) == 1:
        raise ValueError(
            f"{name} needs two classes, the sample has 1 class ({classes[0]}): "
            "add points of the other class"
        )
    if len(classes) > 2:
        raise ValueError(
            f"{name} needs two classes, the sample has {len(classes)} classes: label one class "
            "against the rest, (y == label)"
        )
    if is_classifier(estimator):
        # not a maker of points, whose classifier has warned
        warn_of_marks(classes, estimator)
    return classes, np.where(codes == 1, 1.0, -1.0)
