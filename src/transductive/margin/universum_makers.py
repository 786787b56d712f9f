"""Make universum points: from noise, other classes, single features, or means of pairs.

References
----------
Weston, Collobert, Sinz, Bottou, Vapnik, "Inference with the Universum" (poster): the universa of
MNIST, (i) to (v), of Reuters, (vi) and (vii), and of WinMac, (viii).
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import ClassifierTags
from sklearn.utils.extmath import row_norms
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from ..kernel_estimator import COUNT, FINITE, RANDOM_STATE, checked, two_classes
from ..kernels import canonical
from ..unlabelled_rows import refuse_missing_labels

__all__ = ["MeanOfClosest", "MeanOfPairs", "OtherClasses", "PixelwiseEmpirical", "UniformNoise"]

# Points of each class among which `MeanOfClosest` looks for the closest pair.
N_CANDIDATES = 10


class _Maker(TransformerMixin, BaseEstimator):
    """Base of all makers: number of points, and checks. Subclasses have `_learn` and `_draw`."""

    _takes_sparse = False
    _parameter_constraints = {"n_points": [COUNT, None], "random_state": RANDOM_STATE}

    def __init__(self, n_points=None, random_state=None):
        self.n_points = n_points
        self.random_state = random_state

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self._takes_sparse
        tags.non_deterministic = True  # a point of the universum belongs to no row of X
        return tags

    def _sparse(self):
        return "csr" if self._takes_sparse else False

    def fit(self, X, y=None):
        """Keep from a sample what `transform` needs to make the universum.

        Parameters
        ----------
        X : array or sparse matrix of shape (n, d)
            Sparse only for makers that accept it.
        y : array of shape (n,), optional
            Classes; required by makers that use them.

        Returns
        -------
        self
        """
        self._validate_params()
        if self.__sklearn_tags__().target_tags.required:
            if y is None:
                raise ValueError(
                    f"{type(self).__name__} requires y to be passed, but the target y is None"
                )
            refuse_missing_labels(y, self)
            X, y = checked(self, X, y, accept_sparse=self._sparse())
        else:
            X = checked(self, X, accept_sparse=self._sparse())
        self._learn(canonical(X), y)
        return self

    def transform(self, X):
        """Make universum points.

        Parameters
        ----------
        X : array or sparse matrix of shape (n, d)
            Only its number of rows is used: it is the number of points if `n_points` is None.

        Returns
        -------
        ndarray or CSR matrix of shape (n_points, d)
            The same at every call if `random_state` is an integer. Sparse if `fit` had sparse
            points.
        """
        check_is_fitted(self)
        X = checked(self, X, accept_sparse=self._sparse(), reset=False)
        return self._draw(X.shape[0], np.random.default_rng(self.random_state))


class UniformNoise(_Maker):
    """Noise: all features uniform on the same range; U_Noise, universum (i) of the poster.

    Parameters
    ----------
    n_points : int, optional
        By default as many as `transform` gets rows.
    low, high : float, optional
        Ends of the range. By default the smallest and the largest value of all features in the
        sample of `fit`.
    random_state : int, Generator, SeedSequence or None, default=None

    Attributes
    ----------
    low_, high_ : float
        Ends of the range.

    Raises
    ------
    ValueError
        If the range is empty or a number is out of range.
    """

    _parameter_constraints = {
        **_Maker._parameter_constraints,
        "low": [FINITE, None],
        "high": [FINITE, None],
    }

    def __init__(self, n_points=None, low=None, high=None, random_state=None):
        self.n_points = n_points
        self.low = low
        self.high = high
        self.random_state = random_state

    def _learn(self, X, y):
        for name, default in (("low", X.min), ("high", X.max)):
            value = getattr(self, name)
            setattr(self, f"{name}_", float(default() if value is None else value))
        if not 0 <= self.high_ - self.low_ < np.inf:
            raise ValueError(
                f"the range from low={self.low_:g} to high={self.high_:g} is empty or overflows"
            )

    def _draw(self, n_rows, rng):
        return rng.uniform(self.low_, self.high_, (self.n_points or n_rows, self.n_features_in_))


class OtherClasses(_Maker):
    """Points of classes other than those to be separated: U_Rest, U_i and U_M14 of the poster.

    Universa (ii), (v), (vi) and (ix) to (xii). `fit` takes the whole table, with all its classes;
    sparse points stay sparse.

    Parameters
    ----------
    classes : array-like
        The classes to be separated. Rows of any other class are the universum.
    n_points : int, optional
        Number of these rows, chosen without replacement. By default as many as `transform` gets
        rows, or all if there are fewer.
    random_state : int, Generator, SeedSequence or None, default=None

    Attributes
    ----------
    points_ : ndarray or CSR matrix of shape (k, d)
        All rows of other classes.

    Raises
    ------
    ValueError
        Without y; if one of `classes` has no row, if no other class has one, or if `n_points`
        exceeds their number.
    """

    _takes_sparse = True

    _parameter_constraints = {**_Maker._parameter_constraints, "classes": ["array-like"]}

    def __init__(self, classes, n_points=None, random_state=None):
        self.classes = classes
        self.n_points = n_points
        self.random_state = random_state

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def _learn(self, X, y):
        with np.errstate(invalid="ignore"):
            check_classification_targets(y)
        named, present = np.atleast_1d(self.classes), np.unique(y)
        unknown = [name for name in named.tolist() if name not in present.tolist()]
        if unknown or not len(named):
            raise ValueError(
                f"classes must name classes of y, which are {present.tolist()}, got "
                f"{named.tolist()}"
            )
        other = np.flatnonzero(~np.isin(y, named))
        if len(other) < (self.n_points or 1):
            raise ValueError(
                f"classes={named.tolist()} leave {len(other)} rows, n_points={self.n_points} needs "
                f"{self.n_points or 1}: give fit the whole table"
            )
        self.points_ = X[other]

    def _draw(self, n_rows, rng):
        n = self.points_.shape[0]
        return self.points_[rng.permutation(n)[: self.n_points or n_rows]]


class PixelwiseEmpirical(_Maker):
    """Every feature drawn on its own from its values in the sample: universum (iii), U_Gen.

    Values are drawn from the empirical distribution in the sample of `fit`. Dependence between
    features is lost.

    Parameters
    ----------
    n_points : int, optional
        By default as many as `transform` gets rows.
    random_state : int, Generator, SeedSequence or None, default=None

    Attributes
    ----------
    sample_ : ndarray of shape (n, d)
        The values to draw from.
    """

    def _learn(self, X, y):
        self.sample_ = X.copy()

    def _draw(self, n_rows, rng):
        n, d = self.sample_.shape
        rows = rng.integers(n, size=(self.n_points or n_rows, d))
        return self.sample_[rows, np.arange(d)]


class _TwoClassMaker(_Maker):
    """Base of makers that combine a point of one class with one of the other."""

    _takes_sparse = True

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.classifier_tags = ClassifierTags(multi_class=False)  # of y, as for a classifier
        return tags

    def _learn(self, X, y):
        self.classes_, signs = two_classes(y, self)
        self.first_, self.second_ = X[signs < 0], X[signs > 0]

    def _draw(self, n_rows, rng):
        i, j = self._pairs(self.n_points or n_rows, rng)
        # halve first, so that a sum of large numbers does not overflow
        return self.first_[i] / 2.0 + self.second_[j] / 2.0


class MeanOfPairs(_TwoClassMaker):
    """Means of a random point of each class: universa (iv) and (viii), U_Mean.

    Sparse points stay sparse. With more than two classes `UniversumSVC` makes one universum for
    each class against the rest.

    Parameters
    ----------
    n_points : int, optional
        By default as many as `transform` gets rows.
    random_state : int, Generator, SeedSequence or None, default=None

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
    first_, second_ : ndarray or CSR matrix
        The points of either class.

    Raises
    ------
    ValueError
        Without y, or with other than two classes.
    """

    def _pairs(self, n, rng):
        return tuple(rng.integers(part.shape[0], size=n) for part in (self.first_, self.second_))


class MeanOfClosest(_TwoClassMaker):
    """Means of the closest pair among random points of both classes: universum (vii), U_MoC.

    For every universum point, ten points of each class are drawn afresh (all of a smaller class);
    the point is the mean of the closest pair across the classes, by Euclidean distance. Sparse
    points stay sparse.

    Parameters
    ----------
    n_points : int, optional
        By default as many as `transform` gets rows.
    random_state : int, Generator, SeedSequence or None, default=None

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
    first_, second_ : ndarray or CSR matrix
        The points of either class.

    Raises
    ------
    ValueError
        Without y, or with other than two classes.
    """

    def _pairs(self, n, rng):
        parts = (self.first_, self.second_)
        squares = [row_norms(part, squared=True) for part in parts]
        if not all(np.isfinite(own).all() for own in squares):
            raise ValueError("squared distances of the points overflow: scale the features")
        pairs = np.empty((n, 2), dtype=np.intp)
        for pair in pairs:
            drawn = [
                rng.choice(len(own), min(N_CANDIDATES, len(own)), replace=False) for own in squares
            ]
            first, second = (part[rows] for part, rows in zip(parts, drawn, strict=True))
            product = first @ second.T
            product = product.toarray() if issparse(product) else product
            squared = np.add.outer(*(own[rows] for own, rows in zip(squares, drawn, strict=True)))
            squared -= 2.0 * product
            near = np.unravel_index(squared.argmin(), squared.shape)
            pair[:] = [rows[k] for rows, k in zip(drawn, near, strict=True)]
        return pairs.T
