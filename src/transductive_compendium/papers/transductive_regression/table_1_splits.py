"""The splits of Table 1 into training and test rows, the same for every method.

Chapelle, Vapnik and Weston, section 4.2: a hundred partitions of each benchmark set as Raetsch,
Onoda and Mueller published them; 23 runs of 317 postal digits.
"""

import zlib

import numpy as np
from sklearn.preprocessing import scale

#: Data sets and their numbers of training points, the fewest points to factor first.
SETS = {
    "ida_thyroid": 140,
    "ida_titanic": 150,
    "ida_heart": 170,
    "ida_breast_cancer": 200,
    "ida_diabetis": 468,
    "banana": 400,
    "usps": 317,
}
#: The postal digits' runs tested on other rows of the published training part.
POOLED = "usps pooled"
_SEED = 1998
N_SPLITS = 200
N_POSTAL_RUNS, N_POSTAL_TEST = 23, 2000
#: Ways in which the postal training part is cut into runs.
N_POSTAL_CUTS = 10
#: Rounding errors of 0: equal points with equally many labels of each sign have the value 0, as do,
#: at the narrowest widths of the search, points far from every basis function.
TIE = 1e-9


def partition(dataset, split):
    """Rows of one split, which depends only on the data set and the number.

    Parameters
    ----------
    dataset : Dataset
        Its published partitions come first, then random ones of the same sizes, without regard to
        the classes. A set without partitions, such as a substitute, is split 60 to 40. The training
        part of the postal digits (``usps``) is cut ten times into 23 runs; the runs of a cut share
        a test set.
    split : int
        From 0; below 230 for ``usps``.

    Returns
    -------
    train, test : ndarray of int64
        Disjoint row numbers.

    Raises
    ------
    ValueError
        If there is no split of this number.
    """
    postal = dataset.name == "usps"
    last = N_POSTAL_CUTS * N_POSTAL_RUNS - 1
    if split < 0 or (postal and split > last):
        to = f" to {last}" if postal else ""
        raise ValueError(f"split {split} of {dataset.name!r}: take one from 0{to}")
    n, stable = len(dataset.y), [_SEED, zlib.crc32(dataset.name.encode())]
    if postal:
        cut, split = divmod(split, N_POSTAL_RUNS)
        rng = np.random.default_rng([*stable, cut] if cut else stable)
        runs = rng.permutation(dataset.n_train).reshape(N_POSTAL_RUNS, -1)
        test = dataset.n_train + rng.permutation(n - dataset.n_train)[:N_POSTAL_TEST]
        return runs[split], test
    published = 0 if dataset.partitions is None else len(dataset.partitions)
    if split < published:
        train = dataset.partitions[split]
        return train, np.setdiff1d(np.arange(n), train)
    cut = dataset.partitions.shape[1] if published else round(0.6 * n)
    order = np.random.default_rng([*stable, split]).permutation(n)
    return order[:cut], order[cut:]


def features(table):
    """Features, scaled here only if the publishers did not scale them."""
    return scale(table.X) if table.substitute else table.X


def wrong_signs(values, labels):
    """Number of values with the wrong sign; one within `TIE` of 0 counts half."""
    margins = values * labels
    return float(np.sum(margins < -TIE) + 0.5 * np.sum(np.abs(margins) <= TIE))
