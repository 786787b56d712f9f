"""Handwritten characters, a against b: universa of letters, digits and symbols.

Inference with the Universum (poster), Experiments, AbcdEtc: universa (ix) to (xii). That collection
is not public; the characters here are UNIPEN's.
"""

from __future__ import annotations

import string
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ...datasets import load
from ...runner import crossed, experiment
from .grid_search import best, error, grid

#: Universa (ix) to (xii) of the poster, and none: the SVM.
NO_UNIVERSUM, UNIVERSA = "none", ("Lowcase", "Upcase", "Digits", "Symbols")
TRAINING_SIZES = (20, 50, 100, 150, 200)
#: Number of validation images, half of a and half of b, as in training.
N_VALIDATION = 200
#: Characters of each; "\\" is not in the data.
CHARACTERS = {
    "Lowcase": string.ascii_lowercase[2:],
    "Upcase": string.ascii_uppercase[2:],
    "Digits": string.digits,
    "Symbols": "".join(sorted(set(string.punctuation) - {"\\"})),
}
#: Digits of the substitute in place of a, b and of each universum.
SUBSTITUTE_DIGITS = dict(
    zip(("a", "b", *UNIVERSA), (8, 5, (0, 1), (2, 3), (4, 6), (7, 9)), strict=True)
)
#: Pixels in a row and column: means over blocks of 4 by 4.
SIDE = 16
#: Points of each universum, drawn uniformly from its characters' images in the training part.
N_UNIVERSUM = 500
#: Grids; the universum's begin nearest the SVM.
GAMMAS, COSTS = (0.02, 0.05, 0.1, 0.2), (1.0, 10.0, 100.0)
UNIVERSUM_COSTS, EPSILONS = (0.01, 0.1, 1.0), (0.5, 0.1, 0.01)
# the substitute has fewer images: divide all sizes by this
_SHRINK = 4


class Images(NamedTuple):
    """Images, a value from 0 (paper) to 1 (ink) a pixel, and their signs: a is 1, b is -1."""

    X: np.ndarray
    y: np.ndarray

    def __getitem__(self, rows):
        return Images(self.X[rows], self.y[rows])


def _training_part(n, n_train):
    """Rows for training: the source's training part, or two thirds of the substitute."""
    return np.arange(n) < n_train if n_train else np.arange(n) % 3 > 0


@lru_cache(maxsize=1)
def labelled(name):
    """Images of a and b.

    Parameters
    ----------
    name : {"unipen", "digits"}

    Returns
    -------
    pool, test : Images
        The images that splits draw from; the source's validation and test parts, never drawn from.
    """
    if name == "digits":
        table = load(name, positive=(SUBSTITUTE_DIGITS["a"],), negative=(SUBSTITUTE_DIGITS["b"],))
    else:
        table = load(name, size=SIDE)
    whole = Images(table.X / table.X.max(), table.y.astype(float))
    first = _training_part(len(table.y), table.n_train)
    return whole[first], whole[~first]


@lru_cache(maxsize=2)
def _two(name, one, other):
    """Rows of the training part of two universa, single precision, and which are of the first."""
    choices = {"positive": CHARACTERS[one], "negative": CHARACTERS[other], "size": SIDE}
    if name == "digits":
        choices = {"positive": SUBSTITUTE_DIGITS[one], "negative": SUBSTITUTE_DIGITS[other]}
    table = load(name, **choices)
    first = _training_part(len(table.y), table.n_train)
    return (table.X[first] / table.X.max()).astype(np.float32), table.y[first] > 0


def others(name, universum):
    """Images of a universum's characters in the training part, single precision.

    Returns
    -------
    ndarray of shape (n, d)
    """
    at = UNIVERSA.index(universum) // 2 * 2
    X, first = _two(name, *UNIVERSA[at : at + 2])
    return X[first if universum == UNIVERSA[at] else ~first]


def scaled_size(name, n):
    """`n`, or its counterpart for the substitute."""
    return n if name == "unipen" else n // _SHRINK


def split(name, n_train, rng):
    """Training and validation images, equally many of a and b.

    Returns
    -------
    train, validation : Images
    """
    pool, _ = labelled(name)
    rows = [rng.permutation(np.flatnonzero(pool.y == sign)) for sign in (1, -1)]
    held = scaled_size(name, N_VALIDATION) // 2
    stop = held + scaled_size(name, n_train) // 2
    return tuple(
        pool[np.concatenate([own[start:end] for own in rows])]
        for start, end in ((held, stop), (0, held))
    )


def balanced_error(values, y):
    """Mean of the error rates on a and on b."""
    return 0.5 * sum(error(values[y == sign], y[y == sign]) for sign in (-1, 1))


@experiment(
    "universum/unipen",
    version=1,
    title="UNIPEN characters, a against b: universa of letters, digits and symbols",
    datasets=("unipen",),
    units=crossed(draw={"smoke": 1, "paper": 30, "full": 100}, n_train=TRAINING_SIZES, smoke=1),
    # an image at the boundary may fall on either side by rounding, and with it a choice among
    # classifiers of equal merit
    agreement=dict.fromkeys(
        ("error", "error_validation", "error_oracle", "gamma", "C", "C_universum", "epsilon"),
        "chaotic",
    ),
)
def fit_unipen(key, params, data, rng):
    """A row for the SVM and one for the U-SVM with each universum."""
    name, n_train = data["unipen"].name, key["n_train"]
    train, validation = split(name, n_train, rng)
    _, test = labelled(name)
    where, rows = {"validation": validation.X, "test": test.X}, []
    for method in (NO_UNIVERSUM, *UNIVERSA):
        points, choices = None, {}
        if method != NO_UNIVERSUM:
            pool = others(name, method)
            points = pool[rng.permutation(len(pool))[: scaled_size(name, N_UNIVERSUM)]].astype(
                float
            )
            choices = {"universum_costs": UNIVERSUM_COSTS, "epsilons": EPSILONS}
        fits = grid(train.X, train.y, points, where, gammas=GAMMAS, costs=COSTS, **choices)
        chosen = best(fits, validation.y)
        rows.append(
            {
                "method": method,
                "n_universum": 0 if points is None else len(points),
                "error": balanced_error(chosen.values["test"], test.y),
                "error_validation": error(chosen.values["validation"], validation.y),
                "error_oracle": min(balanced_error(fit.values["test"], test.y) for fit in fits),
                "gamma": chosen.gamma,
                "C": chosen.C,
                "C_universum": 0.0 if points is None else chosen.C_universum,
                "epsilon": 0.0 if points is None else chosen.epsilon,
            }
        )
    return rows
