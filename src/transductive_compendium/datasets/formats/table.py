"""Tables in text files."""

from ..tables import as_registered, parse


def check(entry, file, raw):
    """Return the table, or raise a ValueError if it is not the registered one."""
    return as_registered(entry, parse(raw), file.content_sha256)
