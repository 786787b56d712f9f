"""Published divisions into training and test part, one below the other in four spreadsheets."""

import io
import zipfile

import numpy as np

from .. import archives
from ..tables import content_sha256


def check(entry, file, raw):
    """Return the first sheet, or raise a ValueError if it is not the registered one."""
    table = spreadsheet(raw)
    if content_sha256(table) != file.content_sha256:
        raise ValueError(
            "its {} rows of {} columns are not the registered ones".format(*table.shape)
        )
    return table


def blocks(entry, tables):
    """Return the training parts and the test parts that are stacked in four tables, label last.

    Blocks registered as left out are omitted.

    Returns
    -------
    train, test : ndarray of float64, shape (k, n_train, d + 1) and (k, n_test, d + 1)
    """
    kept = np.array(entry.divisions) - 1
    return [
        np.hstack(pair).reshape(entry.blocks, -1, len(entry.features) + 1)[kept]
        for pair in (tables[:2], tables[2:])
    ]


def spreadsheet(raw):
    """Return the first sheet of an .xlsx file, which must hold nothing but numbers.

    Raises
    ------
    ValueError
        If it is not a sound .xlsx file, or a cell is empty or not a number.
    """
    from openpyxl import load_workbook

    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            if sum(info.file_size for info in archive.infolist()) > archives.UNPACKED_BYTES_MAX:
                raise ValueError(archives.UNPACKS_TOO_LARGE)
        book = load_workbook(io.BytesIO(raw), read_only=True, data_only=True)
        rows, cells = [], 0
        for row in book.worksheets[0].iter_rows(values_only=True):
            rows.append(row)
            cells += len(row)
            if 8 * cells > archives.UNPACKED_BYTES_MAX:  # two cells can span 17 billion
                raise ValueError(archives.UNPACKS_TOO_LARGE)
        table = np.array(rows, dtype=float)
        if table.ndim != 2 or not np.isfinite(table).all():
            raise ValueError("the first sheet is not a table of finite numbers")
    except Exception as error:  # those of zipfile, the XML parser and openpyxl share no base class
        raise ValueError(f"not a sound .xlsx file ({error})") from error
    return table
