"""Gram matrices of a kernel that knows the working points, for ``kernel="precomputed"``."""

from __future__ import annotations

import numpy as np
from sklearn.utils import check_consistent_length, column_or_1d
from sklearn.utils._param_validation import StrOptions, validate_parameter_constraints
from sklearn.utils.multiclass import type_of_target

from .kernel_estimator import COUNT, KernelEstimator, checked
from .kernels import KERNELS, canonical, stack
from .manifold_kernel import MAX_POINTS
from .manifold_mixin import ManifoldMixin
from .unlabelled_rows import refuse_missing_labels

__all__ = ["manifold_gram"]

CONSTRAINTS = {
    **KernelEstimator._parameter_constraints,
    "kernel": [StrOptions(set(KERNELS) - {"precomputed"}), callable],
    "strength": ManifoldMixin._parameter_constraints["manifold"],
    "n_neighbors": [COUNT],
    "rescale": ["boolean"],
}


def manifold_gram(
    X,
    X_working,
    X_new=None,
    *,
    y=None,
    strength="auto",
    kernel="rbf",
    gamma="scale",
    degree=3,
    coef0=0.0,
    n_neighbors=7,
    rescale=True,
):
    """Gram matrix of a kernel deformed by a graph over training and working points.

    A function's norm is small if it also differs little between neighbours, as suits classes that
    gaps separate. The result serves every estimator with ``kernel="precomputed"``; those whose
    `fit` takes ``X_working`` do the same by their parameter ``manifold``.

    Parameters
    ----------
    X, X_working : arrays or sparse matrices of shapes (l, d) and (m, d)
        Training and working points, on one scale.
    X_new : array or sparse matrix of shape (n, d), optional
        Points for `predict`, which do not change the graph.
    y : array of shape (l,), optional
        Labels of any number of classes, or values, for the choice of a strength.
    strength : float or "auto", default="auto"
        Weight r of differences between neighbours, not negative; 0 gives the kernel itself. "auto"
        needs `y`; see Notes.
    kernel : str or callable, default="rbf"
        As for `gram_matrix`, positive semi-definite, not "precomputed".
    gamma : float or {"scale", "auto"}, default="scale"
        Kernel coefficient, from the training points alone as in scikit-learn's SVC.
    degree, coef0 : default=3 and 0.0
        Of the polynomial and sigmoid kernels.
    n_neighbors : int, default=7
        Nearest neighbours that the graph joins to each point.
    rescale : bool, default=True
        Multiply k~(x, z) by a factor for x and one for z so that k~(x, x) = k(x, x). Otherwise
        costs, ridges and tolerances would mean something else at every strength.

    Returns
    -------
    K : ndarray of shape (l + m + n, l + m)
        Kernel values of all points (rows: training, working, new) with training and working points.
        `TransductiveSVC` takes ``fit(K[:l], y, K[l:l + m])`` and ``predict(K[l + m:])``; an
        estimator of training points alone takes ``fit(K[:l, :l], y)`` and ``predict(K[l:, :l])``.

    Raises
    ------
    NotPositiveSemidefiniteError
        If the kernel matrix has a clearly negative eigenvalue.
    ArithmeticError
        If a strength is so large that rounding decides.
    ValueError
        If there are more than 20,000 training and working points, "auto" lacks `y`, or a parameter
        is out of range.

    Notes
    -----
    With ``k_x`` the kernel values of x with all training and working points, K their Gram matrix,
    and L the normalised Laplacian of their graph,
    ``k~(x, z) = k(x, z) - k_x' (I + M K)^-1 M k_z`` with ``M = r L^2 / mean k(x_i, x_i)``: the
    reproducing kernel of the norm ``|f|^2 + f' M f``, before it is rescaled. The graph joins two
    points if either is among the other's nearest, by Euclidean distance whatever the kernel is;
    weights are ``exp(-d^2 / (2 w^2))`` for the median distance w.

    strength="auto" takes the strongest of 0, 1, 10, 100 and 1000 whose leave-one-out error of ridge
    regression on at most 500 labels, at its best ridge, is within one standard error of the least.
    If no gaps separate the classes, a strong deformation does harm, and ten labels may not show it.

    ``N = l + m`` points take about ``2.3 N^3`` operations, a choice ``2 N^3`` more, n new points
    ``n N^2``, and all of them four matrices of N x N numbers.

    References
    ----------
    Sindhwani, Niyogi, Belkin, "Beyond the point cloud", ICML 2005: the kernel. Transductive
    Inference for Estimating Values of Functions (Chapelle, Vapnik, Weston), (15): the choice.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_moons
    >>> from transductive import RidgeLOO, manifold_gram
    >>> points, labels = make_moons(300, noise=0.1, random_state=0)
    >>> y = 2.0 * labels - 1.0
    >>> X, X_working, X_new = points[:10], points[10:200], points[200:]
    >>> K = manifold_gram(X, X_working, X_new, y=y[:10], gamma=2.0)
    >>> ridge = RidgeLOO(kernel="precomputed", penalty="norm").fit(K[:10, :10], y[:10])
    >>> bool(np.mean(np.sign(ridge.predict(K[200:, :10])) == y[200:]) > 0.97)
    True
    """
    given = {"strength": strength, "kernel": kernel, "gamma": gamma, "degree": degree}
    given |= {"coef0": coef0, "n_neighbors": n_neighbors, "rescale": rescale}
    validate_parameter_constraints(CONSTRAINTS, given, caller_name="manifold_gram")
    if strength == "auto" and y is None:
        raise ValueError("strength='auto' is chosen by labels: give y, or a number for strength")
    return _Kernel(**given).gram(X, y, X_working, X_new)


class _Kernel(ManifoldMixin, KernelEstimator):
    """Checks points, and chooses and deforms a kernel, as the estimators do."""

    _auto_max_points = MAX_POINTS

    def __init__(self, *, strength, kernel, gamma, degree, coef0, n_neighbors, rescale):
        self.manifold = strength
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self._n_neighbors = n_neighbors
        self._rescale = rescale

    def gram(self, X, y, X_working, X_new):
        sparse = {"accept_sparse": "csr"}
        X = canonical(checked(self, X, **sparse))
        X_working = self._check_others("X_working", X_working, **sparse)
        if X_new is not None:
            X_new = self._check_others("X_new", X_new, **sparse)
        targets = None
        if self.manifold == "auto":
            check_consistent_length(X, y)
            refuse_missing_labels(y, self)
            targets = _targets(y)
        known = self._deform(X, X_working, targets, self._gammas(X))
        kernel, points = self._with_gamma(self.gamma_), stack(X, X_working)
        if known is None:
            known = kernel(points)
        if X_new is None:
            return known
        new = kernel(X_new, points) if self._deformed is None else self._deformed.rows(X_new)
        return np.concatenate([known, new])


# what scikit-learn's messages call it
_Kernel.__name__ = "manifold_gram"


def _targets(y):
    """Values as they are; of labels a column of signs for each class."""
    y = column_or_1d(y)
    with np.errstate(invalid="ignore"):
        labels = type_of_target(y) in ("binary", "multiclass")
    if not labels:
        return np.asarray(y, dtype=np.float64)
    classes = np.unique(y)
    if len(classes) < 2:
        raise ValueError(
            f"y has one class ({classes[0]}), which cannot choose a strength: give a number for it"
        )
    return np.where(y[:, None] == classes[-1 if len(classes) == 2 else slice(None)], 1.0, -1.0)
