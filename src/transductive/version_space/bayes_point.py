"""Bayes point machine: the centre of mass of the posterior."""

from __future__ import annotations

from ..one_vs_rest import label_of_highest
from .posterior_sampler import PosteriorSampler

__all__ = ["BayesPointMachine"]


class BayesPointMachine(PosteriorSampler):
    """Kernel perceptron at the centre of mass of the posterior under label noise.

    It is the single function that best approximates the vote of all functions, which is Bayesian
    transduction. It has no ``predict_proba``: for probabilities use `BayesianTransduction`.

    Parameters
    ----------
    kernel, gamma, degree, coef0, sampler, q, n_samples, n_chains, burn_in, thin, tol, n_bounces, \
n_jobs, random_state
        See `KernelGibbsSampler`. With ``q=0`` all labels are trusted; the billiard is that of
        `BayesianTransduction`, with the same `tol`, and draws no samples.

    Attributes
    ----------
    dual_coef_ : ndarray of shape (l,), or (n_classes, l) for more than two classes
        Coefficients of the Bayes point, of unit length, on the training points.
    classes_, estimators_, q_, flip_proba_, samples_, points_, mixing_ and others
        See `KernelGibbsSampler`; with ``q=0`` `trajectory_` and `proba_error_` instead of samples.

    Raises
    ------
    EmptyVersionSpaceError, IllConditionedError, NotPositiveSemidefiniteError, ValueError
        See `KernelGibbsSampler`.

    References
    ----------
    Graepel, Herbrich, "The Kernel Gibbs Sampler", NIPS 13 (2001), equation (5). Graepel, Herbrich,
    Obermayer, "Bayesian Transduction", NIPS 12 (2000), end of section 3.2. Herbrich, Graepel,
    Campbell, "Bayes Point Machines", JMLR 1 (2001).

    Examples
    --------
    >>> from transductive import BayesPointMachine
    >>> X, y = [[0.0], [1.0], [4.0], [5.0]], ["low", "low", "high", "high"]
    >>> print(BayesPointMachine(gamma=0.5, q=0, random_state=0).fit(X, y).predict([[0.5], [4.5]]))
    ['low' 'high']
    """

    def _sample(self, X, y):
        if self.q != 0 or self.sampler != "billiard":
            return super()._sample(X, y)
        self._check_sample(X, y)
        self._fly_inside(self._signed_gram())
        centre = self.trajectory_.centre_of_mass()
        self.dual_coef_ = self.signs_ * centre / self.billiard_.span.norm(centre)
        return self

    def decision_function(self, X):
        """Inner product of the Bayes point with each row of `X`, shape (m,).

        For more than two classes the shape is (m, n_classes): one Bayes point per class.
        """
        return self.bayes_point(X)

    @label_of_highest("decision_function")
    def predict(self, X):
        """Label of each row of `X`; zero goes to ``classes_[1]``.

        For more than two classes, the class with the highest value.
        """
        return self._label(self.decision_function(X) >= 0)
