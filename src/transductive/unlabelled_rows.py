"""Rows without a label: placeholders that mark them, and how the rows leave the sample."""

from __future__ import annotations

from numbers import Real

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import _safe_indexing, check_consistent_length

from .caller_warning import warn_caller

__all__ = [
    "count_missing",
    "refuse_missing_labels",
    "split_unlabelled",
    "warn_of_marks",
    "where_rows_without_label_belong",
]

# Missing values as text, and usual placeholders.
MISSING_AS_TEXT = {"nan", "NaN", "None", "<NA>", "NaT"}
USUAL_MARKS = {"", "?", "-", "NA", "unknown", "unlabelled", "unlabeled"}


def split_unlabelled(X, y, mark):
    """Separate the rows without a label from the others, for ``fit(X, y, X_working)``.

    `fit` treats a placeholder as a class; it warns only about the usual ones.

    Parameters
    ----------
    X : array, data frame or sparse matrix of shape (n, d)
    y : array or series of shape (n,)
        Labels, and `mark` for rows that have none.
    mark : object
        The placeholder, for instance -1, as in scikit-learn's semi-supervised estimators, 0, as in
        SVM-light, or a text. Any of None, NaN, NaT and pandas.NA stands for all of them. The number
        -1 and the text "-1" differ.

    Returns
    -------
    X_labelled : array, data frame or sparse matrix of shape (l, d)
    y_labelled : ndarray of shape (l,)
    X_working : array, data frame or sparse matrix of shape (n - l, d)
        Rows without a label, in their order.

    Raises
    ------
    ValueError
        If no row is marked, or each, or X and y have different lengths.

    Examples
    --------
    >>> from transductive import TransductiveSVC, split_unlabelled
    >>> X, y, X_working = split_unlabelled([[0.0], [1.0], [2.0], [4.0]], [0, -1, -1, 1], mark=-1)
    >>> y
    array([0, 1])
    >>> TransductiveSVC(kernel="linear").fit(X, y, X_working).transduction_
    array([0, 1])
    """
    check_consistent_length(X, y)
    if not np.isscalar(mark) and not _is_missing(mark):
        raise ValueError(f"mark must be one value of y, got {mark!r}")
    # a column that may lack values would become numbers with a point
    y = np.asarray(y.astype(object) if hasattr(y, "array") else _unmasked(y))
    labels = y.astype(object).ravel()
    if labels.shape != y.shape[:1]:
        raise ValueError(f"y must have one label for each row, it has shape {y.shape}")
    if _is_missing(mark):
        marked = np.array([_is_missing(label) for label in labels])
    else:
        marked = np.array([not _is_missing(label) and bool(label == mark) for label in labels])
    if marked.all() or not marked.any():
        some = list(dict.fromkeys(labels.tolist()))[:5]
        raise ValueError(
            f"{'every' if marked.all() else 'no'} row of y is marked by {mark!r}, it begins with "
            f"the labels {some}: give the mark in the type that it has in y"
        )
    y = y.ravel()[~marked]
    numbers = all(isinstance(label, Real) and not isinstance(label, bool) for label in y)
    if y.dtype == object and (numbers or len({type(label) for label in y}) == 1):
        # marks were the reason why they are objects
        y = np.array(y.tolist())
    X = X.tocsr() if issparse(X) else X
    return (
        _safe_indexing(X, np.flatnonzero(~marked)),
        y,
        _safe_indexing(X, np.flatnonzero(marked)),
    )


def warn_of_marks(classes, estimator):
    """Warn if one of the classes looks like a mark of rows without a label.

    Parameters
    ----------
    classes : ndarray
        Different labels, ascending.
    estimator : BaseEstimator
        The estimator being fitted.

    Warns
    -----
    UserWarning
        Of a missing value as text, or of a usual mark such as "?" or "unknown"; of -1 beside two
        other numbers or more, or, as text, beside other text than "1"; of 0 beside -1 and 1. Not of
        -1 and 1 alone.
    """
    if marks := _possible_marks(classes.tolist()):
        words = "" if isinstance(marks[0], str) else "; if all are classes, name them by words"
        warn_caller(
            f"{' and '.join(map(repr, marks))} {'is' if len(marks) == 1 else 'are'} treated as "
            "classes; if they stand for rows without a label, "
            f"{where_rows_without_label_belong(estimator)}: split_unlabelled(X, y, mark) does it"
            f"{words}",
            UserWarning,
        )


def _possible_marks(labels):
    text = isinstance(labels[0], str)
    if text and (missing := [label for label in labels if label in MISSING_AS_TEXT | USUAL_MARKS]):
        return missing
    try:
        numbers = dict(zip(map(float, labels), labels, strict=True))
    except (TypeError, ValueError):
        # text, or dates
        return ["-1"] if "-1" in labels else []
    if len(numbers) < 3 or min(numbers) != -1:
        return []
    return [numbers[-1], numbers[0]] if numbers.keys() == {-1, 0, 1} else [numbers[-1]]


def refuse_missing_labels(y, estimator):
    """Raise a ValueError if `y`, of any kind, has None, NaN, NaT or pandas.NA among its labels."""
    if missing := count_missing(y):
        raise ValueError(
            f"y is NaN or missing in {missing} of {len(np.ravel(_unmasked(y)))} rows: "
            f"{where_rows_without_label_belong(estimator)}: split_unlabelled(X, y, None) does it"
        ) from None


def count_missing(y):
    """How many labels of `y`, of any kind, are None, NaN, NaT or pandas.NA."""
    y = _unmasked(y)
    if y is None or (isinstance(y, np.ndarray) and y.dtype.kind in "biuSU"):
        return 0
    return sum(map(_is_missing, np.asarray(y, dtype=object).ravel()))


def _unmasked(y):
    """`y` itself; of an array with a mask one of objects, with None under the mask."""
    if not (np.ma.isMaskedArray(y) and np.ma.is_masked(y)):
        return y
    labels = y.data.astype(object)
    labels[np.ma.getmaskarray(y)] = None
    return labels


def _is_missing(label):
    """Whether this is None, NaN, NaT or pandas.NA; does not import pandas."""
    try:
        return label is None or bool(label != label)
    except TypeError:
        # pandas.NA does not say whether it differs from itself
        return True
    except ValueError:
        return False


def where_rows_without_label_belong(estimator):
    """End of a message: what to do with rows that have no label."""
    if "X_working" in estimator.get_metadata_routing().fit.requests:
        return "leave them out of X and y, and give them to fit as X_working"
    return "leave them out of X and y"
