"""Number tables in the files of other programs, read in memory by the libraries for them."""

import io
import zipfile

import numpy as np

from . import archives


def spreadsheet(raw):
    """Return the first sheet of an .xlsx file, which must hold nothing but numbers.

    Raises
    ------
    ValueError
        If it is no sound .xlsx file or a cell is empty or no number.
    """
    from openpyxl import load_workbook

    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            if sum(info.file_size for info in archive.infolist()) > archives.LIMIT:
                raise ValueError(archives.TOO_MUCH)
        book = load_workbook(io.BytesIO(raw), read_only=True, data_only=True)
        rows, cells = [], 0
        for row in book.worksheets[0].iter_rows(values_only=True):
            rows.append(row)
            cells += len(row)
            if 8 * cells > archives.LIMIT:  # a sheet of two cells can span 17 billion
                raise ValueError(archives.TOO_MUCH)
        table = np.array(rows, dtype=float)
        if table.ndim != 2 or not np.isfinite(table).all():
            raise ValueError("the first sheet is no table of finite numbers")
    except Exception as error:  # those of zipfile, the XML parser and openpyxl share no base class
        raise ValueError(f"not a sound .xlsx file ({error})") from error
    return table


# A damaged file can bring down the process in the libraries below, so that only files of the
# registered SHA-256 get there.


def hdf5_parts(raw):
    """Return the training and the test part in an HDF5 file, each with the label as last column.

    They are the arrays ``data`` and ``target`` of the groups ``train`` and ``test``.
    """
    import h5py

    with h5py.File(io.BytesIO(raw), "r") as file:
        return [
            np.column_stack([file[part]["data"], file[part]["target"]]).astype(float)
            for part in ("train", "test")
        ]


def matlab_table(raw):
    """Return the variables ``X`` and ``Y`` of a MATLAB file, Y as the last column."""
    from scipy.io import loadmat

    variables = loadmat(io.BytesIO(raw), variable_names=("X", "Y"))
    return np.column_stack([variables["X"], variables["Y"]]).astype(float)
