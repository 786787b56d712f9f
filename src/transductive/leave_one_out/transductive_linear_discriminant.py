"""The transductive linear discriminant: transductive regression on labels of -1 and +1."""

from __future__ import annotations

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from ..kernel_estimator import two_classes
from .kernel_ridge import TransductiveBase
from .transductive_ridge import TransductiveRidge

__all__ = ["TransductiveLinearDiscriminant"]


class TransductiveLinearDiscriminant(ClassifierMixin, TransductiveBase):
    """Two classes by the sign of `TransductiveRidge`'s values, the labels being -1 and +1.

    There is no intercept: unequal classes shift the threshold. At the working points `predict`,
    which is a function's, need not agree with `transduction_`.

    Parameters
    ----------
    alpha, alpha_star, kernel, gamma, degree, coef0, penalty, rank
        As for `TransductiveRidge`.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        Of -1 and of +1.
    transduction_ : ndarray of shape (m,), or None
        Classes of the working points; None without any.
    ridge_ : TransductiveRidge
        On the signs: `ridge_.transduction_` are the values whose signs decide.

    Raises
    ------
    ValueError
        If there are not exactly two classes, and as for `TransductiveRidge`.

    References
    ----------
    Transductive Inference for Estimating Values of Functions (Chapelle, Vapnik, Weston), section
    4.2.
    """

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def fit(self, X, y, X_working=None):
        """Label the working points.

        Parameters
        ----------
        X : array of shape (l, d)
        y : array of shape (l,)
            Labels of two classes.
        X_working : array of shape (m, d), optional

        Returns
        -------
        self
        """
        self._validate_params()
        X, y = self._check_labelled(X, y)
        self.classes_, signs = two_classes(y, self)
        if X_working is not None:
            X_working = self._check_others("X_working", X_working)
        self.ridge_ = TransductiveRidge(**self.get_params()).fit(X, signs, X_working)
        values = self.ridge_.transduction_
        self.transduction_ = None if values is None else self._label(values)
        return self

    def _label(self, values):
        return self.classes_[(np.asarray(values) > 0).astype(int)]

    def decision_function(self, X):
        """Values of the joint fit at the rows of `X`, shape (n,); above 0 is ``classes_[1]``."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return self.ridge_.predict(X)

    def predict(self, X):
        """Classes of the rows of `X`, shape (n,)."""
        return self._label(self.decision_function(X))
