"""Loader of the registered images: MNIST, USPS and UNIPEN."""

import math
from functools import partial

import numpy as np

from .dataset_types import Dataset
from .download import read_or_fetch
from .formats import hdf5, idx, npz
from .registry import PositiveClass, registry
from .tables import content_sha256, split_classes

DIGITS = range(10), "digits from 0 to 9"
#: The classes that are +1 and -1 if none are given; None: all others.
_DEFAULTS = {
    "mnist": ((8,), (5,)),
    "usps": ((5, 6, 7, 8, 9), None),
    "unipen": (("a",), ("b",)),
}


def load_images(name, folder=None, positive=None, negative=..., size=None, download=True):
    """Load the images of two lists of digits or characters: pixels from 0 (paper) to 1 (ink).

    The rows are those of the published training part, followed by the others; `Dataset.n_train` is
    the number of training rows. `Dataset.codes` has the digits, or the characters in ASCII.

    Parameters
    ----------
    name : {"mnist", "usps", "unipen"}
    folder, download
        As for `load`.
    positive, negative : sequence
        The classes that are +1 and -1; rows of others are dropped, and None means all others. By
        default 8 against 5 of MNIST, 5 to 9 against 0 to 4 of USPS, a against b of UNIPEN.
    size : int, optional
        Rows and columns of pixels, a divisor of those of the source; then pixels are means over
        square blocks.

    Returns
    -------
    Dataset

    Raises
    ------
    ValueError
        If the lists are empty, overlap or hold an unknown class, or if `size` is no divisor.
    DataMissingError, DataUnreachableError, DataDamagedError
        The message says what to run, download or make.
    """
    entry = registry()[name]
    positive = _DEFAULTS[name][0] if positive is None else positive
    negative = _DEFAULTS[name][1] if negative is ... else negative
    known = DIGITS
    if name == "unipen":
        characters = [chr(code) for code in entry.classes]
        known = characters, "single characters from ! to ~ but the backslash"
    positive, negative = two_lists(positive, negative, *known)
    side = math.isqrt(len(entry.features))
    size = side if size is None else size
    if size < 1 or side % size:
        raise ValueError(f"size={size} must divide {side}")
    chosen = [ord(c) if isinstance(c, str) else c for c in positive + negative]
    X, codes, n_train = _READERS[name](entry, chosen, folder, download)
    if size != side:
        block = side // size
        X = X.reshape(-1, size, block, size, block).mean(axis=(2, 4)).reshape(len(X), -1)
    if name != "usps":  # whose file has them from 0 to 1
        X = X / 255.0
    return image_dataset(name, X, codes, positive, negative, entry.description, n_train=n_train)


def _mnist(entry, chosen, folder, download):
    train, train_digits, test, test_digits = read_or_fetch(entry, idx.check, folder, download)
    keep, keep_test = (np.isin(digits, chosen) for digits in (train_digits, test_digits))
    pixels = np.concatenate([train[keep], test[keep_test]])
    codes = np.concatenate([train_digits[keep], test_digits[keep_test]]).astype(np.int64)
    return pixels.reshape(len(pixels), -1), codes, int(keep.sum())


def _usps(entry, chosen, folder, download):
    (table,) = read_or_fetch(entry, hdf5.check, folder, download)
    keep = np.isin(table[:, -1], chosen)
    X, codes = split_classes(entry, table[keep])
    return np.array(X), codes, int(keep[: entry.training_rows].sum())


def _unipen(entry, chosen, folder, download):
    parse = partial(npz.check, chosen=chosen)
    ((pixels, codes, parts),) = read_or_fetch(entry, parse, folder, download)
    order = np.argsort(parts, kind="stable")
    return pixels[order], codes[order], int((parts == 0).sum())


_READERS = {"mnist": _mnist, "usps": _usps, "unipen": _unipen}


def two_lists(positive, negative, known, of):
    """Return two lists of classes as tuples, the second by default all the others.

    Parameters
    ----------
    positive : sequence
    negative : sequence or None
    known : sequence
        All classes of the collection.
    of : str
        Description of the classes, for the message.

    Raises
    ------
    ValueError
        If the lists are empty, overlap, or hold anything that is not known.
    """
    positive = tuple(positive)
    rest = (c for c in known if c not in positive)
    negative = tuple(rest if negative is None else negative)
    chosen = positive + negative
    distinct = len(set(chosen)) == len(chosen) and set(chosen) <= set(known)
    if not positive or not negative or not distinct:
        raise ValueError(
            f"positive={positive} and negative={negative} must be two disjoint, "
            f"non-empty lists of {of}"
        )
    return positive, negative


def image_dataset(name, X, codes, positive, negative, description, **more):
    """Return square images of two lists of digits or characters as a `Dataset`."""
    side = math.isqrt(X.shape[1])
    names = tuple(" ".join(map(str, sorted(some))) for some in (negative, positive))
    codes_of_positive = tuple(ord(c) if isinstance(c, str) else int(c) for c in positive)
    return Dataset(
        name,
        X,
        codes,
        tuple(f"pixel_{i}_{j}" for i in range(side) for j in range(side)),
        {"positive": PositiveClass(codes_of_positive, names)},
        "positive",
        content_sha256(np.column_stack([X, codes])),
        description,
        **more,
    )
