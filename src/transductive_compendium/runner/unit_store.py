"""Store of finished units: each is written completely or not at all, and checked when read.

A unit's file is one line with the SHA-256 of the rest, then JSON. It is written to a temporary
file, flushed to disk and renamed, so a process killed at any moment leaves only complete units.
"""

import glob
import hashlib
import json
import os
import stat
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from .. import environment
from .seeding import canonical


def store_folder() -> Path:
    """Folder of the store: ``TRANSDUCTIVE_STORE``, else the user's cache."""
    return environment.folder(environment.STORE) or environment.cache_folder() / "units"


def unit_address(
    name: str, version: int, data: Mapping[str, str], params: Mapping, seed: int, key: Mapping
) -> str:
    """SHA-256 of everything that determines a unit's rows."""
    parts = {
        "experiment": name,
        "version": version,
        "data": dict(data),
        "params": dict(params),
        "seed": seed,
        "key": dict(key),
    }
    return hashlib.sha256(canonical(parts).encode()).hexdigest()


def write_atomically(path: Path, text: str) -> None:
    """Write `text` to `path` so that a reader, or a crash, sees the old file or the new one."""
    write_together({path: text.encode()})


def write_together(contents: Mapping[Path, bytes]) -> None:
    """Write several files: all are on the disk before the first replaces its old version.

    If the disk is full, all old files stay; only a process killed between two renames leaves a
    mixture of old and new files. A file keeps the mode of its old version.
    """
    beside = {}
    try:
        for path, content in contents.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            mode = path.stat().st_mode if path.exists() else None
            beside[path] = path.with_name(f"{path.name}.{os.getpid()}.{os.urandom(4).hex()}.tmp")
            with open(beside[path], "wb") as file:
                if mode is not None:
                    os.fchmod(file.fileno(), stat.S_IMODE(mode))
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        for path, new in beside.items():
            os.replace(new, path)
    finally:
        for left in beside.values():
            left.unlink(missing_ok=True)


def sweep(folder: Path, age: float = 3600.0) -> None:
    """Remove temporary files that killed writers left in `folder` more than `age` seconds ago."""
    for left in glob.glob("*.tmp", root_dir=folder):
        with suppress(OSError):
            if time.time() - (folder / left).stat().st_mtime > age:
                (folder / left).unlink()


class UnitStore:
    """Store of one experiment's finished units.

    Parameters
    ----------
    name : str
        Name of the experiment, which is also the subfolder.
    folder : path, optional
        Root of the store; by default `store_folder`.
    """

    def __init__(self, name: str, folder: str | Path | None = None):
        root = environment.expanded(folder) if folder is not None else store_folder()
        self.folder = root.absolute() / name  # workers may be in another folder

    def path(self, address: str) -> Path:
        """File of the unit at `address`."""
        return self.folder / f"{address}.unit"

    def write(self, address: str, unit: Mapping[str, Any]) -> None:
        """Store `unit`, a JSON-able mapping."""
        body = json.dumps({"address": address, **unit})
        digest = hashlib.sha256(body.encode()).hexdigest()
        write_atomically(self.path(address), f"{digest}\n{body}\n")

    def read(self, address: str) -> tuple[dict | None, str | None]:
        """The unit at `address` or None, and the fault of its file or None."""
        path = self.path(address)
        try:
            digest, _, body = path.read_text(encoding="utf-8").partition("\n")
            body = body.removesuffix("\n")
            if hashlib.sha256(body.encode()).hexdigest() != digest:
                return None, f"{path} is torn or not a unit file; the unit is computed again"
            unit = json.loads(body)
            if unit["address"] != address:
                return None, f"{path} belongs to another unit; this one is computed again"
            return unit, None
        except FileNotFoundError:
            return None, None
        except (OSError, ValueError, TypeError, KeyError) as error:
            return None, f"{path} cannot be read ({error}); the unit is computed again"
