"""What a registered file says, in each of the formats, and whether it is what was registered.

``table``
    A text file with one row per line.
``realisations``
    A tar archive of text files: training and test part, patterns and labels, of each of several
    published splits. Each split is a table whose first rows are the training part.
``realisations_xlsx``
    Four spreadsheets: the patterns and labels of the training parts of all splits, one block of
    rows below the other, then those of the test parts.
``hdf5``
    Arrays ``data`` and ``target`` in the groups ``train`` and ``test``, read as one table; the file
    must be the registered one, byte for byte.
``mat``
    Arrays ``X`` and ``Y`` in a MATLAB file, likewise.
``idx``
    An array of bytes behind a header with its shape, gzipped; images and labels by turns.
``sgml``
    A tar archive of news stories, marked up as in Reuters-21578; one hash for each of its files.
``newsgroups``
    A tar archive with a folder for each newsgroup and a file for each article; one hash per group.
``npz``
    Images, their classes, numbers and parts, in NumPy's arrays.
``arff``
    A sparse table of topics and words in Weka's text format.
"""

import hashlib

import numpy as np

from . import archives
from .binary_tables import hdf5_parts, matlab_table, spreadsheet
from .images import characters
from .newswire import articles, modapte, topics_and_words
from .tables import content_sha256, parse


def _registered(entry, table, digest):
    expected = (entry.rows, len(entry.features) + 1)
    if table.shape != expected:
        raise ValueError(
            "{} rows of {} columns instead of {} of {}".format(*table.shape, *expected)
        )
    if entry.classes is not None:
        codes, counts = np.unique(
            table[:, 0 if entry.class_column == "first" else -1], return_counts=True
        )
        found = {float(code): int(count) for code, count in zip(codes, counts, strict=True)}
        if found != entry.classes:
            listing = {f"{code:g}": count for code, count in found.items()}
            raise ValueError(f"rows per class code {listing} instead of {dict(entry.classes)}")
    if content_sha256(table) != digest:
        raise ValueError("the shape is right, but some values differ from the registered ones")
    return table


def _table(entry, file, raw):
    return _registered(entry, parse(raw), file.content_sha256)


def member_names(entry, number):
    """Return the four files of a realisation: training patterns and labels, test ones."""
    return [
        entry.members.format(part=part, kind=kind, number=number)
        for part in ("train", "test")
        for kind in ("data", "labels")
    ]


def _part(members, patterns, labels):
    columns = []
    for name in (patterns, labels):
        try:
            columns.append(parse(members[name]))
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from error
    if len(columns[0]) != len(columns[1]):
        raise ValueError(f"{patterns} has {len(columns[0])} rows, {labels} {len(columns[1])}")
    return np.column_stack(columns)


def _realisation(entry, file, members, number):
    names = member_names(entry, number)
    train, test = _part(members, *names[:2]), _part(members, *names[2:])
    if len(train) != entry.training_rows:
        raise ValueError(f"{names[0]} has {len(train)} rows instead of {entry.training_rows}")
    if train.shape[1] != test.shape[1]:
        raise ValueError(f"{names[0]} and {names[2]} differ in their number of columns")
    try:
        return _registered(entry, np.vstack([train, test]), file.content_sha256[number - 1])
    except ValueError as error:
        raise ValueError(f"realisation {number}: {error}") from error


def realisations(entry, file, raw, numbers=None):
    """Return the tables of some realisations, counted from 1, of all by default."""
    if numbers is None:
        numbers = entry.divisions
    members = archives.tar_members(
        raw, (name for number in numbers for name in member_names(entry, number))
    )
    return [_realisation(entry, file, members, number) for number in numbers]


def training_parts(entry, file, raw):
    """Return the training part of every realisation, label last, shape (k, n_train, d + 1)."""
    proof(entry, file, raw)
    names = {number: member_names(entry, number)[:2] for number in entry.divisions}
    members = archives.tar_members(raw, (name for pair in names.values() for name in pair))
    return np.stack([_part(members, *pair) for pair in names.values()])


def _xlsx(entry, file, raw):
    table = spreadsheet(raw)
    if content_sha256(table) != file.content_sha256:
        raise ValueError(
            "its {} rows of {} columns are not the registered ones".format(*table.shape)
        )
    return table


def blocks(entry, tables):
    """Return the training parts and the test parts that are stacked in four tables, label last.

    Blocks that are left out are not among them.

    Returns
    -------
    train, test : ndarray of float64, shape (k, n_train, d + 1) and (k, n_test, d + 1)
    """
    kept = np.array(entry.divisions) - 1
    return [
        np.hstack(pair).reshape(entry.blocks, -1, len(entry.features) + 1)[kept]
        for pair in (tables[:2], tables[2:])
    ]


def _same_bytes(file, raw):
    if hashlib.sha256(raw).hexdigest() != file.sha256:
        raise ValueError(f"its {len(raw)} bytes are not the {file.bytes} registered ones")


def _hdf5(entry, file, raw):
    _same_bytes(file, raw)
    train, test = hdf5_parts(raw)
    if len(train) != entry.training_rows:
        raise ValueError(f"'train' has {len(train)} rows instead of {entry.training_rows}")
    return _registered(entry, np.vstack([train, test]), file.content_sha256)


def _mat(entry, file, raw):
    _same_bytes(file, raw)
    return _registered(entry, matlab_table(raw), file.content_sha256)


def _idx(entry, file, raw):
    raw = archives.gunzip(raw)
    if hashlib.sha256(raw).hexdigest() != file.content_sha256:
        raise ValueError(f"its {len(raw)} bytes, unpacked, are not the registered ones")
    dimensions = raw[3]
    shape = np.frombuffer(raw, ">i4", dimensions, offset=4)
    return np.frombuffer(raw, np.uint8, offset=4 + 4 * dimensions).reshape(shape)


def _sgml(entry, file, raw):
    names = [entry.members.format(number=number) for number in range(len(file.content_sha256))]
    members = archives.tar_members(raw, names)
    for name, digest in zip(names, file.content_sha256, strict=True):
        if hashlib.sha256(members[name]).hexdigest() != digest:
            raise ValueError(f"its member {name!r} is not the registered one")
    documents, topics, n_train = modapte(members[name] for name in names)
    if (len(documents), n_train) != (entry.rows, entry.training_rows):
        raise ValueError(
            f"{len(documents)} documents, {n_train} of them to train on, instead of {entry.rows} "
            f"and {entry.training_rows}"
        )
    return documents, topics, n_train


def _newsgroups(entry, file, raw):
    found = articles(raw, entry.classes)
    for (group, texts), digest in zip(found.items(), file.content_sha256, strict=True):
        if len(texts) != entry.classes[group]:
            raise ValueError(f"{group} has {len(texts)} articles, not {entry.classes[group]}")
        lines = (f"{n} {hashlib.sha256(text).hexdigest()}\n" for n, text in texts.items())
        if hashlib.sha256("".join(lines).encode()).hexdigest() != digest:
            raise ValueError(f"some articles of {group} are not the registered ones")
    return found


def images(entry, file, raw, chosen=()):
    """Return pixels, codes and parts of the images of some classes; only these are kept."""
    pixels, codes, parts, digest = characters(raw, entry.rows, len(entry.features), chosen)
    if digest != file.content_sha256:
        raise ValueError("the shape is right, but some values differ from the registered ones")
    return pixels, codes, parts


def _arff(entry, file, raw):
    if hashlib.sha256(b"\n".join(raw.split())).hexdigest() != file.content_sha256:
        raise ValueError(f"its {len(raw)} bytes do not say what the registered ones say")
    return topics_and_words(raw)


_FORMATS = {
    "table": _table,
    "realisations": realisations,
    "realisations_xlsx": _xlsx,
    "hdf5": _hdf5,
    "mat": _mat,
    "idx": _idx,
    "sgml": _sgml,
    "newsgroups": _newsgroups,
    "npz": images,
    "arff": _arff,
}


def check(entry, file, raw):
    """Return what a file says if that is what is registered; else say in a ValueError why not.

    Parameters
    ----------
    entry : Entry
    file : File
        One of the entry's files.
    raw : bytes

    Returns
    -------
    table : ndarray of float64, tables : list of them, array : ndarray of uint8, \
            (documents, topics, n_train), articles by group, (pixels, codes, parts), or \
            (topics, words, X)
        According to ``entry.format``.
    """
    return _FORMATS[entry.format](entry, file, raw)


def proof(entry, file, raw):
    """Return "bytes" if the file equals the registered one, "content" if it says the same."""
    if hashlib.sha256(raw).hexdigest() == file.sha256:
        return "bytes"
    check(entry, file, raw)
    return "content"
