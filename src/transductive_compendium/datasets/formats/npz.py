"""Images in NumPy's file format, read in parts, because often only some are needed."""

import hashlib
import io
import zipfile

import numpy as np

_ROWS_AT_A_TIME = 1024


def check(entry, file, raw, chosen=()):
    """Return pixels, codes and parts of the images of some classes; other images are not kept."""
    pixels, codes, parts, digest = characters(raw, entry.rows, len(entry.features), chosen)
    if digest != file.content_sha256:
        raise ValueError("the shape is right, but some values differ from the registered ones")
    return pixels, codes, parts


def characters(raw, rows, pixels, chosen):
    """Return the images of some classes from an .npz file, and the hash of all its contents.

    The file has the arrays ``X`` (images, bytes), ``code`` (classes), ``num`` and ``split``
    (0, 1 or 2).

    Parameters
    ----------
    raw : bytes
    rows, pixels : int
        Expected number of images, and of pixels of each.
    chosen : collection of int
        The classes to keep.

    Returns
    -------
    images : ndarray of uint8, shape (n, pixels)
    codes, parts : ndarray of int64, shape (n,)
    sha256 : str
        Hash of the bytes of X, then of the other three arrays as little-endian 32-bit integers.

    Raises
    ------
    ValueError
        If it is not a sound .npz file with arrays of these sizes.
    """
    digest = hashlib.sha256()
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            code, num, split = (
                _array(archive, name, rows).astype("<i4") for name in ("code", "num", "split")
            )
            keep = np.isin(code, chosen)
            images = np.empty((int(keep.sum()), pixels), dtype=np.uint8)
            place = 0
            with archive.open("X.npy") as stream:
                shape, fortran, dtype = _header(stream)
                if shape[0] != rows or np.prod(shape[1:]) != pixels or fortran or dtype != np.uint8:
                    raise ValueError(f"X has shape {shape} and type {dtype}")
                for start in range(0, rows, _ROWS_AT_A_TIME):
                    some = keep[start : start + _ROWS_AT_A_TIME]
                    content = stream.read(len(some) * pixels)
                    digest.update(content)
                    block = np.frombuffer(content, np.uint8).reshape(len(some), pixels)[some]
                    images[place : place + len(block)] = block
                    place += len(block)
    except Exception as error:  # those of zipfile, zlib and numpy share no base class
        raise ValueError(f"not a sound .npz file of {rows} images ({error})") from error
    for array in (code, num, split):
        digest.update(array.tobytes())
    return images, code[keep].astype(np.int64), split[keep].astype(np.int64), digest.hexdigest()


def _header(stream):
    if np.lib.format.read_magic(stream) != (1, 0):
        raise ValueError("another version of the format")
    return np.lib.format.read_array_header_1_0(stream)


def _array(archive, name, rows):
    with archive.open(f"{name}.npy") as stream:
        shape, _, dtype = _header(stream)
        if shape != (rows,) or dtype.kind not in "iu":
            raise ValueError(f"{name} has shape {shape} and type {dtype}")
        return np.frombuffer(stream.read(rows * dtype.itemsize), dtype)
