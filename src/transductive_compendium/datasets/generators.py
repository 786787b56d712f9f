"""Seeded problems: toys that a known linear teacher labels, and texts of made-up words."""

from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.sparse import csr_array

from .text import tf_idf


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


class AngleReading(NamedTuple):
    """What the two angles of a point on the sphere mean, how they are drawn, who the teacher is.

    The point is ``(sin p cos a, sin p sin a, cos p)``. Each angle is a Beta variable, of both
    parameters `polar` or `azimuth`, times the end of its range.
    """

    polar: float
    polar_end: float
    azimuth: float
    azimuth_end: float
    teacher: tuple[float, float, float]


_EQUATOR, _POLE = (-1.0, 0.0, 0.0), (0.0, 0.0, -1.0)

#: Readings of "the longitude and latitude were sampled from a Beta(5, 5) and Beta(0.1, 0.1)
#: distribution", w* at (pi/2, pi). The first is the one in which (longitude, latitude) = (pi/2, pi)
#: lies inside both ranges and on no pole, and each point of the sphere has one pair of angles:
#: there longitude is the polar angle, latitude the azimuth, and w* the middle of their map.
#: Exchanging the Betas of the first or third gives the laws of the fourth or second.
ANGLE_READINGS = {
    "longitude to pi, latitude to 2 pi": AngleReading(5.0, np.pi, 0.1, 2 * np.pi, _EQUATOR),
    "longitude to pi, w* reversed": AngleReading(5.0, np.pi, 0.1, 2 * np.pi, _POLE),
    "longitude to 2 pi, latitude to pi": AngleReading(0.1, np.pi, 5.0, 2 * np.pi, _POLE),
    "longitude to 2 pi, w* reversed": AngleReading(0.1, np.pi, 5.0, 2 * np.pi, _EQUATOR),
    "both to 2 pi": AngleReading(5.0, 2 * np.pi, 0.1, 2 * np.pi, _EQUATOR),
    "both to 2 pi, Betas exchanged": AngleReading(0.1, 2 * np.pi, 5.0, 2 * np.pi, _EQUATOR),
    "both to pi": AngleReading(5.0, np.pi, 0.1, np.pi, _EQUATOR),
    "both to 1": AngleReading(5.0, 1.0, 0.1, 1.0, _EQUATOR),
}


def points_on_sphere(n_samples, seed=0, reading="longitude to pi, latitude to 2 pi"):
    """Draw points of the unit sphere in R^3 by Beta-distributed angles [1]_.

    Parameters
    ----------
    n_samples : int
    seed : int or Generator
    reading : str
        Which angle is which: a key of `ANGLE_READINGS`.

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
    if reading not in ANGLE_READINGS:
        raise ValueError(f"reading is {reading!r}; it must be one of {list(ANGLE_READINGS)}")
    law = ANGLE_READINGS[reading]
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


def _word_laws(n_words, kinds, topical, boost, rng):
    """Return the probabilities of the words: the common ones, and how they differ by kind.

    Common words follow Zipf's law without its head, which in text is stop words.
    """
    common = 1 / (10.0 + rng.permutation(n_words))
    return common, np.where(rng.random((kinds, n_words)) < topical, boost, 1.0)


def _draw_counts(laws, kind, distinct, rng):
    """Draw word counts of documents of each kind, `distinct` different words in the mean."""
    laws = laws / laws.sum(axis=1, keepdims=True)
    length = brentq(
        lambda n: (1 - np.exp(-n * laws)).sum(axis=1).mean() - distinct, 0, 1e6 * laws.shape[1]
    )
    lengths = np.maximum(rng.poisson(length, len(kind)), 1)
    starts = np.append(0, np.cumsum(lengths)).astype(np.int32)
    words = np.empty(starts[-1], dtype=np.int32)  # 32 bits, as scikit-learn wants its indices
    owner = np.repeat(kind, lengths)
    for number, law in enumerate(laws):
        mine = owner == number
        words[mine] = rng.choice(len(law), mine.sum(), p=law)
    counts = csr_array((np.ones(len(words)), words, starts), shape=(len(kind), laws.shape[1]))
    counts.sum_duplicates()
    return counts


def text_like(n_samples, n_features, nonzeros, seed=0, *, prevalence=0.5, topical=0.01, boost=20.0):
    """Draw vectors like those of documents of two classes.

    Words are drawn independently, by Zipf's law, each document from the law of its class: a few
    words, others in either class, are more frequent in it. Counts are weighed by `tf_idf`.

    Parameters
    ----------
    n_samples, n_features : int
        Documents and words.
    nonzeros : int
        Number of different words in a document, in the mean.
    seed : int or Generator
    prevalence : float
        Share of documents in class +1.
    topical : float
        Share of words that are more frequent in a class, for each of the two.
    boost : float
        How many times more frequent, at least 1.

    Returns
    -------
    X : csr_array of float64, shape (n_samples, n_features)
        Rows of unit length; of zeros only if all its words are in all documents.
    y : ndarray of int64, shape (n_samples,)
        Classes -1 and +1, in random order.

    Raises
    ------
    ValueError
        If a number is out of its range.
    """
    if n_samples < 1 or not 1 <= nonzeros < n_features:
        raise ValueError(
            "text_like needs n_samples >= 1 and 1 <= nonzeros < n_features; "
            f"got {n_samples}, {nonzeros}, {n_features}"
        )
    if not (0 <= prevalence <= 1 and 0 <= topical <= 1 and boost >= 1):
        raise ValueError(
            "text_like needs prevalence and topical from 0 to 1 and boost >= 1; "
            f"got {prevalence}, {topical}, {boost}"
        )
    rng = np.random.default_rng(seed)
    positive = rng.permutation(n_samples) < round(prevalence * n_samples)
    common, changes = _word_laws(n_features, 2, topical, boost, rng)
    counts = _draw_counts(common * changes, positive.astype(int), nonzeros, rng)
    return tf_idf(counts), np.where(positive, 1, -1)


#: Topics of the texts below, the first topic of a document, and their shares of all documents.
#: About those of Reuters-21578, where nearly all wheat and corn is grain as well.
_TOPIC_SHARES = {
    ("earn",): 0.30,
    ("acq",): 0.17,
    ("money-fx",): 0.056,
    ("grain",): 0.012,
    ("crude",): 0.041,
    ("trade",): 0.038,
    ("interest",): 0.036,
    ("wheat", "grain"): 0.019,
    ("ship",): 0.021,
    ("corn", "grain"): 0.017,
    (): 0.29,
}


def newswire_like(n_train, n_test, seed=0):
    """Draw texts of made-up words, on the ten most frequent topics of Reuters-21578 or on none.

    Parameters
    ----------
    n_train, n_test : int
        Documents in the two parts. Topics have the same shares in both, up to rounding.
    seed : int or Generator

    Returns
    -------
    documents : tuple of str
    topics : tuple of tuple of str
    n_train : int
    """
    rng = np.random.default_rng(seed)
    syllables = list(map("".join, product("bdfgklmnprtvz", "aou")))
    words = np.array(list(map("".join, product(syllables, repeat=2))))  # no stemmer shortens these
    kinds = list(_TOPIC_SHARES)
    common, changes = _word_laws(len(words), len(kinds), 0.01, 30.0, rng)
    changes[kinds.index(())] = 1.0
    for kind in kinds:
        for other in kind[1:]:
            changes[kinds.index(kind)] *= changes[kinds.index((other,))]
    ends = np.cumsum(list(_TOPIC_SHARES.values()))
    kind = np.concatenate(
        [
            rng.permutation(np.searchsorted(ends / ends[-1], (np.arange(n) + 0.5) / n))
            for n in (n_train, n_test)
        ]
    )
    counts = _draw_counts(common * changes, kind, 40, rng).astype(int)
    documents = tuple(
        " ".join(np.repeat(words[counts.indices[start:end]], counts.data[start:end]))
        for start, end in zip(counts.indptr[:-1], counts.indptr[1:], strict=True)
    )
    return documents, tuple(kinds[k] for k in kind), n_train
