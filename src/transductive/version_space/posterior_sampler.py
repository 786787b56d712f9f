"""Base of the estimators that sample the posterior under label noise: samplers, diagnostics."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import check_is_fitted

from ..caller_warning import warn_caller
from ..kernel_estimator import COUNT, COUNT_OR_ZERO
from ..one_vs_rest import column_per_class
from .flight_plan import SOUND_BUDGET, SOUND_BURN_IN, SOUND_TOL, fly_until_known
from .gibbs import GibbsChains, joint_votes
from .mixing import ESS, R_HAT, mixing
from .refracting_billiard import FlightSamples, RefractingBilliard
from .version_space_classifier import VersionSpaceClassifier, seed_sequence
from .whitening import WhitenedPoints

__all__ = ["PosteriorSampler", "joint_flips"]

# number of points whose outputs the diagnostics follow
N_FOLLOWED = 100
# Defaults of the hit-and-run sampler.
SOUND_STEPS, SOUND_THIN = 5000, 100


def joint_flips(posteriors):
    """Probability, for each training point, that another class has the highest output."""
    own = np.array([one.signs_ > 0 for one in posteriors]).T
    if "samples_" not in vars(posteriors[0]):
        # version space was sampled, where all labels are right
        return np.zeros(len(own))
    votes = joint_votes(
        [one.samples_ for one in posteriors], [one.points_.coordinates for one in posteriors]
    )
    return 1.0 - votes[own]


class PosteriorSampler(VersionSpaceClassifier):
    """Samples of classifiers from their posterior; `KernelGibbsSampler` has the reference."""

    _row_per_class, _column_per_class = ("dual_coef_",), ("q_",)
    _parameter_constraints = {
        **VersionSpaceClassifier._parameter_constraints,
        "sampler": [StrOptions({"hit_and_run", "billiard"})],
        "n_samples": [COUNT],
        "burn_in": [COUNT_OR_ZERO, StrOptions({"auto"})],
        "thin": [COUNT, StrOptions({"auto"})],
    }

    def __init__(
        self,
        kernel="rbf",
        *,
        gamma="loo",
        degree=3,
        coef0=0.0,
        sampler="billiard",
        q="infer",
        n_samples=1000,
        n_chains=4,
        burn_in="auto",
        thin="auto",
        tol=SOUND_TOL,
        n_bounces=SOUND_BUDGET,
        n_jobs=None,
        random_state=None,
    ):
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.sampler = sampler
        self.q = q
        self.n_samples = n_samples
        self.n_chains = n_chains
        self.burn_in = burn_in
        self.thin = thin
        self.tol = tol
        self.n_bounces = n_bounces
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y):
        """Sample the posterior.

        Parameters
        ----------
        X : array of shape (l, d)
            Numbers on comparable scales, none missing.
        y : array of shape (l,)
            Two classes or more.

        Returns
        -------
        self : object
        """
        self._validate_params()
        if not self._fit_each_class(X, y):
            self._sample(X, y)
        self._warn_of_chance()
        return self

    def _sample(self, X, y, X_working=None):
        """`fit` for two classes; with working points the billiard flies until p+ is known there."""
        self._check_sample(X, y)
        self._check_sampler()
        flies, gram = self.sampler == "billiard", self._gram()
        # the factor may overwrite a matrix made here, but not the user's, and not one whose rows
        # the billiard needs
        self.points_ = WhitenedPoints.from_gram(
            gram, overwrite=self.kernel != "precomputed" and not flies
        )
        if flies:
            self._fly(gram, X_working)
        else:
            self.samples_ = self._walk()
            self.mixing_ = self._follow()
            self.q_ = float(self.q)
        centre = self.samples_.mean
        self.dual_coef_ = np.zeros(self.n_train_)
        self.dual_coef_[self.points_.pivots] = self.points_.coefficients(
            centre / np.linalg.norm(centre)
        )
        self.r_hat_, self.ess_ = self.mixing_.worst_r_hat, self.mixing_.least_ess
        if flies and self.missing_:
            self._warn_of_missing()
        elif not flies and not self.mixing_.ok:
            self._warn_of_mixing()
        return self

    def _check_sampler(self):
        least = 8 if self.n_chains == 1 else 4
        if self.n_samples < least:
            raise ValueError(
                f"n_samples must be at least {least} for the diagnostics, got {self.n_samples}"
            )
        if self._infers and self.sampler == "hit_and_run":
            raise ValueError("the hit-and-run sampler needs a number for q: set sampler='billiard'")

    def _fly(self, gram, X_working):
        points = self.points_
        billiard = RefractingBilliard(
            points,
            self.q,
            signs=self.signs_,
            gram=gram,
            n_chains=self.n_chains,
            random_state=seed_sequence(self.random_state),
            n_jobs=self.n_jobs,
        )
        if X_working is None:
            probes = points.coordinates[:: -(-self.n_train_ // N_FOLLOWED)]
        else:
            probes = self._coordinates_of(X_working)
        self.samples_, report = fly_until_known(
            billiard,
            probes,
            self.tol,
            n_samples=self.n_samples,
            thin=1 if self.thin == "auto" else self.thin,
            burn_in=SOUND_BURN_IN if self.burn_in == "auto" else self.burn_in,
            max_events=self.n_bounces,
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

    def _follow(self):
        step = -(-len(self.signs_) // N_FOLLOWED)
        outputs = self.samples_.outputs(self.points_.coordinates[::step])
        return mixing(np.concatenate([self.samples_.errors[:, :, None], outputs], axis=2))

    @cached_property
    def flip_proba_(self):
        """Posterior probability, for each training point, that its label is wrong."""
        check_is_fitted(self)
        if "estimators_" in vars(self):
            return joint_flips(self.estimators_)
        if isinstance(self.samples_, FlightSamples):
            return self.samples_.wrong.mean(axis=0)
        p = self.samples_.votes(self.points_.coordinates)
        return np.where(self.signs_ > 0, 1.0 - p, p)

    def _warn_of_mixing(self):
        missed = []
        if not self.r_hat_ <= R_HAT:
            missed.append(f"R-hat is {self.r_hat_:.4f}, above {R_HAT}")
        if not self.ess_ >= ESS:
            missed.append(f"the effective sample size is {self.ess_:.0f}, below {ESS}")
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
            f"each chain has spent its n_bounces={self.n_bounces}: {'; '.join(self.missing_)}. "
            "Scale the features if their units differ, and centre them for a linear or polynomial "
            "kernel; otherwise raise n_bounces, or use a narrower kernel, whose posterior mixes "
            "faster",
            ConvergenceWarning,
        )

    def _coordinates(self, X):
        check_is_fitted(self)
        return self._coordinates_of(self._check_new(X))

    def _coordinates_of(self, X):
        """Coordinates of the rows of `X`, which were checked."""
        pivots = self.points_.pivots
        values = (
            X[:, pivots] if self.kernel == "precomputed" else self._kernel(X, self.X_fit_[pivots])
        )
        return self.points_.transform(values)

    @column_per_class
    def bayes_point(self, X):
        """Inner product of the Bayes point (5) with each row of `X`.

        Parameters
        ----------
        X : array of shape (m, d)

        Returns
        -------
        values : ndarray of shape (m,), or (m, n_classes) for more than two classes
        """
        check_is_fitted(self)
        return self._kernel(self._check_new(X), self.X_fit_) @ self.dual_coef_
