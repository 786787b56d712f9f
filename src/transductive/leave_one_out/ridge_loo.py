"""Ridge regression that chooses ridge and kernel width by the leave-one-out error."""

from __future__ import annotations

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted

from ..blas_threads import one_blas_thread
from ..kernel_estimator import JOBS
from ..kernels import gram_matrix, squared_distances
from .kernel_ridge import KernelRidgeBase
from .tridiagonal import RidgeTridiagonal

__all__ = ["RidgeLOO"]


class RidgeLOO(RegressorMixin, KernelRidgeBase):
    """Kernel ridge regression, tuned over a grid by the leave-one-out error.

    One factorisation for each kernel width gives the error for all ridges: equation (15). There is
    no intercept: centre `y`, or values shrink towards 0.

    Parameters
    ----------
    alphas : array of shape (n_alphas,), optional
        Ridges to choose from, positive; the paper's gamma. By default 25 from 1e-6 to 1e2, without
        those that are too small for the precision of the kernel's values.
    kernel : str or callable, default="rbf"
        Name of a kernel in scikit-learn; a function ``kernel(X, Y)`` that returns the values of
        all rows of X with all rows of Y, as for SVC; or "precomputed": kernel values of the
        training points with one another, (l, l), and of m other points with them, (m, l).
    gammas : array of shape (n_gammas,), optional
        Kernel coefficients to choose from: a Gaussian kernel of the paper's width sigma has
        ``1 / (2 sigma^2)``; for standardised features try ``np.geomspace(0.001, 1, 20)``. By
        default `gamma` alone.
    gamma : float or {"scale", "auto"}, default="scale"
        Kernel coefficient where there are no `gammas`.
    degree, coef0 : default=3 and 0.0
        Of the polynomial and sigmoid kernels.
    penalty : {"coefficients", "norm"}, default="coefficients"
        What the ridge multiplies: ``|a|^2``, equation (8), with one basis function at each
        training point, or ``a'Ka``, the usual kernel ridge regression.
    n_jobs : int, optional
        Threads over `gammas`; the result does not depend on it.

    Attributes
    ----------
    alpha_, gamma_ : float
        The choice.
    loo_error_ : float
        Mean squared leave-one-out error at the choice.
    loo_errors_ : ndarray of shape (n_gammas, n_alphas)
        Infinite where a ridge of the default grid is too small.
    dual_coef_ : ndarray of shape (l,)
        Coefficients on the training points.

    Raises
    ------
    LeverageError
        If an alpha is so small that a leverage is 1 to working precision.
    NotPositiveSemidefiniteError
    ValueError
        If the targets are constant, a grid is empty or not positive, or there are `gammas` for a
        kernel without a coefficient.
    ArithmeticError
        If features or targets are so large, or targets so small, that the errors overflow or
        underflow.

    References
    ----------
    Transductive Inference for Estimating Values of Functions (Chapelle, Vapnik, Weston), section
    2. Leaving a pair out removes its error term but keeps its basis function.

    Examples
    --------
    >>> import numpy as np
    >>> from transductive import RidgeLOO
    >>> X = np.linspace(-3.0, 3.0, 40)[:, None]
    >>> ridge = RidgeLOO(gammas=[0.01, 0.1, 1.0]).fit(X, np.sin(2.0 * X[:, 0]))
    >>> ridge.gamma_, ridge.predict([[0.5]]).round(2)
    (1.0, array([0.84]))
    """

    _parameter_constraints = {
        **KernelRidgeBase._parameter_constraints,
        "alphas": ["array-like", None],
        "gammas": ["array-like", None],
        "n_jobs": JOBS,
    }

    def __init__(
        self,
        alphas=None,
        *,
        kernel="rbf",
        gammas=None,
        gamma="scale",
        degree=3,
        coef0=0.0,
        penalty="coefficients",
        n_jobs=None,
    ):
        self.alphas = alphas
        self.kernel = kernel
        self.gammas = gammas
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.penalty = penalty
        self.n_jobs = n_jobs

    def fit(self, X, y):
        """Choose ridge and width, then fit.

        Parameters
        ----------
        X : array of shape (l, d)
        y : array of shape (l,)

        Returns
        -------
        self
        """
        X, y = self._check_targets(X, y)
        alphas = _grid(
            "alphas", np.geomspace(1e-6, 1e2, 25) if self.alphas is None else self.alphas
        )
        if self.gammas is not None and self.kernel in ("linear", "cosine", "precomputed"):
            raise ValueError(f"kernel={self.kernel!r} has no coefficient: leave gammas out")
        if self.gammas is None:
            gammas = [self._resolve_gamma(X)]
        else:
            gammas = _grid("gammas", self.gammas).tolist()

        # one set of distances for all widths
        squares = squared_distances(X, gamma=max(gammas)) if self.kernel == "rbf" else None

        kept = []

        def errors(gamma):
            factor = self._factor(X, squares, gamma)
            if len(gammas) == 1:
                kept.append(factor)
            used = np.ones(len(alphas), dtype=bool)
            if self.alphas is None:
                used = factor.resolution(alphas) < 1.0
            means = np.full(len(alphas), np.inf)
            # if none is large enough, loo_errors raises and names the smallest that is
            means[used] = factor.loo_errors(y, alphas[used] if used.any() else alphas)
            if not np.isfinite(means[used]).all():
                raise ArithmeticError(
                    "the leave-one-out errors overflow: scale features and targets"
                )
            return means

        # use threads: the factorisation takes nearly all of the time and releases the interpreter
        # lock; limit BLAS once around all, since changing its limit stalls running computations
        tasks = Parallel(self.n_jobs, require="sharedmem")
        with one_blas_thread():
            self.loo_errors_ = np.array(tasks(delayed(errors)(gamma) for gamma in gammas))
            best = np.unravel_index(self.loo_errors_.argmin(), self.loo_errors_.shape)
            self.gamma_ = gammas[best[0]]
            self.alpha_, self.loo_error_ = float(alphas[best[1]]), float(self.loo_errors_[best])
            self.X_fit_ = X
            # keeping the factors of all widths would take one matrix each
            factor = kept[0] if kept else self._factor(X, squares, self.gamma_)
            self.dual_coef_ = factor.coefficients(y, self.alpha_)
        return self

    def _factor(self, X, squares, gamma):
        if squares is None:
            gram = gram_matrix(
                X, kernel=self.kernel, gamma=gamma, degree=self.degree, coef0=self.coef0
            )
        else:
            with np.errstate(over="ignore"):
                gram = squares * -gamma
            np.exp(gram, out=gram)
        own = self.kernel != "precomputed"
        return RidgeTridiagonal(gram, penalty=self.penalty, overwrite=own)

    def predict(self, X):
        """Values at the rows of `X`, shape (n,)."""
        check_is_fitted(self)
        X = self._check_new(X)
        return self._kernel(X, self.X_fit_) @ self.dual_coef_


def _grid(name, values):
    try:
        grid = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        grid = np.empty(0)
    if grid.ndim != 1 or not grid.size or not np.isfinite(grid).all() or grid.min() <= 0:
        raise ValueError(f"{name} must be a list of positive numbers, got {values!r}")
    return grid
