"""Loader of the whole RCV1-v2, which scikit-learn downloads and keeps in its own format."""

import glob
import shlex
from itertools import pairwise

import numpy as np
from scipy.sparse import csr_array
from sklearn.datasets import fetch_rcv1

from ..environment import OFFLINE, is_on
from . import download as store
from .dataset_types import TextVectors
from .errors import DataDamagedError, DataMissingError, DataUnreachableError

SKLEARN_FOLDER = "RCV1"
LAST_FILE_WRITTEN = "topics_names*.pkl"


def load_rcv1_full(folder=None, download=True):
    """Load RCV1-v2: 804414 stories by 47236 stems, with their topics.

    The vectors are those of Lewis et al.: TF-IDF with logarithms, of unit length. The 23149 stories
    of their training part come first. A story has all topics above its own, as published. The
    download has about 700 MB; the arrays need as much memory.

    Parameters
    ----------
    folder : path, optional
        Searched first; then TRANSDUCTIVE_DATA, then the cache, for what scikit-learn's
        ``fetch_rcv1`` wrote there; then it downloads to the cache.
    download : bool
        As for `load`.

    Returns
    -------
    TextVectors

    Raises
    ------
    DataMissingError, DataUnreachableError, DataDamagedError
        The message says what to run.

    References
    ----------
    Lewis, Yang, Rose and Li, RCV1: A new benchmark collection for text categorization research,
    JMLR 5 (2004).
    """
    places = [root for _, root in store.folders(folder)]
    wanted = f"{SKLEARN_FOLDER}/{LAST_FILE_WRITTEN}"
    found = [root for root in places if glob.glob(wanted, root_dir=root)]
    root = found[0] if found else store.cache_folder()
    code = f"from sklearn.datasets import fetch_rcv1; fetch_rcv1(data_home={str(root)!r})"
    ways = (
        f"run `python -c {shlex.quote(code)}` with a network connection; or copy the "
        f"folder {SKLEARN_FOLDER} that it made elsewhere to {root}. A sample of 6000 stories "
        "needs none of this: load('rcv1_k500')."
    )
    if not found and (not download or is_on(OFFLINE)):
        searched = ", ".join(str(place / SKLEARN_FOLDER) for place in places)
        raise DataMissingError(
            f"The data of 'rcv1' are in none of: {searched}. To get them, {ways}"
        )
    try:
        stories = fetch_rcv1(data_home=root, download_if_missing=not found)
    except Exception as error:  # of the network, of pickles: anything
        if found:
            raise DataDamagedError(
                f"{root / SKLEARN_FOLDER} cannot be read: {error}. To fix it, remove it and {ways}"
            ) from error
        raise DataUnreachableError(
            f"'rcv1' is not available: {error}. To get it, {ways}"
        ) from error
    topics = csr_array(stories.target)
    names = np.asarray(stories.target_names, dtype=object)[topics.indices].tolist()
    ends = topics.indptr.tolist()
    X = csr_array(stories.data, dtype=np.float64)
    return TextVectors(
        "rcv1",
        X,
        tuple(tuple(names[a:b]) for a, b in pairwise(ends)),
        tuple(f"stem_{number}" for number in range(1, X.shape[1] + 1)),  # numbers of the source
        "RCV1-v2, all stories. Terms: research use. "
        "https://www.jmlr.org/papers/volume5/lewis04a/lyrl2004_rcv1v2_README.htm",
    )
