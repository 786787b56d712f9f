"""The package's environment variables, and paths as users write them."""

import os
import warnings
from contextlib import suppress
from pathlib import Path

DATA = "TRANSDUCTIVE_DATA"  # folder of the data sets
OFFLINE = "TRANSDUCTIVE_OFFLINE"  # if on, only an explicit fetch downloads
RESULTS = "TRANSDUCTIVE_RESULTS"  # folder of the recorded results
REVISION = "TRANSDUCTIVE_REVISION"  # commit of a copy of the sources without git
STORE = "TRANSDUCTIVE_STORE"  # folder of the finished units
FOLDERS = (DATA, RESULTS, STORE)
_OFF = ("", "0", "false", "no", "off")


def expanded(path: str | os.PathLike) -> Path:
    """Path whose ``~`` or ``~name`` is a home folder; without such a user it is part of a name."""
    return Path(os.path.expanduser(path))


def folder(variable: str) -> Path | None:
    """Full path of the folder that a variable names, or None if it is unset or empty."""
    text = os.environ.get(variable)
    return expanded(text).absolute() if text else None


def is_on(variable: str) -> bool:
    """Whether a variable is set to other than 0, false, no, off or nothing."""
    return os.environ.get(variable, "").strip().lower() not in _OFF


def in_full() -> dict[str, str]:
    """Variables of folders with their full paths, for a process that starts in another folder."""
    return {name: str(path) for name in FOLDERS if (path := folder(name))}


def fault(path: Path) -> str:
    """Return why a path is no folder that can be searched, or an empty text."""
    try:
        os.stat(f"{path}/.")  # which needs the right to search it
    except OSError as error:
        return error.strerror
    return ""


def cache_folder() -> Path:
    """Folder of this user's cache for the package; without a home folder, one that is not there."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its progress bar, about notebook widgets
        import pooch
    with suppress(RuntimeError):  # in place of which older versions leave "~" as it is
        if (path := Path(pooch.os_cache("transductive"))).is_absolute():
            return path
    return Path("/nonexistent/transductive")
