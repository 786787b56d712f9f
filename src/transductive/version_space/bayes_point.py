"""Bayes point machine: the centre of mass of version space."""

from __future__ import annotations

from .bayesian_transduction import _seed
from .billiard import KernelBilliard
from .kernel_perceptron import KernelPerceptron

__all__ = ["BayesPointMachine"]


class BayesPointMachine(KernelPerceptron):
    """Kernel perceptron at the centre of mass of version space.

    The one function that best stands for the vote of the whole version space,
    hence for Bayesian transduction (document 1, end of section 3.2).

    Parameters
    ----------
    kernel : str or callable, default="rbf"
        Kernel as in scikit-learn's SVC, or "precomputed".
    gamma : {"scale", "auto"} or float, default="scale"
        Kernel coefficient, ``1 / (2 sigma^2)`` for an RBF width sigma.
    degree : int, default=3
        Of the polynomial kernel.
    coef0 : float, default=1.0
        Constant of the polynomial and sigmoid kernels.
    n_bounces : int, default=1000
        Events (bounces and refreshes) of each start.
    n_starts : int, default=1
        Balls; see `BayesianTransduction`.
    start : {"unit_margins", "max_margin"}, default="unit_margins"
        First point of a single ball.
    refresh : float or None, default=None
        Mean arc between refreshes of the velocity; see `BayesianTransduction`.
    ridge : float, default=0.0
        Added to the diagonal of the Gram matrix, for data with label noise.
    random_state : int, Generator, RandomState or None, default=None

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
    dual_coef_ : ndarray of shape (l,)
        Coefficients of the unit vector at the centre of mass on the training
        points (labels included).
    trajectory_ : Trajectory

    References
    ----------
    Herbrich, Graepel, Campbell, "Bayes Point Machines", JMLR 1 (2001);
    cited as [4] in Bayesian Transduction.
    """

    def __init__(
        self,
        kernel="rbf",
        *,
        gamma="scale",
        degree=3,
        coef0=1.0,
        n_bounces=1000,
        n_starts=1,
        start="unit_margins",
        refresh=None,
        ridge=0.0,
        random_state=None,
    ):
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.n_bounces = n_bounces
        self.n_starts = n_starts
        self.start = start
        self.refresh = refresh
        self.ridge = ridge
        self.random_state = random_state

    def fit(self, X, y):
        """Estimate the centre of mass of version space.

        Parameters
        ----------
        X : array of shape (l, d)
        y : array of shape (l,)

        Returns
        -------
        self : BayesPointMachine
        """
        gram = self._fold(X, y)
        billiard = KernelBilliard(
            gram,
            refresh=self.refresh,
            start=self.start,
            n_starts=self.n_starts,
            random_state=_seed(self.random_state),
        )
        self.trajectory_ = billiard.run(self.n_bounces)
        centre = self.trajectory_.centre_of_mass()
        self.dual_coef_ = self.signs_ * centre / billiard.span.norm(centre)
        return self

    def decision_function(self, X):
        """Inner product of the Bayes point with each row of `X`, shape (m,)."""
        cross = self._cross(X)
        return cross.T @ (self.signs_ * self.dual_coef_)

    def predict(self, X):
        """Label of each row of `X`; zero goes to ``classes_[1]``."""
        return self._label(self.decision_function(X) >= 0)
