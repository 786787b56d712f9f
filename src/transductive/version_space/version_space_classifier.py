"""Base of the estimators over version space: labels, kernels, checks."""

from __future__ import annotations

from numbers import Real

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from ..caller_warning import warn_caller
from ..kernel_estimator import (
    COUNT,
    JOBS,
    LOOKED_AT_ROWS,
    POSITIVE,
    RANDOM_STATE,
    KernelEstimator,
    two_classes,
)
from ..kernel_width import gamma_by_loo, gammas_around
from ..kernels import KERNELS, check_gram, gram_matrix
from ..one_vs_rest import OneVsRestMixin
from .billiard import SOUND_REFRESH, KernelBilliard
from .flight_plan import fly_inside_until_known, midpoints

__all__ = ["VersionSpaceClassifier", "seed_sequence"]

# Warn if the share of labels judged wrong exceeds this fraction of the share for random labels.
NEARLY_CHANCE = 0.7


class VersionSpaceClassifier(OneVsRestMixin, KernelEstimator):
    """Classifier ``sign <w, phi(x)>`` with w in a span of feature vectors, one for each class.

    Subclasses have the parameters ``kernel, gamma, degree, coef0, q, n_bounces, tol, n_chains,
    n_jobs, random_state`` and call `_check_sample` in ``fit``.
    """

    #: Added to the diagonal of the Gram matrix; a parameter of `BayesianTransduction` alone.
    ridge = 0.0
    _same_for_all = ("gamma_",)

    _parameter_constraints = {
        **KernelEstimator._parameter_constraints,
        "gamma": [StrOptions({"loo", "scale", "auto"}), POSITIVE],
        "q": [Interval(Real, 0, 0.5, closed="both"), StrOptions({"infer"}), tuple, list],
        "n_bounces": [COUNT],
        "tol": [POSITIVE],
        "n_chains": [COUNT],
        "n_jobs": JOBS,
        "random_state": RANDOM_STATE,
    }

    @property
    def _infers(self):
        """Whether the label noise is unknown."""
        return not isinstance(self.q, Real)

    def _class_parameters(self, X, y, others):
        seeds = seed_sequence(self.random_state).spawn(len(self.classes_))
        # one width for all classes
        signs = np.where(y[:, None] == self.classes_, 1.0, -1.0)
        gamma = self._shared_gamma(X, signs, others)
        return [{"random_state": seed, "gamma": gamma} for seed in seeds]

    def _shared_gamma(self, X, signs, others):
        chosen = self.gamma == "loo" and self.kernel != "precomputed"
        return self._chosen_gamma(X, signs) if chosen else self.gamma

    def _gammas(self, X):
        """Candidate kernel coefficients: several for "loo", if the kernel has one."""
        gamma = self._resolve_gamma(X)
        named = isinstance(self.kernel, str) and "gamma" in KERNELS[self.kernel]
        # with fewer than three points there is no leave-one-out error
        several = self.gamma == "loo" and named and len(X) >= 3
        return gammas_around(gamma) if several else [gamma]

    def _chosen_gamma(self, X, signs):
        gammas = self._gammas(X)
        if len(gammas) == 1:
            return gammas[0]

        def gram(X, gamma):
            gram = gram_matrix(
                X, kernel=self.kernel, gamma=gamma, degree=self.degree, coef0=self.coef0
            )
            if self.ridge > 0:
                gram[np.diag_indices_from(gram)] += self.ridge
            return gram

        return gamma_by_loo(X, signs, gram, self._resolve_gamma(X))

    def _warn_of_chance(self):
        """Warn if about as many labels are judged wrong as of random labels."""
        if self._is_part or not self._infers or len(self.flip_proba_) < LOOKED_AT_ROWS:
            return
        wrong, k = self.flip_proba_.mean(), len(self.classes_)
        if wrong > NEARLY_CHANCE * (k - 1) / k:
            remedy = (
                "Compute another kernel from scaled features, or only from those that may matter"
                if self.kernel == "precomputed"
                else "Scale the features, drop those that cannot matter, or change the kernel or "
                "its gamma"
            )
            warn_caller(
                f"{100 * wrong:.0f} % of the labels are judged wrong, and of random labels "
                f"{100 * (k - 1) / k:.0f} % would be: under this kernel the features hardly "
                f"predict the labels. {remedy}",
                UserWarning,
            )

    def _choose_kernel(self, X, signs, X_working):
        """Set ``gamma_``; return the Gram matrix of all points if the kernel is deformed."""
        self.gamma_ = self._chosen_gamma(X, signs)

    def _check_sample(self, X, y, X_working=None):
        """Check the sample; sets ``classes_``, ``signs_``, ``n_train_``, ``X_fit_``, ``gamma_``.

        ``signs_`` are the labels as -1 and +1. If working points deform the kernel, ``X_fit_`` has
        its values, and those of all points are returned.
        """
        self._validate_params()
        X, y = self._check_labelled(X, y)
        self.classes_, signs = two_classes(y, self)
        given = self._choose_kernel(X, signs, X_working)
        self.signs_ = signs
        self.n_train_ = n = len(X)
        self.X_fit_ = X if given is None else np.ascontiguousarray(given[:n, :n])
        return given

    def _gram(self):
        """Gram matrix of the training points, a ridge on its diagonal."""
        gram = self._kernel(self.X_fit_, self.X_fit_)
        if self.kernel == "precomputed":
            check_gram(gram, "the precomputed kernel matrix")
        if self.ridge > 0:
            if gram is self.X_fit_:
                gram = gram.copy()
            gram[np.diag_indices_from(gram)] += self.ridge
        return gram

    def _signed_gram(self):
        """The label-signed Gram matrix of the sample that was checked."""
        gram = self._gram()
        if gram is self.X_fit_:
            gram = gram.copy()
        gram *= self.signs_
        gram *= self.signs_[:, None]
        return gram

    def _fly_inside(self, gram, cross=None):
        """Flight times at points, by default midpoints, in version space; sets the results."""
        self.billiard_ = KernelBilliard(
            gram,
            refresh=SOUND_REFRESH,
            n_chains=self.n_chains,
            n_jobs=self.n_jobs,
            random_state=seed_sequence(self.random_state),
        )
        probes = midpoints(gram, self.signs_) if cross is None else cross
        self.trajectory_, times, self.proba_error_ = fly_inside_until_known(
            self.billiard_, probes, self.tol, self.n_bounces
        )
        self.q_, self.flip_proba_ = 0.0, np.zeros(self.n_train_)
        if not self.proba_error_ <= self.tol:
            warn_caller(
                f"the standard error of p+ is {self.proba_error_:.2g}, above tol={self.tol:.2g}, "
                f"after n_bounces={self.n_bounces} of {self.n_chains} chains: raise n_bounces or "
                "tol",
                ConvergenceWarning,
            )
        return times

    def _cross(self, X, name=None):
        """Inner products of the label-signed training points with the rows of `X`, shape (l, m).

        Pass a `name`, for use in messages, if `X` is part of the sample being fitted.
        """
        if name is None:
            check_is_fitted(self)
            X = self._check_new(X)
        else:
            X = self._check_others(name, X)
        return self._signed(self._kernel(self._rows(X), self.X_fit_))

    def _signed(self, rows):
        return np.ascontiguousarray(rows.T * self.signs_[:, None])

    def _rows(self, X):
        """The points `X`, or the values of a deformed kernel with the sample."""
        return X if self._deformed is None else self._deformed.rows(X, slice(self.n_train_))

    def _label(self, positive):
        return self.classes_[np.asarray(positive, dtype=int)]


def seed_sequence(random_state):
    """A SeedSequence from anything that scikit-learn accepts as random_state."""
    if isinstance(random_state, np.random.Generator):
        return np.random.SeedSequence(random_state.integers(2**63))
    if isinstance(random_state, np.random.SeedSequence):
        # a new one: spawning from the given one would change the next fit
        return np.random.SeedSequence(random_state.entropy, spawn_key=random_state.spawn_key)
    if random_state is None or isinstance(random_state, int | np.integer):
        return np.random.SeedSequence(random_state)
    return np.random.SeedSequence(check_random_state(random_state).randint(2**31 - 1))
