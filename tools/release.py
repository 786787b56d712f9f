"""Make a release: archives of the sources, the book and the results, their checksums, a manifest.

    make release                                   build the book, then all of it, into dist/
    python tools/release.py --check dist/FOLDER    is everything what it was at the release?

The same commit and the same book give the same bytes: files are sorted, owned by nobody, and dated
by the commit. No release is made from a tree with changes, or if two files disagree on the version.
Checking a release needs only Python: packages for making one are imported where they are used.
"""

import argparse
import gzip
import hashlib
import io
import json
import re
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MANIFEST, CHECKSUMS = "manifest.json", "SHA256SUMS"


class ReleaseError(Exception):
    """The release cannot be made; the message says what to do."""


def git(root: Path, *arguments: str) -> bytes:
    """Output of a git command."""
    # a file's mode in an archive must not depend on the user's settings
    command = ["git", "-C", str(root), "-c", "tar.umask=0022", *arguments]
    done = subprocess.run(command, capture_output=True)
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
    if others := stale_records():
        named = "\n".join(f"  {name}: {why}" for name, why in others.items())
        raise ReleaseError(
            f"{len(others)} records belong to other code than this commit's; record each again "
            f"(transductive run NAME --profile paper --record) and commit it:\n{named}"
        )
    return version


def stale_records() -> dict[str, str]:
    """Why a record no longer belongs to the code, by name of the experiment."""
    from transductive_compendium.verdicts.verification import stale_records

    return stale_records()


def compress(data: bytes) -> bytes:
    """gzip without a date or a name in its header."""
    return gzip.compress(data, compresslevel=9, mtime=0)


def archive_folder(folder: Path, prefix: str, seconds: int) -> bytes:
    """tar archive of all files below `folder` under `prefix`: sorted, dated `seconds`, no owner."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in sorted(folder.rglob("*")):
            if not path.is_file():
                continue
            entry = tarfile.TarInfo(f"{prefix}/{path.relative_to(folder).as_posix()}")
            content = path.read_bytes()
            entry.size, entry.mtime, entry.mode = len(content), seconds, 0o644
            tar.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()


def sha256(content: bytes) -> str:
    """Hexadecimal digest."""
    return hashlib.sha256(content).hexdigest()


def make(root: Path, book: Path, out: Path) -> Path:
    """Write the release to a folder below `out`, named by the version; returns that folder.

    Parameters
    ----------
    root : Path
        The checkout.
    book : Path
        The built book, made from this commit.
    out : Path
        Folder for ``transduction-compendium-<version>/``. An earlier release of the same version is
        replaced only by the same bytes.
    """
    import write_metadata

    version = check_tree(root)
    if not (book / "index.html").is_file():
        raise ReleaseError(f"there is no book in {book}: make book")
    commit = git(root, "rev-parse", "HEAD").decode().strip()
    seconds = int(git(root, "log", "-1", "--format=%ct"))
    name = f"transduction-compendium-{version}"

    def tracked(*paths):
        return git(root, "archive", "--format=tar", f"--prefix={name}/", commit, *paths)

    contents = {
        "source": ("all sources, as committed", tracked()),
        "book": ("the built book: open index.html", archive_folder(book, f"{name}-book", seconds)),
        "results": ("the recorded results with their provenance", tracked("results")),
    }
    files, listed = {}, []
    for part, (what, tar) in contents.items():
        packed = compress(tar)
        files[f"{name}-{part}.tar.gz"] = packed
        listed.append(
            {
                "name": f"{name}-{part}.tar.gz",
                "bytes": len(packed),
                "sha256": sha256(packed),
                "what": what,
            }
        )
    manifest = {
        "title": write_metadata.citation(root)["title"],
        "version": version,
        "commit": commit,
        "files": listed,
    }
    files[MANIFEST] = (json.dumps(manifest, indent=2) + "\n").encode()
    sums = "".join(f"{sha256(content)}  {file}\n" for file, content in files.items())
    files[CHECKSUMS] = sums.encode()

    target = out / name
    target.mkdir(parents=True, exist_ok=True)
    for file, content in files.items():
        there = target / file
        if there.exists() and there.read_bytes() != content:
            raise ReleaseError(
                f"{there} is of another release of {version}; raise the version, or remove {target}"
            )
        there.write_bytes(content)
    return target


def problems(folder: Path) -> list[str]:
    """Faults of a release: damaged, missing or foreign files, another commit's sources."""
    try:
        sums = dict(
            reversed(re.fullmatch(r"([0-9a-f]{64})  ([^/\\]+)", line).groups())
            for line in (folder / CHECKSUMS).read_text().splitlines()
        )
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
            with tarfile.open(fileobj=io.BytesIO(content)) as tar:
                if tar.pax_headers.get("comment") != commit:
                    found.append(f"{name}: not the sources of commit {commit[:12]}")
    return found


def main(arguments=None) -> int:
    """Command line; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="folder; default: dist/")
    parser.add_argument("--book", type=Path, help="a built book, by default this checkout's")
    parser.add_argument("--check", type=Path, metavar="FOLDER", help="verify a release")
    given = parser.parse_args(arguments)
    if given.check:
        found = problems(given.check)
        print("\n".join(found) or f"{given.check}: complete and undamaged")
        return 1 if found else 0
    import build_book

    try:
        if not given.book and not build_book.book_is_current():
            raise ReleaseError("the book is not that of these sources: make book")
        target = make(ROOT, given.book or ROOT / "_build/html", given.out)
    except ReleaseError as error:
        print(f"no release: {error}", file=sys.stderr)
        return 1
    for path in sorted(target.iterdir()):
        print(f"{path}  {path.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
