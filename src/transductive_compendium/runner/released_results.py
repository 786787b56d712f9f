"""Notebooks and recorded results of a release, for those who installed the package with pip."""

import hashlib
import io
import os
import tarfile
import tempfile
from http.client import HTTPException
from pathlib import Path, PurePosixPath
from urllib.request import urlopen

from transductive import __version__

from ..environment import expanded
from .records import RecordError

CHECKSUMS = "SHA256SUMS"
#: Seconds to wait for a server's next word.
TIMEOUT = 60


def _empty(folder: Path) -> bool:
    try:
        return not os.listdir(folder)
    except OSError:  # no folder, or one of others
        return False


def unpack_release(release: str | Path, folder: Path, version: str = __version__) -> int:
    """Unpack the notebooks and the recorded results of this version, compared with their hash.

    Parameters
    ----------
    release : str or Path
        Folder or address of the files of a release, among them ``SHA256SUMS``.
    folder : Path
        Folder to unpack to; it must be new or empty.
    version : str
        By default that of the package.

    Returns
    -------
    count : int
        Number of files written.

    Raises
    ------
    RecordError
        If the folder is not empty or cannot be written, or if the release cannot be read, is of
        another version, or is damaged. Nothing is left in the folder then.
    """
    if os.path.lexists(folder) and not _empty(folder):
        raise RecordError(f"{folder} is there already; name a new folder")
    address = str(release) if "://" in str(release) else expanded(release).resolve().as_uri()
    name = f"transduction-compendium-{version}-notebooks.tar.gz"

    def read(file):
        try:
            with urlopen(f"{address.rstrip('/')}/{file}", timeout=TIMEOUT) as answer:
                return answer.read()
        except (OSError, HTTPException, ValueError) as error:
            raise RecordError(
                f"{file} cannot be read from {release} ({error}); name the folder or the address "
                f"of all files of a release, or unpack {name} yourself"
            ) from error

    sums = read(CHECKSUMS).decode(errors="replace").splitlines()
    expected = {file: digest for digest, _, file in (line.partition("  ") for line in sums)}
    if name not in expected:
        raise RecordError(
            f"{release} has no {name}; install the version of the release, or name the release of "
            f"version {version}"
        )
    packed = read(name)
    if hashlib.sha256(packed).hexdigest() != expected[name]:
        raise RecordError(
            f"{name} of {release} is damaged: it does not have the hash that {CHECKSUMS} states; "
            f"download it again"
        )
    with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
        files = {
            PurePosixPath(member.name).parts[1:]: tar.extractfile(member).read()
            for member in tar
            if member.isfile()
        }
    if outside := [inner for inner in files if ".." in inner]:
        raise RecordError(f"{name} of {release} would write outside {folder}: {outside[0]}")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".unpacked-") as scratch:
            whole = Path(scratch, "whole")
            for inner, content in files.items():
                path = whole.joinpath(*inner)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            whole.rename(folder)
    except OSError as error:
        raise RecordError(
            f"{folder} cannot be written ({error.strerror or error}); name a folder that you may "
            f"make, on a disk with room"
        ) from error
    return len(files)
