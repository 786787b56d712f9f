"""The kernel Gibbs sampler as a classifier: vote, Bayes point, entropy, evidence."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy.special import entr
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import check_is_fitted

from ..caller_warning import warn_caller
from ..kernel_estimator import COUNT, POSITIVE
from ..one_vs_rest import column_per_class, label_of_highest, two_classes_only
from .evidence import estimate_evidence
from .flight_plan import SOUND_BURN_IN, SOUND_TOL, fly_until_known
from .gibbs import GibbsChains, joint_votes
from .mixing import ESS, R_HAT, mixing
from .refracting_billiard import FlightSamples, RefractingBilliard
from .version_space_classifier import GIBBS_CONSTRAINTS, VersionSpaceClassifier, seed_sequence
from .whitening import WhitenedPoints

__all__ = ["KernelGibbsSampler", "joint_flips"]

# number of points whose outputs the diagnostics follow
N_FOLLOWED = 100
# Steps of the hit-and-run sampler.
SOUND_STEPS, SOUND_THIN = 5000, 100


def joint_flips(posteriors):
    """Probability that another class than its own is the highest at each training point."""
    own = np.array([one.signs_ > 0 for one in posteriors]).T
    votes = joint_votes(
        [one.samples_ for one in posteriors],
        # of a joint span, those of the sample come first
        [one.points_.coordinates[: len(own)] for one in posteriors],
    )
    return 1.0 - votes[own]


class KernelGibbsSampler(VersionSpaceClassifier):
    """Kernel classifiers sampled from their posterior under label noise.

    A uniform prior on the unit sphere of feature space and labels that were flipped with
    probability q give each classifier the weight ``q^k (1 - q)^(m - k)``, with k its number
    of training errors. The sample must be separable only if q = 0. Two samplers draw from this
    posterior: a billiard whose walls cost energy, which mixes many times faster and can infer q
    (see Notes), and the hit-and-run sampler of the paper, on great circles:
    ``sampler="hit_and_run", q=0.05``. Probabilities are those of clean labels: the class on whose
    side of the boundary a point lies. ``q + (1 - 2 q) p`` (two classes) is for comparison with test
    labels that have the same share of flips, never for the labels you hand out. `fit` takes no
    working points: use `predict_proba`.

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
    sampler : {"billiard", "hit_and_run"}, default="billiard"
        Flights through walls that cost energy, or steps 1 to 9 of the paper.
    q : float or "infer", default="infer"
        Probability that a label was flipped, in [0, 0.5]. "infer": unknown; needs
        ``sampler="billiard"``.
    q_prior : pair of float, default=(1, 9)
        With ``q="infer"``, the a and b of the Beta prior of q, cut at 1/2; at most 10000. Its mean
        of about a tenth says that most labels are right; a uniform prior, (1, 1), would let a small
        class pass for noise.
    n_samples : int, default=1000
        Samples of each chain. The billiard begins with 250 and keeps at most so many.
    n_chains : int, default=4
        Number of chains, each with its own first point; if q = 0 all start at one point.
    burn_in : int or "auto", default="auto"
        Steps or flights of each chain before its first sample. "auto": 5000 steps, 100 flights.
    thin : int or "auto", default="auto"
        Steps or flights from sample to sample. "auto": 100 steps, 1 flight.
    tol : float, default=0.02
        Billiard: it flies on until the standard error of p+ is at most this at (up to 100 of) the
        training points, R-hat at most 1.01 and the effective sample size at least 400.
    max_bounces : int, default=1_000_000
        Billiard: walls that a chain may meet before the last doubling of its flights; `fit` then
        warns of what is missing. The first 350 flights are flown in any case, unless burn-in or
        what follows it meets more than this and than 500 walls for each point.
    rank : int or None, default=None
        Largest dimension of the weight vectors' span: that of this many training points, chosen by
        pivoted Cholesky. The Gram matrix is then never formed. Use it for ten thousand points and
        more. None: the span of all points.
    ridge : float, default=0.0
        Added to the diagonal of the Gram matrix.
    n_jobs : int, default=1
        Threads over which the classes and their chains are distributed; the result does not depend
        on it.
    random_state : int, Generator, RandomState or None, default=None

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    estimators_ : list of KernelGibbsSampler
        One for each class against the rest, each with the attributes below; for two classes the
        estimator itself.
    samples_ : FlightSamples or GibbsSamples
        Draws from the posterior: by the billiard or by hit-and-run. ``positions`` are weight
        vectors in the coordinates of `points_`, ``errors`` their training errors; of the billiard
        ``noise``, of shape (chains, samples), are draws of q.
    q_ : float
        Posterior mean of q; or `q` itself if that is a number. An interval of 90 %:
        ``np.quantile(samples_.noise, [0.05, 0.95])``. For more than two classes an array, of each
        class against the rest; the share of wrong labels is then ``flip_proba_.mean()``.
    flip_proba_ : ndarray of shape (m,)
        Posterior probability that the clean label of each training point is another one than
        that given. For more than two classes by the draws of `predict_proba`.
    probe_proba_, probe_errors_ : ndarray of shape (p,)
        Billiard: p+ at the points of the diagnostics, and its Monte Carlo standard errors.
    proba_error_ : float
        Billiard: the largest of these.
    missing_ : list of str
        Billiard: what was asked and not reached.
    n_bounces_ : int
        Billiard: walls met by all chains.
    diagnostics_ : dict
        R-hat ("r_hat") and effective sample size ("ess") of the training "errors", of "q" if it
        was inferred, and of the worst "output".
    points_ : WhitenedPoints
        The training points in orthonormal coordinates, and a subset of them that spans.
    dual_coef_ : ndarray of shape (r,)
        Coefficients of the Bayes point, of unit length, on the training points
        ``points_.pivots``.
    mixing_ : Mixing
        Diagnostics of the training errors and of the outputs at up to 100 training points; with
        the billiard, of the errors, of q if it was inferred, and of the ten outputs among them
        on which the chains agree least.
    r_hat_, ess_ : float
        The largest R-hat and the smallest effective sample size among these.

    Raises
    ------
    EmptyVersionSpaceError, IllConditionedError
        If q = 0 and no classifier of the class has zero training error, or rounding hides
        whether one does; `IllConditionedError` also if the posterior is too thin for `max_bounces`.
    ValueError
        For a bad parameter or sample.

    Warns
    -----
    ConvergenceWarning
        If R-hat is above 1.01 or an effective sample size below 400; with the billiard also if
        p+ is not known to `tol`, or if q is so small that no ball ever comes to more errors while
        all samples have some.

    Notes
    -----
    The billiard is exact Hamiltonian dynamics, with the training errors as potential: a ball
    crosses a wall if its kinetic energy normal to the wall exceeds the cost of the error,
    ``ln((1 - q) / q)``, and is reflected otherwise; see `RefractingBilliard`. With ``q="infer"``
    the noise is integrated out. A `ridge` gives each training point an output of its own beside
    that of the common function, a second kind of noise; with q > 0 it is not needed.
    `EmptyVersionSpaceError` is raised for q = 0 only.

    Under a wide kernel chains may stay long in either of two states: a nearly straight boundary
    with many errors, where draws of the prior come first, and a bent one with few. On 300 moons
    with a tenth of the labels wrong and ``gamma=0.01``, a fiftieth of "scale", the chains still
    disagree on q after the default `max_bounces`. R-hat shows it and `fit` warns; raise
    `max_bounces`, or leave `gamma` at "loo".

    At q = 0 the billiard of `BayesianTransduction` and `BayesPointMachine` samples the same law.
    On points in ten dimensions with an RBF kernel it gives some 40, 100 and 390 times as many
    effective samples per second for 50, 100 and 200 points, and the factor keeps growing
    (``benchmarks/gibbs.py``).

    References
    ----------
    Graepel, Herbrich, "The Kernel Gibbs Sampler", NIPS 13 (2001): posterior (2), likelihood
    (3), vote (4), Bayes point (5).

    Examples
    --------
    >>> import numpy as np
    >>> from transductive import KernelGibbsSampler
    >>> X = np.array([[0.0], [1.0], [2.0], [4.0], [5.0], [6.0], [0.5]])
    >>> y = np.array([-1, -1, -1, 1, 1, 1, 1])  # the last label is wrong
    >>> kgs = KernelGibbsSampler(gamma=0.1, q=0.1, random_state=0).fit(X, y)
    >>> kgs.predict([[0.5], [4.5]])
    array([-1,  1])
    """

    _column_per_class = ("q_",)
    _parameter_constraints = {
        **VersionSpaceClassifier._parameter_constraints,
        **GIBBS_CONSTRAINTS,
        "sampler": [StrOptions({"hit_and_run", "billiard"})],
        "tol": [POSITIVE],
        "rank": [COUNT, None],
    }

    def __init__(
        self,
        kernel="rbf",
        *,
        gamma="loo",
        degree=3,
        coef0=1.0,
        sampler="billiard",
        q="infer",
        q_prior=(1, 9),
        n_samples=1000,
        n_chains=4,
        burn_in="auto",
        thin="auto",
        tol=SOUND_TOL,
        max_bounces=1_000_000,
        rank=None,
        ridge=0.0,
        n_jobs=1,
        random_state=None,
    ):
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.sampler = sampler
        self.q = q
        self.q_prior = q_prior
        self.n_samples = n_samples
        self.n_chains = n_chains
        self.burn_in = burn_in
        self.thin = thin
        self.tol = tol
        self.max_bounces = max_bounces
        self.rank = rank
        self.ridge = ridge
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y):
        """Sample the posterior.

        Parameters
        ----------
        X : array of shape (m, d)
            Numbers on comparable scales, none missing.
        y : array of shape (m,)
            Two classes or more.

        Returns
        -------
        self : KernelGibbsSampler
        """
        if self._fit_each_class(X, y):
            return self
        return self._sample(X, y)

    def _sample(self, X, y, X_working=None, joint=False):
        """`fit`; the billiard flies until the working points are known, which may span, too."""
        self._check_sample(X, y)
        self._check_sampler()
        flies = self.sampler == "billiard"
        if joint:
            self.X_fit_ = np.vstack([self.X_fit_, X_working])
        gram = self._gram() if self.rank is None else None
        self.points_ = self._whiten(gram)
        if flies:
            self._fly(gram, X_working)
        else:
            self.samples_ = self._walk()
            self.mixing_ = self._follow()
            self.q_ = float(self.q)
        centre = self.samples_.mean
        self.dual_coef_ = self.points_.coefficients(centre / np.linalg.norm(centre))
        self.r_hat_, self.ess_ = self.mixing_.worst_r_hat, self.mixing_.least_ess
        if flies and self.missing_:
            self._warn_of_missing()
        elif not flies and not self.mixing_.ok:
            self._warn()
        return self

    def _check_sampler(self):
        least = 8 if self.n_chains == 1 else 4
        if self.n_samples < least:
            raise ValueError(
                f"n_samples must be at least {least} for the diagnostics, got {self.n_samples}"
            )
        if self.q == "infer" and self.sampler == "hit_and_run":
            raise ValueError("the hit-and-run sampler needs a number for q: set sampler='billiard'")

    def _fly(self, gram, X_working):
        n = self.n_train_
        points, joint = self.points_, len(self.X_fit_) > n
        if joint:
            points = WhitenedPoints(points.coordinates[:n])
        billiard = RefractingBilliard(
            points,
            self.q,
            signs=self.signs_,
            gram=None if gram is None else gram[:n, :n],
            q_prior=self.q_prior,
            n_chains=self.n_chains,
            random_state=seed_sequence(self.random_state),
            n_jobs=self.n_jobs,
        )
        if X_working is None:
            probes = points.coordinates[:: -(-n // N_FOLLOWED)]
        elif joint:
            probes = self.points_.coordinates[n:]
        else:
            probes = self._coordinates_of(X_working)
        self.samples_, report = fly_until_known(
            billiard,
            probes,
            self.tol,
            n_samples=self.n_samples,
            thin=1 if self.thin == "auto" else self.thin,
            burn_in=SOUND_BURN_IN if self.burn_in == "auto" else self.burn_in,
            max_events=self.max_bounces,
        )
        self.mixing_, self.diagnostics_ = report.mixing, report.diagnostics
        self.probe_proba_, self.probe_errors_ = self.samples_.votes(probes), report.proba_error
        self.proba_error_ = float(report.proba_error.max(initial=0.0))
        self.missing_ = report.missing
        self.q_ = float(self.samples_.noise.mean())
        self.n_bounces_ = int(billiard.events.sum())

    def _walk(self):
        thin, burn_in = self._steps()
        chains = GibbsChains(
            self.points_,
            self.q,
            signs=self.signs_,
            n_chains=self.n_chains,
            random_state=seed_sequence(self.random_state),
            n_jobs=self.n_jobs,
        )
        return chains.run(self.n_samples, thin=thin, burn_in=burn_in)

    def _steps(self):
        """Steps from sample to sample, and before the first one."""
        return (
            SOUND_THIN if self.thin == "auto" else self.thin,
            SOUND_STEPS if self.burn_in == "auto" else self.burn_in,
        )

    @cached_property
    def flip_proba_(self):
        """Posterior probability that the clean label of each training point is another one."""
        check_is_fitted(self)
        if "estimators_" in vars(self):
            return joint_flips(self.estimators_)
        if isinstance(self.samples_, FlightSamples):
            return self.samples_.wrong.mean(axis=0)
        p = self.samples_.votes(self.points_.coordinates)
        return np.where(self.signs_ > 0, 1.0 - p, p)

    def _warn(self):
        missed = []
        if not self.r_hat_ <= R_HAT:
            missed.append(f"R-hat {self.r_hat_:.4f}, at most {R_HAT} is asked")
        if not self.ess_ >= ESS:
            missed.append(f"effective sample size {self.ess_:.0f}, at least {ESS} is asked")
        # multiply the steps by the shortfall of effective samples, with a safety margin
        thin, burn_in = self._steps()
        thin = int(np.ceil(thin * max(2.0, 1.5 * ESS / max(self.ess_, 1.0))))
        warn_caller(
            f"the chains have not mixed: {'; '.join(missed)}. Try thin={thin} and "
            f"burn_in={max(burn_in, 50 * thin)}, or a larger q, which mixes faster",
            ConvergenceWarning,
        )

    def _warn_of_missing(self):
        warn_caller(
            f"the billiard's budget of {self.max_bounces} bounces a chain is spent: "
            f"{'; '.join(self.missing_)}. Scale the features if their units differ, and centre "
            "them for a linear or polynomial kernel; otherwise raise max_bounces, or use a "
            "narrower kernel, whose posterior mixes faster",
            ConvergenceWarning,
        )

    def _whiten(self, gram):
        if self.rank is None:
            # a matrix made here may be overwritten by its factor; the user's may not, nor one whose
            # rows the billiard needs
            return WhitenedPoints.from_gram(
                gram, overwrite=self.kernel != "precomputed" and self.sampler == "hit_and_run"
            )
        if self.ridge > 0:
            raise ValueError("ridge makes the points independent: leave rank at None with it")
        if self.kernel == "precomputed":
            gram = self._gram()
            rows = np.arange(len(gram), dtype=np.float64)[:, None]
            return WhitenedPoints.from_kernel(
                rows, lambda A, B: gram[np.ix_(A[:, 0].astype(int), B[:, 0].astype(int))], self.rank
            )
        return WhitenedPoints.from_kernel(self.X_fit_, self._kernel, self.rank)

    def _follow(self):
        step = -(-len(self.signs_) // N_FOLLOWED)
        outputs = self.samples_.outputs(self.points_.coordinates[::step])
        return mixing(np.concatenate([self.samples_.errors[:, :, None], outputs], axis=2))

    def _pivot_kernel(self, X):
        """Kernel values of the rows of `X` with the pivots, (n, r)."""
        return self._pivot_values(self._check_new(X))

    def _pivot_values(self, X):
        if self.kernel == "precomputed":
            return X[:, self.points_.pivots]
        return self._kernel(X, self.X_fit_[self.points_.pivots])

    def _coordinates(self, X):
        check_is_fitted(self)
        return self._coordinates_of(self._check_new(X))

    def _coordinates_of(self, X):
        return self.points_.transform(self._pivot_values(X))

    @column_per_class
    def bayes_point(self, X):
        """Inner product of the Bayes point (5) with each row of `X`, shape (n,).

        For more than two classes (n, n_classes), with the Bayes point of each.
        """
        check_is_fitted(self)
        return self._pivot_kernel(X) @ self.dual_coef_

    def decision_function(self, X):
        """Mean vote in [-1, 1], the expectation in (4), shape (n,).

        For more than two classes (n, n_classes): twice the probability of each, minus 1.
        """
        votes = 2.0 * self.predict_proba(X) - 1.0
        return votes if "estimators_" in vars(self) else votes[:, 1]

    def predict_proba(self, X):
        """Votes of the sampled classifiers.

        Parameters
        ----------
        X : array of shape (n, d)

        Returns
        -------
        probability : ndarray of shape (n, n_classes)
            Columns in the order of ``classes_``: posterior probabilities that the noise-free
            classifier gives this label. For more than two classes a classifier of each against the
            rest is drawn, and the highest output names the class: the share of such draws.
        """
        if "estimators_" in vars(self):
            samples = [one.samples_ for one in self.estimators_]
            return joint_votes(samples, self._answers("_coordinates", X))
        coordinates = self._coordinates(X)
        p = self.samples_.votes(coordinates)
        return np.c_[1.0 - p, p]

    @label_of_highest("predict_proba")
    def predict(self, X):
        """Label by majority of the samples, equation (4); a tie goes to ``classes_[1]``.

        For more than two classes the most probable; a tie goes to the first.
        """
        return self._label(self.predict_proba(X)[:, 1] >= 0.5)

    def agreement(self, X):
        """Fraction of the rows of `X` on which vote (4) and Bayes point (5) agree."""
        point = self.bayes_point(X)
        by_point = self._label(point >= 0) if point.ndim == 1 else self._highest(point)
        return float(np.mean(self.predict(X) == by_point))

    def entropy(self, X):
        """Entropy of the vote in bits, shape (n,): the expected information in a label.

        The paper's S(x, z), with the minus sign that the paper omits; see `active_learning`.
        """
        return entr(self.predict_proba(X)).sum(axis=1) / np.log(2.0)

    @two_classes_only
    def diagnose(self, X):
        """R-hat and effective sample sizes of the outputs at the rows of `X`.

        Returns
        -------
        Mixing
        """
        coordinates = self._coordinates(X)
        return mixing(self.samples_.outputs(coordinates))

    @two_classes_only
    def evidence(self, q=None, **options):
        """Log evidence of the sample by thermodynamic integration.

        Parameters
        ----------
        q : float or array, optional
            Label noise; by default the estimator's own. 0: the log volume of version space.
        **options
            Passed to `evidence.estimate_evidence`.

        Returns
        -------
        Evidence
        """
        check_is_fitted(self)
        if q is None and self.q == "infer":
            raise ValueError("q was inferred: pass the label noises whose evidence is wanted")
        options.setdefault("random_state", seed_sequence(self.random_state))
        options.setdefault("n_jobs", self.n_jobs)
        return estimate_evidence(
            self.points_, self.q if q is None else q, signs=self.signs_, **options
        )
