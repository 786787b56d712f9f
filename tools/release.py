"""Make a release: packages, book, PDFs, notebooks with results, data recipe, checksums.

    make release        tests, book and PDFs, then all of it, into dist/

The same commit and the same book give the same bytes: files are sorted, owned by nobody, and dated
by the commit. The tool refuses a tree with changes, files that disagree on the version, and a
wheel that fails where there is no compiler. ``sha256sum --check SHA256SUMS`` verifies a release.
"""

import argparse
import gzip
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import build_packages
import yaml
from build_packages import SETTINGS, PackageError

from transductive_compendium.environment import in_full

ROOT = Path(__file__).resolve().parent.parent
CHECKSUMS = "SHA256SUMS"
NOTEBOOK = "notebooks/bayesian_transduction/figure_2.ipynb"
#: Settings that would lead to the checkout, or to what was computed there.
HIDDEN = ("PYTHONPATH", "VIRTUAL_ENV", "TRANSDUCTIVE_RESULTS", "TRANSDUCTIVE_STORE")


class ReleaseError(Exception):
    """The release cannot be made; the message says what to do."""


def git(root: Path, *arguments: str) -> bytes:
    """Output of a git command."""
    done = subprocess.run(["git", "-C", str(root), *SETTINGS, *arguments], capture_output=True)
    if done.returncode:
        raise ReleaseError(f"git {arguments[0]} failed: {done.stderr.decode().strip()}")
    return done.stdout


def check_tree(root: Path) -> str:
    """The version that all files state; `ReleaseError` if they differ or the tree has changes."""
    if changes := git(root, "status", "--porcelain").decode().splitlines():
        raise ReleaseError(
            f"the tree has {len(changes)} changes, the first: {changes[0]!r}; commit them or put "
            "them away"
        )
    facts = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    version, released = str(facts["version"]), str(facts.get("date-released"))
    stated = {
        "meson.build": re.search(
            r"^  version: '([^']+)'", (root / "meson.build").read_text(), re.M
        )[1],
        "codemeta.json": json.loads((root / "codemeta.json").read_text())["version"],
        ".zenodo.json": json.loads((root / ".zenodo.json").read_text())["version"],
    }
    for name, other in stated.items():
        if other != version:
            raise ReleaseError(f"CITATION.cff has version {version}, {name} {other}")
    latest = re.search(r"^## +(.+)$", (root / "CHANGELOG.md").read_text(), re.M)
    heading = latest[1].strip() if latest else "nothing"
    if heading != f"{version} - {released}":
        raise ReleaseError(
            f"CHANGELOG.md begins with {heading!r}; a release of {version} begins with "
            f"'{version} - YYYY-MM-DD', the date-released of CITATION.cff ({released})"
        )
    return version


def compress(data: bytes) -> bytes:
    """gzip without a date or a name in its header."""
    return gzip.compress(data, compresslevel=9, mtime=0)


def archive_folder(folder: Path, prefix: str, seconds: int) -> bytes:
    """tar archive of all files below `folder` under `prefix`: sorted, dated `seconds`, no owner."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in sorted(folder.rglob("*")):
            # Sphinx's note for its next build is another one under another Python
            if not path.is_file() or path.name == ".buildinfo":
                continue
            entry = tarfile.TarInfo(f"{prefix}/{path.relative_to(folder).as_posix()}")
            content = path.read_bytes()
            entry.size, entry.mtime, entry.mode = len(content), seconds, 0o644
            tar.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()


def make(root: Path, book: Path, pdf: Path, article: Path, packages: dict, out: Path) -> Path:
    """Write the release to a folder below `out`, named by the version.

    Parameters
    ----------
    root : Path
        The checkout.
    book, pdf, article : Path
        The built book, its print, and the article, all made from this very commit.
    packages : dict of str to Path
        ``sdist`` and ``wheel``, as `build_packages.build` made them from this very commit.
    out : Path
        Gets ``transduction-compendium-<version>/``, whole or not at all. A release of the same
        version that is there must have the same bytes.

    Returns
    -------
    folder : Path
        The release.

    Raises
    ------
    ReleaseError
        If the tree is not ready, a part is missing, or another release of the version is there.
    """
    version = check_tree(root)
    if not (book / "index.html").is_file():
        raise ReleaseError(f"there is no book in {book}: make book")
    pages = max(path.stat().st_mtime for path in book.rglob("*.html"))
    if not pdf.is_file() or pdf.stat().st_mtime < pages:
        raise ReleaseError(f"{pdf} is no print of this book: make pdf")
    if not article.is_file():
        raise ReleaseError(f"{article} is missing: make article")
    for path in packages.values():
        if not path.name.startswith(f"transductive-{version}"):
            raise ReleaseError(f"{path.name} is not of version {version}")
    seconds = int(git(root, "log", "-1", "--format=%ct"))
    name = f"transduction-compendium-{version}"

    def tracked(part, *paths):
        prefix = f"--prefix={name}-{part}/"  # not the name of the release's own folder
        return compress(git(root, "archive", "--format=tar", prefix, "HEAD", *paths))

    # with the configuration of the book, by which the commands know the folder, and with the tests,
    # whose marks decide mathematics
    notebooks = ("notebooks", "results", "tests", "_config.yml", "LICENSE", "LICENSE-TEXT")
    files = {
        file: git(root, "show", f"HEAD:{file}")
        for file in ("README.md", "CITATION.cff", "LICENSE", "LICENSE-TEXT")
    } | {
        packages["wheel"].name: packages["wheel"].read_bytes(),
        packages["sdist"].name: packages["sdist"].read_bytes(),
        f"{name}-notebooks.tar.gz": tracked("notebooks", *notebooks),
        f"{name}-data.tar.gz": tracked("data", "data"),
        f"{name}-book.tar.gz": compress(archive_folder(book, f"{name}-book", seconds)),
        f"{name}.pdf": pdf.read_bytes(),
        f"{name}-article.pdf": article.read_bytes(),
        f"{name}-source.tar.gz": tracked("source"),
    }
    sums = [f"{hashlib.sha256(content).hexdigest()}  {file}\n" for file, content in files.items()]
    files[CHECKSUMS] = "".join(sums).encode()

    target = out / name
    if target.exists():
        there = {path.name: path.read_bytes() for path in target.iterdir()}
        if other := sorted(n for n in {*there, *files} if there.get(n) != files.get(n)):
            raise ReleaseError(
                f"{target / other[0]} is of another release of {version}; raise the version, or "
                f"remove {target}"
            )
        return target
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out, prefix=".release-") as scratch:
        whole = Path(scratch, name)
        whole.mkdir()
        for file, content in files.items():
            (whole / file).write_bytes(content)
        whole.rename(target)
    return target


def examples(readme: str) -> str:
    """The Python examples of a page as one program."""
    return "\n".join(re.findall(r"^```python\n(.*?)^```", readme, re.M | re.S))


def try_out(release: Path, tests=("tests/transductive",)) -> str:
    """Use the files of a release as a reader would, where there is no compiler.

    In a fresh environment pip installs the wheel; the examples of the README and the tests of the
    library, from the sdist, pass. Then a notebook runs with the results of the release.

    Returns
    -------
    said : str
        The last line of the tests.

    Raises
    ------
    PackageError
        If anything fails, with what was printed.
    """
    (wheel,), (sdist,) = release.glob("*.whl"), release.glob("transductive-*.tar.gz")
    with tempfile.TemporaryDirectory(prefix="tryout-") as folder:
        scratch = Path(folder)
        programs = scratch / "venv/bin"
        base = os.path.join(sys.base_prefix, "bin", f"python3.{sys.version_info[1]}")
        kept = {k: v for k, v in (os.environ | in_full()).items() if k not in HIDDEN}
        build_packages.run([base, "-m", "venv", scratch / "venv"], scratch, kept)
        # no other programs, so no compiler; the threads as in `make test`
        kept |= {"PATH": str(programs), "TRANSDUCTIVE_STORE": f"{scratch}/units"}
        kept |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}

        def run(program, *arguments, where=scratch, **more):
            return build_packages.run([programs / program, *arguments], where, kept | more)

        def install(*names):
            run("python", "-m", "pip", "install", "--quiet", "--only-binary", ":all:", *names)

        with tarfile.open(sdist) as tar:
            tar.extraction_filter = getattr(tarfile, "data_filter", None)  # 3.11.4 on
            tar.extractall(scratch)
        sources = scratch / sdist.name.removesuffix(".tar.gz")
        install(wheel, "pytest", "hypothesis")
        program = scratch / "examples.py"
        program.write_text(examples((sources / "README.md").read_text(encoding="utf-8")))
        run("python", program)
        quiet = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
        done = run("python", *quiet, *tests, where=sources, TRANSDUCTIVE_LIBRARY_ONLY="1")
        install(f"{wheel}[compendium,notebooks]")
        (archive,) = release.glob("*-notebooks.tar.gz")
        with tarfile.open(archive) as tar:
            tar.extraction_filter = getattr(tarfile, "data_filter", None)
            tar.extractall(scratch)
        notebooks = scratch / archive.name.removesuffix(".tar.gz")
        run("papermill", NOTEBOOK, scratch / "out.ipynb", where=notebooks)
        run("transductive", "verify", where=notebooks)
    return done.strip().splitlines()[-1]


def main(arguments=None) -> int:
    """Command line; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="folder; default: dist/")
    out = parser.parse_args(arguments).out
    built = ROOT / "_build"
    parts = built / "html", built / "transduction-compendium.pdf", built / "article/article.pdf"
    try:
        check_tree(ROOT)
        packages = build_packages.build(ROOT, ROOT / "build/packages")
        with tempfile.TemporaryDirectory(prefix="release-") as scratch:
            said = try_out(make(ROOT, *parts, packages, Path(scratch)))
            print(f"the wheel without a compiler: {said}", flush=True)
        target = make(ROOT, *parts, packages, out)
    except (ReleaseError, PackageError) as error:
        print(f"no release: {error}", file=sys.stderr)
        return 1
    for path in sorted(target.iterdir()):
        print(f"{path}  {path.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
