"""Bayes point machine: the centre of mass of the posterior."""

from __future__ import annotations

import numpy as np

from ..one_vs_rest import column_per_class, label_of_highest
from .billiard import SOUND_REFRESH, KernelBilliard, sound_bounces
from .kernel_gibbs_sampler import KernelGibbsSampler, joint_flips
from .version_space_classifier import (
    BILLIARD_CONSTRAINTS,
    NOISE_CONSTRAINTS,
    VersionSpaceClassifier,
    seed_sequence,
)

__all__ = ["BayesPointMachine"]


class BayesPointMachine(VersionSpaceClassifier):
    """Kernel perceptron at the centre of mass of version space, or of a posterior.

    The single function that best approximates the vote of all functions, and so Bayesian
    transduction (Bayesian Transduction, end of section 3.2; The Kernel Gibbs Sampler, equation
    (5)).

    Parameters
    ----------
    kernel : str or callable, default="rbf"
        Name of a kernel in scikit-learn; a function of two points, arrays of
        shape (d,), that returns a number (scikit-learn's SVC gives it
        matrices); or "precomputed": kernel values of the training points
        with one another, (l, l), and of m other points with them, (m, l).
    gamma : {"loo", "scale", "auto"} or float, default="loo"
        Kernel coefficient, ``1 / (2 sigma^2)`` for an RBF width sigma. "loo": the widest of a third
        to nine times "scale" whose leave-one-out error on the labels (at most 500 of them) is
        within one standard error of the least.
    degree : int, default=3
        Of the polynomial kernel.
    coef0 : float, default=1.0
        Constant of the polynomial and sigmoid kernels.
    q : float or "infer", default="infer"
        Probability that a label was flipped, in [0, 0.5]; "infer": unknown. 0 is the paper's
        version space. Above 0, `n_bounces`, `start` and `refresh` are ignored.
    q_prior : pair of float, default=(1, 9)
        With ``q="infer"``, the a and b of the Beta prior of q, cut at 1/2.
    n_bounces : int or "auto", default="auto"
        Without label noise: events (bounces and refreshes) of each start; see
        `BayesianTransduction`, whose defaults these are. The paper's billiard is
        ``q=0, n_starts=1, refresh=None, n_bounces=1000``.
    n_starts : int, default=4
        Number of balls.
    start : {"unit_margins", "max_margin"}, default="unit_margins"
        Without label noise: first point of a single ball.
    refresh : float or None, default=4 pi
        Without label noise: mean arc, in radians, between refreshes of the velocity.
    max_bounces : int, default=1_000_000
        With label noise: see `KernelGibbsSampler`.
    n_jobs : int or None, default=1
        Threads over which classes, then balls, are distributed; the result does not depend on it.
    ridge : float, default=0.0
        Added to the diagonal of the Gram matrix.
    random_state : int, Generator, RandomState or None, default=None

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    estimators_ : list of BayesPointMachine
        One for each class against the rest; for two classes the estimator itself.
    dual_coef_ : ndarray of shape (l,), or (n_classes, l) for more than two classes
        Coefficients of the unit vector at the centre of mass on the training
        points (labels included).
    trajectory_ : Trajectory
        Without label noise. For more than two classes in `estimators_`.
    posterior_ : KernelGibbsSampler
        With label noise: samples and diagnostics. For more than two classes in `estimators_`.
    q_ : float
        `q`, or its posterior mean if it was inferred; its 90 % interval is
        ``np.quantile(noise, [0.05, 0.95])`` with the ``noise`` of ``posterior_.samples_``. For more
        than two classes an array, of each class against the rest (``noise`` is that of each of
        `estimators_`); the share of wrong labels is then ``flip_proba_.mean()``.
    flip_proba_ : ndarray of shape (l,)
        Posterior probability that the clean label of each training point is another one than
        that given. For more than two classes a classifier of each against the rest is drawn, and
        the highest output names the clean label.

    Notes
    -----
    There is no ``predict_proba``: `BayesianTransduction` has probabilities, with their standard
    errors.

    References
    ----------
    Herbrich, Graepel, Campbell, "Bayes Point Machines", JMLR 1 (2001);
    cited as [4] in Bayesian Transduction. Graepel, Herbrich, "The Kernel Gibbs Sampler",
    NIPS 13 (2001), equation (5).
    """

    _row_per_class, _column_per_class = ("dual_coef_",), ("q_",)
    _parameter_constraints = {
        **VersionSpaceClassifier._parameter_constraints,
        **BILLIARD_CONSTRAINTS,
        **NOISE_CONSTRAINTS,
    }

    def __init__(
        self,
        kernel="rbf",
        *,
        gamma="loo",
        degree=3,
        coef0=1.0,
        q="infer",
        q_prior=(1, 9),
        n_bounces="auto",
        n_starts=4,
        start="unit_margins",
        refresh=SOUND_REFRESH,
        max_bounces=1_000_000,
        n_jobs=1,
        ridge=0.0,
        random_state=None,
    ):
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.q = q
        self.q_prior = q_prior
        self.n_bounces = n_bounces
        self.n_starts = n_starts
        self.start = start
        self.refresh = refresh
        self.max_bounces = max_bounces
        self.n_jobs = n_jobs
        self.ridge = ridge
        self.random_state = random_state

    def fit(self, X, y):
        """Estimate the centre of mass.

        Parameters
        ----------
        X : array of shape (l, d)
        y : array of shape (l,)
            Two classes or more.

        Returns
        -------
        self : BayesPointMachine

        Warns
        -----
        UserWarning
            With ``q="infer"``, if about as many labels are taken for wrong as if they had been
            drawn by lot.
        """
        self._validate_params()
        if not self._fit_each_class(X, y):
            if self.q == 0:
                self._fit_billiard(X, y)
            else:
                self._fit_noisy(X, y)
        self._warn_of_chance()
        return self

    def _gather(self):
        super()._gather()
        self.flip_proba_ = (
            np.zeros(len(self.estimators_[0].signs_))
            if self.q == 0
            else joint_flips([one.posterior_ for one in self.estimators_])
        )

    def _fit_billiard(self, X, y):
        self._check_sample(X, y)
        gram = self._signed_gram()
        billiard = KernelBilliard(
            gram,
            refresh=self.refresh,
            start=self.start,
            n_starts=self.n_starts,
            n_jobs=self.n_jobs,
            random_state=seed_sequence(self.random_state),
        )
        n_bounces = sound_bounces(self.n_train_) if self.n_bounces == "auto" else self.n_bounces
        self.trajectory_ = billiard.run(n_bounces)
        self.q_, self.flip_proba_ = 0.0, np.zeros(self.n_train_)
        centre = self.trajectory_.centre_of_mass()
        self.dual_coef_ = self.signs_ * centre / billiard.span.norm(centre)

    def _fit_noisy(self, X, y):
        self._check_sample(X, y)
        posterior = KernelGibbsSampler(
            self.kernel,
            gamma=self.gamma if self.gamma_ is None else self.gamma_,
            degree=self.degree,
            coef0=self.coef0,
            sampler="billiard",
            q=self.q,
            q_prior=self.q_prior,
            n_chains=self.n_starts,
            max_bounces=self.max_bounces,
            ridge=self.ridge,
            n_jobs=self.n_jobs,
            random_state=self.random_state,
        )
        posterior._is_part = True
        self.posterior_ = posterior.fit(X, y)
        self.q_, self.flip_proba_ = self.posterior_.q_, self.posterior_.flip_proba_
        self.dual_coef_ = np.zeros(self.n_train_)
        self.dual_coef_[self.posterior_.points_.pivots] = self.posterior_.dual_coef_

    @column_per_class
    def decision_function(self, X):
        """Inner product of the Bayes point with each row of `X`, shape (m,).

        For more than two classes (m, n_classes), with the Bayes point of each.
        """
        cross = self._cross(X)
        return cross.T @ (self.signs_ * self.dual_coef_)

    @label_of_highest("decision_function")
    def predict(self, X):
        """Label of each row of `X`; zero goes to ``classes_[1]``.

        For more than two classes, the class with the highest value.
        """
        return self._label(self.decision_function(X) >= 0)
