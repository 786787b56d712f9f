"""Build the book a second time, elsewhere, and compare every file of the pages byte for byte.

    python tools/build_twice.py          the pages again, from the same executed notebooks
    python tools/build_twice.py --cold   everything again: environment, kernels, notebooks, pages

The second build has another folder name, empty caches, another time zone and language.
The tool lists each file that differs, with the first place where it does.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from build_book import HTML
from execute_notebooks import EXECUTED, ROOT

from transductive_compendium.book.repository import revision
from transductive_compendium.environment import REVISION, in_full

#: Files and folders that a fresh checkout does not have.
MADE = (".git", ".venv", "_build", "build", "dist", ".*_cache", ".hypothesis", "__pycache__")


def differences(first: Path, second: Path) -> list[str]:
    """A line for each file that is in only one folder, or differs between them."""
    names = {
        path.relative_to(folder)
        for folder in (first, second)
        for path in folder.rglob("*")
        # not the page from which the book may just be printed
        if path.is_file() and not path.match("print-*.html")
    }
    lines = []
    for name in sorted(names):
        found = [path.read_bytes() for path in (first / name, second / name) if path.is_file()]
        if len(found) < 2:
            lines.append(f"{name}: only in one of the builds")
        elif found[0] != found[1]:
            pairs = enumerate(zip(*found, strict=False))
            at = next((k for k, (a, b) in pairs if a != b), min(map(len, found)))
            parts = [content[max(0, at - 60) : at + 60] for content in found]
            lines.append(f"{name}: byte {at}: {parts[0]!r} against {parts[1]!r}")
    return lines


def build_elsewhere(folder: Path, cold: bool) -> None:
    """Copy the sources to `folder` and build the book there."""
    shutil.copytree(ROOT, folder, symlinks=True, ignore=shutil.ignore_patterns(*MADE))
    caches = folder.parent / "caches"
    caches.mkdir()
    environment = {
        **os.environ,
        **in_full(),
        REVISION: revision(),
        "LC_ALL": "C.UTF-8",
        "MPLCONFIGDIR": str(caches),
        "PYTHONHASHSEED": "20",
        "TZ": "Pacific/Auckland",
        "XDG_CACHE_HOME": str(caches),
    }
    if cold:
        command = ["make", "book"]
    else:
        shutil.copytree(EXECUTED, folder / "_build" / "executed")
        command = [sys.executable, "tools/build_book.py"]
    if subprocess.run(command, cwd=folder, env=environment, stdout=sys.stderr).returncode:
        sys.exit("the second build failed; see above")


def main(arguments=None) -> int:
    """Command line; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cold", action="store_true", help="also environment and notebooks")
    given = parser.parse_args(arguments)
    if not (HTML / "index.html").is_file():
        sys.exit("there is no built book to compare with; make one with `make book`")
    with tempfile.TemporaryDirectory(prefix="a second copy ") as folder:
        copy = Path(folder) / "of-the-book"
        build_elsewhere(copy, given.cold)
        found = differences(HTML, copy / "_build" / "html")
        count = sum(path.is_file() for path in HTML.rglob("*"))
    for line in found:
        print(line, file=sys.stderr)
    print(f"twice: {len(found)} of {count} files differ")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
