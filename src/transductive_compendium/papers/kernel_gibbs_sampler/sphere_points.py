"""Points of the sphere in R^3 with a teacher's labels, by either of two laws."""

import numpy as np

from ...datasets.generators import flip_labels, points_on_sphere
from ...runner import Parameter

TEACHER = np.array([-1.0, 0.0, 0.0])
#: Interpretations of the angles by the options of interpretations.yml; "pole" is the default.
READINGS = {
    "pole": "longitude to 2 pi, latitude to pi",
    "reversed": "longitude to 2 pi, w* reversed",
    "middle": "longitude to pi, latitude to 2 pi",
    "half": "both to pi, w* the pole",
}
POLE, MIDDLE = READINGS["pole"], READINGS["middle"]
READING = Parameter(
    POLE, str, "which angle is which, and where w* is", choices=tuple(READINGS.values())
)
# Only for figure 4 does the paper say which law the points have: Beta-distributed angles.
LAWS = ("beta", "uniform")
# Many Beta angles put points on one great circle to rounding, where rounding would decide which
# cells there are. Moved by so much, they leave the Bayes point where it is to about 1e-5.
JITTER = 1e-6
# figure 1's, for its posterior, the modes and the steps
FLIP_RATE = 0.2
ASSUMED_NOISE = Parameter(
    0.2, float, "assumed label noise", exclusive_minimum=0.0, exclusive_maximum=0.5
)


def angle_points(n, rng, reading=POLE):
    """Points of Beta-distributed angles, and the teacher."""
    if reading != READINGS["half"]:
        return points_on_sphere(n, rng, reading)
    polar, azimuth = np.pi * rng.beta(0.1, 0.1, n), np.pi * rng.beta(5.0, 5.0, n)
    X = np.column_stack(
        [np.sin(polar) * np.cos(azimuth), np.sin(polar) * np.sin(azimuth), np.cos(polar)]
    )
    return X, np.array([0.0, 0.0, -1.0])


def _unit_length(X):
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def teacher_of(reading):
    """The teacher w* of an interpretation of the angles."""
    pole = reading in (POLE, READINGS["half"])
    return np.array([0.0, 0.0, -1.0]) if pole else TEACHER


def labelled_points(law, n, rng, reading=MIDDLE):
    """Points of unit length under one of `LAWS`, and their true labels."""
    X, teacher = angle_points(n, rng, reading)
    noise = rng.standard_normal(X.shape)
    X = _unit_length(noise if law == "uniform" else X + JITTER * noise)
    return X, np.where(X @ teacher > 0, 1, -1)


def signed_points(law, m, flip_rate, rng, reading=MIDDLE):
    """Label-signed points y_i x_i of unit length, some of whose labels are flipped.

    Parameters
    ----------
    law : {"beta", "uniform"}
        Beta-distributed angles, or uniform on the sphere.
    m : int
    flip_rate : float
    rng : numpy.random.Generator
    reading : str
        One of `READINGS`: interpretation of the angles, which also gives both laws' teacher.

    Returns
    -------
    signed : ndarray of shape (m, 3)
    """
    if law == "beta":
        X, truth = labelled_points(law, m, rng, reading)
    else:  # without drawing angles first: the records hang on the order of random numbers
        X = _unit_length(rng.standard_normal((m, 3)))
        truth = np.where(X @ teacher_of(reading) > 0, 1, -1)
    return flip_labels(truth, flip_rate, rng)[:, None] * X
