"""Seeded toy problems that a known linear teacher labels."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


@dataclass(frozen=True, eq=False)
class ToyProblem:
    """A separable problem: y = sign(X @ teacher), and unlabelled working points.

    Attributes
    ----------
    X, X_working : ndarray of float64, shape (l, n) and (m, n)
    y : ndarray of int64, shape (l,)
        Classes -1 and +1.
    teacher : ndarray of float64, shape (n,)
        A unit vector in the interior of the version space.
    """

    X: np.ndarray
    y: np.ndarray
    X_working: np.ndarray
    teacher: np.ndarray


def toy_perceptron(n_train=8, n_working=1, seed=0, margin=0.15):
    """Draw points of the plane in homogeneous coordinates (x1, x2, 1) around a teacher line.

    A linear kernel without bias on these points has R^3 as its parameter space: a perceptron
    is a point w of the unit sphere and a line of the plane, a data point is a point of the
    plane and a great circle of the sphere [1]_. Training points lie in the square [-1, 1]^2,
    half of them in each class, at least `margin` from the line. Working points lie within
    half a margin of it. Every line parallel to the teacher's and less than a margin away is
    in the version space, so every working point cuts the version space in two.

    Parameters
    ----------
    n_train, n_working : int
        Numbers of training and working points.
    seed : int or Generator
    margin : float
        Distance in the plane, above 0 and at most 0.5.

    Returns
    -------
    ToyProblem

    References
    ----------
    .. [1] Graepel, Herbrich and Obermayer, "Bayesian Transduction", Figure 1 and section 3.1.
    """
    if n_train < 2 or n_working < 0 or not 0 < margin <= 0.5:
        raise ValueError(
            "toy_perceptron needs n_train >= 2, n_working >= 0, 0 < margin <= 0.5; "
            f"got {n_train}, {n_working}, {margin}"
        )
    rng = np.random.default_rng(seed)
    angle, offset = rng.uniform(0, 2 * np.pi), rng.uniform(-0.2, 0.2)
    normal, tangent = (
        np.array([np.cos(angle), np.sin(angle)]),
        np.array([-np.sin(angle), np.cos(angle)]),
    )
    y = np.where(np.arange(n_train) % 2, -1, 1)
    points = np.empty((n_train, 2))
    for i in range(n_train):
        points[i] = rng.uniform(-1, 1, 2)
        while y[i] * (points[i] @ normal + offset) < margin:
            points[i] = rng.uniform(-1, 1, 2)
    along = rng.uniform(-0.5, 0.5, n_working)
    across = rng.uniform(-margin / 2, margin / 2, n_working) - offset
    working = np.outer(along, tangent) + np.outer(across, normal)
    teacher = np.append(normal, offset)
    return ToyProblem(
        np.column_stack([points, np.ones(n_train)]),
        y,
        np.column_stack([working, np.ones(n_working)]),
        teacher / np.linalg.norm(teacher),
    )


def separable_sphere(n_samples, n_features, seed=0, n_working=0):
    """Draw points uniformly on the unit sphere, labelled by a uniformly drawn perceptron.

    The posterior of the teacher given the labels is then uniform on the version space, which
    is the setting that Bayesian transduction assumes. All labels may be equal.

    Parameters
    ----------
    n_samples, n_features, n_working : int
        Training points l, dimension n, working points m.
    seed : int or Generator

    Returns
    -------
    ToyProblem
    """
    if n_samples < 1 or n_features < 1 or n_working < 0:
        raise ValueError(
            "separable_sphere needs n_samples >= 1, n_features >= 1, n_working >= 0; "
            f"got {n_samples}, {n_features}, {n_working}"
        )
    rng = np.random.default_rng(seed)
    z = rng.standard_normal((1 + n_samples + n_working, n_features))
    z /= np.linalg.norm(z, axis=1, keepdims=True)
    teacher, X = z[0], z[1 : n_samples + 1]
    return ToyProblem(X, np.where(X @ teacher > 0, 1, -1), z[n_samples + 1 :], teacher)


class AngleLaw(NamedTuple):
    """Law of the two angles of a point on the sphere, and the teacher.

    The point is ``(sin p cos a, sin p sin a, cos p)``. Each angle is a Beta variable, of both
    parameters `polar` or `azimuth`, times the end of its range.
    """

    polar: float
    polar_end: float
    azimuth: float
    azimuth_end: float
    teacher: tuple[float, float, float]


_EQUATOR, _POLE = (-1.0, 0.0, 0.0), (0.0, 0.0, -1.0)
_HALF_TURN, _TURN = np.pi, 2 * np.pi

#: What "the longitude and latitude were sampled from a Beta(5, 5) and Beta(0.1, 0.1) distribution",
#: w* at (pi/2, pi), may mean. Under "middle" (longitude, latitude) = (pi/2, pi) lies inside both
#: ranges and on no pole, and each point of the sphere has one pair of angles: longitude is the
#: polar angle there, latitude the azimuth, and w* the middle of their map. Exchanging the Betas of
#: "middle" gives "reversed".
ANGLE_LAWS = {
    name: AngleLaw(*law)
    for name, law in {
        "middle": (5.0, _HALF_TURN, 0.1, _TURN, _EQUATOR),
        "pole": (0.1, _HALF_TURN, 5.0, _TURN, _POLE),
        "reversed": (0.1, _HALF_TURN, 5.0, _TURN, _EQUATOR),
        "half": (0.1, _HALF_TURN, 5.0, _HALF_TURN, _POLE),
    }.items()
}


def points_on_sphere(n_samples, seed, angles):
    """Draw points of the unit sphere in R^3 by Beta-distributed angles [1]_.

    Parameters
    ----------
    n_samples : int
    seed : int or Generator
    angles : str
        Which angle is which, and where the teacher is: a key of `ANGLE_LAWS`.

    Returns
    -------
    X : ndarray of float64, shape (n_samples, 3)
        Unit vectors. Beta(0.1, 0.1) is so peaked at its ends that some of them may coincide, or
        lie in one plane through the origin, to rounding.
    teacher : ndarray of float64, shape (3,)
        The unit vector w* that assigns the classes, ``X @ teacher > 0``.

    References
    ----------
    .. [1] Graepel and Herbrich, "The Kernel Gibbs Sampler", section 5, figure 4.
    """
    if n_samples < 1:
        raise ValueError(f"points_on_sphere needs n_samples >= 1, got {n_samples}")
    if angles not in ANGLE_LAWS:
        raise ValueError(f"angles is {angles!r}; it must be one of {list(ANGLE_LAWS)}")
    law = ANGLE_LAWS[angles]
    rng = np.random.default_rng(seed)
    polar = law.polar_end * rng.beta(law.polar, law.polar, n_samples)
    azimuth = law.azimuth_end * rng.beta(law.azimuth, law.azimuth, n_samples)
    X = np.column_stack(
        [np.sin(polar) * np.cos(azimuth), np.sin(polar) * np.sin(azimuth), np.cos(polar)]
    )
    return X, np.array(law.teacher)


def flip_labels(y, rate, seed=0):
    """Flip each label -1 or +1 with the same probability, independently.

    Parameters
    ----------
    y : array of shape (n,)
        Labels -1 and +1.
    rate : float
        Between 0 and 0.5.
    seed : int or Generator

    Returns
    -------
    ndarray of shape (n,)
    """
    if not 0 <= rate <= 0.5:
        raise ValueError(f"rate must be between 0 and 0.5, got {rate}; relabel instead")
    y = np.asarray(y)
    if not np.isin(y, (-1, 1)).all():
        raise ValueError("labels must be -1 and +1; map the two classes to them first")
    return np.where(np.random.default_rng(seed).random(y.shape) < rate, -y, y)
