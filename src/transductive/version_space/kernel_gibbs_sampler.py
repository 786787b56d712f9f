"""The kernel Gibbs sampler as a classifier: vote, Bayes point, entropy."""

from __future__ import annotations

import numpy as np
from scipy.special import entr

from ..one_vs_rest import label_of_highest
from .gibbs import joint_votes
from .posterior_sampler import PosteriorSampler

__all__ = ["KernelGibbsSampler"]


class KernelGibbsSampler(PosteriorSampler):
    """Kernel classifiers sampled from their posterior under label noise, and their vote.

    The prior is uniform on the unit sphere of feature space. Labels are flipped with probability
    q, so that a classifier with k training errors has the weight ``q^k (1 - q)^(l - k)``. Two
    samplers draw from this posterior: a billiard whose walls cost energy (`RefractingBilliard`),
    and the hit-and-run sampler of the paper, on great circles. Probabilities are those of clean
    labels.

    Parameters
    ----------
    kernel : str or callable, default="rbf"
        Name of a kernel in scikit-learn; a function of two matrices, ``kernel(X, Y)``, as for SVC;
        or "precomputed": kernel values of the training points with one another, (l, l), and of m
        other points with them, (m, l).
    gamma : {"loo", "scale", "auto"} or float, default="loo"
        Kernel coefficient, ``1 / (2 sigma^2)`` for an RBF width sigma. "loo": the widest of a third
        to nine times "scale" whose leave-one-out error on the labels (at most 500 of them) is
        within one standard error of the least.
    degree, coef0 : int, default=3, and float, default=0.0
    sampler : {"billiard", "hit_and_run"}, default="billiard"
        Flights through walls, or steps 1 to 9 of the paper, which need a number for `q`.
    q : float, "infer" or pair of float, default="infer"
        Probability that a label is wrong, in [0, 0.5]. "infer": unknown, with the Beta prior
        (1, 9), cut at 1/2; a pair: unknown, its a and b.
    n_samples : int, default=1000
        Samples of each chain. The billiard begins with 250.
    n_chains : int, default=4
    burn_in, thin : int or "auto", default="auto"
        Steps before the first sample and from sample to sample. "auto": 5000 and 100 steps, or
        100 flights and 1.
    tol : float, default=0.02
        The billiard flies until the standard error of p+ is at most this at (up to 100 of) the
        training points, R-hat at most 1.01 and the effective sample size at least 400.
    n_bounces : int, default=1_000_000
        Budget of the billiard: walls that a chain may meet before its last round of flights.
    n_jobs : int, default=None
        Threads for classes and chains; the results do not depend on it.
    random_state : int, Generator, RandomState or None, default=None

    Attributes
    ----------
    classes_, estimators_ : ndarray of shape (n_classes,), list of KernelGibbsSampler
        For more than two classes one for each against the rest, each with all attributes.
    samples_ : FlightSamples or GibbsSamples
        Draws: ``positions`` in the coordinates of `points_`, training ``errors``, and of the
        billiard ``noise``, draws of q.
    q_ : float, or ndarray of shape (n_classes,) for more than two classes
        `q`, or its posterior mean.
    flip_proba_ : ndarray of shape (l,)
        Probability that each training label is wrong.
    dual_coef_ : ndarray of shape (l,), or (n_classes, l) for more than two classes
        Coefficients of the Bayes point, of unit length, on the training points.
    points_ : WhitenedPoints
        The training points in orthonormal coordinates.
    mixing_ : Mixing
        Diagnostics; `r_hat_` and `ess_` are the worst of them.
    probe_proba_, probe_errors_, proba_error_, missing_, n_bounces_, diagnostics_
        Of the billiard: p+ where it is diagnosed, the standard errors and their maximum, unmet
        conditions, walls met, R-hat and effective sample sizes by name.

    Raises
    ------
    EmptyVersionSpaceError, IllConditionedError
        If q = 0 and no classifier has zero training error, or if rounding hides whether one does;
        `IllConditionedError` also if the posterior is too thin for `n_bounces`.
    NotPositiveSemidefiniteError, ValueError

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
    >>> KernelGibbsSampler(gamma=0.1, q=0.1, random_state=0).fit(X, y).predict([[0.5], [4.5]])
    array([-1,  1])
    """

    def decision_function(self, X):
        """Mean vote in [-1, 1], the expectation in (4), shape (m,).

        For more than two classes (m, n_classes): twice the probability of each, minus 1.
        """
        votes = 2.0 * self.predict_proba(X) - 1.0
        return votes if "estimators_" in vars(self) else votes[:, 1]

    def predict_proba(self, X):
        """Votes of the sampled classifiers.

        Parameters
        ----------
        X : array of shape (m, d)

        Returns
        -------
        probability : ndarray of shape (m, n_classes)
            Columns in the order of ``classes_``. For more than two classes the share of draws, of a
            classifier of each class against the rest, in which the class has the highest output.
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

    def entropy(self, X):
        """Entropy of the vote in bits, shape (m,): the expected information in a label.

        The paper's S(x, z), with the minus sign that the paper omits; see `active_learning`.
        """
        return entr(self.predict_proba(X)).sum(axis=1) / np.log(2.0)
