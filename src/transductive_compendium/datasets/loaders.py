"""Loaders: from a name to arrays, with classes -1 and +1 or with a target to regress on."""

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from scipy.sparse import csr_array
from sklearn import datasets as bundled

from .contents import blocks, images, realisations, training_parts
from .download import find, read_or_fetch
from .generators import newswire_like
from .registry import Reading, pick, registry
from .tables import content_sha256, matching_rows, split_classes


@dataclass(frozen=True, eq=False)
class Dataset:
    """A two-class data set, features raw (scaling is an experiment's choice), arrays read-only.

    Attributes
    ----------
    X : ndarray of float64, shape (n, d)
    y : ndarray of int64, shape (n,)
        +1 is the class `target_names[1]`, -1 is `target_names[0]`.
    codes : ndarray of int64, shape (n,)
        The classes as the source codes them.
    sha256 : str
        Hash of the parsed content (features and class codes); the same for every reading.
    readings : mapping of str to Reading
        Ways to read the codes as two classes; see `with_reading`.
    substitute : bool
        True for data that need no download and stand in for those that cannot be had.
    n_train : int or None
        If the source divides the data into a training and a test part, the number of rows in
        the training part, which come first; else None.
    partitions : ndarray of int64, shape (k, n_train), or None
        If the source divides the data in k ways, the rows in the training part of each, in the
        order of `load_realisation`; every row of `X` not named is in its test part.
    """

    name: str
    X: np.ndarray
    y: np.ndarray = field(init=False)
    codes: np.ndarray
    feature_names: tuple[str, ...]
    readings: Mapping[str, Reading]
    reading: str
    sha256: str
    description: str
    substitute: bool = False
    n_train: int | None = None
    partitions: np.ndarray | None = None

    def __post_init__(self):
        positive = pick(self.reading, self.readings, f"reading of {self.name!r}").positive
        object.__setattr__(self, "y", np.where(np.isin(self.codes, positive), 1, -1))
        _lock(self.X, self.y, self.codes, self.partitions)

    @property
    def target_names(self):
        """Names of the classes -1 and +1."""
        return self.readings[self.reading].target_names

    @property
    def counts(self):
        """Rows per class, name -> number, class -1 first."""
        return dict(
            zip(self.target_names, (int((self.y == s).sum()) for s in (-1, 1)), strict=True)
        )

    def with_reading(self, reading):
        """Return the same data with the classes read in another way."""
        return replace(self, reading=reading)


@dataclass(frozen=True, eq=False)
class RegressionDataset:
    """A regression data set, features and target raw, arrays read-only.

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
class TextVectors:
    """Documents with topics, as vectors of words; no published division, arrays read-only.

    Attributes
    ----------
    X : csr_array of float64, shape (n, d)
    topics : tuple of tuple of str
        The topics of each document and all that are above them in the hierarchy.
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


def _lock(*arrays):
    for array in arrays:
        if array is not None:
            array.flags.writeable = False


def _realisation(entry, folder, download, number):
    """Return the table of one realisation, training rows first."""
    if entry.format == "realisations":
        parse = partial(realisations, numbers=[number])
        return read_or_fetch(entry, folder, download, parse)[0][0]
    train, test = blocks(entry, read_or_fetch(entry, folder, download))
    position = entry.divisions.index(number)
    return np.vstack([train[position], test[position]])


def _divided(entry, folder, download):
    """Return the table of the first realisation and the training parts of all."""
    if entry.format == "realisations":
        table = _realisation(entry, folder, download, entry.divisions[0])
        return table, read_or_fetch(entry, folder, download, training_parts)[0]
    train, test = blocks(entry, read_or_fetch(entry, folder, download))
    return np.vstack([train[0], test[0]]), train


def _registered(name, folder=None, reading=None, download=True):
    entry = registry()[name]
    partitions = None
    if entry.divisions:
        table, parts = _divided(entry, folder, download)
        partitions = matching_rows(table, parts)
    else:
        (table,) = read_or_fetch(entry, folder, download)
    facts = {"sha256": content_sha256(table), "description": _description(entry)}
    if entry.target is not None:
        X, y = np.array(table[:, :-1]), np.array(table[:, -1])
        return RegressionDataset(name, X, y, entry.features, entry.target, **facts)
    X, codes = split_classes(entry, table)
    reading = next(iter(entry.readings)) if reading is None else reading
    return Dataset(
        name,
        np.array(X),
        codes=codes,
        feature_names=entry.features,
        readings=entry.readings,
        reading=reading,
        partitions=partitions,
        **facts,
    )


def _description(entry):
    return f"{entry.title}. Terms: {entry.terms}. {entry.page}"


def load_thyroid(folder=None, reading="normal", download=True):
    """Load UCI new-thyroid: 215 patients, five laboratory tests.

    Parameters
    ----------
    folder : path, optional
        Searched first; then TRANSDUCTIVE_DATA, then the cache, then the network.
    reading : {"normal", "hyper", "hypo"}
        Which class is +1 against the two others: normal (150 rows), hyperthyroid (35) or
        hypothyroid (30).
    download : bool
        False never touches the network; nor does a set environment variable
        TRANSDUCTIVE_OFFLINE.

    Returns
    -------
    Dataset

    Raises
    ------
    DataMissingError, DataUnreachableError, DataDamagedError, UnknownDatasetError
        Each says what to run or download.
    """
    return _registered("thyroid", folder, reading, download)


def load_heart(folder=None, reading="disease", download=True):
    """Load Statlog heart: 270 patients, 13 variables; +1 is heart disease present (120 rows).

    See `load_thyroid` for the parameters and errors.
    """
    return _registered("heart", folder, reading, download)


def load_realisation(name, number, folder=None, download=True):
    """Load one published division of a benchmark set into training and test part.

    Parameters
    ----------
    name : {"banana", "ringnorm", "ida_breast_cancer", "ida_titanic", "ida_heart", \
            "ida_diabetis", "ida_thyroid"}
    number : int
        Which division, from 1 to 10, of `ida_thyroid` to 20 but 11. The numbers are those of the
        publisher, but for the last two sets, whose own are not known.
    folder, download
        As for `load_thyroid`.

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
        Each says what to run or download.

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
    X, codes = split_classes(entry, _realisation(entry, folder, download, int(number)))
    X = np.array(X)
    y = np.where(np.isin(codes, next(iter(entry.readings.values())).positive), 1, -1)
    n = entry.training_rows
    return X[:n], y[:n], X[n:], y[n:]


def _digit_reading(positive, negative):
    """Return the digits chosen and how to read them as two classes."""
    positive = tuple(positive)
    negative = tuple(set(range(10)) - set(positive)) if negative is None else tuple(negative)
    chosen = positive + negative
    if (
        not positive
        or not negative
        or len(set(chosen)) < len(chosen)
        or not set(chosen) <= set(range(10))
    ):
        raise ValueError(
            f"positive={positive} and negative={negative} must be two disjoint, "
            "non-empty lists of digits from 0 to 9"
        )
    names = tuple(" ".join(map(str, sorted(digits))) for digits in (negative, positive))
    return chosen, {"positive": Reading(positive, names)}


def load_mnist(folder=None, positive=(8,), negative=(5,), download=True):
    """Load the MNIST digits of two lists: 28 x 28 pixels, from 0 (paper) to 1 (ink).

    The rows are those of the published training part, in the order of the files, and then those
    of the test part; `Dataset.n_train` is the number of the former. By default 5 against 8:
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
        Each says what to run or download.
    """
    chosen, readings = _digit_reading(positive, negative)
    entry = registry()["mnist"]
    train, train_digits, test, test_digits = read_or_fetch(entry, folder, download)
    keep, keep_test = np.isin(train_digits, chosen), np.isin(test_digits, chosen)
    pixels = np.concatenate([train[keep], test[keep_test]])
    X = pixels.reshape(len(pixels), -1) / 255.0
    codes = np.concatenate([train_digits[keep], test_digits[keep_test]]).astype(np.int64)
    return _images(entry, X, codes, readings, int(keep.sum()))


def load_usps(folder=None, positive=(5, 6, 7, 8, 9), negative=None, download=True):
    """Load the USPS digits of two lists: 16 x 16 pixels, from 0 to 1.

    The rows are those of the published training part and then those of the test part;
    `Dataset.n_train` is the number of the former. By default 0 to 4 against 5 to 9: 7291 and
    2007 rows. `Dataset.codes` has the digits themselves.

    See `load_mnist` for the parameters and errors.
    """
    chosen, readings = _digit_reading(positive, negative)
    entry = registry()["usps"]
    (table,) = read_or_fetch(entry, folder, download)
    keep = np.isin(table[:, -1], chosen)
    X, codes = split_classes(entry, table[keep])
    return _images(entry, np.array(X), codes, readings, int(keep[: entry.training_rows].sum()))


def load_reuters(folder=None, download=True):
    """Load Reuters-21578 in the ModApte split: 9603 news stories to train on, 3299 to test.

    A document is the title and the body of a story, in the order of the files. Other stories of
    the collection, and categories other than its topics, are left out.

    Parameters
    ----------
    folder, download
        As for `load_thyroid`.

    Returns
    -------
    TextDataset

    Raises
    ------
    DataMissingError, DataUnreachableError, DataDamagedError
        Each says what to run or download.

    References
    ----------
    Lewis, Reuters-21578 text categorization test collection, README, 1997, section VIII.
    """
    entry = registry()["reuters21578"]
    (parsed,) = read_or_fetch(entry, folder, download)
    return TextDataset(entry.name, *parsed, _description(entry))


def load_winmac(folder=None, negative="comp.os.ms-windows.misc", download=True):
    """Load articles of two of the 20 newsgroups: Mac hardware against Windows, 961 and 985.

    The documents are those of the version of 18828 articles, with their header lines From and
    Subject, group by group in the order of their numbers. The topic of each is its group, so that
    ``data.labels("comp.sys.mac.hardware")`` is +1 for Mac. There is no published division.

    Parameters
    ----------
    folder, download
        As for `load_thyroid`.
    negative : {"comp.os.ms-windows.misc", "comp.sys.ibm.pc.hardware"}
        The group to tell from Mac hardware; the second has 982 articles.

    Returns
    -------
    TextDataset

    Raises
    ------
    DataMissingError, DataUnreachableError, DataDamagedError, UnknownDatasetError
        Each says what to run or download.

    References
    ----------
    Lang, NewsWeeder: Learning to filter netnews, ICML 1995.
    """
    entry = registry()["winmac"]
    mac, *others = entry.classes
    pick(negative, dict.fromkeys(others), "newsgroup to compare with")
    (groups,) = read_or_fetch(entry, folder, download)
    documents, topics = [], []
    for group in (mac, negative):
        # latin-1 reads every byte; a few articles have some above 127
        documents += [text.decode("latin-1") for text in groups[group].values()]
        topics += [(group,)] * len(groups[group])
    return TextDataset(entry.name, tuple(documents), tuple(topics), None, _description(entry))


def load_rcv1(folder=None, download=True):
    """Load 6000 stories of RCV1 by 500 words, with their topics.

    ``data.labels("CCAT")`` is +1 for the 2632 stories with this topic or one below it.

    Parameters
    ----------
    folder, download
        As for `load_thyroid`.

    Returns
    -------
    TextVectors

    Raises
    ------
    DataMissingError, DataUnreachableError, DataDamagedError
        Each says what to run or download.

    References
    ----------
    Lewis, Yang, Rose and Li, RCV1: A new benchmark collection for text categorization research,
    JMLR 5 (2004).
    """
    entry = registry()["rcv1_k500"]
    ((topics, words, X),) = read_or_fetch(entry, folder, download)
    return TextVectors(entry.name, X, topics, words, _description(entry))


def load_unipen(folder=None, positive=("a",), negative=("b",), size=None, download=True):
    """Load handwritten characters of two lists: 64 x 64 pixels, from 0 (paper) to 1 (ink).

    The rows are those of the part to train on, then those to validate and to test on, each by
    class and number; `Dataset.n_train` is the number of the first. `Dataset.codes` has the
    characters in ASCII.

    Parameters
    ----------
    folder, download
        As for `load_thyroid`.
    positive, negative : sequence of str
        The characters that are +1 and -1; rows of others are dropped.
    size : {64, 32, 16, 8, 4, 2, 1}, optional
        Rows and columns of pixels wanted. Less than 64, the default, takes means over square
        blocks.

    Returns
    -------
    Dataset

    Raises
    ------
    ValueError
        If the lists are empty, overlap, or hold anything but the 93 characters, or the size does
        not divide 64.
    DataMissingError, DataDamagedError
        Each says what to make. There is nothing to download.
    """
    entry = registry()["unipen"]
    positive, negative = tuple(positive), tuple(negative)
    chosen = {c: ord(c) for c in positive + negative if len(c) == 1}
    both = len(positive) + len(negative)
    if (
        not positive
        or not negative
        or len(chosen) < both
        or not {*chosen.values()} <= {*entry.classes}
    ):
        raise ValueError(
            f"positive={positive} and negative={negative} must be two disjoint, non-empty lists "
            "of single characters from ! to ~ but the backslash"
        )
    side = math.isqrt(len(entry.features))
    size = side if size is None else size
    if size < 1 or side % size:
        raise ValueError(f"size={size} must divide {side}")
    parse = partial(images, chosen=list(chosen.values()))
    ((pixels, codes, parts),) = read_or_fetch(entry, folder, download, parse)
    order = np.argsort(parts, kind="stable")
    block = side // size
    X = pixels[order].reshape(-1, size, block, size, block).mean(axis=(2, 4)) / 255.0
    names = tuple(" ".join(sorted(some)) for some in (negative, positive))
    readings = {"positive": Reading(tuple(map(ord, positive)), names)}
    n_train = int((parts == 0).sum())
    return _images(entry, X.reshape(len(X), -1), codes[order], readings, n_train)


def _images(entry, X, codes, readings, n_train):
    side = math.isqrt(X.shape[1])
    return Dataset(
        entry.name,
        X,
        codes,
        tuple(f"pixel_{i}_{j}" for i in range(side) for j in range(side)),
        readings,
        "positive",
        content_sha256(np.column_stack([X, codes])),
        _description(entry),
        n_train=n_train,
    )


def _bundled(name, source, readings, reading, what):
    X, codes = np.array(source.data, dtype=float), source.target.astype(np.int64)
    return Dataset(
        name,
        X,
        codes,
        tuple(map(str, source.feature_names)),
        readings,
        reading,
        content_sha256(np.column_stack([X, codes])),
        f"{what} Terms: {BUNDLED_TERMS[name]}.",
        substitute=True,
    )


def load_breast_cancer():
    """Load the breast cancer data bundled with scikit-learn: 569 x 30; +1 is malignant (212)."""
    return _bundled(
        "breast_cancer",
        bundled.load_breast_cancer(),
        {"malignant": Reading((0,), ("benign", "malignant"))},
        "malignant",
        "Wisconsin diagnostic breast cancer, bundled with scikit-learn.",
    )


def load_digits(positive=(5, 6, 7, 8, 9), negative=None):
    """Load the 8 x 8 digits bundled with scikit-learn: 1797 x 64, pixels from 0 to 16.

    Parameters
    ----------
    positive : sequence of int
        The digits that are +1.
    negative : sequence of int, optional
        The digits that are -1, rows of other digits are dropped; by default all others.
    """
    source = bundled.load_digits()
    chosen, readings = _digit_reading(positive, negative)
    keep = np.isin(source.target, chosen)
    source.data, source.target = source.data[keep], source.target[keep]
    return _bundled(
        "digits",
        source,
        readings,
        "positive",
        "Handwritten digits, bundled with scikit-learn.",
    )


def load_diabetes():
    """Load the diabetes data bundled with scikit-learn: 442 x 10, progression in a year.

    Features in their own units, not scaled as scikit-learn does by default.

    Returns
    -------
    RegressionDataset
    """
    source = bundled.load_diabetes(scaled=False)
    return RegressionDataset(
        "diabetes",
        source.data,
        source.target,
        tuple(source.feature_names),
        "progression",
        content_sha256(np.column_stack([source.data, source.target])),
        f"Progression of diabetes, bundled with scikit-learn. Terms: {BUNDLED_TERMS['diabetes']}.",
        substitute=True,
    )


def load_generated_text():
    """Draw texts of made-up words: 600 to train on and 300 to test.

    Their topics have the names and about the shares of the ten most frequent ones of
    Reuters-21578, in whose place they stand. The words of a topic are made up as well.

    Returns
    -------
    TextDataset
    """
    what = "Texts of made-up words, drawn from a seeded generator. Terms: none needed."
    return TextDataset("generated_text", *newswire_like(600, 300), what, substitute=True)


LOADERS = {
    "thyroid": load_thyroid,
    "heart": load_heart,
    "mnist": load_mnist,
    "usps": load_usps,
    "reuters21578": load_reuters,
    "winmac": load_winmac,
    "rcv1_k500": load_rcv1,
    "unipen": load_unipen,
}
BUNDLED = {
    "breast_cancer": load_breast_cancer,
    "digits": load_digits,
    "diabetes": load_diabetes,
    "generated_text": load_generated_text,
}
BUNDLED_TERMS = {
    "breast_cancer": "CC BY 4.0",
    "digits": "CC BY 4.0",
    "diabetes": "no licence stated",
    "generated_text": "none needed",
}


def load(name, folder=None, **choices):
    """Load a data set by name.

    Parameters
    ----------
    name : {"thyroid", "heart", "banana", "ringnorm", "mnist", "usps", "ida_breast_cancer", \
            "ida_titanic", "ida_heart", "ida_diabetis", "ida_thyroid", "boston", "kin32fh", \
            "reuters21578", "winmac", "rcv1_k500", "rcv1", "unipen", "breast_cancer", "digits", \
            "diabetes", "generated_text"}
        The last four are stand-ins: three come with scikit-learn, one is generated. `banana`,
        `ringnorm` and those that begin with `ida_` are the whole sets, training part of the first
        realisation first; see `load_realisation` and `Dataset.partitions`.
    folder : path, optional
        Searched first, before TRANSDUCTIVE_DATA, the cache and the network.
    **choices
        Passed on to the loader of the set: `reading`, `download`, `positive`, `negative`,
        `size`.

    Returns
    -------
    Dataset; RegressionDataset for boston, kin32fh and diabetes; TextDataset for reuters21578, \
            winmac and generated_text; TextVectors for rcv1_k500 and rcv1

    Raises
    ------
    DataMissingError, DataUnreachableError, DataDamagedError, UnknownDatasetError
    """
    pick(name, registry() | LOADERS | BUNDLED, "data set")
    if name in BUNDLED:
        return BUNDLED[name](**choices)
    return LOADERS.get(name, partial(_registered, name))(folder, **choices)


def substitute(name):
    """Name of the data set that replaces one that is not available, or None."""
    entry = registry().get(name)
    return entry.substitute if entry else None


def loader_module(name):
    """Full name of the module whose code turns the files of a data set into arrays."""
    return __name__


def available(name, folder=None):
    """Tell whether `load` would find the data without the network.

    A damaged copy counts as found, so that `load` names the damage instead of a stand-in
    quietly taking its place.
    """
    pick(name, registry() | BUNDLED, "data set")
    return name in BUNDLED or find(registry()[name], folder) is not None
