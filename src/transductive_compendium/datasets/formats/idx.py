"""Gzipped arrays of bytes after a header with their shape."""

import hashlib

import numpy as np

from .. import archives


def check(entry, file, raw):
    """Return the array of bytes, or raise a ValueError if it is not the registered one."""
    raw = archives.gunzip(raw)
    if hashlib.sha256(raw).hexdigest() != file.content_sha256:
        raise ValueError(f"its {len(raw)} bytes, unpacked, are not the registered ones")
    dimensions = raw[3]
    shape = np.frombuffer(raw, ">i4", dimensions, offset=4)
    return np.frombuffer(raw, np.uint8, offset=4 + 4 * dimensions).reshape(shape)
