"""All data sets at hand in one archive, for a machine without a network.

A bundle is a zip archive of the files as they lie in a data folder, not compressed, because most
are already. Its first member, a manifest, has the size and the hash of every file.
"""

import hashlib
import json
import os
import tempfile
import zipfile
from pathlib import Path

from ..environment import expanded
from .archives import UNPACKED_BYTES_MAX
from .contents import proof
from .download import find, read
from .errors import DataDamagedError, DataError, DataMissingError
from .registry import pick, registry

MANIFEST = "MANIFEST.json"
FORMAT = "transductive data bundle"
VERSION = 1
_DATE = (1980, 1, 1, 0, 0, 0)  # the same bytes whenever and wherever it is written


def write(path, names=(), folder=None):
    """Pack registered sets into one archive; the same files give the same bytes.

    Parameters
    ----------
    path : path
        The archive to write; it must not be there, and its name ends in ``.zip``.
    names : sequence of str
        Sets that must be in it; by default all that are at hand and may be handed on.
    folder : path, optional
        Searched first; then TRANSDUCTIVE_DATA, then the cache.

    Returns
    -------
    packed : list of str
    left_out : dict of str to str
        Sets that are not in it, and why.

    Raises
    ------
    DataError
        If a set is damaged, one of `names` cannot be packed, none can, or the archive cannot be
        written. Nothing is written then.
    """
    path, packed, left_out, raws = expanded(path), {}, {}, {}
    if path.suffix.lower() != ".zip":  # so neither "-" nor a device
        raise DataError(f"{path}: a bundle is a zip archive. Name a file that ends in .zip.")
    for name in sorted(set(names or registry())):
        entry = pick(name, registry(), "registered data set")
        if why := _kept_out(entry, folder):
            left_out[name] = why
            continue
        contents = read(entry, find(entry, folder)[1], _checked)
        raws |= dict(zip((file.path for file in entry.files), contents, strict=True))
        packed[name] = {
            "title": entry.title,
            "terms": entry.terms,
            "redistribution": entry.redistribution,
            "page": entry.page,
            "files": [_facts(file.path, raws[file.path]) for file in entry.files],
        }
    if not packed or (names and left_out):
        reasons = "\n".join(f"  {name}: {why}" for name, why in left_out.items())
        raise DataError(f"No bundle was written, because these sets cannot be in it:\n{reasons}")
    facts = {"format": FORMAT, "version": VERSION, "sets": packed, "left_out": left_out}
    members = {MANIFEST: json.dumps(facts, indent=1).encode(), **dict(sorted(raws.items()))}
    if os.path.lexists(path):
        raise DataError(f"{path} is there already. Remove it, or name another file.")
    try:
        with tempfile.TemporaryDirectory(prefix=".bundle-", dir=path.parent) as scratch:
            part = Path(scratch) / "part"
            with zipfile.ZipFile(part, "w") as archive:
                for name, raw in members.items():
                    info = zipfile.ZipInfo(name, _DATE)
                    info.create_system, info.external_attr = 3, 0o644 << 16
                    archive.writestr(info, raw)
            os.replace(part, path)
    except OSError as error:
        raise DataError(f"{path} cannot be written ({error}). Name another file.") from error
    return list(packed), left_out


def _checked(entry, file, raw):
    proof(entry, file, raw)
    return raw


def _facts(path, raw):
    return {"path": path, "bytes": len(raw), "sha256": hashlib.sha256(raw).hexdigest()}


def _kept_out(entry, folder):
    """Return why a set cannot be in a bundle, or an empty text."""
    if entry.redistribution == "use only":
        files = ", ".join(file.path for file in entry.files)
        return (
            f"its terms allow use, not handing on ({entry.terms}). Copy {files} to machines of "
            f"your own yourself."
        )
    if find(entry, folder) is None:
        return f"it is not at hand. Run `transductive data fetch {entry.name}` first."
    return ""


class Bundle:
    """An archive that `write` made, to be given to `fetch`.

    Parameters
    ----------
    path : path

    Attributes
    ----------
    sets : dict of str to dict of str to str
        For each set in it, the paths of its files and their SHA-256.
    left_out : dict of str to str
        Sets that were left out when it was made, and why.

    Raises
    ------
    DataError
        If the file cannot be read or is no bundle, or none that this version reads.
    """

    def __init__(self, path):
        self.path = expanded(path)
        try:
            with zipfile.ZipFile(self.path) as archive:
                foreign = MANIFEST not in archive.namelist()
            facts = {} if foreign else json.loads(self._member(MANIFEST))
            if facts.get("format") != FORMAT:
                raise self._error("is a zip archive, but no bundle of data sets")
            if facts["version"] != VERSION:
                raise DataError(
                    f"{self.path} is a bundle of version {facts['version']}; this program reads "
                    f"version {VERSION}. Install a newer one, or make the bundle with this one."
                )
            self.sets = {
                name: {file["path"]: file["sha256"] for file in known["files"]}
                for name, known in facts["sets"].items()
            }
            self.left_out = dict(facts["left_out"])
        except FileNotFoundError as error:
            raise DataError(f"There is no file {self.path}. Correct the name.") from error
        except OSError as error:
            raise DataError(f"{self.path} cannot be read ({error}).") from error
        except DataError:
            raise
        except Exception as error:  # zipfile has no common base class for what damage can cause
            raise self._error(f"is no whole bundle of data sets ({error})") from error

    def _error(self, what):
        return DataDamagedError(
            f"{self.path} {what}. Nothing was changed. Copy the bundle here again, or make it anew "
            f"where the data are: `transductive data bundle FILE.zip`."
        )

    def _member(self, name):
        with zipfile.ZipFile(self.path) as archive, archive.open(name) as stream:
            return stream.read(UNPACKED_BYTES_MAX)

    def check(self, names=None):
        """Return the sets to take, all by default, after every file of them was checked.

        Raises
        ------
        UnknownDatasetError, DataMissingError, DataDamagedError
        """
        for name in names or ():
            pick(name, registry(), "registered data set")
            if name not in self.sets:
                why = self.left_out.get(name, "it was not asked for when the bundle was made.")
                raise DataMissingError(
                    f"{self.path} does not hold {name!r}: {why} Take what it holds, "
                    f"{', '.join(self.sets)}, or make another: `transductive data bundle FILE.zip`."
                )
        if names is None:
            names = [name for name in self.sets if name in registry()]
        for name in names:
            for file in registry()[name].files:
                self.read(registry()[name], file)
        return names

    def read(self, entry, file):
        """Return the bytes of one file, if they are both what was packed and what is registered."""
        try:
            raw = self._member(file.path)
            if hashlib.sha256(raw).hexdigest() != self.sets[entry.name].get(file.path):
                raise ValueError("its hash is not that of the manifest")
            proof(entry, file, raw)
        except Exception as error:  # see above
            raise self._error(f"is damaged at {file.path} of {entry.name!r} ({error})") from error
        return raw
