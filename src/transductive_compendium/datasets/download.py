"""Find, download and verify the registered files."""

import errno
import os
import shlex
import stat
import tempfile
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .. import environment
from .archives import zip_member
from .contents import check, proof
from .errors import DataDamagedError, DataError, DataMissingError, DataUnreachableError
from .registry import pick, registry

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of its progress bar, about notebook widgets
    import pooch

_UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
TIMEOUT = (10, 60)  # seconds to connect, seconds between two packets


@dataclass(frozen=True)
class Status:
    """The state of one set: "ok", "damaged" or "missing"; where; and the reason or the proof."""

    name: str
    state: str
    where: str = "not here"
    path: Path | None = None
    detail: str = ""


def cache_folder():
    """Return the folder of this user's cache that downloads go to."""
    return environment.cache_folder() / "data"


def folders(folder=None):
    """Return pairs of a data folder's description and its path, in the order of the search."""
    places = [("folder", environment.expanded(folder))] if folder is not None else []
    if path := environment.folder(environment.DATA):
        if why := environment.fault(path):
            raise DataError(  # not "missing": a slip of the pen must not bring in a substitute
                f"{environment.DATA} names {path}, which cannot be searched as a folder ({why}). "
                f"Correct it, or unset it (`unset {environment.DATA}`) to use the cache and "
                f"downloads instead."
            )
        places.append((environment.DATA, path))
    return [*places, ("cache", cache_folder())]


def _there(path, where):
    """Whether a file is in a folder; one that was named must be open to the search."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        if where == "cache":
            return False
        raise DataError(
            f"{path} cannot be looked at ({error.strerror}). Open its folder to your user, or name "
            f"another one."
        ) from error


def find(entry, folder=None):
    """Return (where, root folder) of the first folder that has all files of a set, or None."""
    for where, root in folders(folder):
        if all(_there(root / file.path, where) for file in entry.files):
            return where, root
    return None


def _by_hand(entry, file, root):
    if not file.sources:  # a file that has no public source must be made
        return f"make {root / file.path} as the data card of {entry.name!r} says ({entry.page})"
    url = next((source.url for source in file.sources if source.member is None), None)
    return f"download {url or file.sources[0].url} by other means and save it as {root / file.path}"


def _remedy(entry, root=None, files=None):
    option = f" --folder {shlex.quote(str(root))}" if root and root != cache_folder() else ""
    files = files or entry.files
    other = "; ".join(_by_hand(entry, file, root or cache_folder()) for file in files)
    if not any(file.sources for file in files):
        return f"To fix it, {other}."
    way = (
        f"To fix it, run `transductive data fetch {entry.name}{option}` with a network "
        f"connection; or {other}."
    )
    if entry.members:
        count = len(entry.files[0].content_sha256)
        if entry.format == "sgml":
            names = f"{entry.members.format(number=0)} to {entry.members.format(number=count - 1)}"
        else:
            names = entry.members.format(
                part="{train,test}", kind="{data,labels}", number=f"{{1..{count}}}"
            )
        way += f" Any tar archive of the files {names} will do; about them: {entry.page}."
    return way


def read(entry, root, parse=check):
    """Read the copy of a registered set under `root`.

    Parameters
    ----------
    entry : Entry
    root : Path
    parse : callable
        Parser of each file: a format's ``check`` or another function of (entry, file, bytes) that
        raises a ValueError if the file is not the registered data.

    Returns
    -------
    list
        Result of `parse` for each file.

    Raises
    ------
    DataDamagedError
        If a file cannot be read or is not the registered one.
    """
    results = []
    for file in entry.files:
        path = root / file.path
        try:
            results.append(parse(entry, file, path.read_bytes()))
        except (OSError, ValueError) as error:
            raise DataDamagedError(
                f"{path} is not the registered file of {entry.name!r}: {error}. "
                f"{_remedy(entry, root, [file])}"
            ) from error
    return results


@contextmanager
def _beside(entry, target):
    """Yield a path on the same file system as the target, so that renaming is atomic."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fetch-", dir=target.parent) as folder:
            yield Path(folder) / "part"
    except OSError as error:
        raise DataError(
            f"{target.parent} cannot be written ({error}). Name another folder: `transductive data "
            f"fetch {entry.name} --folder FOLDER`, and set {environment.DATA} to it."
        ) from error


def _wanted(entry, source, raw):
    """Return the file that a source's answer is or holds."""
    if source.sha256 is not None:
        from .raetsch_collection import as_archive

        return as_archive(entry, source, raw)
    if source.skipped_lines is not None:  # then the numbers of a row go over several lines
        numbers = iter(b" ".join(raw.splitlines()[source.skipped_lines :]).split())
        rows = zip(*[numbers] * (len(entry.features) + 1), strict=False)
        return b"\n".join(map(b" ".join, rows))
    return raw if source.member is None else zip_member(raw, source.member)


def _download(entry, file, root):
    target, tried = root / file.path, []
    with _beside(entry, target) as part:
        for source in file.sources:
            try:
                pooch.HTTPDownloader(timeout=TIMEOUT)(source.url, str(part), None)
                raw = _wanted(entry, source, part.read_bytes())
                proof(entry, file, raw)
            except OSError as error:  # the base class of every error of requests
                if error.errno in _UNWRITABLE:  # no fault of the source's
                    raise
                reason = str(error).rpartition("Caused by ")[2]  # urllib3 repeats the URL
                tried.append(f"  {source.url}: {reason}")
            except ValueError as error:
                tried.append(f"  {source.url}: answered, but {error}")
            else:
                with part.open("wb") as stream:
                    stream.write(raw)
                    stream.flush()
                    os.fsync(stream.fileno())
                os.replace(part, target)
                return
    raise DataUnreachableError(
        "\n".join(
            [f"No source gave the data of {entry.name!r}:", *tried, _remedy(entry, root, [file])]
        )
    )


def _sound(entry, file, root):
    try:
        return bool(proof(entry, file, (root / file.path).read_bytes()))
    except (OSError, ValueError):
        return False


def fetch(name, folder=None):
    """Return the path of a verified copy of a registered set, downloading it if necessary.

    A download is verified before it is renamed into place, so that readers and parallel
    fetches see a whole file or none. Damaged and missing files in the destination are replaced,
    sound ones kept.

    Parameters
    ----------
    name : str
        A name in the registry.
    folder : path, optional
        The destination, and the only folder searched. By default TRANSDUCTIVE_DATA and the cache
        are searched, and a download goes to the cache.

    Returns
    -------
    Path
        The file, or the folder of the files of a set that has several.

    Raises
    ------
    UnknownDatasetError, DataDamagedError, DataUnreachableError
        The message names the remedy.
    """
    entry = pick(name, registry(), "registered data set")
    root = cache_folder() if folder is None else environment.expanded(folder)
    found = find(entry) if folder is None else None
    if found is not None and found[1] != root:
        read(entry, found[1], proof)  # the user's own copy: report its damage
        return found[1] / entry.path
    for file in entry.files:
        if not _sound(entry, file, root):
            _download(entry, file, root)
    return root / entry.path


def read_or_fetch(entry, parse, folder=None, download=True):
    """Return the result of `parse` for each file (see `read`) in the first folder with the set."""
    found = find(entry, folder)
    if found is None and download and not environment.is_on(environment.OFFLINE):
        fetch(entry.name)
        found = find(entry)
    if found is None:
        places = ", ".join(str(root) for _, root in folders(folder))
        files = ", ".join(file.path for file in entry.files)
        raise DataMissingError(
            f"The data of {entry.name!r} ({files}) are in none of: {places}. {_remedy(entry)}"
        )
    return read(entry, found[1], parse)


def verify(name, folder=None):
    """Return the `Status` of the copy of a registered set that would be read; never downloads."""
    entry = pick(name, registry(), "registered data set")
    found = find(entry, folder)
    if found is None:
        return Status(name, "missing", detail=_remedy(entry))
    where, root = found
    try:
        proofs = read(entry, root, proof)
    except DataDamagedError as error:
        return Status(name, "damaged", where, root / entry.path, str(error))
    same = "content" if "content" in proofs else "bytes"
    return Status(name, "ok", where, root / entry.path, f"same {same}")
