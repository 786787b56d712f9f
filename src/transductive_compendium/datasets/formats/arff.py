"""Documents by topics and words in Weka's sparse text format."""

import hashlib
import re

import numpy as np
from scipy.sparse import csr_array

_COLUMN = re.compile(r"^@attribute\s+(\S+)\s+(\S+)", re.MULTILINE | re.IGNORECASE)
_ROW = re.compile(r"^\{(.*)\}", re.MULTILINE)


def check(entry, file, raw):
    """Return the result of `topics_and_words`; raise a ValueError if the file is another one."""
    if hashlib.sha256(b"\n".join(raw.split())).hexdigest() != file.content_sha256:
        raise ValueError(f"its {len(raw)} bytes do not have the registered contents")
    return topics_and_words(raw)


def topics_and_words(raw):
    """Return the topics, words and vectors of documents in a sparse ARFF file.

    Columns of the kind {0,1} are topics, the others words. The name of a topic is its path in the
    hierarchy, as in CCAT.C15.C151. A document with the topic gets all topics on the path, because
    the file gives only the most specific ones.

    Returns
    -------
    topics : tuple of tuple of str
        The topics of each document, in alphabetical order.
    words : tuple of str
        Names of the other columns.
    X : csr_array of float64, shape (n, words)
    """
    text = raw.decode("ascii")
    columns = _COLUMN.findall(text)
    paths = [name.split(".") for name, kind in columns if kind == "{0,1}"]
    words = tuple(name for name, _ in columns[len(paths) :])
    topics, values, places, ends = [], [], [], [0]
    for row in _ROW.findall(text):
        known = set()
        for pair in filter(None, row.split(",")):
            column, value = pair.split()
            if int(column) < len(paths):
                known.update(paths[int(column)])
            else:
                places.append(int(column) - len(paths))
                values.append(float(value))
        topics.append(tuple(sorted(known)))
        ends.append(len(places))
    # 32 bits, as scikit-learn wants its indices
    places, ends = np.array(places, dtype=np.int32), np.array(ends, dtype=np.int32)
    X = csr_array((np.array(values), places, ends), shape=(len(topics), len(words)))
    return tuple(topics), words, X
