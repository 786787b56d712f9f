"""One against the rest: any number of classes for classifiers whose `fit` handles two."""

from __future__ import annotations

from contextlib import nullcontext
from functools import wraps

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from sklearn.base import ClassifierMixin, clone
from sklearn.exceptions import NotFittedError

from .blas_threads import one_blas_thread
from .caller_warning import warnings_of
from .progress import progress_bar
from .unlabelled_rows import warn_of_marks

__all__ = [
    "OneVsRestMixin",
    "column_per_class",
    "has_several_classes",
    "label_of_highest",
    "shares",
]


class OneVsRestMixin(ClassifierMixin):
    """Extends a classifier of two classes to any number.

    `fit` begins with ``if self._fit_each_class(X, y, ...): return self``, which does nothing for
    two classes. For more it fits a clone to each class against the rest, keeps the clones in
    ``estimators_``, and copies the attributes named below from them. All other attributes are only
    in ``estimators_``. The decorators of this module do the same for other methods. For two classes
    ``estimators_`` is a list of the estimator itself.
    """

    #: Attributes that are the same for all classes; with a row for each; with a column for each.
    _same_for_all, _row_per_class, _column_per_class = (), (), ()
    #: Of an estimator of one class against the rest: that class.
    _part_label = None

    def __getattr__(self, name):
        # Python calls it only for missing attributes
        if "estimators_" not in vars(self):
            if name == "estimators_" and "classes_" in vars(self):
                return [self]
        elif hasattr(self.estimators_[0], name):
            raise AttributeError(
                f"{type(self).__name__} was fitted to {len(self.estimators_)} classes, and each "
                f"has its own {name}: see estimators_[0].{name}, of {self.classes_[0]} against the "
                "rest, and so on"
            )
        if name.endswith("_") and not name.startswith("_") and "classes_" not in vars(self):
            # an AttributeError, too
            raise NotFittedError(f"this {type(self).__name__} has no {name}: it is not fitted yet")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _sparse(self):
        """The argument ``accept_sparse`` of `validate_data`."""
        return False

    def _class_parameters(self, X, y, others):
        """Parameters in which the estimators of the classes differ from this one: a dict for each.

        It may replace `others`, which all of them get.
        """
        return [{} for _ in self.classes_]

    def _fit_each_class(self, X, y, *, sample_weight=None, **others):
        """Whether there are more than two classes, to each of which an estimator is then fitted.

        `others` are points beside the sample, by their names in `fit`, or None. `_class_parameters`
        gets `sample_weight` among them, as it was given, unless it is None.
        """
        if not has_several_classes(y):
            return False
        self._validate_params()
        sparse = self._sparse()
        X, y = self._check_labelled(X, y, accept_sparse=sparse)
        for name, points in others.items():
            if points is not None:
                others[name] = self._check_others(name, points, accept_sparse=sparse)
        self.classes_, codes = np.unique(y, return_inverse=True)
        warn_of_marks(self.classes_, self)
        if sample_weight is not None:
            others["sample_weight"] = sample_weight
        estimators = []
        for parameters in self._class_parameters(X, y, others):
            estimators.append(clone(self))
            # not set_params: the constructor of a subclass may have fewer
            vars(estimators[-1]).update(parameters, _is_part=True)
        self._share_kernel(estimators, X, y, others)
        jobs, blas = 1, nullcontext()
        if "n_jobs" in self.get_params(deep=False):
            total = effective_n_jobs(self.n_jobs)
            jobs = min(total, len(estimators))
            # for any number of jobs, since the last bits depend on the threads of BLAS
            blas = one_blas_thread()
            for estimator in estimators:
                estimator.set_params(n_jobs=total // jobs)
        with blas, progress_bar("classes", len(estimators)) as bar:
            self.estimators_ = Parallel(jobs, require="sharedmem")(
                delayed(_fit_one)(
                    estimator, X, (codes == k).astype(int), others, self.classes_[k], bar
                )
                for k, estimator in enumerate(estimators)
            )
        self._gather()
        return True

    def _positive_class(self):
        """The class of the positive signs, for messages."""
        return self.classes_[1] if self._part_label is None else self._part_label

    def _gather(self):
        """Stack an attribute of the fitted estimators."""
        for name in self._same_for_all:
            setattr(self, name, getattr(self.estimators_[0], name))
        for names, axis in ((self._row_per_class, 0), (self._column_per_class, -1)):
            for name in names:
                parts = [getattr(e, name, None) for e in self.estimators_]
                if parts[0] is not None:
                    setattr(self, name, np.stack(parts, axis=axis))
                elif hasattr(self.estimators_[0], name):
                    setattr(self, name, None)

    def _answers(self, method, X):
        """Results of each class's estimator for the rows of `X`."""
        X = self._check_new(X, accept_sparse=self._sparse())
        return [getattr(estimator, method)(X) for estimator in self.estimators_]

    def _highest(self, scores):
        """The class of the highest score in each row; the first in a tie."""
        return self.classes_[np.argmax(scores, axis=1)]


def _fit_one(estimator, X, y, others, label, bar):
    part, estimator._part_label = f"class {label} against the rest", label
    try:
        with warnings_of(part):
            fitted = estimator.fit(X, y, **others)
        bar.set_postfix_str(f"done: {label}", refresh=False)
        bar.update()
        return fitted
    except Exception as error:
        error.add_note(f"Of {part}.")
        raise
    finally:
        # the next fit may have different classes
        del estimator._part_label


def has_several_classes(y):
    """Whether `y` has more than two classes; False if `fit` will reject `y`."""
    try:
        labels = np.asarray(y)
        classes = np.unique(labels)
    except (TypeError, ValueError):
        return False
    if len(classes) <= 2 or labels.shape not in ((len(labels),), (len(labels), 1)):
        return False
    if labels.dtype == object:
        # of pandas, numbers that may be missing
        classes = np.array(classes.tolist()) if hasattr(y, "array") else classes[:1].astype("U")
        return isinstance(labels.flat[0], str) or (hasattr(y, "array") and _are_whole(classes))
    return _are_whole(classes)


def _are_whole(classes):
    """Whether these are labels as scikit-learn has them, not fractions or bytes."""
    if classes.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            return bool((classes == classes.astype(np.int64)).all())
    return classes.dtype.kind in "iuUM"


def shares(positive):
    """Probabilities of the classes, from those of each against the rest, both of shape (n, k).

    If those of all classes are 0, all classes get equal probability.
    """
    total = positive.sum(axis=1, keepdims=True)
    even = np.full(positive.shape, 1.0 / positive.shape[1])
    return np.divide(positive, total, out=even, where=total > 0)


def column_per_class(method):
    """Decorator: for more than two classes, return the method's values with a column for each."""

    @wraps(method)
    def values(self, X):
        if "estimators_" not in vars(self):
            return method(self, X)
        return np.stack(self._answers(method.__name__, X), axis=1)

    return values


def label_of_highest(scores):
    """Decorator: for more than two classes, return the class with the highest `scores`."""

    def decorate(method):
        @wraps(method)
        def labels(self, X):
            if "estimators_" not in vars(self):
                return method(self, X)
            return self._highest(getattr(self, scores)(X))

        return labels

    return decorate
