"""The kernel Gibbs sampler as a classifier: vote, Bayes point, entropy, evidence."""

from __future__ import annotations

import numpy as np
from scipy.special import entr
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from ..caller_warning import warn_caller
from ..kernel_estimator import COUNT
from ..one_vs_rest import column_per_class, label_of_highest, share_per_class, two_classes_only
from .evidence import estimate_evidence
from .gibbs import GibbsChains
from .mixing import ESS, R_HAT, mixing
from .replica_exchange import ExchangingChains, noise_ladder
from .version_space_classifier import GIBBS_CONSTRAINTS, VersionSpaceClassifier, seed_sequence
from .whitening import WhitenedPoints

__all__ = ["KernelGibbsSampler"]

# number of points whose outputs the diagnostics follow
N_FOLLOWED = 100


class KernelGibbsSampler(VersionSpaceClassifier):
    """Kernel classifiers sampled from their posterior under label noise.

    A uniform prior on the unit sphere of feature space and labels that were flipped with
    probability q give each classifier the weight ``q^k (1 - q)^(m - k)``, with k its number
    of training errors. Chains of a hit-and-run sampler on great circles draw from this posterior;
    the sample must be separable only if q = 0. Replicas at larger label noises, with which chains
    exchange positions (`n_temperatures`), are rarely worth their cost: see Notes. For q = 0
    prefer `BayesianTransduction` or `BayesPointMachine`, whose billiard gives many times more
    effective samples per second.

    Parameters
    ----------
    kernel : str or callable, default="rbf"
        Name of a kernel in scikit-learn; a function of two points, arrays of
        shape (d,), that returns a number (scikit-learn's SVC gives it
        matrices); or "precomputed": kernel values of the training points
        with one another, (l, l), and of m other points with them, (m, l).
    gamma : {"scale", "auto"} or float, default="scale"
        Kernel coefficient, ``1 / (2 sigma^2)`` for an RBF width sigma.
    degree : int, default=3
        Of the polynomial kernel.
    coef0 : float, default=1.0
        Constant of the polynomial and sigmoid kernels.
    q : float, default=0.05
        Assumed probability that a label was flipped, in [0, 0.5].
    n_samples : int, default=1000
        Samples of each chain.
    n_chains : int, default=4
        Number of chains, each with its own first point; if q = 0 all start at one point.
    burn_in : int, default=5000
        Steps of each chain before its first sample.
    thin : int, default=100
        Steps from sample to sample.
    rank : int or None, default=None
        Largest dimension of the weight vectors' span: that of this many training points, chosen by
        pivoted Cholesky. The Gram matrix is then never formed. Use it for ten thousand points and
        more. None: the span of all points.
    ridge : float, default=0.0
        Added to the diagonal of the Gram matrix.
    n_temperatures : int, default=1
        Replicas of each chain, at label noises from `q` to `hottest_q`. They exchange positions
        every 50 steps, which may free the chain from cells that trap it. Each replica takes
        `burn_in` and `thin` steps. The burn-in places the label noises between, so that all
        neighbours exchange about equally often. 1: no replicas, no exchange.
    hottest_q : float, default=0.3
        Label noise of the last replica, above `q`.
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
    samples_ : GibbsSamples
    ladder_ : ndarray of shape (n_temperatures,)
        Label noises of the replicas.
    exchange_rates_ : ndarray of shape (n_temperatures - 1,)
        Share of attempts at which neighbouring replicas exchanged. Below about 0.2 they hardly
        help: raise `n_temperatures` or lower `hottest_q`.
    points_ : WhitenedPoints
        The training points in orthonormal coordinates, and a subset of them that spans.
    dual_coef_ : ndarray of shape (r,)
        Coefficients of the Bayes point, of unit length, on the training points
        ``points_.pivots``.
    mixing_ : Mixing
        Diagnostics of the training errors and of the outputs at up to 100 training points.
    r_hat_, ess_ : float
        The largest R-hat and the smallest effective sample size among these.

    Raises
    ------
    EmptyVersionSpaceError, IllConditionedError
        If q = 0 and no classifier of the class has zero training error, or rounding hides
        whether one does.
    ValueError
        For a bad parameter or sample.

    Warns
    -----
    ConvergenceWarning
        If R-hat is above 1.01 or an effective sample size below 400.

    Notes
    -----
    At q = 0 the billiard of `BayesianTransduction` and `BayesPointMachine` samples the same law.
    On points in ten dimensions with an RBF kernel it gives 28, 86 and 390 times as many effective
    samples per second for 50, 100 and 200 points, and the factor keeps growing
    (``benchmarks/gibbs.py``). Use this sampler for q > 0.

    Replicas (`n_temperatures`) divide the work of a chain. At equal work they reduced the
    largest sample that mixes on banana, ringnorm and MNIST (``benchmarks/mixing_limit.py``). Use
    them only for small samples with cells that a chain cannot leave.

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

    _parameter_constraints = {
        **VersionSpaceClassifier._parameter_constraints,
        **GIBBS_CONSTRAINTS,
        "rank": [COUNT, None],
        "n_temperatures": [COUNT],
        "hottest_q": GIBBS_CONSTRAINTS["q"],
    }

    def __init__(
        self,
        kernel="rbf",
        *,
        gamma="scale",
        degree=3,
        coef0=1.0,
        q=0.05,
        n_samples=1000,
        n_chains=4,
        burn_in=5000,
        thin=100,
        rank=None,
        ridge=0.0,
        n_temperatures=1,
        hottest_q=0.3,
        n_jobs=1,
        random_state=None,
    ):
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.q = q
        self.n_samples = n_samples
        self.n_chains = n_chains
        self.burn_in = burn_in
        self.thin = thin
        self.rank = rank
        self.ridge = ridge
        self.n_temperatures = n_temperatures
        self.hottest_q = hottest_q
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y):
        """Sample the posterior.

        Parameters
        ----------
        X : array of shape (m, d)
        y : array of shape (m,)
            Two classes or more.

        Returns
        -------
        self : KernelGibbsSampler
        """
        if self._fit_each_class(X, y):
            return self
        self._check_sample(X, y)
        least = 8 if self.n_chains == 1 else 4
        if self.n_samples < least:
            raise ValueError(
                f"n_samples must be at least {least} for the diagnostics, got {self.n_samples}"
            )
        if self.n_temperatures > 1 and not 0.0 < self.q < self.hottest_q:
            raise ValueError(
                f"n_temperatures={self.n_temperatures} needs 0 < q < hottest_q, got q={self.q!r} "
                f"and hottest_q={self.hottest_q!r}: set hottest_q between q and 0.5; for q = 0 use "
                "BayesianTransduction or BayesPointMachine, whose billiard is faster"
            )
        self.points_ = self._whiten()
        self.samples_ = self._run()
        centre = self.samples_.mean
        self.dual_coef_ = self.points_.coefficients(centre / np.linalg.norm(centre))
        self.mixing_ = self._follow()
        self.r_hat_, self.ess_ = self.mixing_.worst_r_hat, self.mixing_.least_ess
        if not self.mixing_.ok:
            self._warn()
        return self

    def _run(self):
        options = {
            "signs": self.signs_,
            "n_chains": self.n_chains,
            "random_state": seed_sequence(self.random_state),
            "n_jobs": self.n_jobs,
        }
        if self.n_temperatures == 1:
            self.ladder_, self.exchange_rates_ = np.array([float(self.q)]), np.empty(0)
            chains = GibbsChains(self.points_, self.q, **options)
            return chains.run(self.n_samples, thin=self.thin, burn_in=self.burn_in)
        ladder = noise_ladder(self.q, self.hottest_q, self.n_temperatures)
        chains = ExchangingChains(self.points_, ladder, **options)
        for _ in range(2):
            chains.tune(self.burn_in // 4)
        samples = chains.run(self.n_samples, thin=self.thin, burn_in=self.burn_in // 2)
        self.ladder_, self.exchange_rates_ = chains.q, chains.exchange_rates
        return samples

    def _warn(self):
        missed = []
        if not self.r_hat_ <= R_HAT:
            missed.append(f"R-hat {self.r_hat_:.4f}, at most {R_HAT} is asked")
        if not self.ess_ >= ESS:
            missed.append(f"effective sample size {self.ess_:.0f}, at least {ESS} is asked")
        # multiply the steps by the shortfall of effective samples, with a safety margin
        thin = int(np.ceil(self.thin * max(2.0, 1.5 * ESS / max(self.ess_, 1.0))))
        warn_caller(
            f"the chains have not mixed: {'; '.join(missed)}. Try thin={thin} and "
            f"burn_in={max(self.burn_in, 50 * thin)}, or a larger q, which mixes faster",
            ConvergenceWarning,
        )

    def _whiten(self):
        if self.rank is None:
            gram = self._gram()
            # a matrix made here may be overwritten by its factor; the user's may not
            return WhitenedPoints.from_gram(gram, overwrite=self.kernel != "precomputed")
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
        X = validate_data(self, X, dtype=np.float64, reset=False)
        if self.kernel == "precomputed":
            return X[:, self.points_.pivots]
        return self._kernel(X, self.X_fit_[self.points_.pivots])

    def _coordinates(self, X):
        check_is_fitted(self)
        return self.points_.transform(self._pivot_kernel(X))

    @column_per_class
    def bayes_point(self, X):
        """Inner product of the Bayes point (5) with each row of `X`, shape (n,).

        For more than two classes (n, n_classes), with the Bayes point of each.
        """
        check_is_fitted(self)
        return self._pivot_kernel(X) @ self.dual_coef_

    @column_per_class
    def decision_function(self, X):
        """Mean vote in [-1, 1], the expectation in (4), shape (n,).

        For more than two classes (n, n_classes), of each against the rest.
        """
        return 2.0 * self.predict_proba(X)[:, 1] - 1.0

    @share_per_class
    def predict_proba(self, X):
        """Votes of the sampled classifiers.

        Parameters
        ----------
        X : array of shape (n, d)

        Returns
        -------
        probability : ndarray of shape (n, n_classes)
            Columns in the order of ``classes_``: posterior probabilities that the noise-free
            classifier gives this label. For more than two classes the probabilities of each
            against the rest, divided by their sum.
        """
        coordinates = self._coordinates(X)
        p = self.samples_.votes(coordinates)
        return np.c_[1.0 - p, p]

    @label_of_highest("decision_function")
    def predict(self, X):
        """Label by majority of the samples, equation (4); a tie goes to ``classes_[1]``.

        For more than two classes, the one with most votes against the rest; a tie goes to the
        first.
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
        options.setdefault("random_state", seed_sequence(self.random_state))
        options.setdefault("n_jobs", self.n_jobs)
        return estimate_evidence(
            self.points_, self.q if q is None else q, signs=self.signs_, **options
        )
