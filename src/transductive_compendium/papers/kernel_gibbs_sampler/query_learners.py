"""The learners that query labels: samples of the posterior, and a soft-margin SVM."""

import numpy as np
from scipy.special import stdtr
from sklearn.base import BaseEstimator, ClassifierMixin

from transductive.version_space import FeatureSpan, GibbsChains, WhitenedPoints
from transductive.version_space.start import max_margin_point

#: Problem -> rate of flipped labels, where there are any.
PROBLEMS = {"uniform": 0.05, "beta": 0.05, "heart": 0.1, "thyroid": 0.1}
N_TEST = 1000


def error_rate(outputs, truth):
    """Share of wrong signs."""
    return float(np.mean((outputs >= 0) != (truth > 0)))


class _Pairwise(ClassifierMixin, BaseEstimator):
    """Classifier of precomputed kernel values, without a bias."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = True
        return tags


class Committee(_Pairwise):
    """Samples of the posterior, every r-th step of four chains of dimension r.

    `KernelGibbsSampler` without its diagnostics, which would take longer than the chains; its
    decision function is that of the Bayes point. Points have unit length in feature space.

    With `whole_space` the prior is uniform on the unit sphere of the whole feature space, instead
    of the span of the labelled points as in the paper's expansion (1). This changes neither the
    posterior of directions in the span nor the Bayes point. It changes votes on points outside:
    for x = s + z, with s in the span and z orthogonal to it, the output is
    ``|g| <w, s> + |z| t`` for w in the span, g normal in r dimensions and t in one. Its sign is
    positive with Student's probability.
    """

    def __init__(self, q, n_samples=200, seed=0, whole_space=False):
        self.q = q
        self.n_samples = n_samples
        self.seed = seed
        self.whole_space = whole_space

    def fit(self, K, y):
        """Sample the posterior; K is the kernel matrix (n, n), y the labels -1 and +1."""
        self.points_ = WhitenedPoints.from_gram(K)
        r = self.points_.rank
        chains = GibbsChains(self.points_, self.q, signs=y, random_state=self.seed)
        self.samples_ = chains.run(self.n_samples, thin=r, burn_in=50 * r)
        return self

    def _coordinates(self, cross):
        return self.points_.transform(cross[:, self.points_.pivots])

    def predict_proba(self, cross):
        """Shares of votes for -1 and +1, shape (m, 2), from kernel values `cross` (m, n)."""
        coordinates = self._coordinates(cross)
        if self.whole_space:
            outside = np.sqrt(np.maximum(1.0 - np.sum(coordinates**2, axis=1), 1e-12))
            r = self.points_.rank
            # smooth probabilities need fewer samples
            outputs = self.samples_.outputs(coordinates)[:, :: max(1, self.n_samples // 50)]
            p = stdtr(r, np.sqrt(r) * outputs / outside).mean(axis=(0, 1))
        else:
            p = self.samples_.votes(coordinates)
        return np.column_stack([1.0 - p, p])

    def decision_function(self, cross):
        """Output of the Bayes point, shape (m,), from kernel values `cross` (m, n)."""
        mean = self.samples_.mean
        return self._coordinates(cross) @ (mean / np.linalg.norm(mean))


class SoftMargin(_Pairwise):
    """Quadratic soft-margin SVM of section 5, ``k + ridge 1[x = x']``."""

    def __init__(self, ridge):
        self.ridge = ridge

    def fit(self, K, y):
        """Fit the SVM; K is the kernel matrix (n, n), y the labels -1 and +1."""
        gram = (K + self.ridge * np.eye(len(K))) * np.outer(y, y)
        self.dual_coef_ = y * max_margin_point(FeatureSpan(gram), len(K))
        return self

    def decision_function(self, cross):
        """Output of the SVM, shape (m,), from kernel values `cross` (m, n)."""
        return cross @ self.dual_coef_
