"""The CSV file of a run's rows that a user names."""

import os
from pathlib import Path

import pandas as pd

from .parameters import ParameterError
from .unit_store import write_atomically


def check_name(name: str) -> str:
    """Return the name of a file for rows.

    Raises
    ------
    ParameterError
        If its ending is not that of a CSV file, or its folder is closed.
    """
    path = Path(name)
    if path.suffix.lower() not in ("", ".csv", ".txt"):
        raise ParameterError(f"{name}: rows are written as CSV; let the name end in .csv")
    folder = next(parent for parent in path.absolute().parents if os.path.exists(parent))
    if not os.path.lexists(name) and not os.access(folder, os.W_OK | os.X_OK):
        raise ParameterError(f"{name}: nothing can be written to {folder}; name another folder")
    return name


def write_rows(rows: pd.DataFrame, name: str) -> None:
    """Write rows to a file, whole or not at all, or into a device or a pipe."""
    path, text = Path(name).resolve(), rows.to_csv(index=False, lineterminator="\n")
    if path.exists() and not path.is_file():
        path.write_text(text)
    else:
        write_atomically(path, text)
