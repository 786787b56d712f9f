"""The transductive linear discriminant: transductive regression on labels of -1 and +1."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..kernel_estimator import JOBS, two_classes
from ..one_vs_rest import OneVsRestMixin, column_per_class, label_of_highest
from .kernel_ridge import TransductiveBase
from .transductive_ridge import TransductiveRidge

__all__ = ["TransductiveLinearDiscriminant"]


class TransductiveLinearDiscriminant(OneVsRestMixin, TransductiveBase):
    """Classifier by the sign of `TransductiveRidge`'s values on labels of -1 and +1.

    Of more than two classes it chooses the one whose value against the rest is highest. There is no
    intercept: unequal classes shift the threshold. `predict` evaluates a function, which at the
    working points need not agree with `transduction_`.

    Parameters
    ----------
    alpha, alpha_star, kernel, gamma, degree, coef0, manifold, penalty, rank
        As for `TransductiveRidge`.
    n_jobs : int, optional
        Threads over which more than two classes are distributed; the result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Of two, the first is coded as -1 and the second as +1.
    transduction_ : ndarray of shape (m,), or None
        Classes of the working points; None without any.
    manifold_ : float
        Strength used, the same for all classes; 0 without working points.
    ridge_ : TransductiveRidge
        On the signs: `ridge_.transduction_` are the values whose signs decide. For more than two
        classes in `estimators_`.
    estimators_ : list of TransductiveLinearDiscriminant
        One for each class against the rest; for two classes the estimator itself.

    Raises
    ------
    ValueError
        If there is only one class; otherwise as for `TransductiveRidge`.

    References
    ----------
    Transductive Inference for Estimating Values of Functions (Chapelle, Vapnik, Weston), section
    4.2.

    Examples
    --------
    >>> from transductive import TransductiveLinearDiscriminant
    >>> model = TransductiveLinearDiscriminant(0.1)
    >>> model.fit([[0.0], [4.0]], ["low", "high"], X_working=[[1.0], [3.0]]).transduction_
    array(['low', 'high'], dtype='<U4')
    """

    _same_for_all = ("manifold_",)
    _found_last = "ridge_"
    _parameter_constraints = {**TransductiveBase._parameter_constraints, "n_jobs": JOBS}

    def __init__(
        self,
        alpha=1.0,
        alpha_star=1.0,
        *,
        kernel="rbf",
        gamma="scale",
        degree=3,
        coef0=0.0,
        manifold=0.0,
        penalty="coefficients",
        rank="auto",
        n_jobs=None,
    ):
        super().__init__(
            alpha,
            alpha_star,
            kernel=kernel,
            gamma=gamma,
            degree=degree,
            coef0=coef0,
            manifold=manifold,
            penalty=penalty,
            rank=rank,
        )
        self.n_jobs = n_jobs

    def fit(self, X, y, X_working=None):
        """Label the working points.

        Parameters
        ----------
        X : array of shape (l, d)
        y : array of shape (l,)
            Labels of two classes or more.
        X_working : array of shape (m, d), optional
            If they are as many as the rows of `X`, a grid search or another cross-validation
            divides them into folds: give it ``X_working[1:]``, and `fit` its best parameters with
            all.

        Returns
        -------
        self
        """
        self._validate_params()
        if self._fit_each_class(X, y, X_working=X_working):
            return self
        X, y = self._check_labelled(X, y)
        self.classes_, signs = two_classes(y, self)
        if X_working is not None:
            X_working = self._check_others("X_working", X_working)
        # not get_params: the constructor of a subclass may have fewer
        own = {name: getattr(self, name) for name in TransductiveRidge().get_params(deep=False)}
        ridge = TransductiveRidge(**own)
        ridge._is_part = True
        if "_shared_kernel" in vars(self):
            ridge._shared_kernel = vars(self).pop("_shared_kernel")
        self.ridge_ = ridge.fit(X, signs, X_working)
        self.manifold_ = self.ridge_.manifold_
        values = self.ridge_.transduction_
        self.transduction_ = None if values is None else self._label(values)
        return self

    def _gather(self):
        super()._gather()
        values = [estimator.ridge_.transduction_ for estimator in self.estimators_]
        self.transduction_ = None if values[0] is None else self._highest(np.stack(values, axis=1))

    def _label(self, values):
        return self.classes_[(np.asarray(values) > 0).astype(int)]

    @column_per_class
    def decision_function(self, X):
        """Values of the joint fit at the rows of `X`, shape (n,); above 0 means ``classes_[1]``.

        For more than two classes, values of each against the rest, of shape (n, n_classes).
        """
        check_is_fitted(self)
        X = self._check_new(X)
        return self.ridge_.predict(X)

    @label_of_highest("decision_function")
    def predict(self, X):
        """Classes of the rows of `X`, shape (n,)."""
        return self._label(self.decision_function(X))
