"""Points of the sphere in R^3 with a teacher's labels, by either of two laws."""

import numpy as np

from ...datasets.generators import ANGLE_LAWS, flip_labels, points_on_sphere
from ...runner import Parameter

# Only for figure 4 does the paper say which law the points have: Beta-distributed angles.
LAWS = ("beta", "uniform")
# Many Beta angles put points on one great circle to rounding, where rounding would decide which
# cells there are. Moved by so much, they leave the Bayes point where it is to about 1e-5.
JITTER = 1e-6
# figure 1's, for its posterior, the modes and the chain
FLIP_RATE = 0.2
ASSUMED_NOISE = Parameter(
    0.2, float, "assumed label noise", exclusive_minimum=0.0, exclusive_maximum=0.5
)


def teacher_of(angles):
    """The teacher w* of one of `ANGLE_LAWS`."""
    return np.array(ANGLE_LAWS[angles].teacher)


def signed_points(law, m, flip_rate, rng, angles):
    """Label-signed points y_i x_i of unit length, some of whose labels are flipped.

    Parameters
    ----------
    law : {"beta", "uniform"}
        Beta-distributed angles, or uniform on the sphere.
    m : int
    flip_rate : float
    rng : numpy.random.Generator
    angles : str
        One of `ANGLE_LAWS`, which also gives both laws' teacher.

    Returns
    -------
    signed : ndarray of shape (m, 3)

    Raises
    ------
    ValueError
        If there is no such law.
    """
    if law == "beta":
        X = points_on_sphere(m, rng, angles)[0]
        X = X + JITTER * rng.standard_normal(X.shape)
    elif law == "uniform":
        X = rng.standard_normal((m, 3))
    else:
        raise ValueError(f"law is {law!r}; it must be one of {LAWS}")
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    truth = np.where(X @ teacher_of(angles) > 0, 1, -1)
    return flip_labels(truth, flip_rate, rng)[:, None] * X
