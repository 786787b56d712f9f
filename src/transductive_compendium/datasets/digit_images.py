"""Loaders of handwritten digits: MNIST and USPS."""

import numpy as np

from .download import read_or_fetch
from .formats import hdf5, idx
from .image_classes import image_dataset, two_lists
from .registry import registry
from .tables import split_classes


def load_mnist(folder=None, positive=(8,), negative=(5,), download=True):
    """Load the MNIST digits of two lists: 28 x 28 pixels, from 0 (paper) to 1 (ink).

    The rows are those of the published training part, in the order of the files, followed by those
    of the test part; `Dataset.n_train` is the number of training rows. The default is 5 against 8:
    11272 and 1866 rows.

    Parameters
    ----------
    positive, negative
        As for `load_digits`.
    folder, download
        As for `load_thyroid`.

    Returns
    -------
    Dataset

    Raises
    ------
    ValueError
        If the lists are empty, overlap, or hold anything but digits.
    DataMissingError, DataUnreachableError, DataDamagedError
        The message says what to run or download.
    """
    positive, negative = two_lists(positive, negative, range(10), "digits from 0 to 9")
    entry = registry()["mnist"]
    train, train_digits, test, test_digits = read_or_fetch(entry, idx.check, folder, download)
    keep, keep_test = (
        np.isin(digits, positive + negative) for digits in (train_digits, test_digits)
    )
    pixels = np.concatenate([train[keep], test[keep_test]])
    X = pixels.reshape(len(pixels), -1) / 255.0
    codes = np.concatenate([train_digits[keep], test_digits[keep_test]]).astype(np.int64)
    return image_dataset(
        entry.name, X, codes, positive, negative, entry.description, n_train=int(keep.sum())
    )


def load_usps(folder=None, positive=(5, 6, 7, 8, 9), negative=None, download=True):
    """Load the USPS digits of two lists: 16 x 16 pixels, from 0 to 1.

    The rows are those of the published training part, followed by those of the test part;
    `Dataset.n_train` is the number of training rows. The default is 0 to 4 against 5 to 9: 7291
    and 2007 rows. `Dataset.codes` has the digits themselves.

    See `load_mnist` for the parameters and errors.
    """
    positive, negative = two_lists(positive, negative, range(10), "digits from 0 to 9")
    entry = registry()["usps"]
    (table,) = read_or_fetch(entry, hdf5.check, folder, download)
    keep = np.isin(table[:, -1], positive + negative)
    X, codes = split_classes(entry, table[keep])
    n_train = int(keep[: entry.training_rows].sum())
    return image_dataset(
        entry.name, np.array(X), codes, positive, negative, entry.description, n_train=n_train
    )
