"""MNIST, 5 against 8: universa of noise, other digits, generated images and means.

Inference with the Universum (poster), Experiments, MNIST: universa (i) to (v).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from transductive.margin import MeanOfPairs, PixelwiseEmpirical, UniformNoise

from ...datasets import load
from ...runner.declaration import Experiment, register
from .selection import best, error, grid

CLASSES = (5, 8)
#: The other digits, two at a time, as they are loaded.
PAIRS = ((0, 1), (2, 3), (4, 6), (7, 9))
DIGITS = tuple(digit for pair in PAIRS for digit in pair)
#: Universa (i) to (iv), and none: the support vector machine.
NONE, UNIVERSA = "none", ("Noise", "Rest", "Gen", "Mean")
SIZES = (500, 1000, 2000, 3000)
#: Points of a universum in the first table. The poster does not say; in its table of sizes 0.57 and
#: 0.58 are at 5000 and 10000, and in the first table U_Mean has 0.57 at 3000 training images.
N_UNIVERSUM = 5000
UNIVERSUM_SIZES = (500, 1000, 3000, 5000, 10000)
#: Sizes of the table of digits, and all training images.
DIGIT_SIZES, ALL = (200, 1000), 11272
#: Images for model selection: of the training part, outside the training subset.
N_VALIDATION = 2000
#: Grids, from the machine nearest to the SVM on. A larger C gives the same SVM: none errs on its
#: own points.
GAMMAS, COSTS = (1 / 60, 1 / 40, 1 / 25), (1.0, 10.0)
UNIVERSUM_COSTS, EPSILONS = (0.01, 0.1, 1.0, 10.0), (0.1, 0.01)
DRAWS = {"smoke": 1, "paper": 10, "full": 30}
#: Of the figure, for each kind.
N_SAMPLES = 8
# the stand-in has a few hundred fives and eights: so many times fewer of everything
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
        A third of the stand-in is its test part.
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


def numbered(key, params):
    """A draw, by which units with the same split find it: the experiment's seed and a number."""
    return params["seed"], key.get("draw", 0)


def size(name, n):
    """`n`, or its counterpart for the stand-in."""
    return n if name == "mnist" else n // _SHRINK


def _order(name, draw):
    """All training images in the order of a draw, with both classes among the first five."""
    y, rng = classes(name)[0].y, np.random.default_rng(draw)
    while True:
        order = rng.permutation(len(y))
        if len(np.unique(y[order[:5]])) == 2:
            return order


def split(name, draw, n_train):
    """Training subset and validation images of a draw.

    Larger subsets hold the smaller ones; the validation images, the last ones, stay the same. With
    `ALL` training images, those that are left after validation.

    Returns
    -------
    train, validation : Part
    """
    part, order = classes(name)[0], _order(name, draw)
    last = len(order) - size(name, N_VALIDATION)
    return part[order[: min(size(name, n_train), last)]], part[order[last:]]


def universum(name, kind, labelled, n, draw):
    """Points of a universum.

    Parameters
    ----------
    name : {"mnist", "digits"}
    kind : str
        Of `UNIVERSA`, or a digit, which has all its training images.
    labelled : Part
        Training subset.
    n : int
        The first so many of the draw's points: a larger universum holds a smaller one.
    draw : tuple of int
        Of `numbered`.

    Returns
    -------
    ndarray of shape (n, d)
    """
    if kind.isdecimal():
        return digit(name, int(kind)).astype(float)
    rng = np.random.default_rng([*draw, UNIVERSA.index(kind) + 1])
    most, n = size(name, max(UNIVERSUM_SIZES)), size(name, n)
    if kind == "Rest":
        points = rest(name)
        return points[rng.permutation(len(points))[:n]].astype(float)
    maker = {"Noise": UniformNoise, "Gen": PixelwiseEmpirical, "Mean": MeanOfPairs}[kind](
        n_points=most, random_state=rng
    )
    return maker.fit_transform(labelled.X, labelled.y)[:n]


@dataclass(frozen=True, eq=False)
class Choice:
    """The machine that validation chose.

    Attributes
    ----------
    gamma, C, C_universum, epsilon : float
        The last two are 0 for the support vector machine.
    wrong : ndarray of bool, shape (n,)
        Test images that it gets wrong.
    validation, oracle : float
        Its error at the validation images; the least test error of all machines of the grid.
    """

    gamma: float
    C: float
    C_universum: float
    epsilon: float
    wrong: np.ndarray
    validation: float
    oracle: float


def _choose(name, draw, n_train, points, **choices):
    """Fit the grid on the training subset and choose; with all images, fit it on them again."""
    train, validation = split(name, draw, n_train)
    whole, test = classes(name)
    where = {"validation": validation.X, "test": test.X}
    fits = grid(train.X, train.y, points, where, **choices)
    chosen = best(fits, validation.y)
    found = error(chosen.values["validation"], validation.y)
    if n_train == ALL:
        at = next(k for k, fit in enumerate(fits) if fit is chosen)
        fits = grid(whole.X, whole.y, points, {"test": test.X}, **choices)
        chosen = fits[at]
    return Choice(
        chosen.gamma,
        chosen.C,
        *((0.0, 0.0) if points is None else (chosen.C_universum, chosen.epsilon)),
        np.where(chosen.values["test"] > 0, 1, -1) != test.y,
        found,
        min(error(fit.values["test"], test.y) for fit in fits),
    )


@lru_cache(maxsize=8)
def inductive(name, draw, n_train):
    """The support vector machine's `Choice`: of width and C."""
    return _choose(name, draw, n_train, None, gammas=GAMMAS, costs=COSTS)


def with_universum(name, draw, n_train, points):
    """The U-SVM's `Choice`: width and C as the SVM chose them, then C_universum and epsilon."""
    svm = inductive(name, draw, n_train)
    return _choose(
        name,
        draw,
        n_train,
        points,
        gammas=(svm.gamma,),
        costs=(svm.C,),
        universum_costs=UNIVERSUM_COSTS,
        epsilons=EPSILONS,
    )


def _row(name, draw, n_train, points):
    """One machine's row; its wrong test images counted against those of the SVM of its draw."""
    svm = inductive(name, draw, n_train)
    found = svm if points is None else with_universum(name, draw, n_train, points)
    return {
        "method": "SVM" if points is None else "U-SVM",
        "error": found.wrong.mean(),
        "error_validation": found.validation,
        "error_oracle": found.oracle,
        "gamma": found.gamma,
        "C": found.C,
        "C_universum": found.C_universum,
        "epsilon": found.epsilon,
        "only_svm_wrong": int((svm.wrong & ~found.wrong).sum()),
        "only_universum_wrong": int((found.wrong & ~svm.wrong).sum()),
        "both_wrong": int((svm.wrong & found.wrong).sum()),
    }


def _points(name, draw, n_train, kind, n):
    """The universum of a unit, or None."""
    if kind == NONE:
        return None
    return universum(name, kind, split(name, draw, n_train)[0], n, draw)


def _run_universa(key, params, data, rng):
    # draws are the same for every universum and size, so none depends on the unit's own rng
    name, draw = data["mnist"].name, numbered(key, params)
    points = _points(name, draw, key["n_train"], key["universum"], N_UNIVERSUM)
    n_universum = 0 if points is None else len(points)
    return [{"n_universum": n_universum} | _row(name, draw, key["n_train"], points)]


def _run_size(key, params, data, rng):
    name, draw, n_train = data["mnist"].name, numbered(key, params), max(SIZES)
    points = _points(name, draw, n_train, key["universum"], key["n_universum"])
    return [{"n_train": n_train} | _row(name, draw, n_train, points)]


def correlations(A, B):
    """Mean over all pairs of an image of A and one of B of the correlation of their pixels.

    Parameters
    ----------
    A, B : arrays of shape (n, d) and (m, d)

    Returns
    -------
    float
    """

    def mean_direction(images):
        centred = images - images.mean(axis=1, keepdims=True)
        return (centred / np.linalg.norm(centred, axis=1, keepdims=True)).mean(axis=0)

    return float(mean_direction(A) @ mean_direction(B))


def _run_digits(key, params, data, rng):
    name, draw = data["mnist"].name, numbered(key, params)
    points = _points(name, draw, key["n_train"], key["universum"], None)
    row = {"n_universum": 0 if points is None else len(points)}
    row |= _row(name, draw, key["n_train"], points)
    whole = classes(name)[0]
    for sign, number in zip((-1, 1), CLASSES, strict=True):
        # with images of the whole training part, whatever the subset
        same = whole.X[whole.y == sign]
        row[f"rho_{number}"] = np.nan if points is None else correlations(points, same)
    return [row]


def _run_samples(key, params, data, rng):
    name, draw = data["mnist"].name, numbered(key, params)
    labelled = split(name, draw, max(SIZES))[0]
    if key["kind"] in UNIVERSA:
        images = universum(name, key["kind"], labelled, N_UNIVERSUM, draw)
    else:
        images = labelled.X[labelled.y == (1 if key["kind"] == str(CLASSES[1]) else -1)]
    return [
        {"image": k, "pixels": np.floor(255 * image + 0.5).astype(np.uint8).tobytes().hex()}
        for k, image in enumerate(images[:N_SAMPLES])
    ]


def _units(names, sizes, kinds):
    """Keys of all draws: `sizes` gives those of a draw, and `kinds` the universa of a size."""

    def units(params, profile):
        keys = [
            dict(zip(names, (draw, n, kind), strict=True))
            for draw in range(DRAWS[profile])
            for n in sizes(draw)
            for kind in kinds(n)
        ]
        return keys[:2] if profile == "smoke" else keys

    return units


# The last digits of a Gram matrix, computed in another order, moved errors by two images, where
# they chose another machine of the grid.
_AGREEMENT = {
    "error": 0.005,
    "error_validation": 0.0025,
    "error_oracle": 0.0025,
    **dict.fromkeys(("gamma", "C", "C_universum", "epsilon"), "ignore"),
    **dict.fromkeys(("only_svm_wrong", "only_universum_wrong", "both_wrong"), 10),
}

# Means come first and noise last: the smoke tier has the SVM and one universum.
_KINDS = UNIVERSA[::-1]

register(
    Experiment(
        name="universum/mnist_universa",
        version=1,
        title="MNIST, 5 against 8: four universa",
        datasets=("mnist",),
        units=_units(
            ("draw", "n_train", "universum"), lambda draw: SIZES, lambda n: (NONE, *_KINDS)
        ),
        run_unit=_run_universa,
        agreement=_AGREEMENT,
    )
)

register(
    Experiment(
        name="universum/mnist_size",
        version=1,
        title="MNIST, 5 against 8: the size of the universum",
        datasets=("mnist",),
        units=_units(
            ("draw", "n_universum", "universum"),
            lambda draw: (0, *UNIVERSUM_SIZES),
            lambda n: _KINDS if n else (NONE,),
        ),
        run_unit=_run_size,
        agreement=_AGREEMENT,
    )
)

register(
    Experiment(
        name="universum/mnist_digits",
        version=1,
        title="MNIST, 5 against 8: each other digit as the universum",
        datasets=("mnist",),
        # all training images are the same for every draw
        units=_units(
            ("draw", "n_train", "universum"),
            lambda draw: DIGIT_SIZES if draw else (*DIGIT_SIZES, ALL),
            lambda n: (NONE, *map(str, DIGITS)),
        ),
        run_unit=_run_digits,
        agreement=_AGREEMENT | {"rho_5": 1e-5, "rho_8": 1e-5},
    )
)

register(
    Experiment(
        name="universum/sample_images",
        version=1,
        title="Images of 5 and 8, and of four universa",
        datasets=("mnist",),
        units=lambda params, profile: [{"kind": k} for k in (*map(str, CLASSES), *UNIVERSA)],
        run_unit=_run_samples,
    )
)
