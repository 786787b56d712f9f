"""Tables with a training and a test part in HDF5 files."""

import io

import numpy as np

from ..contents import same_bytes
from ..tables import as_registered


def check(entry, file, raw):
    """Return the registered file's table: training rows first, the label as the last column."""
    same_bytes(file, raw)
    train, test = _parts(raw)
    if len(train) != entry.training_rows:
        raise ValueError(f"'train' has {len(train)} rows instead of {entry.training_rows}")
    return as_registered(entry, np.vstack([train, test]), file.content_sha256)


def _parts(raw):
    import h5py

    with h5py.File(io.BytesIO(raw), "r") as file:
        return [
            np.column_stack([file[part]["data"], file[part]["target"]]).astype(float)
            for part in ("train", "test")
        ]
