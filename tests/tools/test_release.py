"""A release: refused from a tree that is not ready, the same bytes twice, complete."""

import os
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import build_packages
import pytest
import release
from raised_version import git, set_version
from release import ReleaseError, make

ROOT = Path(__file__).resolve().parents[2]
VERSION = "1.0.0"
LICENCES = ("LICENSE", "LICENSE-TEXT")
NAME = f"transduction-compendium-{VERSION}"
SDIST = f"transductive-{VERSION}.tar.gz"
WHEEL = f"transductive-{VERSION}-cp311-abi3-manylinux_2_17_x86_64.whl"


def commit(root):
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "change")


@pytest.fixture
def checkout(tmp_path):
    """A small repository that is ready for a release; beside it a book, its print and packages."""
    root = tmp_path / "checkout"
    for folder in ("results", "notebooks", "data", "tests", "src/transductive"):
        (root / folder).mkdir(parents=True)
    for name in ("CITATION.cff", "meson.build", "_config.yml", "codemeta.json", ".zenodo.json"):
        shutil.copy(ROOT / name, root)
    shutil.copy(ROOT / "src/transductive/__init__.py", root / "src/transductive")
    (root / "CHANGELOG.md").write_text("# Changelog\n\n## 0.9\n\n## 0.0.1\n")
    (root / "results/rows.csv").write_text("a,b\n1,2\n")
    for name in ("notebooks/walk.ipynb", "data/registry.yml", "tests/x.py", *LICENCES):
        (root / name).write_text(name)
    (root / "README.md").write_text("# Begin here\n")
    (root / "run.sh").write_text("#!/bin/sh\n")
    (root / "run.sh").chmod(0o755)
    set_version(root, VERSION, "2031-02-03")
    git(tmp_path, "init", "--quiet", str(root))
    commit(root)
    book = tmp_path / "book"
    (book / "chapter").mkdir(parents=True)
    (book / "index.html").write_text("<h1>Book</h1>")
    (book / "chapter/page.html").write_text("<p>Text</p>")
    (book / ".buildinfo").write_text("config: of this Python")
    (tmp_path / "book.pdf").write_bytes(b"%PDF-1.4")
    (tmp_path / "article.pdf").write_bytes(b"%PDF-1.7")
    with zipfile.ZipFile(tmp_path / WHEEL, "w") as wheel:
        wheel.writestr(zipfile.ZipInfo("transductive/__init__.py"), "x = 1")
    (tmp_path / SDIST).write_bytes(b"sources")
    return root


def made(checkout, out, sdist=SDIST):
    """The release of a checkout and of what lies beside it."""
    beside = checkout.parent
    packages = {"sdist": beside / sdist, "wheel": beside / WHEEL}
    return make(
        checkout, *(beside / name for name in ("book", "book.pdf", "article.pdf")), packages, out
    )


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def members(folder, part):
    listed = subprocess.run(
        ["tar", "tzf", folder / f"{NAME}-{part}.tar.gz"], check=True, capture_output=True, text=True
    )
    return [name for name in listed.stdout.split() if not name.endswith("/")]


def test_a_release_holds_every_part_and_their_sums(checkout, tmp_path):
    folder = made(checkout, tmp_path / "dist")
    assert folder.name == NAME and (folder / "README.md").read_text() == "# Begin here\n"
    names = ("_config.yml", *LICENCES, "notebooks/walk.ipynb", "results/rows.csv", "tests/x.py")
    assert set(members(folder, "notebooks")) == {f"{NAME}-notebooks/{name}" for name in names}
    assert members(folder, "data") == [f"{NAME}-data/data/registry.yml"]
    assert f"{NAME}-source/run.sh" in members(folder, "source")
    pages = [f"{NAME}-book/chapter/page.html", f"{NAME}-book/index.html"]
    assert members(folder, "book") == pages
    parts = {WHEEL, SDIST, f"{NAME}.pdf", f"{NAME}-article.pdf"}
    assert parts < {path.name for path in folder.iterdir()}
    command = ["sha256sum", "--check", "--strict", "SHA256SUMS"]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    assert done.stdout.count(": OK\n") == len(list(folder.iterdir())) - 1


def test_two_runs_give_the_same_bytes(checkout, tmp_path):
    first = contents(made(checkout, tmp_path / "first"))
    again = tmp_path / "again"
    shutil.copytree(checkout, again / "checkout")
    # another place, other dates, other settings of the user, another order on the disk
    (again / "book/chapter").mkdir(parents=True)
    for name in ("index.html", "chapter/page.html"):
        (again / "book" / name).write_bytes((tmp_path / "book" / name).read_bytes())
        os.utime(again / "book" / name, (1e9, 1e9))
        (again / "book" / name).chmod(0o600)
    for name in ("book.pdf", "article.pdf", WHEEL, SDIST):
        shutil.copy(tmp_path / name, again)
    git(again / "checkout", "config", "tar.umask", "0077")
    second = contents(made(again / "checkout", again / "dist"))
    assert first == second
    made(again / "checkout", again / "dist")  # once more into the same place
    assert release.compress(b"text")[4:8] == b"\0\0\0\0"


def test_another_release_of_the_version_changes_no_file(checkout, tmp_path):
    before = contents(made(checkout, tmp_path / "dist"))
    (tmp_path / "book.pdf").write_bytes(b"%PDF-1.5")
    with pytest.raises(ReleaseError, match=rf"another release of {VERSION}.* raise the version"):
        made(checkout, tmp_path / "dist")
    assert contents(tmp_path / "dist" / NAME) == before
    assert os.listdir(tmp_path / "dist") == [NAME]


@pytest.mark.parametrize(
    ("name", "pattern", "text", "message"),
    [
        ("meson.build", r"^  version: '.*'", "  version: '9.9.9'", "meson.build 9.9.9"),
        ("codemeta.json", r'"version": ".*"', '"version": "9.9.9"', r"codemeta.json 9\.9\.9"),
        ("CITATION.cff", r"^version: .*", "version: 9.9.9", "has version 9.9.9, meson.build"),
        ("CITATION.cff", r"^date-released: .*", "date-released: 2031-02-04", "begins with"),
        ("CITATION.cff", r"^date-released: .*\n", "", "begins with"),
        ("CHANGELOG.md", r"^## .*", "## Unreleased", "begins with 'Unreleased'"),
        ("CHANGELOG.md", r"(?s)^## .*", "", "begins with 'nothing'"),
    ],
)
def test_refuses_versions_and_dates_that_differ(checkout, tmp_path, name, pattern, text, message):
    before = (checkout / name).read_text()
    (checkout / name).write_text(re.sub(pattern, text, before, count=1, flags=re.M))
    commit(checkout)
    with pytest.raises(ReleaseError, match=message):
        made(checkout, tmp_path / "dist")
    assert not (tmp_path / "dist").exists()


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda beside: (beside / "checkout/results/rows.csv").write_text("a\n"), "1 changes"),
        (lambda beside: (beside / "checkout/results/new.csv").write_text("a\n"), "1 changes"),
        (lambda beside: (beside / "article.pdf").unlink(), "article.pdf is missing: make article"),
        (lambda beside: os.utime(beside / "book.pdf", (1e9, 1e9)), "no print of this book"),
        (lambda beside: (beside / "book.pdf").unlink(), "make pdf"),
        (lambda beside: (beside / "book/index.html").unlink(), "make book"),
    ],
)
def test_refuses_changes_and_missing_parts(checkout, tmp_path, spoil, message):
    spoil(tmp_path)
    with pytest.raises(ReleaseError, match=message):
        made(checkout, tmp_path / "dist")
    assert not (tmp_path / "dist").exists()


def test_refuses_packages_of_another_version_and_a_folder_without_a_repository(checkout, tmp_path):
    with pytest.raises(ReleaseError, match=r"transductive-0\.9\.tar\.gz is not of version 1\.0\.0"):
        made(checkout, tmp_path / "dist", "transductive-0.9.tar.gz")
    with pytest.raises(ReleaseError, match="git status failed"):
        make(tmp_path, tmp_path, tmp_path, tmp_path, {}, tmp_path / "dist")


@pytest.mark.parametrize("works", [True, False])
def test_only_a_wheel_that_works_is_released(checkout, tmp_path, capsys, monkeypatch, works):
    def try_out(folder):
        if not works:
            raise build_packages.PackageError("3 failed")
        return "3 passed"

    built = tmp_path / "_build"
    (built / "article").mkdir(parents=True)
    (tmp_path / "book").rename(built / "html")
    (tmp_path / "article.pdf").rename(built / "article/article.pdf")
    (tmp_path / "book.pdf").rename(built / "transduction-compendium.pdf")
    (checkout / "_build").symlink_to(built)
    (checkout / ".git/info/exclude").write_text("_build\n")
    packages = {"sdist": tmp_path / SDIST, "wheel": tmp_path / WHEEL}
    monkeypatch.setattr(release, "ROOT", checkout)
    monkeypatch.setattr(build_packages, "build", lambda root, target: packages)
    monkeypatch.setattr(release, "try_out", try_out)
    assert release.main(["--out", str(tmp_path / "dist")]) == (not works)
    said = capsys.readouterr()
    assert ("3 passed" in said.out) if works else ("no release: 3 failed" in said.err)
    assert (tmp_path / "dist").exists() == works
