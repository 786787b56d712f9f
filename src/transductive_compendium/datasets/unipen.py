"""Loader of the handwritten characters of UNIPEN."""

import math
from functools import partial

import numpy as np

from .download import read_or_fetch
from .formats import npz
from .image_classes import image_dataset, two_lists
from .registry import registry


def load_unipen(folder=None, positive=("a",), negative=("b",), size=None, download=True):
    """Load handwritten characters of two lists: 64 x 64 pixels, from 0 (paper) to 1 (ink).

    The rows are those of the training part, then of the validation and test parts, each by class
    and number; `Dataset.n_train` is the number of training rows. `Dataset.codes` has the characters
    in ASCII.

    Parameters
    ----------
    folder, download
        As for `load_thyroid`.
    positive, negative : sequence of str
        The characters that are +1 and -1; rows of others are dropped.
    size : {64, 32, 16, 8, 4, 2, 1}, optional
        Rows and columns of pixels, by default 64; for fewer, means over square blocks.

    Returns
    -------
    Dataset

    Raises
    ------
    ValueError
        If the lists are empty, overlap, or hold anything but the 93 characters, or the size does
        not divide 64.
    DataMissingError, DataDamagedError
        The message says what to make. There is nothing to download.
    """
    entry = registry()["unipen"]
    positive, negative = two_lists(
        positive,
        negative,
        [chr(code) for code in entry.classes],
        "single characters from ! to ~ but the backslash",
    )
    side = math.isqrt(len(entry.features))
    size = side if size is None else size
    if size < 1 or side % size:
        raise ValueError(f"size={size} must divide {side}")
    parse = partial(npz.check, chosen=[ord(c) for c in positive + negative])
    ((pixels, codes, parts),) = read_or_fetch(entry, parse, folder, download)
    order = np.argsort(parts, kind="stable")
    block = side // size
    X = pixels[order].reshape(-1, size, block, size, block).mean(axis=(2, 4)) / 255.0
    X, codes, n_train = X.reshape(len(X), -1), codes[order], int((parts == 0).sum())
    return image_dataset(
        entry.name, X, codes, positive, negative, entry.description, n_train=n_train
    )
