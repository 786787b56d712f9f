"""Training sets on the sphere with flipped labels; Bayes point machine and soft-margin SVM on them.

Graepel and Herbrich (2000), section 5, second experiment. Assumed label noise q and slack penalty
lambda share their values, as they share the abscissa of figure 4; at 0 neither method
assumes noise.
"""

import numpy as np

from transductive._exact.arrangement import Arrangement
from transductive.version_space import EmptyVersionSpaceError, FeatureSpan, IllConditionedError
from transductive.version_space.start import max_margin_point

from ...datasets.generators import flip_labels, points_on_sphere
from ...runner import Parameter
from .chains import single_chain
from .sphere_points import JITTER

N_SETS = {"smoke": 3, "paper": 100, "full": 1000}
N_TRAIN, N_TEST = 100, 1000
CHAIN = {
    "n_samples": Parameter(100, int, "samples of the chain", minimum=1),
    "thin": Parameter(10, int, "steps from sample to sample", minimum=1),
    "burn_in": Parameter(100, int, "steps before the first", minimum=0),
}


class FlippedSphere:
    """One training and test set: points, labels as flipped, labels as the teacher gave them."""

    def __init__(self, interpretation, flip_rate, rng):
        points, teacher = points_on_sphere(N_TRAIN + N_TEST, rng, interpretation)
        truth = np.where(points @ teacher > 0, 1, -1)
        labels = flip_labels(truth, flip_rate, rng)
        self.X, self.y = points[:N_TRAIN], labels[:N_TRAIN]
        self.X_test, self.y_test, self.truth_test = (a[N_TRAIN:] for a in (points, labels, truth))
        self.positive = float(np.mean(truth > 0))

    def errors(self, w):
        """Test error of a weight vector on the flipped and on the true labels; NaN for None."""
        if w is None:
            return np.nan, np.nan
        predicted = np.where(self.X_test @ w > 0, 1, -1)
        return (
            float(np.mean(predicted != self.y_test)),
            float(np.mean(predicted != self.truth_test)),
        )

    def bayes_point(self, q, params, rng):
        """Mean of one chain's samples."""
        chain = single_chain(self.X, q, rng, signs=self.y)
        return chain.run(params["n_samples"], thin=params["thin"], burn_in=params["burn_in"]).mean

    def arrangement(self, rng):
        """The exact posterior, of points moved into general position."""
        moved = self.X + JITTER * rng.standard_normal(self.X.shape)
        return Arrangement(self.y[:, None] * moved)

    def soft_margin(self, penalty):
        """SVM without bias, ``min |w|^2 + sum(slack^2) / penalty``; None if it resolves no margin.

        It is the hard margin with ``k(x, x') = <x, x'> + penalty 1[x = x']``.
        """
        signed = self.y[:, None] * self.X
        gram = signed @ signed.T + penalty * np.eye(len(signed))
        try:
            return signed.T @ max_margin_point(FeatureSpan(gram), len(signed))
        except (EmptyVersionSpaceError, IllConditionedError):
            return None
