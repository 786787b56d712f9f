"""MNIST, 5 against 8: random splits, and the universa of the poster.

Inference with the Universum (poster), Experiments, MNIST: universa (i) to (v).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from transductive.margin import MeanOfPairs, PixelwiseEmpirical, UniformNoise

from ...datasets import load

CLASSES = (5, 8)
#: The other digits, two at a time, as they are loaded.
PAIRS = ((0, 1), (2, 3), (4, 6), (7, 9))
DIGITS = tuple(digit for pair in PAIRS for digit in pair)
#: Universa (i) to (iv) of the poster, and none: the SVM.
NO_UNIVERSUM, UNIVERSA = "none", ("Noise", "Rest", "Gen", "Mean")
#: Training images in the first table; the table of universum sizes has the largest.
TRAINING_SIZES = (500, 1000, 2000, 3000)
#: Points of a universum in the first table. The poster does not say; in its table of sizes 0.57 and
#: 0.58 are at 5000 and 10000, and in the first table U_Mean has 0.57 at 3000 training images.
N_UNIVERSUM = 5000
UNIVERSUM_SIZES = (500, 1000, 3000, 5000, 10000)
#: Training images in the table of digits, and all training images.
DIGIT_SIZES, ALL_IMAGES = (200, 1000), 11272
#: Images for model selection: of the training part, outside the training subset.
N_VALIDATION = 2000
#: Random splits of the default setting, and of each other option; a table takes hours.
N_DRAWS, N_OPTION_DRAWS = {"smoke": 1, "paper": 100, "full": 100}, 20

# the substitute has a few hundred fives and eights: divide all sizes by this
_SHRINK = 25


@dataclass(frozen=True, eq=False)
class Part:
    """Images from 0 (paper) to 1 (ink), and their signs: 5 is -1, 8 is 1."""

    X: np.ndarray
    y: np.ndarray

    def __getitem__(self, rows):
        return Part(self.X[rows], self.y[rows])


@lru_cache(maxsize=1)
def classes(name):
    """Images of 5 and 8.

    Parameters
    ----------
    name : {"mnist", "digits"}

    Returns
    -------
    train, test : Part
        A third of the substitute is its test part.
    """
    table = load(name, positive=CLASSES[1:], negative=CLASSES[:1])
    n = len(table.y)
    whole = Part(table.X / table.X.max(), table.y.astype(float))
    train = np.arange(n) < table.n_train if table.n_train else np.arange(n) % 3 > 0
    return whole[train], whole[~train]


@lru_cache(maxsize=len(PAIRS))
def _pair(name, pair):
    table = load(name, positive=pair[1:], negative=pair[:1])
    n = table.n_train or len(table.y)
    return (table.X[:n] / table.X.max()).astype(np.float32), table.codes[:n]


def digit(name, number):
    """Training images of one of the other digits, shape (n, d), single precision."""
    X, codes = _pair(name, next(pair for pair in PAIRS if number in pair))
    return X[codes == number]


@lru_cache(maxsize=1)
def rest(name):
    """Training images of all other digits, shape (n, d), single precision."""
    return np.concatenate([digit(name, number) for number in DIGITS])


def split_seed(key, params):
    """Seed of a random split, shared by units: the run's seed and a number."""
    return params["seed"], key.get("draw", 0)


def scaled_size(name, n):
    """`n`, or its counterpart for the substitute."""
    return n if name == "mnist" else n // _SHRINK


def _order(name, seed):
    """Random order of all training images, with both classes among the first five."""
    y, rng = classes(name)[0].y, np.random.default_rng(seed)
    while True:
        order = rng.permutation(len(y))
        if len(np.unique(y[order[:5]])) == 2:
            return order


def split(name, seed, n_train, balanced=False):
    """Training subset and validation images of a random split.

    Larger subsets contain the smaller ones; the validation images, the last ones, stay the same.
    `ALL_IMAGES` means all images except those for validation. A balanced subset has half of its
    images in each class.

    Returns
    -------
    train, validation : Part
    """
    part, order = classes(name)[0], _order(name, seed)
    last = len(order) - scaled_size(name, N_VALIDATION)
    chosen, n = order[:last], min(scaled_size(name, n_train), last)
    if balanced and n < last:
        of_class = [chosen[part.y[chosen] == sign][: n // 2] for sign in (-1, 1)]
        return part[np.concatenate(of_class)], part[order[last:]]
    return part[chosen[:n]], part[order[last:]]


#: Whether a generated image has the pixels of one class, by option of "gen_classes".
OF_ONE_CLASS = {"mixed": False, "separate": True}


def universum(name, kind, labelled, n, seed, of_one_class=False):
    """Points of a universum.

    Parameters
    ----------
    name : {"mnist", "digits"}
    kind : str
        Of `UNIVERSA`, or a digit, which has all its training images.
    labelled : Part
        Training subset.
    n : int
        Number of points, the first ones of the split: a larger universum contains a smaller one.
    seed : tuple of int
        From `split_seed`.
    of_one_class : bool, default False
        Whether the points of "Gen" are made of one class each, in turn.

    Returns
    -------
    ndarray of shape (n, d)
    """
    if kind.isdecimal():
        return digit(name, int(kind)).astype(float)
    rng = np.random.default_rng([*seed, UNIVERSA.index(kind) + 1])
    most, n = scaled_size(name, max(UNIVERSUM_SIZES)), scaled_size(name, n)
    if kind == "Rest":
        points = rest(name)
        return points[rng.permutation(len(points))[:n]].astype(float)
    if kind == "Gen" and of_one_class:
        makers = [PixelwiseEmpirical(n_points=most // 2, random_state=r) for r in rng.spawn(2)]
        parts = [labelled.X[labelled.y == sign] for sign in (-1, 1)]
        drawn = [maker.fit_transform(X) for maker, X in zip(makers, parts, strict=True)]
        return np.stack(drawn, axis=1).reshape(-1, labelled.X.shape[1])[:n]
    maker = {"Noise": UniformNoise, "Gen": PixelwiseEmpirical, "Mean": MeanOfPairs}[kind](
        n_points=most, random_state=rng
    )
    return maker.fit_transform(labelled.X, labelled.y)[:n]


#: Whether pixels are centred, and the images of B averaged, by option of the open choice `rho`.
CORRELATIONS = {"pairs": (True, False), "mean_image": (True, True), "cosine": (False, False)}


def correlations(A, B, how="pairs"):
    """Mean correlation between the pixels of images of A and of B.

    Parameters
    ----------
    A, B : arrays of shape (n, d) and (m, d)
    how : {"pairs", "mean_image", "cosine"}
        Mean over all pairs; of each image of A with the mean image of B; mean over all pairs of
        their cosines, pixels not centred.

    Returns
    -------
    float
    """
    centred, averaged = CORRELATIONS[how]

    def mean_direction(images):
        if centred:
            images = images - images.mean(axis=1, keepdims=True)
        return (images / np.linalg.norm(images, axis=1, keepdims=True)).mean(axis=0)

    B = B.mean(axis=0, keepdims=True) if averaged else B
    return float(mean_direction(A) @ mean_direction(B))
