"""How diverse sampled classifiers are, by assumed label noise.

Graepel and Herbrich (2001), section 5 and figure 3. The 76 points of the paper are not published;
each unit generates a substitute.
"""

import numpy as np

from transductive.kernels import gram_matrix
from transductive.version_space import FeatureSpan, WhitenedPoints
from transductive.version_space.active_learning import binary_entropy
from transductive.version_space.mixing import mixing
from transductive.version_space.start import max_margin_point
from transductive.version_space.whitening import IN_SPAN_TOL

from ...runner import crossed, experiment
from ...runner.companions import options
from .first_states import SAMPLES, starts_at_svm, states
from .surrogates import N_POINTS, substitute

N_SAMPLES = 50
GAMMA = 0.5  # exp(-|x - x'|^2 / 2)


def fifty_states(X, y, q, rng, params):
    """Points in coordinates of their span, and 50 states of one chain there."""
    points = WhitenedPoints.from_gram(gram_matrix(X, gamma=GAMMA), tol=IN_SPAN_TOL)
    svm = _svm(points, y) if starts_at_svm(q, params) else None
    return points, states(points, y, q, N_SAMPLES, rng, params, svm)


def _svm(points, y):
    signed = y[:, None] * points.coordinates
    return signed.T @ max_margin_point(FeatureSpan(signed @ signed.T), len(y))


@experiment(
    "kernel_gibbs_sampler/diversity",
    version=2,
    page="figure_3",
    title="Disagreement and entropy of fifty sampled classifiers by assumed label noise",
    parameters=SAMPLES,
    open_choices=("surrogate", "samples", "start", "direction", "q_zero"),
    units=crossed(draw={"smoke": 1, "paper": 200, "full": 200}, q=(0.0, 0.05, 0.1, 0.2, 0.3)),
    agreement=dict.fromkeys(
        (
            *("disagreement_training", "disagreement_plane", "entropy_training", "entropy_plane"),
            *("training_error", "test_error", "r_hat", "ess"),
        ),
        "chaotic",
    ),
)
def disagreement_and_entropy(key, params, data, rng):
    """One row: how the fifty classifiers differ on training points and plane, and their errors."""
    # every q sees the same points
    data_rng = np.random.default_rng([3, key["draw"]])
    X, y = substitute(params["surrogate"], N_POINTS, data_rng, 1000)
    (X, X_test), (y, y_test) = np.split(X, [N_POINTS]), np.split(y, [N_POINTS])
    corner, opposite = X.min(axis=0), X.max(axis=0)
    axes = (np.linspace(a, b, 30) for a, b in zip(corner, opposite, strict=True))
    plane = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
    points, found = fifty_states(X, y, key["q"], rng, params)
    outputs = found @ points.coordinates.T

    def share(new):
        cross = gram_matrix(new, X[points.pivots], gamma=GAMMA)
        return (points.transform(cross) @ found.T > 0).mean(axis=1)

    row = {}
    for where, p in (("training", (outputs > 0).mean(axis=0)), ("plane", share(plane))):
        row[f"disagreement_{where}"] = float(np.mean(2.0 * p * (1.0 - p)))
        row[f"entropy_{where}"] = float(np.mean(binary_entropy(p)))
    spread = mixing(outputs[None, :, :5])
    return [
        row
        | {
            "training_error": float(np.mean((outputs > 0) != (y > 0))),
            "test_error": float(np.mean((share(X_test) >= 0.5) != (y_test > 0))),
            "r_hat": spread.worst_r_hat,
            "ess": spread.least_ess,
        }
    ]


options(
    "kernel_gibbs_sampler/diversity",
    keep=lambda key: key["draw"] < 100 and key["q"] in (0.0, 0.1, 0.2),
)
