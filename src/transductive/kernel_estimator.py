"""What every estimator with a kernel shares: the kernel's parameters, and two classes as signs."""

from __future__ import annotations

from numbers import Real

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils.multiclass import check_classification_targets

from .kernels import gram_matrix

__all__ = ["KernelEstimator", "two_classes"]


class KernelEstimator(BaseEstimator):
    """Estimator with the parameters ``kernel, gamma, degree, coef0``.

    Subclasses set ``gamma_`` in ``fit`` by `_resolve_gamma`.
    """

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    def _resolve_gamma(self, X):
        if self.kernel == "precomputed":
            return None
        if isinstance(self.gamma, str):
            if self.gamma == "scale":
                # as scikit-learn does; a sparse matrix has no var()
                spread = X.multiply(X).mean() - X.mean() ** 2 if issparse(X) else X.var()
                return 1.0 / (X.shape[1] * spread) if spread > 0 else 1.0
            if self.gamma == "auto":
                return 1.0 / X.shape[1]
            raise ValueError(f"gamma must be 'scale', 'auto' or a number, got {self.gamma!r}")
        if not (isinstance(self.gamma, Real) and self.gamma > 0):
            raise ValueError(f"gamma must be positive, 'scale' or 'auto', got {self.gamma!r}")
        return float(self.gamma)

    def _kernel(self, X, Y):
        return gram_matrix(
            X,
            None if Y is X else Y,
            kernel=self.kernel,
            gamma=self.gamma_,
            degree=self.degree,
            coef0=self.coef0,
        )


def two_classes(y, name):
    """The two classes in `y`, and `y` as signs: -1.0 for the first of them, 1.0 for the second.

    Parameters
    ----------
    y : array of shape (n,)
    name : str
        Name of the estimator, for the message.

    Returns
    -------
    classes : ndarray of shape (2,)
    signs : ndarray of shape (n,)

    Raises
    ------
    ValueError
        If there are not exactly two classes.
    """
    check_classification_targets(y)
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) == 1:
        raise ValueError(
            f"{name} needs two classes, the sample has 1 class ({classes[0]}): "
            "add points of the other class"
        )
    if len(classes) > 2:
        # scikit-learn's wording, which its own checks look for
        raise ValueError(
            f"Only binary classification is supported. {name} got {len(classes)} "
            "classes; wrap it in sklearn.multiclass.OneVsRestClassifier"
        )
    return classes, np.where(codes == 1, 1.0, -1.0)
