"""Loaders of the registered tables, with or without published divisions into two parts."""

from functools import partial

import numpy as np

from .dataset_types import from_table
from .download import read_or_fetch
from .formats import mat, realisations, realisations_xlsx, table
from .registry import pick, registry
from .tables import matching_rows, split_classes

_FORMATS = {"table": table, "mat": mat}


def load_table(name, folder=None, positive_class=None, download=True):
    """Load a registered table; of a divided one the training part of its first division first.

    Parameters
    ----------
    name : str
    folder : path, optional
        Searched first; then TRANSDUCTIVE_DATA, then the cache, then the network.
    positive_class : str, optional
        Which class is +1, by default the first that is registered; regression sets ignore it.
    download : bool
        If False, or if the environment variable TRANSDUCTIVE_OFFLINE is on, nothing is downloaded.

    Returns
    -------
    Dataset or RegressionDataset
        `Dataset.partitions` has the training parts of all divisions.

    Raises
    ------
    DataMissingError, DataUnreachableError, DataDamagedError, UnknownDatasetError
        The message says what to run or download.
    """
    entry = registry()[name]
    if entry.format in _FORMATS:
        (rows,) = read_or_fetch(entry, _FORMATS[entry.format].check, folder, download)
        return from_table(entry, rows, positive_class)
    if entry.format == "realisations":
        rows = _division(entry, folder, download, entry.divisions[0])
        (parts,) = read_or_fetch(entry, realisations.training_parts, folder, download)
    else:
        parts, test = _blocks(entry, folder, download)
        rows = np.vstack([parts[0], test[0]])
    return from_table(entry, rows, positive_class, matching_rows(rows, parts))


def load_realisation(name, number, folder=None, download=True):
    """Load one published division of a benchmark set into training and test part.

    Parameters
    ----------
    name : {"banana", "ringnorm", "ida_breast_cancer", "ida_titanic", "ida_heart", \
            "ida_diabetis", "ida_thyroid"}
    number : int
        Number of the division, from 1 to 10; for `ida_thyroid` from 1 to 20 without 11. The numbers
        are the publisher's, except for the last two sets, whose published numbers are unknown.
    folder, download
        As for `load`.

    Returns
    -------
    X_train : ndarray of float64, shape (n_train, d)
    y_train : ndarray of int64, shape (n_train,)
        -1 or +1.
    X_test, y_test
        The other rows, likewise.

    Raises
    ------
    ValueError
        If there is no division of this number.
    DataMissingError, DataUnreachableError, DataDamagedError, UnknownDatasetError
        The message says what to run or download.

    References
    ----------
    Raetsch, Onoda and Mueller, Soft Margins for AdaBoost, Machine Learning 42 (2001).
    """
    divided = {key: entry for key, entry in registry().items() if entry.divisions}
    entry = pick(name, divided, "data set with published realisations")
    if number not in entry.divisions:
        but = "".join(f" but {left_out}" for left_out in entry.left_out)
        last = entry.divisions[-1]
        raise ValueError(f"realisation {number!r} of {name!r}: take one of 1 to {last}{but}")
    X, codes = split_classes(entry, _division(entry, folder, download, int(number)))
    X = np.array(X)
    y = np.where(np.isin(codes, next(iter(entry.positive_classes.values())).codes), 1, -1)
    n = entry.training_rows
    return X[:n], y[:n], X[n:], y[n:]


def _division(entry, folder, download, number):
    """Return the table of one division, training rows first."""
    if entry.format == "realisations":
        parse = partial(realisations.check, numbers=[number])
        return read_or_fetch(entry, parse, folder, download)[0][0]
    train, test = _blocks(entry, folder, download)
    position = entry.divisions.index(number)
    return np.vstack([train[position], test[position]])


def _blocks(entry, folder, download):
    tables = read_or_fetch(entry, realisations_xlsx.check, folder, download)
    return realisations_xlsx.blocks(entry, tables)
