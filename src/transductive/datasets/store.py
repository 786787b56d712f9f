"""Finding, downloading and verifying the registered files."""

import hashlib
import io
import os
import shlex
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import pooch

from . import tables
from .errors import DataDamagedError, DataError, DataMissingError, DataUnreachableError
from .registry import pick, registry

FOLDER_VARIABLE = "TRANSDUCTIVE_DATA"
OFFLINE_VARIABLE = "TRANSDUCTIVE_OFFLINE"  # if set, only an explicit fetch downloads
TIMEOUT = (10, 60)  # seconds to connect, seconds between two packets


@dataclass(frozen=True)
class Status:
    """The state of one file: "ok", "damaged" or "missing"; where; and the reason or the proof."""

    name: str
    state: str
    where: str = "not here"
    path: Path | None = None
    detail: str = ""


def cache_folder():
    """Return the folder of this user's cache that downloads go to."""
    return Path(pooch.os_cache("transductive")) / "data"


def _folders(folder):
    places = [("folder", Path(folder).expanduser())] if folder is not None else []
    named = os.environ.get(FOLDER_VARIABLE)
    if named:
        path = Path(named).expanduser()
        if not path.is_dir():
            raise DataError(  # not "missing": a slip of the pen must not bring in a stand-in
                f"{FOLDER_VARIABLE} names {path}, which is not a folder. Correct it, or unset it "
                f"(`unset {FOLDER_VARIABLE}`) to use the cache and downloads instead."
            )
        places.append((FOLDER_VARIABLE, path))
    return [*places, ("cache", cache_folder())]


def find(entry, folder=None):
    """Return (where, root folder) of the first folder that has the file, or None."""
    for where, root in _folders(folder):
        if (root / entry.path).is_file():
            return where, root
    return None


def _way_out(entry, root=None):
    direct = next(
        (source.url for source in entry.sources if source.member is None), entry.sources[0].url
    )
    option = f" --folder {shlex.quote(str(root))}" if root and root != cache_folder() else ""
    return (
        f"To mend it, run `transductive data fetch {entry.name}{option}` with a network "
        f"connection; or download {direct} by other means and save it as "
        f"{(root or cache_folder()) / entry.path}."
    )


def read(entry, root):
    """Read and verify the copy of a registered file under `root`.

    Returns
    -------
    table : ndarray of float64, shape (rows, columns)
    proof : {"bytes", "content"}
        Whether the file itself or only what it says equals the registered one.

    Raises
    ------
    DataDamagedError
        If it cannot be read or is not the registered data.
    """
    path = root / entry.path
    try:
        raw = path.read_bytes()
        table = tables.check(entry, raw)
    except (OSError, ValueError) as error:
        raise DataDamagedError(
            f"{path} is not the registered file of {entry.name!r}: {error}. {_way_out(entry, root)}"
        ) from error
    same = hashlib.sha256(raw).hexdigest() == entry.sha256
    return table, "bytes" if same else "content"


def zip_member(raw, member):
    """Return the bytes of one member of a zip archive, found by its path or unique last name.

    Nothing is unpacked to disk, so a name such as ``../../x`` in the archive can do no harm.

    Raises
    ------
    ValueError
        If it is no sound zip archive or does not hold the member exactly once.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            files = [info for info in archive.infolist() if not info.is_dir()]
            matches = [info for info in files if info.filename == member] or [
                info
                for info in files
                if PurePosixPath(info.filename).name == PurePosixPath(member).name
            ]
            if len(matches) != 1:
                raise ValueError(f"the archive holds {member!r} {len(matches)} times")
            if matches[0].file_size > 1 << 30:
                raise ValueError(f"{member!r} unpacks to more than a gigabyte")
            return archive.read(matches[0])
    except ValueError:
        raise
    except Exception as error:  # zipfile has no common base class for what damage can cause
        raise ValueError(f"not a sound zip archive ({error})") from error


def _download(entry, root):
    target = root / entry.path
    tried = []
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        # Beside the target, so that the final rename stays on one file system and is atomic.
        with tempfile.TemporaryDirectory(prefix=".fetch-", dir=target.parent) as folder:
            part = Path(folder) / "part"
            for source in entry.sources:
                try:
                    pooch.HTTPDownloader(timeout=TIMEOUT)(source.url, str(part), None)
                    raw = part.read_bytes()
                    if source.member is not None:
                        raw = zip_member(raw, source.member)
                    tables.check(entry, raw)
                except OSError as error:  # the base class of every error of requests
                    reason = str(error).rpartition("Caused by ")[2]  # urllib3 repeats the URL
                    tried.append(f"  {source.url}: {reason}")
                except ValueError as error:
                    tried.append(f"  {source.url}: answered, but {error}")
                else:
                    with part.open("wb") as file:
                        file.write(raw)
                        file.flush()
                        os.fsync(file.fileno())
                    os.replace(part, target)
                    return target
    except OSError as error:
        raise DataError(
            f"{target.parent} cannot be written ({error}). Name another folder: `transductive data "
            f"fetch {entry.name} --folder FOLDER`, and set {FOLDER_VARIABLE} to it."
        ) from error
    raise DataUnreachableError(
        "\n".join([f"No source gave the data of {entry.name!r}:", *tried, _way_out(entry, root)])
    )


def fetch(name, folder=None):
    """Return the path of a verified copy of a registered file, downloading it if need be.

    A download is verified before it is renamed into place, so that readers and parallel
    fetches see a whole file or none. A damaged copy in the destination is replaced.

    Parameters
    ----------
    name : str
        A name in the registry.
    folder : path, optional
        The destination, and then the only folder looked at. By default TRANSDUCTIVE_DATA and
        the cache are searched and a download goes to the cache.

    Raises
    ------
    UnknownDatasetError, DataDamagedError, DataUnreachableError
    """
    entry = pick(name, registry(), "registered data set")
    root = cache_folder() if folder is None else Path(folder).expanduser()
    for _, place in _folders(None) if folder is None else [("folder", root)]:
        if (place / entry.path).is_file():
            try:
                read(entry, place)
            except DataDamagedError:
                if place != root:  # somebody else's folder: say so, do not shadow it
                    raise
            else:
                return place / entry.path
    return _download(entry, root)


def read_or_fetch(entry, folder=None, download=True):
    """Return the verified table of a registered file from the first folder that has it."""
    found = find(entry, folder)
    if found is None and download and not os.environ.get(OFFLINE_VARIABLE):
        fetch(entry.name)
        found = find(entry)
    if found is None:
        places = ", ".join(str(root) for _, root in _folders(folder))
        raise DataMissingError(
            f"The data of {entry.name!r} ({entry.path}) are in none of: {places}. {_way_out(entry)}"
        )
    return read(entry, found[1])[0]


def verify(name, folder=None):
    """Return the `Status` of a registered file where it would be read from; never downloads."""
    entry = pick(name, registry(), "registered data set")
    found = find(entry, folder)
    if found is None:
        return Status(name, "missing", detail=_way_out(entry))
    where, root = found
    try:
        proof = read(entry, root)[1]
    except DataDamagedError as error:
        return Status(name, "damaged", where, root / entry.path, str(error))
    return Status(name, "ok", where, root / entry.path, f"same {proof}")
