"""Fingerprint of the code behind rows: one hash of the library, the data sets' code and the room.

A stored unit is computed again if the fingerprint of its code differs, even by a comment. A wheel
contains compiled kernels instead of their sources, so that its fingerprint is its own.
"""

import hashlib
import time
from functools import cache
from pathlib import Path

from ..rooms import module_names, room_folders
from .declaration import Experiment
from .parameters import ExperimentError

PACKAGE = Path(__file__).resolve().parents[1]
#: What units of all papers may import, beside the modules of their own room.
SHARED = (
    PACKAGE.parent / "transductive",
    PACKAGE / "datasets",
    PACKAGE / "exact",
    PACKAGE / "rejection_curves.py",
    PACKAGE / "runner/seeding.py",
)
SOURCES = {".py", ".pyx", ".pxd", ".h", ".c", ".build", ".so"}
#: Time at which this process loaded the packages; it does not run later edits.
_LOADED = time.time()


@cache
def source_hash(*paths: Path) -> str:
    """SHA-256 of source files and of those below folders, as they were when this process started.

    Raises
    ------
    ExperimentError
        If one changed since then.
    """
    digest = hashlib.sha256()
    for top in paths:
        files = [top] if top.is_file() else [p for p in top.rglob("*") if p.suffix in SOURCES]
        for path in sorted(files):
            if path.stat().st_mtime > _LOADED:
                raise ExperimentError(
                    f"{path} has changed since this process started, which may run the old "
                    f"version: restart the process, or the notebook's kernel"
                )
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            digest.update(f"{path.relative_to(top.parent)} {content}\n".encode())
    return digest.hexdigest()


def fingerprint(experiment: Experiment) -> str:
    """Hash of the code that an experiment's rows may depend on, in sixteen hexadecimal digits.

    Beside what papers share, these are the modules with units in the paper's room, or the file of
    an experiment that a reader declares elsewhere, and the registry's entries of its data sets.
    """
    if experiment.paper in room_folders():
        names = module_names(experiment.paper, measures=False)
        own = [room_folders()[experiment.paper] / f"{name.rpartition('.')[2]}.py" for name in names]
    else:
        function = getattr(experiment.run_unit, "func", experiment.run_unit)
        own = [Path(function.__code__.co_filename)] if hasattr(function, "__code__") else []
    from ..datasets.registry import registry

    entries = [registry().get(name) for name in experiment.datasets]
    parts = source_hash(*SHARED), source_hash(*filter(Path.is_file, own)), repr(entries)
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()[:16]
