"""A release: refused from a tree that is not ready, the same bytes twice, damage found."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import build_book
import pytest
import release
import write_metadata
from release import ReleaseError, make, problems

ROOT = Path(__file__).resolve().parents[2]
VERSION = str(write_metadata.citation()["version"])
NAME = f"transduction-compendium-{VERSION}"


def git(root, *words):
    identity = ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.org"]
    command = ["git", "-C", str(root), *identity, *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def replace(path, pattern, text):
    before = path.read_text()
    after = re.sub(pattern, text, before, count=1, flags=re.M)
    assert after != before
    path.write_text(after)


def commit(root):
    for name, text in write_metadata.generated(root).items():
        (root / name).write_text(text)
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "change")


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A small repository that is ready for a release, and a book."""
    monkeypatch.setattr(release, "stale_records", dict)
    root = tmp_path / "checkout"
    (root / "results").mkdir(parents=True)
    for name in ("CITATION.cff", "pyproject.toml", "meson.build"):
        shutil.copy(ROOT / name, root)
    facts = re.sub(r"(?m)^date-released:.*\n", "", (root / "CITATION.cff").read_text())
    (root / "CITATION.cff").write_text(facts + "date-released: 2031-02-03\n")
    (root / "CHANGELOG.md").write_text(f"# Changelog\n\n## {VERSION} - 2031-02-03\n\n## 0.0.1\n")
    (root / "results/rows.csv").write_text("a,b\n1,2\n")
    (root / "run.sh").write_text("#!/bin/sh\n")
    (root / "run.sh").chmod(0o755)
    git(tmp_path, "init", "--quiet", str(root))
    commit(root)
    book = tmp_path / "book"
    (book / "chapter").mkdir(parents=True)
    (book / "index.html").write_text("<h1>Book</h1>")
    (book / "chapter/page.html").write_text("<p>Text</p>")
    return root


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def members(folder, part):
    with tarfile.open(folder / f"{NAME}-{part}.tar.gz") as tar:
        return {m.name: (m, tar.extractfile(m).read()) for m in tar.getmembers() if m.isfile()}


def test_a_release_holds_sources_book_results_sums_and_manifest(checkout, tmp_path):
    folder = make(checkout, tmp_path / "book", tmp_path / "dist")
    assert folder.name == NAME and problems(folder) == []
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["commit"] == git(checkout, "rev-parse", "HEAD").strip()
    assert manifest["version"] == VERSION
    for file in manifest["files"]:
        assert (folder / file["name"]).stat().st_size == file["bytes"] and file["what"]
    source = members(folder, "source")
    assert source[f"{NAME}/run.sh"][0].mode == 0o755
    assert source[f"{NAME}/results/rows.csv"][1] == b"a,b\n1,2\n"
    assert set(members(folder, "results")) == {f"{NAME}/results/rows.csv"}
    pages = members(folder, "book")
    assert list(pages) == [f"{NAME}-book/chapter/page.html", f"{NAME}-book/index.html"]
    assert {(m.uid, m.uname, m.mode) for m, _ in pages.values()} == {(0, "", 0o644)}
    sums = subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=folder)
    assert sums.returncode == 0


def test_two_runs_give_the_same_bytes(checkout, tmp_path):
    first = contents(make(checkout, tmp_path / "book", tmp_path / "first"))
    again = tmp_path / "again"
    shutil.copytree(checkout, again / "checkout")
    # another place, other dates, other settings of the user, another order on the disk
    (again / "book/chapter").mkdir(parents=True)
    for name in ("index.html", "chapter/page.html"):
        (again / "book" / name).write_bytes((tmp_path / "book" / name).read_bytes())
        os.utime(again / "book" / name, (1e9, 1e9))
        (again / "book" / name).chmod(0o600)
    git(again / "checkout", "config", "tar.umask", "0077")
    second = contents(make(again / "checkout", again / "book", again / "dist"))
    assert first == second
    make(again / "checkout", again / "book", again / "dist")  # once more into the same place


def test_another_release_of_the_version_is_not_overwritten(checkout, tmp_path):
    make(checkout, tmp_path / "book", tmp_path / "dist")
    (tmp_path / "book/index.html").write_text("<h1>Another</h1>")
    with pytest.raises(ReleaseError, match="raise the version"):
        make(checkout, tmp_path / "book", tmp_path / "dist")


def test_records_of_other_code_are_refused_by_name(checkout, tmp_path, monkeypatch):
    others = {"toy/walk": "recorded by code 12, now 34", "toy/run": "no recorded result"}
    monkeypatch.setattr(release, "stale_records", lambda: others)
    with pytest.raises(ReleaseError, match="2 records belong to other code") as caught:
        make(checkout, tmp_path / "book", tmp_path / "dist")
    for name, why in others.items():
        assert f"{name}: {why}" in str(caught.value)
    assert "--record" in str(caught.value) and not (tmp_path / "dist").exists()


@pytest.mark.parametrize(
    ("name", "text"), [("results/rows.csv", "a,b\n1,3\n"), ("results/new.csv", "a\n")]
)
def test_a_tree_with_changes_is_refused(checkout, tmp_path, name, text):
    (checkout / name).write_text(text)
    with pytest.raises(ReleaseError, match=rf"1 changes, the first: .*{name}"):
        make(checkout, tmp_path / "book", tmp_path / "dist")
    assert not (tmp_path / "dist").exists()


@pytest.mark.parametrize(
    ("name", "pattern", "text", "message"),
    [
        ("meson.build", r"^  version: '.*'", "  version: '9.9.9'", "meson.build 9.9.9"),
        ("CITATION.cff", r"^version: .*", "version: 9.9.9", "has version 9.9.9, meson.build"),
        ("CITATION.cff", r"^date-released: .*", "date-released: 2031-02-04", "begins with"),
        ("CITATION.cff", r"^date-released: .*\n", "", "begins with"),
        ("CHANGELOG.md", r"^## .*", "## Unreleased", "begins with 'Unreleased'"),
        ("CHANGELOG.md", r"(?s)^## .*", "", "begins with 'nothing'"),
    ],
)
def test_versions_and_dates_that_differ_are_refused(
    checkout, tmp_path, name, pattern, text, message
):
    replace(checkout / name, pattern, text)
    commit(checkout)
    with pytest.raises(ReleaseError, match=message):
        make(checkout, tmp_path / "book", tmp_path / "dist")


def test_stale_metadata_are_refused(checkout, tmp_path):
    replace(checkout / "codemeta.json", "Python", "Fortran")
    git(checkout, "commit", "--quiet", "--all", "--message", "by hand")
    with pytest.raises(ReleaseError, match=r"codemeta.json.*write_metadata.py"):
        make(checkout, tmp_path / "book", tmp_path / "dist")


def test_no_book_no_release(checkout, tmp_path):
    with pytest.raises(ReleaseError, match="make book"):
        make(checkout, tmp_path / "nowhere", tmp_path / "dist")


def test_outside_a_repository_the_message_is_gits(tmp_path):
    with pytest.raises(ReleaseError, match="git status failed"):
        make(tmp_path, tmp_path, tmp_path / "dist")


def damage(folder, name, content=b"x"):
    (folder / name).write_bytes(content)


def resum(folder):
    """Make the sums fit again, as one who tampers would."""
    lines = [
        f"{release.sha256((folder / line[66:]).read_bytes())}  {line[66:]}"
        for line in (folder / "SHA256SUMS").read_text().splitlines()
    ]
    (folder / "SHA256SUMS").write_text("\n".join(lines) + "\n")


def test_check_finds_what_is_wrong(checkout, tmp_path):
    sound = make(checkout, tmp_path / "book", tmp_path / "dist")
    book, source = f"{NAME}-book.tar.gz", f"{NAME}-source.tar.gz"

    def found(change):
        folder = tmp_path / "damaged"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(sound, folder)
        change(folder)
        return problems(folder)

    assert found(lambda folder: None) == []
    assert found(lambda folder: damage(folder, book)) == [
        f"{book}: not the bytes that SHA256SUMS was made for"
    ]
    assert found(lambda folder: (folder / book).unlink()) == [f"{book}: missing"]
    assert found(lambda folder: damage(folder, "virus")) == ["virus: no part of it"]
    both = [lambda folder: damage(folder, book), resum]
    assert found(lambda folder: [change(folder) for change in both]) == [
        f"{book}: not the bytes that manifest.json was made for"
    ]
    manifest = json.loads((sound / "manifest.json").read_text()) | {"commit": "0" * 40}
    other = [lambda f: damage(f, "manifest.json", json.dumps(manifest).encode()), resum]
    assert found(lambda folder: [change(folder) for change in other]) == [
        f"{source}: not the sources of commit 000000000000"
    ]
    assert "is no release" in found(lambda folder: damage(folder, "manifest.json"))[0]
    assert "is no release" in found(lambda folder: damage(folder, "SHA256SUMS", b"0  a\n"))[0]
    outside = b"0" * 64 + b"  ../../secret\n"
    assert "is no release" in found(lambda folder: damage(folder, "SHA256SUMS", outside))[0]
    assert "is no release" in problems(tmp_path / "nowhere")[0]


def test_command_line(checkout, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(release, "ROOT", checkout)
    monkeypatch.setattr(build_book, "book_is_current", lambda: True)
    where = ["--book", str(tmp_path / "book"), "--out", str(tmp_path / "dist")]
    assert release.main(where) == 0
    folder = tmp_path / "dist" / NAME
    assert release.main(["--check", str(folder)]) == 0
    assert "complete and undamaged" in capsys.readouterr().out
    damage(folder, "manifest.json")
    assert release.main(["--check", str(folder)]) == 1
    damage(checkout, "new")
    assert release.main(where) == 1 and "no release: the tree" in capsys.readouterr().err
    monkeypatch.setattr(build_book, "book_is_current", lambda: False)
    assert release.main([]) == 1 and "make book" in capsys.readouterr().err


def test_compression_has_no_date():
    assert release.compress(b"text") == release.compress(b"text")
    assert release.compress(b"text")[4:8] == b"\0\0\0\0"


def test_a_check_needs_python_alone(checkout, tmp_path):
    folder = make(checkout, tmp_path / "book", tmp_path / "dist")
    command = [sys.executable, "-I", "-S", str(ROOT / "tools/release.py"), "--check", str(folder)]
    assert subprocess.run(command).returncode == 0
