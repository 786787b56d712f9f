"""Tables of numbers in text files, and a hash of their values.

The same public table circulates with Unix or DOS line ends, with and without a header line, with
2 or 2.0. Two files that parse to the same array are the same data, so we hash and compare the
array; the SHA-256 of the file is only a shortcut.
"""

import hashlib
import re

import numpy as np

_SEPARATOR = re.compile(r"\s*[,;]\s*|\s+")


def _is_number(field):
    try:
        float(field)
    except ValueError:
        return False
    return True


def parse(raw):
    """Parse comma- or blank-separated numbers.

    Parameters
    ----------
    raw : bytes
        A text file. Blank lines, and a header line before the first row, are skipped.

    Returns
    -------
    ndarray of float64, shape (rows, columns)

    Raises
    ------
    ValueError
        If it is not text, a field is not a finite number, or the rows differ in length.
    """
    text = raw.decode("utf-8-sig")  # a UnicodeDecodeError is a ValueError
    rows = []
    for number, line in enumerate(text.splitlines(), start=1):
        fields = _SEPARATOR.split(line.strip())
        if fields == [""] or (not rows and not _is_number(fields[0])):
            continue
        bad = [field for field in fields if not _is_number(field) or not np.isfinite(float(field))]
        if bad:
            raise ValueError(f"line {number}: {bad[0][:40]!r} is not a finite number")
        if rows and len(fields) != len(rows[0]):
            raise ValueError(f"line {number}: {len(fields)} columns, {len(rows[0])} before it")
        rows.append([float(field) for field in fields])
    if not rows:
        raise ValueError("it has no row of numbers")
    return np.array(rows)


def content_sha256(table):
    """Return the SHA-256 of a 2-d array: its shape, then its values as little-endian float64."""
    table = np.ascontiguousarray(table, dtype="<f8") + 0.0  # turns -0.0 into 0.0
    digest = hashlib.sha256("{} {}\n".format(*table.shape).encode())
    digest.update(table.ravel())
    return digest.hexdigest()


def as_registered(entry, table, digest):
    """Return a table that has the registered shape, classes and hash, or raise a ValueError."""
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


def split_classes(entry, table):
    """Return the feature columns and the integer class codes of a table."""
    if entry.class_column == "first":
        return table[:, 1:], table[:, 0].astype(np.int64)
    return table[:, :-1], table[:, -1].astype(np.int64)


def matching_rows(table, parts):
    """Find the rows of several parts in the whole table; equal rows are matched in order.

    Parameters
    ----------
    table : ndarray of shape (n, columns)
    parts : ndarray of shape (k, m, columns)

    Returns
    -------
    ndarray of int64, shape (k, m)
        No index occurs twice in a row.

    Raises
    ------
    ValueError
        If the table lacks a row of a part, or has it less often than the part.
    """
    k, m, columns = parts.shape
    stacked = np.concatenate([table, parts.reshape(-1, columns)]) + 0.0  # turns -0.0 into 0.0
    kinds = np.unique(stacked, axis=0, return_inverse=True)[1].ravel()
    whole, kinds = kinds[: len(table)], kinds[len(table) :].reshape(k, m)
    order = np.argsort(whole, kind="stable")
    rows = np.empty((k, m), dtype=np.int64)
    for part, found in zip(kinds, rows, strict=True):
        turn = np.argsort(part, kind="stable")
        occurrence = np.arange(m) - np.searchsorted(part[turn], part[turn])
        place = np.searchsorted(whole[order], part[turn]) + occurrence
        if (place >= len(whole)).any() or (whole[order][place] != part[turn]).any():
            raise ValueError("a part has rows that the whole table lacks")
        found[turn] = order[place]
    return rows
