"""Loaders of the registered sets that are one table: thyroid, heart, boston, kin32fh."""

from .dataset_types import from_table
from .download import read_or_fetch
from .formats import mat, table
from .registry import registry

_FORMATS = {"table": table, "mat": mat}


def load_table(name, folder=None, positive_class=None, download=True):
    """Load a registered set whose format is ``table`` or ``mat``.

    Parameters
    ----------
    name : str
    folder, positive_class, download
        As for `load_thyroid`; `positive_class` is ignored for a regression set.

    Returns
    -------
    Dataset or RegressionDataset
    """
    entry = registry()[name]
    (rows,) = read_or_fetch(entry, _FORMATS[entry.format].check, folder, download)
    return from_table(entry, rows, positive_class)


def load_thyroid(folder=None, positive_class="normal", download=True):
    """Load UCI new-thyroid: 215 patients, five laboratory tests.

    Parameters
    ----------
    folder : path, optional
        Searched first; then TRANSDUCTIVE_DATA, then the cache, then the network.
    positive_class : {"normal", "hyper", "hypo"}
        Which class is +1 against the two others: normal (150 rows), hyperthyroid (35) or
        hypothyroid (30).
    download : bool
        If False, or if the environment variable TRANSDUCTIVE_OFFLINE is on, nothing is downloaded.

    Returns
    -------
    Dataset

    Raises
    ------
    DataMissingError, DataUnreachableError, DataDamagedError, UnknownDatasetError
        The message says what to run or download.
    """
    return load_table("thyroid", folder, positive_class, download)


def load_heart(folder=None, positive_class="disease", download=True):
    """Load Statlog heart: 270 patients, 13 variables; +1 is heart disease present (120 rows).

    See `load_thyroid` for the parameters and errors.
    """
    return load_table("heart", folder, positive_class, download)
