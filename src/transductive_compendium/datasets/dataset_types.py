"""Data sets as loaders return them: arrays with two classes or a target, texts with topics."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.sparse import csr_array

from .registry import PositiveClass, pick
from .tables import content_sha256, split_classes


class _Table:
    """Data with read-only arrays, which give the same last bits in any process."""

    def __setstate__(self, state):
        vars(self).update((name, _placed(value)) for name, value in state.items())


@dataclass(frozen=True, eq=False)
class Dataset(_Table):
    """A two-class data set with raw features (experiments choose the scaling); read-only arrays.

    Attributes
    ----------
    X : ndarray of float64, shape (n, d)
    y : ndarray of int64, shape (n,)
        +1 is the class `target_names[1]`, -1 is `target_names[0]`.
    codes : ndarray of int64, shape (n,)
        The classes as the source codes them.
    sha256 : str
        Hash of the parsed content (features and class codes); independent of `positive_class`.
    positive_class : str
        Which of `positive_classes` is +1.
    positive_classes : mapping of str to PositiveClass
        The possible choices; see `with_positive_class`.
    substitute : bool
        True for data that replace a data set that is not available.
    n_train : int or None
        If the source divides the data into a training and a test part, the number of rows in
        the training part, which come first; else None.
    partitions : ndarray of int64, shape (k, n_train), or None
        If the source divides the data in k ways, the rows in the training part of each, in the
        order of `load_realisation`; all other rows of `X` are in its test part.
    """

    name: str
    X: np.ndarray
    y: np.ndarray = field(init=False)
    codes: np.ndarray
    feature_names: tuple[str, ...]
    positive_classes: Mapping[str, PositiveClass]
    positive_class: str
    sha256: str
    description: str
    substitute: bool = False
    n_train: int | None = None
    partitions: np.ndarray | None = None

    def __post_init__(self):
        what = f"positive class of {self.name!r}"
        positive = pick(self.positive_class, self.positive_classes, what)
        object.__setattr__(self, "y", np.where(np.isin(self.codes, positive.codes), 1, -1))
        _lock(self.X, self.y, self.codes, self.partitions)

    @property
    def target_names(self):
        """Names of the classes -1 and +1."""
        return self.positive_classes[self.positive_class].target_names

    @property
    def counts(self):
        """Rows per class, name -> number, class -1 first."""
        return dict(
            zip(self.target_names, (int((self.y == s).sum()) for s in (-1, 1)), strict=True)
        )

    def with_positive_class(self, positive_class):
        """Return the same data with another class as +1."""
        return replace(self, positive_class=positive_class)


@dataclass(frozen=True, eq=False)
class RegressionDataset(_Table):
    """A regression data set with raw features and target; read-only arrays.

    Attributes
    ----------
    X : ndarray of float64, shape (n, d)
    y : ndarray of float64, shape (n,)
    target_name : str
    sha256 : str
        Hash of the parsed content, target last.
    substitute : bool
        As for `Dataset`.
    """

    name: str
    X: np.ndarray
    y: np.ndarray
    feature_names: tuple[str, ...]
    target_name: str
    sha256: str
    description: str
    substitute: bool = False

    def __post_init__(self):
        _lock(self.X, self.y)


@dataclass(frozen=True, eq=False)
class TextDataset:
    """Documents with topics.

    Attributes
    ----------
    documents : tuple of str
        Raw texts, those of the training part first.
    topics : tuple of tuple of str
        The topics of each document: none, one or several.
    n_train : int or None
        Number of documents in the training part, if the source has one; else None.
    sha256 : str
        Hash of the documents, their topics and `n_train`.
    substitute : bool
        As for `Dataset`.
    """

    name: str
    documents: tuple[str, ...]
    topics: tuple[tuple[str, ...], ...]
    n_train: int | None
    description: str
    substitute: bool = False
    sha256: str = field(init=False)

    def __post_init__(self):
        content = json.dumps([self.n_train, self.documents, self.topics]).encode()
        object.__setattr__(self, "sha256", hashlib.sha256(content).hexdigest())

    def labels(self, topic):
        """Return +1 for the documents with a topic and -1 for the others.

        Parameters
        ----------
        topic : str

        Returns
        -------
        ndarray of int64, shape (n,)

        Raises
        ------
        UnknownDatasetError
            If no document has the topic.
        """
        return _with_topic(self, topic)


@dataclass(frozen=True, eq=False)
class TextVectors(_Table):
    """Documents with topics, as vectors of words; no published division; read-only arrays.

    Attributes
    ----------
    X : csr_array of float64, shape (n, d)
    topics : tuple of tuple of str
        The topics of each document and all topics above them in the hierarchy.
    feature_names : tuple of str
    sha256 : str
        Hash of the vectors and topics.
    substitute : bool
        As for `Dataset`.
    """

    name: str
    X: csr_array
    topics: tuple[tuple[str, ...], ...]
    feature_names: tuple[str, ...]
    description: str
    substitute: bool = False
    sha256: str = field(init=False)

    def __post_init__(self):
        parts = {"indptr": "<i8", "indices": "<i8", "data": "<f8"}
        digest = hashlib.sha256(json.dumps([self.X.shape, self.topics]).encode())
        for part, kind in parts.items():
            digest.update(getattr(self.X, part).astype(kind).tobytes())
        object.__setattr__(self, "sha256", digest.hexdigest())
        _lock(*(getattr(self.X, part) for part in parts))

    def labels(self, topic):
        """Return +1 for the documents with a topic and -1 for the others.

        See `TextDataset.labels`.
        """
        return _with_topic(self, topic)


def _with_topic(data, topic):
    known = dict.fromkeys(sorted({name for names in data.topics for name in names}))
    pick(topic, known, f"topic of {data.name!r}")
    return np.array([1 if topic in names else -1 for names in data.topics])


def _placed(value):
    """An array or sparse matrix that another process sent, aligned and read-only."""
    if isinstance(value, csr_array):
        vars(value).update((name, _placed(part)) for name, part in vars(value).items())
    elif isinstance(value, np.ndarray):  # of one off its places NumPy multiplies a copy
        _lock(value := np.require(value, requirements="A"))
    return value


def _lock(*arrays):
    for array in arrays:
        if array is not None:
            array.flags.writeable = False


def from_table(entry, table, positive_class=None, partitions=None):
    """Return a registered table as a `RegressionDataset` or a `Dataset`.

    Parameters
    ----------
    entry : Entry
    table : ndarray of float64, shape (n, d + 1)
    positive_class : str, optional
        By default the first that is registered.
    partitions : ndarray, optional
        See `Dataset`.
    """
    facts = {"sha256": content_sha256(table), "description": entry.description}
    if entry.target is not None:
        X, y = np.array(table[:, :-1]), np.array(table[:, -1])
        return RegressionDataset(entry.name, X, y, entry.features, entry.target, **facts)
    X, codes = split_classes(entry, table)
    return Dataset(
        entry.name,
        np.array(X),
        codes=codes,
        feature_names=entry.features,
        positive_classes=entry.positive_classes,
        positive_class=positive_class or next(iter(entry.positive_classes)),
        partitions=partitions,
        **facts,
    )
