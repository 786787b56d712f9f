"""Bayesian Transduction: labels and confidences by volumes in version space."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted

from ..caller_warning import warn_caller
from ..class_share import RidgeMachine, doubted_share, some_labels
from ..kernel_estimator import NOT_NEGATIVE
from ..kernels import NotPositiveSemidefiniteError
from ..manifold_mixin import ManifoldMixin
from ..one_vs_rest import (
    has_several_classes,
    label_of_highest,
    shares,
)
from .billiard import BilliardEscapeError
from .flight_plan import SOUND_BUDGET, SOUND_TOL, standard_error
from .gibbs import joint_votes
from .kernel_gibbs_sampler import KernelGibbsSampler
from .posterior_sampler import joint_flips
from .start import EmptyVersionSpaceError, IllConditionedError
from .version_space_classifier import VersionSpaceClassifier

__all__ = ["BayesianTransduction", "Diagnosis"]

# Chains that `diagnose` compares, or more.
MIN_DIAGNOSED_CHAINS = 8


@dataclass(frozen=True)
class Diagnosis:
    """Whether a fit can be trusted.

    Attributes
    ----------
    state : {"sound", "empty", "ill-conditioned", "too short"}
    detail : str
        The number behind the state, and the remedy.
    rank : int or None
        Dimension of the span.
    condition : float or None
        Condition number of the Gram matrix, without label noise.
    error : float or None
        Largest standard error of p+.
    """

    state: str
    detail: str
    rank: int | None = None
    condition: float | None = None
    error: float | None = None


class BayesianTransduction(ManifoldMixin, VersionSpaceClassifier):
    """Labels, and how probable each is, from labels that may be wrong.

    By default the share of wrong labels is inferred, and p+, the probability that a point is
    positive, is the share of the posterior of `KernelGibbsSampler` that classifies it so. With
    ``q=0`` labels are right, and p+ is a fraction of the volume of version space, measured by a
    billiard. Probabilities are those of clean labels, if labelled and working points were drawn
    alike. Where classes overlap they are overconfident.

    Parameters
    ----------
    kernel : str or callable, default="rbf"
        Name of a kernel in scikit-learn; a function of two matrices, ``kernel(X, Y)``, as for SVC;
        or "precomputed": kernel values of the training points with one another, (l, l), and of m
        other points with them, (m, l).
    gamma : {"loo", "scale", "auto"} or float, default="loo"
        Kernel coefficient, ``1 / (2 sigma^2)`` for an RBF width sigma. "loo": the smallest from
        a third to nine times "scale" whose leave-one-out error on the labels (at most 500) is
        within one standard error of the least.
    degree, coef0 : int, default=3, and float, default=0.0
    manifold : float or "auto", default=0.0
        Strength of a deformation of the kernel by the graph of nearest neighbours, as in
        `manifold_gram`. "auto" chooses it by the leave-one-out error, together with gamma="loo";
        0 for kernel="precomputed", above 5,000 points, or without working points.
    q : float, "infer" or pair of float, default="infer"
        Probability that a label is wrong, in [0, 0.5]. "infer": unknown, with the Beta prior
        (1, 9), cut at 1/2; a pair: unknown, its a and b. 0: the sample must be separable.
    n_bounces : int, default=1_000_000
        Budget of each chain: the walls it may meet before `fit` warns that `tol` is not reached.
    tol : float, default=0.02
        Largest standard error of p+ at the working points; without them at up to 100 training
        points or, with ``q=0``, at midpoints of up to 50 pairs of opposite labels.
    n_chains : int, default=4
    ridge : float, default=0.0
        Added to the diagonal of the Gram matrix: the paper's lambda, which makes a sample
        separable. For wrong labels use `q`.
    n_jobs : int, default=None
        Threads for classes and chains; the results do not depend on it.
    random_state : int, Generator, RandomState or None, default=None

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        If two, the second is the paper's label +1.
    estimators_ : list of BayesianTransduction
        One for each class against the rest, each with all attributes.
    gamma_, manifold_ : float or None, and float
    transduction_, transduction_proba_ : ndarrays of shape (m,) and (m, n_classes), or None
        Labels (6) of the working points, and their probabilities.
    transduction_error_ : ndarray of shape (m,), or (m, n_classes) for more than two classes
        Standard error of p+, of each class against the rest; None without working points.
    proba_error_ : float
        The largest standard error of p+ at the points that `tol` names.
    q_ : float, or ndarray of shape (n_classes,) for more than two classes
        `q`, or its posterior mean.
    flip_proba_ : ndarray of shape (l,)
        Probability that each training label is wrong.
    posterior_, trajectory_ : KernelGibbsSampler, Trajectory
        With label noise, the draws and their diagnostics; without it, the billiard's flight.

    Raises
    ------
    EmptyVersionSpaceError
        If ``q=0`` and the sample is not separable.
    IllConditionedError, BilliardEscapeError
        If double precision cannot resolve version space.
    NotPositiveSemidefiniteError, ValueError

    References
    ----------
    Graepel, Herbrich, Obermayer, "Bayesian Transduction", NIPS 12 (2000).

    Examples
    --------
    >>> import numpy as np
    >>> from transductive import BayesianTransduction
    >>> X, y = np.linspace([0.0], [1.0], 30), np.repeat(["low", "high"], 15)
    >>> y[[4, 25]] = "high", "low"  # two of thirty labels are wrong
    >>> bt = BayesianTransduction(random_state=0).fit(X, y, X_working=[[0.2], [0.9]])
    >>> print(bt.transduction_, np.flatnonzero(bt.flip_proba_ > 0.5))
    ['low' 'high'] [ 4 25]
    """

    _same_for_all = (*VersionSpaceClassifier._same_for_all, "manifold_")
    _column_per_class = ("transduction_error_", "q_")
    _found_last = "q_"
    #: Whether `fit` compares the shares of classes; `diagnose` does not.
    _compares = True
    _parameter_constraints = {
        **VersionSpaceClassifier._parameter_constraints,
        **ManifoldMixin._parameter_constraints,
        "ridge": [NOT_NEGATIVE],
    }

    def __init__(
        self,
        kernel="rbf",
        *,
        gamma="loo",
        degree=3,
        coef0=0.0,
        manifold=0.0,
        q="infer",
        n_bounces=SOUND_BUDGET,
        tol=SOUND_TOL,
        n_chains=4,
        ridge=0.0,
        n_jobs=None,
        random_state=None,
    ):
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.manifold = manifold
        self.q = q
        self.n_bounces = n_bounces
        self.tol = tol
        self.n_chains = n_chains
        self.ridge = ridge
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, X_working=None):
        """Sample the posterior or, with ``q=0``, version space by a billiard.

        Parameters
        ----------
        X : array of shape (l, d)
            Numbers on comparable scales, none missing.
        y : array of shape (l,)
            Two classes or more.
        X_working : array of shape (m, d), optional
            Working sample, scaled as `X`: in a pipeline by ``transform_input=["X_working"]`` and
            metadata routing. If it has as many rows as `X`, cross-validation would split it
            into folds: there, drop a row, ``X_working[1:]``.

        Returns
        -------
        self : BayesianTransduction

        Warns
        -----
        UserWarning
            If one feature hides the others from an RBF kernel, if about as many labels are taken
            for wrong as of random labels, or if a class's share of the working points seems
            to differ by over three standard errors from that of the labels (ten or more a class).
        ConvergenceWarning
            If the chains have met `n_bounces` walls before p+ is known to `tol`.
        """
        self._validate_params()
        if self._fit_each_class(X, y, X_working=X_working):
            if X_working is not None and self.q != 0:
                self.transduction_proba_ = self._joint_votes(
                    check_array(X_working, dtype=np.float64)
                )
                self.transduction_ = self._highest(self.transduction_proba_)
            self._warn_of_chance()
            return self
        if self.q != 0:
            return self._fit_noisy(X, y, X_working)
        given = self._check_sample(X, y, X_working)
        self._transduce(None, None)
        gram = self._signed_gram()
        if given is not None:
            cross = self._signed(given[len(gram) :, : len(gram)])
        else:
            cross = None if X_working is None else self._cross(X_working, "X_working")
        times = self._fly_inside(gram, cross)
        if cross is not None:
            self._transduce(times.probability, standard_error(times))
            self._compare_shares(
                X_working if given is None else given[self.n_train_ :, : self.n_train_]
            )
        return self

    def _fit_noisy(self, X, y, X_working):
        given = self._check_sample(X, y, X_working)
        self._transduce(None, None)
        if given is not None:
            X, X_working = self.X_fit_, given[self.n_train_ :, : self.n_train_]
        elif X_working is not None:
            X_working = self._check_others("X_working", X_working)
        posterior = KernelGibbsSampler(
            self.kernel if given is None else "precomputed",
            gamma=self.gamma if self.gamma_ is None else self.gamma_,
            degree=self.degree,
            coef0=self.coef0,
            q=self.q,
            n_chains=self.n_chains,
            tol=self.tol,
            n_bounces=self.n_bounces,
            n_jobs=self.n_jobs,
            random_state=self.random_state,
        )
        posterior.ridge, posterior._is_part = self.ridge, True
        self.posterior_ = posterior._sample(X, y, X_working)
        self.flip_proba_, self.proba_error_ = posterior.flip_proba_, posterior.proba_error_
        if X_working is not None:
            self._transduce(posterior.probe_proba_, posterior.probe_errors_)
            self._compare_shares(X_working)
        self.q_ = posterior.q_
        self._warn_of_chance()
        return self

    def _choose_kernel(self, X, signs, X_working):
        if self.manifold != 0 and X_working is not None:
            X_working = self._check_others("X_working", X_working)
        if "_shared_kernel" in vars(self) or self._strengths(X, X_working) is not None:
            return self._deform(X, X_working, signs, self._gammas(X))
        return self._deform(X, None, signs, [self._chosen_gamma(X, signs)])

    def _shared_gamma(self, X, signs, others):
        if self._strengths(X, others["X_working"]) is not None:
            # chosen together with the strength
            return self.gamma
        return super()._shared_gamma(X, signs, others)

    def _transduce(self, probability, error):
        self.transduction_ = self.transduction_proba_ = None
        self.transduction_error_ = error
        if probability is not None:
            self.transduction_proba_ = np.c_[1.0 - probability, probability]
            self.transduction_ = self._label(probability >= 0.5)

    def _compare_shares(self, X_working):
        """Warn if working points seem to have other shares of the classes than the sample."""
        if not self._compares:
            return
        X, signs = self.X_fit_[: self.n_train_], self.signs_[: self.n_train_]
        some = some_labels(signs)

        @cache
        def values():
            points, working = X[some], np.asarray(X_working, dtype=np.float64)
            if self.kernel == "precomputed" or self._deformed is not None:
                points, working = points[:, some], working[:, some]
            return self._kernel(points, points), self._kernel(working, points)

        doubt = doubted_share(
            lambda costs: RidgeMachine(*values(), signs[some], costs),
            signs[some],
            np.ones(len(some)),
            None,
            self.transduction_proba_[:, 1] >= 0.5,
            self._positive_class(),
        )
        if doubt:
            warn_caller(
                f"{doubt}; probabilities suppose that labelled and working points were drawn "
                "alike: label random points, or correct the odds if the share is known; labels "
                "that were queried for their uncertainty differ by design",
                UserWarning,
            )

    def _gather(self):
        super()._gather()
        self.transduction_ = self.transduction_proba_ = None
        if self.q != 0:
            self.flip_proba_ = joint_flips([one.posterior_ for one in self.estimators_])
            return
        self.flip_proba_ = np.zeros(len(self.estimators_[0].flip_proba_))
        if self.estimators_[0].transduction_proba_ is not None:
            positive = np.stack([e.transduction_proba_[:, 1] for e in self.estimators_], axis=1)
            self.transduction_proba_ = shares(positive)
            self.transduction_ = self._highest(self.transduction_proba_)

    def _joint_votes(self, X):
        """Probabilities of more than two classes at checked points, with label noise."""
        of_class = [(e, e.posterior_) for e in self.estimators_]
        return joint_votes(
            [posterior.samples_ for _, posterior in of_class],
            [posterior._coordinates_of(e._rows(X)) for e, posterior in of_class],
        )

    def predict_proba(self, X):
        """Probabilities of the classes: shares of the posterior or, with ``q=0``, of version space.

        Parameters
        ----------
        X : array of shape (m, d)

        Returns
        -------
        probability : ndarray of shape (m, n_classes)
            Columns in the order of ``classes_``; for two classes the second is p+. For more than
            two classes, the share of draws (one classifier per class) in which the class has the
            highest output; with ``q=0``, the p+ of each class against the rest, divided
            by their sum.
        """
        check_is_fitted(self)
        if "estimators_" in vars(self):
            if "posterior_" not in vars(self.estimators_[0]):
                answers = self._answers("predict_proba", X)
                return shares(np.stack([p[:, 1] for p in answers], axis=1))
            return self._joint_votes(self._check_new(X))
        if "posterior_" in vars(self):
            X = self._check_new(X)
            # not predict_proba: X has lost the names of its columns, which the posterior remembers
            posterior = self.posterior_
            coordinates = posterior._coordinates_of(self._rows(X))
            probability = posterior.samples_.votes(coordinates)
        else:
            probability = self.trajectory_.flight_times(self._cross(X)).probability
        return np.c_[1.0 - probability, probability]

    @label_of_highest("predict_proba")
    def predict(self, X):
        """The more probable label, equation (6); a tie goes to ``classes_[1]``.

        For more than two classes the most probable; a tie goes to the first.
        """
        return self._label(self.predict_proba(X)[:, 1] >= 0.5)

    def confidence(self, X):
        """Confidence ``2 max(p+, p-) - 1`` of the labels, equation (7), shape (m,).

        For k classes ``(k max p - 1) / (k - 1)``: 0 if all are equally probable, 1 if one is sure.
        """
        probability = self.predict_proba(X)
        k = probability.shape[1]
        return (k * probability.max(axis=1) - 1.0) / (k - 1)

    def diagnose(self, X, y, X_working=None):
        """Diagnose an empty, ill-conditioned or badly mixing version space or posterior.

        Fits a copy with at least eight chains; an earlier fit has no influence.

        - *empty*: no function has zero training error; the reason is named.
        - *ill-conditioned*: rounding decides.
        - *too short*: the budget ends before p+ is known to `tol` or, with label noise, before
          the chains agree.
        - *sound*: none of these.

        Parameters
        ----------
        X, y : arrays of shape (l, d) and (l,)
        X_working : array of shape (m, d), optional
            Points at which p+ must be known; see `tol` when omitted.

        Returns
        -------
        Diagnosis
            For more than two classes a list, one for each against the rest.
        """
        if has_several_classes(y):
            part = clone(self)
            # checks and warnings that concern all classes come here, and once
            X, y = part._check_labelled(X, y)
            if X_working is not None:
                X_working = part._check_others("X_working", X_working)
            part._is_part = True
            return [part.diagnose(X, y == label, X_working) for label in np.unique(y)]
        probe = clone(self).set_params(n_chains=max(MIN_DIAGNOSED_CHAINS, self.n_chains))
        probe._is_part, probe._compares = self._is_part, False
        try:
            probe.fit(X, y, X_working)
        except EmptyVersionSpaceError as error:
            return Diagnosis("empty", str(error))
        except (BilliardEscapeError, IllConditionedError, NotPositiveSemidefiniteError) as error:
            return Diagnosis("ill-conditioned", str(error))
        error, missing = probe.proba_error_, []
        detail = f"p+ is known to {error:.2g} (standard error, worst point)"
        if self.q != 0:
            posterior = probe.posterior_
            rank, condition, missing = posterior.points_.rank, None, posterior.missing_
            detail += (
                f"; R-hat is at most {posterior.r_hat_:.3f}, the effective sample size at least "
                f"{posterior.ess_:.0f}"
            )
        else:
            rank, condition = probe.billiard_.span.rank, probe.billiard_.span.condition
            missing = [] if error <= self.tol else [f"{detail}, at most {self.tol:.2g} is required"]
        if missing:
            detail = f"{'; '.join(missing)}: raise n_bounces"
        return Diagnosis("too short" if missing else "sound", detail, rank, condition, error)
