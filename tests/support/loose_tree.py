"""A copy of the packages in a folder, run in place of the installed ones."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

SRC = Path(__file__).resolve().parents[2] / "src"
#: Takes the editable install out of the way of the folder named first.
_FIRST = (
    "import sys; "
    "sys.meta_path[:] = [f for f in sys.meta_path if 'editable' not in type(f).__module__]; "
    "sys.path.insert(0, sys.argv.pop(1)); "
)


def copy_packages(folder: Path, kernels: bool = False) -> Path:
    """Copy both packages and the registry below `folder`; with `kernels`, compiled ones, too."""
    for name in ("transductive", "transductive_compendium"):
        shutil.copytree(
            SRC / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "_data")
        )
    from transductive_compendium.datasets.registry import REGISTRY

    data = folder / "transductive_compendium" / "_data"
    data.mkdir()
    shutil.copy(str(REGISTRY), data / "registry.yml")
    if kernels:
        for path in (folder / "transductive").rglob("*.pyx"):
            copy_kernel(".".join(path.relative_to(folder).with_suffix("").parts), folder)
    return folder


def copy_kernel(name: str, folder: Path) -> None:
    """Copy a compiled kernel to its place below `folder`."""
    from importlib import import_module

    source = Path(import_module(name).__file__)
    shutil.copy(source, folder.joinpath(*name.split(".")[:-1]) / source.name)


def python(folder: Path, code: str, *words: str, **variables: str) -> str:
    """Run `code` with the packages of `folder`; what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", _FIRST + code, str(folder), *words],
        capture_output=True,
        text=True,
        env={**os.environ, **variables},
        cwd=folder,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
