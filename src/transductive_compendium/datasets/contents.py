"""Read a registered file by its format, and check its contents."""

import hashlib
from importlib import import_module


def check(entry, file, raw):
    """Return a file's contents if they are the registered ones; else raise a ValueError.

    Parameters
    ----------
    entry : Entry
        Its ``format`` names the module of `formats` that reads the file.
    file : File
        One of the entry's files.
    raw : bytes
    """
    return import_module(f"{__package__}.formats.{entry.format}").check(entry, file, raw)


def proof(entry, file, raw):
    """Return "bytes" if the file equals the registered one, "content" if its parsed data do."""
    if hashlib.sha256(raw).hexdigest() == file.sha256:
        return "bytes"
    check(entry, file, raw)
    return "content"


def same_bytes(file, raw):
    """Raise a ValueError unless the file equals the registered one.

    Damaged files can crash the libraries for some formats, so only the registered bytes may reach
    them.
    """
    if hashlib.sha256(raw).hexdigest() != file.sha256:
        raise ValueError(f"its {len(raw)} bytes are not the {file.bytes} registered ones")
