"""Number tables in text files, and a hash of what they say rather than how they are written.

The same public table circulates with Unix or DOS line ends, with and without a header line,
with 2 or 2.0. Two files that parse to the same array are the same data, so it is the array
that is hashed and compared; the SHA-256 of the file is only a shorter way to the same answer.
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
        If it is not text, a field is no finite number, or the rows differ in length.
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
        raise ValueError("it holds no row of numbers")
    return np.array(rows)


def content_sha256(table):
    """Return the SHA-256 of a 2-d array: its shape, then its values as little-endian float64."""
    table = np.ascontiguousarray(table, dtype="<f8") + 0.0  # turns -0.0 into 0.0
    digest = hashlib.sha256("{} {}\n".format(*table.shape).encode())
    digest.update(table.ravel())
    return digest.hexdigest()


def split_classes(entry, table):
    """Return the feature columns and the integer class codes of a table."""
    if entry.class_column == "first":
        return table[:, 1:], table[:, 0].astype(np.int64)
    return table[:, :-1], table[:, -1].astype(np.int64)
