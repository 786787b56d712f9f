"""The files that a user names: rows as CSV, packed if the name says so, or other content."""

import bz2
import gzip
import lzma
import os
import stat
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pandas as pd

from .execution import Run
from .parameters import ParameterError
from .unit_store import write_together

#: How a name that ends so is packed; the same rows give the same bytes.
PACKED: dict[str, Callable[[bytes], bytes]] = {
    ".gz": partial(gzip.compress, mtime=0),
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
}
#: Endings of what is no CSV, so that a program would misread it under such a name.
OTHERS = {".7z", ".feather", ".json", ".parquet", ".tar", ".tgz", ".xls", ".xlsx", ".zip", ".zst"}


def check_name(name: str) -> str:
    """Return the name of a file for rows.

    Raises
    ------
    ParameterError
        If its ending promises what is not written, or its folder is closed.
    """
    if (ending := Path(name).suffix.lower()) in OTHERS:
        raise ParameterError(
            f"{name}: rows are written as CSV, not as {ending}; let the name end in .csv, or in "
            f".csv{', .csv'.join(PACKED)} for a compressed file"
        )
    return check_folder(name)


def check_folder(name: str) -> str:
    """Return the name of a file; `ParameterError` if its folder is closed."""
    folder = next(parent for parent in Path(name).absolute().parents if os.path.exists(parent))
    if not os.path.lexists(name) and not os.access(folder, os.W_OK | os.X_OK):
        raise ParameterError(f"{name}: nothing can be written to {folder}; name another folder")
    return name


def joined(runs: list[Run], sweep: str) -> pd.DataFrame:
    """Rows of all runs; the first column is the parameter `sweep` that they differ in, if any."""
    rows = [done.rows.assign(**{sweep: done.params[sweep]} if sweep else {}) for done in runs]
    first = [sweep] if sweep else []
    return pd.concat(rows)[[*first, *rows[0].columns.drop(first)]]


def packed(rows: pd.DataFrame, name: str) -> bytes:
    """Rows as the bytes of a file of that name."""
    raw = rows.to_csv(index=False, lineterminator="\n").encode()
    return PACKED.get(Path(name).suffix.lower(), bytes)(raw)


def write_rows(rows: pd.DataFrame, name: str) -> None:
    """Write rows to what `name` is, as `write_file` does."""
    write_file(packed(rows, name), name)


def write_file(content: bytes, name: str) -> None:
    """Write bytes to what `name` is: through a link, into a device or a pipe, to a file.

    A plain file of one's own, or a new one, is written whole or not at all, by a rename. To all
    else a rename would do more: end a link or a device, or take a file from its owner.
    """
    path = Path(name)
    if not os.path.lexists(path) or _plain_and_own(path):
        write_together({path: content})
    else:
        path.write_bytes(content)


def _plain_and_own(path: Path) -> bool:
    found = path.lstat()
    plain = stat.S_ISREG(found.st_mode) and found.st_nlink == 1
    return plain and found.st_uid == os.geteuid() and os.access(path, os.W_OK)
