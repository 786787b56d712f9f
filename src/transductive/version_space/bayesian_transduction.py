"""Bayesian Transduction: labels and confidences by volumes in version space."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from numbers import Real

import numpy as np
from scipy.stats import f as f_distribution
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_array
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from ..caller_warning import warn_caller
from ..class_share import RidgeMachine, doubted_share, some_labels
from ..kernel_estimator import POSITIVE
from ..kernels import NotPositiveSemidefiniteError
from ..manifold_mixin import ManifoldMixin
from ..one_vs_rest import (
    has_several_classes,
    label_of_highest,
    shares,
    two_classes_only,
)
from .billiard import (
    SOUND_REFRESH,
    BilliardEscapeError,
    KernelBilliard,
    hoeffding_bounces,
    sound_bounces,
)
from .flight_plan import SOUND_TOL
from .gibbs import joint_votes
from .kernel_gibbs_sampler import KernelGibbsSampler, joint_flips
from .start import EmptyVersionSpaceError, IllConditionedError
from .trajectory import concatenate
from .version_space_classifier import (
    BILLIARD_CONSTRAINTS,
    NOISE_CONSTRAINTS,
    VersionSpaceClassifier,
    seed_sequence,
)

__all__ = ["BayesianTransduction", "Diagnosis"]

N_BATCHES = 20
# diagnose treats a p+ with a larger error than this as unknown: equation (8)'s epsilon
SOUND_MAX_ERROR = 0.05


@dataclass(frozen=True)
class Diagnosis:
    """Whether a billiard can be trusted on a sample.

    Attributes
    ----------
    state : {"sound", "empty", "ill-conditioned", "non-ergodic", "too short"}
    detail : str
        The number behind the state, and the remedy.
    rank : int or None
        Dimension of the span.
    condition : float or None
        Condition number of the Gram matrix.
    spread : float or None
        Largest difference of p+ (mean over four batches) between two starts,
        over all points at which they are compared.
    p_value : float or None
        Of an F test that all starts share one p+, for the worst point,
        corrected for the number of points.
    """

    state: str
    detail: str
    rank: int | None = None
    condition: float | None = None
    spread: float | None = None
    p_value: float | None = None


class BayesianTransduction(ManifoldMixin, VersionSpaceClassifier):
    """Labels, and how probable each is, from labels that may be wrong.

    By default the share of wrong labels is inferred, and p+, the probability that a working point
    is positive, is the share of the posterior of `KernelGibbsSampler` that classifies it as
    positive. With ``q=0`` labels are right, and the estimator is that of Graepel et al. (2000),
    sections 2 and 3: p+ is a fraction of the volume of version space. A billiard measures both;
    with label noise the ball crosses walls at a cost of energy.

    Parameters
    ----------
    kernel : str or callable, default="rbf"
        Name of a kernel in scikit-learn; a function of two points, arrays of
        shape (d,), that returns a number (scikit-learn's SVC gives it
        matrices); or "precomputed": kernel values of the training points
        with one another, (l, l), and of m other points with them, (m, l).
    gamma : {"loo", "scale", "auto"} or float, default="loo"
        Kernel coefficient; for the paper's RBF width sigma it is
        ``1 / (2 sigma^2)``. "loo": the widest of a third to nine times "scale" whose leave-one-out
        error on the labels (at most 500 of them) is within one standard error of the least.
    degree : int, default=3
    coef0 : float, default=1.0
    manifold : float or "auto", default=0.0
        Strength of a deformation of the kernel by the graph of nearest neighbours among training
        and working points, so that functions count as simple if they differ little between
        neighbours; see `manifold_gram`, also for the cost. Not where classes overlap: labels can
        get much worse. 0 is none. "auto": that of 0, 1, 10, 100 and 1000 which the leave-one-out
        error on the labels chooses, together with the width if gamma="loo"; 0 with
        kernel="precomputed" or span="joint", where a positive number is an error, and for more than
        5,000 points in all (a number: 20,000). Ignored without working points.
    q : float or "infer", default="infer"
        Probability that a training label is wrong, in [0, 0.5]; "infer": unknown. 0 is the paper's
        version space, which needs a separable sample. Otherwise `n_bounces`, `epsilon`, `eta`,
        `start` and `refresh` are ignored, and the number of flights follows from `tol` and
        `max_bounces`.
    q_prior : pair of float, default=(1, 9)
        With ``q="infer"``, the a and b of the Beta prior of q, cut at 1/2; see
        `KernelGibbsSampler`.
    n_bounces : int, "auto" or None, default="auto"
        Events (bounces and refreshes) of each start. "auto": thirty for
        each training point and at least 3000, since more walls shorten the
        path between bounces. None: the number that equation (8) gives for
        `epsilon` and `eta`.
    epsilon, eta : float, default=0.05 and 0.01
        Deviation and probability in equation (8).
    tol : float or None, default=None
        If given, continue until the measured standard error of p+ is at most
        this at every working point; needs `X_working` in ``fit`` and at least
        four starts. With label noise None means 0.02; the points are the training points (up to
        100 of them) if there is no working sample, and one start is enough.
    max_bounces : int, default=1_000_000
        Events of each start after which `fit` stops with a warning, even if
        `tol` is not reached; those of `n_bounces` are flown in any case. With label noise the
        walls a ball may meet before its last doubling of flights.
    n_starts : int, default=4
        Number of balls. A single ball, as in the paper, starts from `start`.
        Several balls are independent: each starts from the end of its own
        refreshed burn-in.
    start : {"unit_margins", "max_margin"}, default="unit_margins"
        First point of the balls; "max_margin" is the hard-margin SVM, the
        paper's suggestion. With several balls it has no lasting effect.
    refresh : float or None, default=4 pi
        Mean arc (radians) between isotropic refreshes of the velocity. None is
        the paper's deterministic billiard, which need not be ergodic.
    ridge : float, default=0.0
        Added to the diagonal of the Gram matrix: the lambda of the paper's
        conclusion, which lets the ball penetrate walls. For wrong labels use `q`: a ridge gives
        each training point an output of its own beside that of the common function.
    span : {"train", "joint"}, default="train"
        Points whose feature vectors span the weight vectors: the training
        points, as in the paper, or the working points as well.
    n_jobs : int or None, default=1
        Threads over which classes, then balls, are distributed; the result does not depend on it.
    random_state : int, Generator, RandomState or None, default=None

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        If two, the second is the paper's label +1.
    estimators_ : list of BayesianTransduction
        One for each class against the rest; for two classes the estimator itself.
    q_ : float
        `q`, or its posterior mean if it was inferred; its 90 % interval is
        ``np.quantile(noise, [0.05, 0.95])`` with the ``noise`` of ``posterior_.samples_``. For more
        than two classes an array, of each class against the rest (``noise`` is that of each of
        `estimators_`); the share of wrong labels is then ``flip_proba_.mean()``.
    manifold_ : float
        Strength used, the same for all classes; 0 without working points.
    flip_proba_ : ndarray of shape (l,)
        Posterior probability that the clean label of each training point is another one than
        that given; zero for ``q=0``. For more than two classes by the draws of `predict_proba`.
        `predict` at the training points has the labels to put in their place; of more than two
        classes it keeps one that is below one half and still the most probable.
    posterior_ : KernelGibbsSampler
        With label noise: draws from the posterior, ``samples_``, and diagnostics. For more than two
        classes in `estimators_`. With `manifold_` its points are kernel values with the training
        points, as `manifold_gram` gives them.
    trajectory_ : Trajectory
        Without label noise. It serves every point, including later ones. For more than two
        classes in `estimators_`.
    transduction_ : ndarray of shape (m,)
        Labels (6) of the working sample, if one was given.
    transduction_proba_ : ndarray of shape (m, n_classes)
        Their probabilities, as `predict_proba` gives them.
    transduction_error_ : ndarray of shape (m,), or (m, n_classes) for more than two classes
        Measured standard error of the probabilities: between batches of the
        trajectory or, with at least four starts, between starts if that is
        larger. For more than two classes the error of each against the rest,
        before the division.

    Raises
    ------
    EmptyVersionSpaceError
        In ``fit``, if ``q=0``: no perceptron has zero training error; the message says why.
    IllConditionedError, BilliardEscapeError
        Double precision cannot resolve version space; the message names remedies.
    NotPositiveSemidefiniteError, ValueError
        For a bad kernel, parameter or sample.

    Notes
    -----
    The paper flies one ball that is never refreshed, from unit margins or the
    SVM: ``q=0, n_starts=1, refresh=None, n_bounces=1000``. This is fast, but the
    ball may stay near its start, and then p+ describes only a part of version
    space. We chose the defaults on data sets that the paper does not use: for ``q=0`` they
    give the most effective samples per second at which the balls agree; those of `q` and `gamma`
    have the least log-loss of the settings tried, as a mean over no, a tenth and a fifth of wrong
    labels, with ``gamma="scale"`` within one standard error (``python benchmarks label_noise``). To
    reach a given error, set `tol` and give `fit` a working sample. An RBF kernel depends on
    distances: scale the features first.

    What a probability covers: it is that of the clean label, the class on whose side of the
    boundary the point lies. It allows for wrong labels that fall anywhere with the same
    probability, and for what the sample leaves open about the function. It does not cover a kernel
    that cannot express the truth, or working points of another kind than the sample. Nor does it
    cover overlap: where classes overlap, a correct label on the other side of the boundary counts
    as wrong, and p is above the share of labels that will be right.

    All probabilities suppose that labelled and working points were drawn alike. From ten labels of
    each class and ten working points on, `fit` compares the shares of the classes as
    `TransductiveSVC` does, by outputs of kernel ridge regression in cross-validation on at most
    2,000 labels, if the labels it finds contradict the share in the sample. It warned in at most 1
    of 300 fits where labels were drawn by lot. With a Gaussian kernel, half of the labels and a
    tenth of a hundred working points positive, it warned in 12 to 57 % of fits to twenty labels and
    in 67 % or more to fifty, if an ideal rule errs on 16 % or less; of classes that overlap more it
    needs hundreds. A linear or cosine kernel has no intercept: labels that are wrong for want of
    one may hide another share.

    Labels that were asked for, as by `query_points`, have another share by design. The posterior
    allows for a choice by features and known labels: filter the warning, and correct nothing.

    With `manifold` it is the probability under a kernel that was chosen by looking at the working
    points: labels may be better, but probabilities need not hold.

    For two classes a label that is observed with the same noise q is positive with probability
    ``q + (1 - 2 q) p+``. This is for comparison with test labels that have the same share of flips,
    never for the labels you hand out.

    For more than two classes, too, probabilities are too high where classes overlap; on ten digits
    they are too low.

    `predict` gives a class of a few percent to few points or none, as its probability is seldom the
    largest. Rank the points by its column of `predict_proba`. Do not read the column as rates:
    probabilities of a class of a few percent may come out too high.

    References
    ----------
    Graepel, Herbrich, Obermayer, "Bayesian Transduction", NIPS 12 (2000):
    version space (2), billiard (section 3.2), label (6), confidence (7),
    stopping (8).

    See Also
    --------
    KernelGibbsSampler : The same posterior, with its samples, its evidence and the paper's sampler.
        Its `fit` takes no working points: use `predict_proba`.
    BayesPointMachine : The one perceptron at the centre of mass of version space.

    Examples
    --------
    >>> import numpy as np
    >>> from transductive import BayesianTransduction
    >>> X = np.array([[0.0], [1.0], [4.0], [5.0]])
    >>> y = np.array([-1, -1, 1, 1])
    >>> bt = BayesianTransduction(gamma=0.5, q=0, random_state=0).fit(X, y)
    >>> bt.predict([[0.5], [4.5]])
    array([-1,  1])

    Two of thirty labels are wrong. Look at twice as many as ``flip_proba_`` adds up to:

    >>> X = np.linspace([0.0], [1.0], 30)
    >>> y = np.where(X[:, 0] > 0.5, "high", "low")
    >>> y[[4, 25]] = "high", "low"
    >>> bt = BayesianTransduction(random_state=0).fit(X, y, X_working=[[0.2], [0.9]])
    >>> print(bt.transduction_)
    ['low' 'high']
    >>> suspects = np.argsort(-bt.flip_proba_)[: int(2 * bt.flip_proba_.sum())]
    >>> {4, 25} <= set(suspects.tolist())
    True
    """

    _same_for_all = (*VersionSpaceClassifier._same_for_all, "manifold_")
    _column_per_class = ("transduction_error_", "q_")
    _found_last = "q_"
    #: Whether `fit` compares the shares of classes; `diagnose` does not.
    _compares = True
    _parameter_constraints = {
        **VersionSpaceClassifier._parameter_constraints,
        **ManifoldMixin._parameter_constraints,
        **BILLIARD_CONSTRAINTS,
        **NOISE_CONSTRAINTS,
        "n_bounces": [*BILLIARD_CONSTRAINTS["n_bounces"], None],
        "epsilon": [POSITIVE],
        "eta": [Interval(Real, 0, 1, closed="neither")],
        "tol": [POSITIVE, None],
        "span": [StrOptions({"train", "joint"})],
    }

    def __init__(
        self,
        kernel="rbf",
        *,
        gamma="loo",
        degree=3,
        coef0=1.0,
        manifold=0.0,
        q="infer",
        q_prior=(1, 9),
        n_bounces="auto",
        epsilon=0.05,
        eta=0.01,
        tol=None,
        max_bounces=1_000_000,
        n_starts=4,
        start="unit_margins",
        refresh=SOUND_REFRESH,
        ridge=0.0,
        span="train",
        n_jobs=1,
        random_state=None,
    ):
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.manifold = manifold
        self.q = q
        self.q_prior = q_prior
        self.n_bounces = n_bounces
        self.epsilon = epsilon
        self.eta = eta
        self.tol = tol
        self.max_bounces = max_bounces
        self.n_starts = n_starts
        self.start = start
        self.refresh = refresh
        self.ridge = ridge
        self.span = span
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
            Working sample; needed for `tol`, `manifold` and ``span="joint"``. With neither
            `manifold` nor a joint span it does not change the labels of single points. Scale it as
            `X`: yourself, or by a pipeline with ``transform_input=["X_working"]`` and metadata
            routing; by ``step__X_working`` a pipeline hands it over as it is.
            If they are as many as the rows of `X`, a grid search or another cross-validation
            divides them into folds: give it ``X_working[1:]``, and `fit` its best parameters with
            all.

        Returns
        -------
        self : BayesianTransduction

        Warns
        -----
        UserWarning
            If one feature has more than 99 % of the squared distances between the rows, so that an
            RBF kernel hardly sees the others. With ``q="infer"``, if about as many labels are taken
            for wrong as if they had been drawn by lot. If the working points seem to have another
            share of a class than ten labels or more of each class, by more than three standard
            errors (see Notes). If `manifold` or its `gamma` is chosen by the labels, as
            `TransductiveSVC` warns with ``manifold="auto"``.
        ConvergenceWarning
            If `max_bounces` are spent before the probabilities are known to `tol`.
        """
        self._validate_params()
        needs_tol = self.tol is not None and self.q == 0
        if X_working is None and (needs_tol or self.span == "joint"):
            wanted = "tol" if needs_tol else "span='joint'"
            raise ValueError(f"{wanted} concerns the working sample: pass X_working to fit")
        if needs_tol and self.n_starts < 4:
            raise ValueError(
                f"tol is measured between starts: n_starts must be at least 4, got {self.n_starts}"
            )
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
        gram = self._signed_gram(X_working if self.span == "joint" else None)
        if given is not None:
            cross = self._signed(given[len(gram) :, : len(gram)])
        else:
            cross = None if X_working is None else self._cross(X_working, "X_working")
        self.billiard_ = KernelBilliard(
            gram,
            self.n_train_,
            refresh=self.refresh,
            start=self.start,
            n_starts=self.n_starts,
            n_jobs=self.n_jobs,
            random_state=seed_sequence(self.random_state),
        )
        n_bounces = self.n_bounces
        if n_bounces is None:
            n_bounces = hoeffding_bounces(self.epsilon, self.eta)
        elif n_bounces == "auto":
            n_bounces = sound_bounces(self.n_train_)
        self.trajectory_ = self.billiard_.run(n_bounces)
        self.q_, self.flip_proba_ = 0.0, np.zeros(self.n_train_)
        if cross is None:
            return self
        times = self._measure(cross)
        if self.tol is not None:
            times = self._fly_until(cross, times, n_bounces)
        self._transduce(times.probability, _standard_error(times))
        self._compare_shares(
            X_working if given is None else given[self.n_train_ :, : self.n_train_]
        )
        return self

    def _fit_noisy(self, X, y, X_working):
        given = self._check_sample(X, y, X_working)
        joint = self.span == "joint"
        if joint and self.kernel == "precomputed":
            raise ValueError("span='joint' needs the points themselves, not kernel='precomputed'")
        if given is not None:
            X, X_working = self.X_fit_, given[self.n_train_ :, : self.n_train_]
        elif X_working is not None:
            X_working = self._check_others("X_working", X_working)
        posterior = KernelGibbsSampler(
            self.kernel if given is None else "precomputed",
            gamma=self.gamma if self.gamma_ is None else self.gamma_,
            degree=self.degree,
            coef0=self.coef0,
            sampler="billiard",
            q=self.q,
            q_prior=self.q_prior,
            n_chains=self.n_starts,
            tol=SOUND_TOL if self.tol is None else self.tol,
            max_bounces=self.max_bounces,
            ridge=self.ridge,
            n_jobs=self.n_jobs,
            random_state=self.random_state,
        )
        posterior._is_part = True
        self.posterior_ = posterior._sample(X, y, X_working, joint=joint)
        self.flip_proba_ = self.posterior_.flip_proba_
        if X_working is not None:
            p = self.posterior_.probe_proba_
            self._transduce(p, self.posterior_.probe_errors_)
            self._compare_shares(X_working)
        self.q_ = self.posterior_.q_
        self._warn_of_chance()
        return self

    def _strengths(self, X, X_working):
        strengths = super()._strengths(X, X_working)
        if strengths is None or self.span == "train":
            return strengths
        if self.manifold == "auto":
            return None
        raise ValueError("manifold has no span='joint': leave span at 'train', or manifold at 0")

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
        self.transduction_proba_ = np.c_[1.0 - probability, probability]
        self.transduction_ = self._label(probability >= 0.5)
        self.transduction_error_ = error

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
                "alike: label points drawn by lot, or correct the odds by the share if known; "
                "labels that were asked for because they were in doubt differ so by design",
                UserWarning,
            )

    def _gather(self):
        super()._gather()
        if self.q != 0:
            self.flip_proba_ = joint_flips([one.posterior_ for one in self.estimators_])
            return
        self.flip_proba_ = np.zeros(len(self.estimators_[0].flip_proba_))
        if hasattr(self.estimators_[0], "transduction_proba_"):
            positive = np.stack([e.transduction_proba_[:, 1] for e in self.estimators_], axis=1)
            self.transduction_proba_ = shares(positive)
            self.transduction_ = self._highest(self.transduction_proba_)

    def _measure(self, cross):
        events = len(self.trajectory_.arcs) // self.n_starts
        return self.trajectory_.flight_times(cross, n_batches=min(N_BATCHES, events))

    def _fly_until(self, cross, times, flown):
        while (worst := _standard_error(times).max(initial=0.0)) > self.tol:
            more = min(flown, self.max_bounces - flown)
            if more <= 0:
                warn_caller(
                    f"standard error of p+ still {worst:.2g} after {flown} bounces of "
                    f"{self.n_starts} starts, tolerance {self.tol:.2g}: raise max_bounces, "
                    "or, if the starts disagree by diagnose(X, y), refresh more often",
                    ConvergenceWarning,
                )
                break
            self.trajectory_ = concatenate([self.trajectory_, self.billiard_.run(more)])
            flown += more
            times = self._measure(cross)
        return times

    @two_classes_only
    def flight_times(self, X, n_batches=N_BATCHES):
        """Arc on the positive side of each row of `X`; see `Trajectory.flight_times`.

        Without label noise only.
        """
        check_is_fitted(self)
        if "posterior_" in vars(self):
            raise ValueError(
                "flight times are measured in version space, which needs q=0; with label noise see "
                "posterior_.samples_"
            )
        cross = self._cross(X)
        return self.trajectory_.flight_times(cross, n_batches)

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
            Columns in the order of ``classes_``; for two classes the second is p+. With label
            noise those of clean labels. For more than two classes a classifier of each against the
            rest is drawn, and the highest output names the class: the share of such draws. With
            ``q=0`` the p+ of each against the rest, divided by their sum. The sum of a column
            estimates how many rows have that class; of a rare class, or with wrong labels, it may
            be twice too many.
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
            probability = self.flight_times(X, n_batches=1).probability
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
        """Diagnose an empty, ill-conditioned or badly mixing version space.

        Fits a copy with at least eight starts of at least 100 events, stopped by
        the estimator's own rule, and tests whether the starts agree. An earlier
        fit has no influence.

        - *empty*: no perceptron has zero training error; the reason is named.
        - *ill-conditioned*: rounding decides.
        - *non-ergodic*: starts differ by more than their own errors explain, and the
          velocity is not refreshed.
        - *too short*: a run like this one is off by more than 0.05, or refreshed starts
          still differ.
        - *sound*: none of these. (The copy's starts are drawn from version space; a single
          ball from a fixed start may stay near it longer than its own error suggests.)

        Parameters
        ----------
        X, y : arrays of shape (l, d) and (l,)
        X_working : array of shape (m, d), optional
            Points at which the starts must agree; midpoints between training
            points of different classes when omitted.

        Returns
        -------
        Diagnosis
            For more than two classes a list, one for each against the rest.
        """
        if has_several_classes(y):
            part = clone(self)
            # what concerns all classes is warned of here, and once
            X, y = part._check_labelled(X, y)
            if X_working is not None:
                X_working = part._check_others("X_working", X_working)
            part._is_part = True
            return [part.diagnose(X, y == label, X_working) for label in np.unique(y)]
        probe = clone(self).set_params(n_starts=max(8, self.n_starts))
        probe._is_part, probe._compares = self._is_part, False
        if self.n_bounces not in (None, "auto"):
            probe.set_params(n_bounces=max(100, self.n_bounces))
        try:
            if X_working is None:
                # midpoints are no working points, whose graph would deform the kernel
                probe.set_params(manifold=0.0)
                X = np.asarray(X)
                X_working = _midpoints(X, np.asarray(y), probe.kernel)
            probe.fit(X, y, X_working)
        except EmptyVersionSpaceError as error:
            return Diagnosis("empty", str(error))
        except (BilliardEscapeError, IllConditionedError, NotPositiveSemidefiniteError) as error:
            return Diagnosis("ill-conditioned", str(error))
        if self.q != 0:
            return _of_posterior(probe.posterior_)
        span = probe.billiard_.span
        # few batches: the F test assumes independent batches, and short ones are not
        times = probe.flight_times(X_working, n_batches=4)
        spread, p_value = _disagreement(times)
        numbers = (span.rank, span.condition, spread, p_value)
        if p_value < 0.001 and self.refresh is None:
            return Diagnosis(
                "non-ergodic",
                f"the starts disagree: p+ differs by up to {spread:.2g} (F test, "
                f"p = {p_value:.1g}). Set refresh (a mean arc, for instance pi)",
                *numbers,
            )
        error = times.standard_error("chain").max()
        if self.tol is None:
            # of a run with the estimator's own number of starts; with a tolerance, it flies on
            error *= np.sqrt(probe.n_starts / self.n_starts)
        # a refreshed ball gets everywhere: if its starts disagree, they have not flown for long
        if error > SOUND_MAX_ERROR or p_value < 0.001:
            remedy = "set tol" if self.tol is None else "lower tol"
            return Diagnosis(
                "too short",
                f"p+ is known to {error:.2g} only (standard error, worst point; starts differ by "
                f"up to {spread:.2g}): fly for more bounces or from more starts, or {remedy}",
                *numbers,
            )
        return Diagnosis(
            "sound",
            f"p+ is known to {error:.2g} (standard error, worst point), the starts agree within "
            f"{spread:.2g} (F test, p = {p_value:.2g})",
            *numbers,
        )


def _of_posterior(posterior):
    """The diagnosis of flights through walls, by their own report."""
    rank, error = posterior.points_.rank, posterior.proba_error_
    if posterior.missing_:
        return Diagnosis("too short", f"{'; '.join(posterior.missing_)}: raise max_bounces", rank)
    return Diagnosis(
        "sound",
        f"p+ is known to {error:.2g} (standard error, worst point); R-hat is at most "
        f"{posterior.r_hat_:.3f}, the effective sample size at least {posterior.ess_:.0f}",
        rank,
    )


def _standard_error(times):
    """Between starts where there are four; between batches otherwise."""
    if len(np.unique(times.chain)) >= 4:
        return np.maximum(times.standard_error("chain"), times.standard_error("batch"))
    if len(times.total) < 2:
        return np.full(times.positive.shape[1], np.nan)
    return times.standard_error("batch")


def _disagreement(times):
    """Largest spread of p+ between starts, and the p-value of the test that they are equal."""
    chains = np.unique(times.chain)
    fraction = times.positive / times.total[:, None]
    groups = np.array([fraction[times.chain == c] for c in chains])
    n_chains, n_batches, n_points = groups.shape
    means = groups.mean(axis=1)
    between = n_batches * means.var(axis=0, ddof=1)
    within = groups.var(axis=1, ddof=1).mean(axis=0)
    moving = within > 0
    spread = float(np.ptp(means, axis=0).max())
    if between[~moving].any():
        # each start has its own label for good
        return spread, 0.0
    if not moving.any():
        return spread, 1.0
    ratio = between[moving] / within[moving]
    p_value = f_distribution.sf(ratio.max(), n_chains - 1, n_chains * (n_batches - 1))
    return spread, float(min(1.0, n_points * p_value))


def _midpoints(X, y, kernel):
    if kernel == "precomputed":
        raise ValueError("with kernel='precomputed', pass X_working to diagnose")
    classes = np.unique(y)
    first, second = X[y == classes[0]], X[y != classes[0]]
    n = min(len(first), len(second), 50)
    return (first[:n] + second[:n]) / 2.0
