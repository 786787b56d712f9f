"""Make a release: packages, book, PDFs, notebooks with results, data recipe, checksums.

    make release                                   book and PDFs, then all of it, into dist/
    python tools/release.py --check dist/FOLDER    is everything what it was at the release?

The same commit and the same book give the same bytes: files are sorted, owned by nobody, and dated
by the commit. Nothing is made from a tree with changes, when two files disagree on the version, or
when the wheel fails where there is no compiler. To check a release needs Python alone: what only
the making needs is imported there.
"""

import argparse
import fnmatch
import gzip
import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MANIFEST, CHECKSUMS = "manifest.json", "SHA256SUMS"


class ReleaseError(Exception):
    """The release cannot be made; the message says what to do."""


def git(root: Path, *arguments: str) -> bytes:
    """Output of a git command."""
    from build_packages import SETTINGS

    try:
        done = subprocess.run(["git", "-C", str(root), *SETTINGS, *arguments], capture_output=True)
    except OSError as error:
        raise ReleaseError(f"git cannot be run: {error.strerror or error}") from error
    if done.returncode:
        raise ReleaseError(f"git {arguments[0]} failed: {done.stderr.decode().strip()}")
    return done.stdout


def check_tree(root: Path) -> str:
    """The version that all files state; `ReleaseError` if they differ or the tree has changes."""
    import write_metadata

    if changes := git(root, "status", "--porcelain").decode().splitlines():
        raise ReleaseError(
            f"the tree has {len(changes)} changes, the first: {changes[0]!r}; commit them or put "
            "them away"
        )
    if names := write_metadata.stale(root):
        raise ReleaseError(
            f"{' and '.join(names)}: not what CITATION.cff says; python tools/write_metadata.py"
        )
    facts = write_metadata.citation(root)
    version, released = str(facts["version"]), str(facts.get("date-released"))
    built = re.search(r"^  version: '([^']+)'", (root / "meson.build").read_text(), re.M)[1]
    if built != version:
        raise ReleaseError(f"CITATION.cff has version {version}, meson.build {built}")
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


def sha256(content: bytes) -> str:
    """Hexadecimal digest."""
    return hashlib.sha256(content).hexdigest()


def supported_pythons(root: Path) -> list[str]:
    """Versions of Python that the package's classifiers name."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = (re.search(r":: Python :: (3\.\d+)$", line) for line in project["classifiers"])
    return [version[1] for version in found if version]


def unpacked_bytes(content: bytes) -> int | None:
    """Bytes of the files in a zip or tar archive; None for another file."""
    if zipfile.is_zipfile(io.BytesIO(content)):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return sum(entry.file_size for entry in archive.infolist())
    try:
        with tarfile.open(fileobj=io.BytesIO(content)) as tar:
            return sum(entry.size for entry in tar)
    except tarfile.ReadError:
        return None


#: How a README names files of a release; a star stands for the version, and what follows it.
NAMED = re.compile(
    r"\btransduct[a-z-]+-\*[\w.-]*\w|\b(?:SHA256SUMS|manifest\.json|CITATION\.cff|LICENSE(?:-TEXT)?)\b"
)


def not_there(readme: str, names) -> list[str]:
    """Files that the text of a README names, and that are not among `names`."""
    named = dict.fromkeys(NAMED.findall(readme))
    return [pattern for pattern in named if not fnmatch.filter(names, pattern)]


def make(
    root: Path, book: Path, pdf: Path, article: Path, packages: dict, out: Path, tested=()
) -> Path:
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
    tested : sequence of str
        Versions of Python on which the wheel was tried out.

    Returns
    -------
    folder : Path
        The release.

    Raises
    ------
    ReleaseError
        If the tree is not ready, a part is missing, or another release of the version is there.
    """
    import write_metadata

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
    commit = git(root, "rev-parse", "HEAD").decode().strip()
    seconds = int(git(root, "log", "-1", "--format=%ct"))
    name = f"transduction-compendium-{version}"

    def tracked(part, *paths):
        prefix = f"--prefix={name}-{part}/"  # not the name of the release's own folder
        return compress(git(root, "archive", "--format=tar", prefix, commit, *paths))

    # with the configuration of the book, by which the commands know the folder
    notebooks = ("notebooks", "results", "_config.yml", "LICENSE", "LICENSE-TEXT")
    contents = {
        **{
            file: (what, git(root, "show", f"{commit}:{file}"))
            for file, what in {
                "README.md": "begin here",
                "CITATION.cff": "how to cite it",
                "LICENSE": "of the code",
                "LICENSE-TEXT": "of the text and the figures",
            }.items()
        },
        packages["wheel"].name: (
            "the packages, compiled: pip install FILE, or with experiments FILE[compendium]",
            packages["wheel"].read_bytes(),
        ),
        packages["sdist"].name: (
            "the packages as sources, for other systems: pip compiles them",
            packages["sdist"].read_bytes(),
        ),
        f"{name}-notebooks.tar.gz": (
            "the notebooks, and the recorded results with their provenance",
            tracked("notebooks", *notebooks),
        ),
        f"{name}-data.tar.gz": (
            "no data: where each data set is published and how it is recognised; "
            "`transductive data fetch` gets them",
            tracked("data", "data"),
        ),
        f"{name}-book.tar.gz": (
            "the built book: open index.html",
            compress(archive_folder(book, f"{name}-book", seconds)),
        ),
        f"{name}.pdf": ("the book on paper, without its appendices", pdf.read_bytes()),
        f"{name}-article.pdf": ("the article: what became of the papers", article.read_bytes()),
        f"{name}-source.tar.gz": ("all sources, as committed", tracked("source")),
    }
    files, listed = {}, []
    for file, (what, content) in contents.items():
        files[file] = content
        facts = {"name": file, "bytes": len(content), "sha256": sha256(content), "what": what}
        if unpacked := unpacked_bytes(content):
            facts["unpacked_bytes"] = unpacked
        listed.append(facts)
    supported = supported_pythons(root)
    manifest = {
        "title": write_metadata.citation(root)["title"],
        "version": version,
        "date": str(write_metadata.citation(root)["date-released"]),
        "commit": commit,
        "python": {
            "supported": supported,
            "wheel_tested": [v for v in supported if v in tested],
            "wheel_not_tested": [v for v in supported if v not in tested],
        },
        "files": listed,
    }
    files[MANIFEST] = (json.dumps(manifest, indent=2) + "\n").encode()
    sums = "".join(f"{sha256(content)}  {file}\n" for file, content in files.items())
    files[CHECKSUMS] = sums.encode()
    if others := not_there(files["README.md"].decode(), files):
        raise ReleaseError(f"README.md names {others[0]}, which is no file of the release")

    target = out / name
    if target.exists():
        there = {path.name: path.read_bytes() for path in target.iterdir()}
        if other := sorted(n for n in {*there, *files} if there.get(n) != files.get(n)):
            raise ReleaseError(
                f"{target / other[0]} is of another release of {version} (of another commit, or "
                f"tried with other PYTHONS); raise the version, or remove {target}"
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


def problems(folder: Path) -> list[str]:
    """Faults of a release: damaged, missing or foreign files, another commit's sources."""
    try:
        listed_sums = (folder / CHECKSUMS).read_text().splitlines()
        matches = [re.fullmatch(r"([0-9a-f]{64})  ([^/\\]+)", line) for line in listed_sums]
        sums = {match[2]: match[1] for match in matches}
        manifest = json.loads((folder / MANIFEST).read_text())
        listed = {file["name"]: file for file in manifest["files"]}
        commit = manifest["commit"]
    except (OSError, ValueError, AttributeError, KeyError, TypeError) as error:
        return [f"{folder} is no release: {type(error).__name__}: {error}"]
    found = []
    there = {path.name for path in folder.iterdir()}
    found += [f"{name}: missing" for name in sorted(set(sums) - there)]
    found += [f"{name}: no part of it" for name in sorted(there - set(sums) - {CHECKSUMS})]
    if set(sums) != {*listed, MANIFEST}:
        found.append(f"{CHECKSUMS} and {MANIFEST} name different files")
    for part in (".whl", "-source.tar.gz", "-book.tar.gz", "-notebooks.tar.gz", "-article.pdf"):
        if not any(name.endswith(part) for name in sums):
            found.append(f"no file ends with {part}")
    if "README.md" in there:
        readme = (folder / "README.md").read_text(encoding="utf-8", errors="replace")
        others = not_there(readme, {*sums, CHECKSUMS})
        found += [f"README.md names {pattern}, which is no file of it" for pattern in others]
    for name in sorted(set(sums) & there):
        content = (folder / name).read_bytes()
        if sha256(content) != sums[name]:
            found.append(f"{name}: not the bytes that {CHECKSUMS} was made for")
        elif name in listed and (len(content), sums[name]) != (
            listed[name]["bytes"],
            listed[name]["sha256"],
        ):
            found.append(f"{name}: not the bytes that {MANIFEST} was made for")
        elif name.endswith("-source.tar.gz"):
            try:
                with tarfile.open(fileobj=io.BytesIO(content)) as tar:
                    stated = tar.pax_headers.get("comment")
            except tarfile.TarError as error:
                stated = str(error)
            if stated != commit:
                found.append(f"{name}: not the sources of commit {commit[:12]}")
    return found


def main(arguments=None) -> int:
    """Command line; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="folder; default: dist/")
    parser.add_argument("--book", type=Path, help="a built book, by default this checkout's")
    parser.add_argument("--pdf", type=Path, default=ROOT / "_build/transduction-compendium.pdf")
    parser.add_argument("--article", type=Path, default=ROOT / "_build/article/article.pdf")
    parser.add_argument("--check", type=Path, metavar="FOLDER", help="verify a release")
    parser.add_argument("pythons", nargs="*", help="programs to try the wheel with, besides this")
    given = parser.parse_args(arguments)
    if given.check:
        found = problems(given.check)
        print("\n".join(found) or f"{given.check}: complete and undamaged")
        return 1 if found else 0
    import build_packages
    import try_release

    try:
        if unknown := [name for name in given.pythons if not shutil.which(name)]:
            raise ReleaseError(f"{unknown[0]} is no program; name those to try the wheel with")
        check_tree(ROOT)
        if not given.book and subprocess.run(["make", "pdf", "article"], cwd=ROOT).returncode:
            raise ReleaseError("the book, its PDF or the article cannot be made: make pdf article")
        packages = build_packages.build(ROOT, ROOT / "build/packages")
        parts = ROOT, given.book or ROOT / "_build/html", given.pdf, given.article, packages
        with tempfile.TemporaryDirectory(prefix="release-") as scratch:
            tested = try_release.tryout(make(*parts, Path(scratch)), given.pythons)
        target = make(*parts, given.out, tested)
    except (ReleaseError, build_packages.PackageError) as error:
        print(f"no release: {error}", file=sys.stderr)
        return 1
    for path in sorted(target.iterdir()):
        print(f"{path}  {path.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
