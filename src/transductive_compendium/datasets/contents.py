"""What a registered file says, by the reader of its format, and whether that is what it should."""

import hashlib
from importlib import import_module


def check(entry, file, raw):
    """Return what a file says if that is what is registered; else say in a ValueError why not.

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
    """Return "bytes" if the file equals the registered one, "content" if it says the same."""
    if hashlib.sha256(raw).hexdigest() == file.sha256:
        return "bytes"
    check(entry, file, raw)
    return "content"


def same_bytes(file, raw):
    """Raise a ValueError unless the file equals the registered one.

    Damage can crash the libraries for some formats, so that only these bytes may reach them.
    """
    if hashlib.sha256(raw).hexdigest() != file.sha256:
        raise ValueError(f"its {len(raw)} bytes are not the {file.bytes} registered ones")
