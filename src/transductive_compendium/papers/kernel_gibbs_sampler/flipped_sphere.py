"""Training sets on the sphere with flipped labels; Bayes point machine and soft-margin SVM on them.

Graepel and Herbrich (2001), section 5, second experiment. Assumed label noise q and slack penalty
lambda share their values, as they share the abscissa of figure 4; at 0 neither method
assumes noise.
"""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from transductive.version_space import (
    EmptyVersionSpaceError,
    FeatureSpan,
    IllConditionedError,
    WhitenedPoints,
)
from transductive.version_space.start import max_margin_point

from ...datasets.generators import flip_labels, points_on_sphere
from ...exact.arrangement import Arrangement
from ...runner import Parameter
from .first_states import SAMPLES, bayes_point, starts_at_svm, states
from .sphere_points import JITTER

FLIP_RATE = 0.05
N_SETS = {"smoke": 3, "paper": 1000, "full": 1000}
N_TRAIN, N_TEST = 100, 1000
CHAIN = {"n_samples": Parameter(100, int, "samples of the chain", minimum=1), **SAMPLES}
#: Whether the SVM has a threshold, by option of "bias".
WITH_THRESHOLD = {"without": False, "with": True}
#: Lambda of any size.
DECADES = tuple(10.0**k for k in range(-4, 5))


def flip_share(y, rate, rng):
    """Flip a share of the labels, the same number whatever the draw."""
    return np.where(rng.permutation(len(y)) < round(rate * len(y)), -y, y)


#: How labels are flipped, by option of "flips".
FLIPS = {"each": flip_labels, "exact": flip_share}


def soft_margin_dual(X, y, penalty):
    """Coefficients of the quadratic soft-margin SVM on the label-signed points."""
    signed = y[:, None] * X
    return max_margin_point(FeatureSpan(signed @ signed.T + penalty * np.eye(len(y))), len(y))


class FlippedSphere:
    """One training and test set: points, flipped labels, and the teacher's labels."""

    def __init__(self, angles, flip_rate, rng, flips="each"):
        points, teacher = points_on_sphere(N_TRAIN + N_TEST, rng, angles)
        truth = np.where(points @ teacher > 0, 1, -1)
        parts = np.split(truth, [N_TRAIN])
        labels = np.concatenate([FLIPS[flips](part, flip_rate, rng) for part in parts])
        self.X, self.y = points[:N_TRAIN], labels[:N_TRAIN]
        self.X_test, self.y_test, self.truth_test = (a[N_TRAIN:] for a in (points, labels, truth))
        self.truth = truth[:N_TRAIN]

    def decisions(self, w, threshold=0.0):
        """Labels that a weight vector gives to the test points."""
        return np.where(self.X_test @ w + threshold > 0, 1, -1)

    def errors(self, w, threshold=0.0):
        """Test error of a weight vector on the flipped and on the true labels; NaN for None."""
        if w is None:
            return np.nan, np.nan
        predicted = self.decisions(w, threshold)
        return (
            float(np.mean(predicted != self.y_test)),
            float(np.mean(predicted != self.truth_test)),
        )

    def samples(self, q, params, rng):
        """States of one chain, shape (n, 3)."""
        svm = self.soft_margin(q) if starts_at_svm(q, params) else None
        return states(self.X, self.y, q, params["n_samples"], rng, params, svm)

    def bayes_point(self, q, params, rng):
        """Direction of the mean of one chain's samples."""
        return bayes_point(self.samples(q, params, rng))

    def penalised_bayes_point(self, q, params, rng):
        """The same in the feature space of ``k + q 1[x = x']``: its effect on test points."""
        points = WhitenedPoints.from_gram(self.X @ self.X.T + q * np.eye(N_TRAIN))
        svm = None
        if starts_at_svm(q, params) and (dual := self.soft_margin_dual(q)) is not None:
            svm = points.coordinates.T @ (self.y * dual)
        mean = bayes_point(states(points, self.y, q, params["n_samples"], rng, params, svm))
        return self.X.T[:, points.pivots] @ points.coefficients(mean)

    def arrangement(self, rng):
        """The exact posterior, of points moved into general position."""
        moved = self.X + JITTER * rng.standard_normal(self.X.shape)
        return Arrangement(self.y[:, None] * moved)

    def soft_margin(self, penalty):
        """SVM without bias, ``min |w|^2 + sum(slack^2) / penalty``; None if it resolves no margin.

        It is the hard margin with ``k(x, x') = <x, x'> + penalty 1[x = x']``.
        """
        dual = self.soft_margin_dual(penalty)
        return None if dual is None else (self.y[:, None] * self.X).T @ dual

    def soft_margin_dual(self, penalty):
        """The same by the coefficients of the label-signed points."""
        try:
            return soft_margin_dual(self.X, self.y, penalty)
        except (EmptyVersionSpaceError, IllConditionedError):
            return None

    def svm(self, penalty, params):
        """The SVM and its threshold, which is 0 unless ``bias`` is ``"with"``."""
        if not WITH_THRESHOLD[params["bias"]] or abs(self.y.sum()) == N_TRAIN:
            return self.soft_margin(penalty), 0.0
        gram = self.X @ self.X.T + penalty * np.eye(N_TRAIN)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            hard = SVC(kernel="precomputed", C=1e10, max_iter=200_000).fit(gram, self.y)
        return hard.dual_coef_[0] @ self.X[hard.support_], float(hard.intercept_[0])


def angle_between(a, b):
    """Angle of two vectors."""
    cosine = a @ b / (np.linalg.norm(a) * np.linalg.norm(b))
    return float(np.arccos(np.clip(cosine, -1.0, 1.0)))
