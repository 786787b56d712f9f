"""Labellings that lines allow, and the line with the widest margin among them.

Joachims (1999), as taught in LING 572: "Advantage of transductive learning", hard margin.
"""

from typing import NamedTuple

import numpy as np

from transductive.margin import TransductiveSVC

from ...exact.labellings import cells

#: KKT violation at which a solve stops: objectives of different labellings are compared.
KKT_TOLERANCE = 1e-5
#: C and C* of the greedy algorithm instead of a hard margin, which its labels may not allow.
NEARLY_HARD_C = 1e4


class Line(NamedTuple):
    """A hyperplane ``<w, x> + b = 0``, scaled so that the nearest point has the value 1 or -1."""

    w: np.ndarray
    b: float

    @property
    def margin(self):
        """Distance of the nearest point."""
        return 1.0 / np.linalg.norm(self.w)

    def values(self, X):
        """``<w, x> + b`` of each row."""
        return X @ self.w + self.b


def hard_margin(X, y):
    """The inductive SVM with a hard margin.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    y : ndarray of shape (n,)
        -1 and +1, both of them, separable.

    Returns
    -------
    Line
    """
    svm = TransductiveSVC(C=np.inf, kernel="linear", tol=KKT_TOLERANCE).fit(X, y)
    return Line(svm.coef_, svm.intercept_)


def homogeneous(X):
    """The points with an additional coordinate 1, which replaces the intercept."""
    return np.column_stack([X, np.ones(len(X))])


def classes_left(X, y, X_working):
    """Labellings of the working points that lines with the training labels produce.

    Parameters
    ----------
    X : ndarray of shape (l, d)
    y : ndarray of shape (l,)
    X_working : ndarray of shape (m, d)

    Returns
    -------
    ndarray of shape (classes, m)
        Rows of -1 and +1.
    """
    signs = cells(homogeneous(np.vstack([X, X_working])))
    return signs[(signs[:, : len(y)] == y).all(axis=1), len(y) :].astype(float)


def class_margins(X, y, X_working, labellings):
    """Hard margin of each labelling: half of the distance of the two classes' convex hulls.

    In the plane that distance is from a point of one class to a segment between two of the other.

    Parameters
    ----------
    X, y, X_working
        As for `classes_left`, in one or two dimensions.
    labellings : ndarray of shape (k, m)
        Separable labellings.

    Returns
    -------
    ndarray of shape (k,)
    """
    Z = np.vstack([X, X_working])
    start, end = np.triu_indices(len(Z))
    way = Z[end] - Z[start]
    # the nearest point of each segment to each point; a segment may be a single point
    length = np.maximum((way**2).sum(axis=1), np.finfo(float).tiny)
    from_start = Z[:, None] - Z[start]
    along = np.clip((from_start * way).sum(axis=2) / length, 0.0, 1.0)
    distance = np.linalg.norm(from_start - along[..., None] * way, axis=2)
    signs = np.hstack([np.tile(y, (len(labellings), 1)), labellings])
    return np.array(
        [
            min(distance[np.ix_(own, ~(own[start] | own[end]))].min() for own in (row > 0, row < 0))
            / 2.0
            for row in signs
        ]
    )


def widest(X, y, X_working, labellings):
    """The transductive SVM with a hard margin: the best of the labellings given.

    Parameters as for `class_margins`.

    Returns
    -------
    labels : ndarray of shape (m,)
    line : Line
    """
    labels = labellings[class_margins(X, y, X_working, labellings).argmax()]
    return labels, hard_margin(np.vstack([X, X_working]), np.concatenate([y, labels]))
