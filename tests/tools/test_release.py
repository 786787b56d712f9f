"""A release: refused from a tree that is not ready, the same bytes twice, damage found."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import build_packages
import pytest
import release
import try_release
import write_metadata
from release import ReleaseError, make, problems

ROOT = Path(__file__).resolve().parents[2]
VERSION = "1.0.0"
NAME = f"transduction-compendium-{VERSION}"
SDIST = f"transductive-{VERSION}.tar.gz"
WHEEL = f"transductive-{VERSION}-cp311-abi3-manylinux_2_17_x86_64.whl"


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
    """A small repository that is ready for a release; beside it a book, its print and packages."""
    root = tmp_path / "checkout"
    for folder in ("results", "notebooks", "data"):
        (root / folder).mkdir(parents=True)
    for name in ("CITATION.cff", "pyproject.toml", "meson.build", "_config.yml"):
        shutil.copy(ROOT / name, root)
    facts = re.sub(r"(?m)^(date-released|version):.*\n", "", (root / "CITATION.cff").read_text())
    (root / "CITATION.cff").write_text(facts + f"version: {VERSION}\ndate-released: 2031-02-03\n")
    built = (root / "meson.build").read_text()
    built = re.sub(r"(?m)^  version: '.*'", f"  version: '{VERSION}'", built)
    (root / "meson.build").write_text(built)
    (root / "CHANGELOG.md").write_text(f"# Changelog\n\n## {VERSION} - 2031-02-03\n\n## 0.0.1\n")
    (root / "results/rows.csv").write_text("a,b\n1,2\n")
    for name in ("notebooks/walk.ipynb", "data/registry.yml", "LICENSE", "LICENSE-TEXT"):
        (root / name).write_text(name)
    (root / "README.md").write_text("# Begin here\n")
    (root / "run.sh").write_text("#!/bin/sh\n")
    (root / "run.sh").chmod(0o755)
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


def made(checkout, out, tested=()):
    """The release of a checkout and of what lies beside it."""
    beside = checkout.parent
    packages = {"sdist": beside / SDIST, "wheel": beside / WHEEL}
    built = (beside / name for name in ("book", "book.pdf", "article.pdf"))
    return make(checkout, *built, packages, out, tested)


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def members(folder, part):
    with tarfile.open(folder / f"{NAME}-{part}.tar.gz") as tar:
        return {m.name: (m, tar.extractfile(m).read()) for m in tar.getmembers() if m.isfile()}


def test_a_release_holds_every_part_sums_and_manifest(checkout, tmp_path):
    folder = made(checkout, tmp_path / "dist")
    assert folder.name == NAME and problems(folder) == []
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["commit"] == git(checkout, "rev-parse", "HEAD").strip()
    assert manifest["version"] == VERSION
    for file in manifest["files"]:
        assert (folder / file["name"]).stat().st_size == file["bytes"] and file["what"]
    assert (folder / "README.md").read_text() == "# Begin here\n"
    source = members(folder, "source")
    assert source[f"{NAME}-source/run.sh"][0].mode == 0o755
    assert source[f"{NAME}-source/results/rows.csv"][1] == b"a,b\n1,2\n"
    names = ("results/rows.csv", "notebooks/walk.ipynb", "_config.yml", "LICENSE", "LICENSE-TEXT")
    assert set(members(folder, "notebooks")) == {f"{NAME}-notebooks/{name}" for name in names}
    assert set(members(folder, "data")) == {f"{NAME}-data/data/registry.yml"}
    assert (folder / f"{NAME}.pdf").read_bytes() == b"%PDF-1.4"
    assert (folder / f"{NAME}-article.pdf").read_bytes() == b"%PDF-1.7"
    sizes = {file["name"]: file.get("unpacked_bytes") for file in manifest["files"]}
    assert {WHEEL, SDIST} < set(sizes) and sizes[WHEEL] == len("x = 1")
    assert sizes[f"{NAME}-data.tar.gz"] == len("data/registry.yml")
    assert sizes[f"{NAME}.pdf"] is None
    pages = members(folder, "book")
    assert list(pages) == [f"{NAME}-book/chapter/page.html", f"{NAME}-book/index.html"]
    assert {(m.uid, m.uname, m.mode) for m, _ in pages.values()} == {(0, "", 0o644)}
    sums = subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=folder)
    assert sums.returncode == 0


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


def test_another_release_of_the_version_is_not_overwritten(checkout, tmp_path):
    made(checkout, tmp_path / "dist")
    (tmp_path / "book.pdf").write_bytes(b"%PDF-1.5")
    with pytest.raises(ReleaseError, match="raise the version"):
        made(checkout, tmp_path / "dist")


@pytest.mark.parametrize(
    ("name", "text"), [("results/rows.csv", "a,b\n1,3\n"), ("results/new.csv", "a\n")]
)
def test_a_tree_with_changes_is_refused(checkout, tmp_path, name, text):
    (checkout / name).write_text(text)
    with pytest.raises(ReleaseError, match=rf"1 changes, the first: .*{name}"):
        made(checkout, tmp_path / "dist")
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
        made(checkout, tmp_path / "dist")


def test_stale_metadata_are_refused(checkout, tmp_path):
    replace(checkout / "codemeta.json", "Python", "Fortran")
    git(checkout, "commit", "--quiet", "--all", "--message", "by hand")
    with pytest.raises(ReleaseError, match=r"codemeta.json.*write_metadata.py"):
        made(checkout, tmp_path / "dist")


def test_no_release_without_the_book_its_print_and_the_article(checkout, tmp_path):
    (tmp_path / "article.pdf").rename(tmp_path / "elsewhere.pdf")
    with pytest.raises(ReleaseError, match=r"article\.pdf is missing: make article"):
        made(checkout, tmp_path / "dist")
    (tmp_path / "elsewhere.pdf").rename(tmp_path / "article.pdf")
    os.utime(tmp_path / "book.pdf", (1e9, 1e9))
    with pytest.raises(ReleaseError, match=r"book\.pdf is no print of this book: make pdf"):
        made(checkout, tmp_path / "dist")
    (tmp_path / "book.pdf").unlink()
    with pytest.raises(ReleaseError, match="make pdf"):
        made(checkout, tmp_path / "dist")
    (tmp_path / "book/index.html").unlink()
    with pytest.raises(ReleaseError, match="make book"):
        made(checkout, tmp_path / "dist")


def test_packages_of_another_version_are_refused(checkout, tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "SDIST", "transductive-0.9.tar.gz")
    with pytest.raises(ReleaseError, match=r"transductive-0\.9\.tar\.gz is not of version 1\.0\.0"):
        made(checkout, tmp_path / "dist")


def test_the_manifest_names_the_pythons_that_were_tested_and_those_that_were_not(
    checkout, tmp_path
):
    folder = made(checkout, tmp_path / "dist", tested=["3.12"])
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["date"] == "2031-02-03"
    assert manifest["python"] == {
        "supported": ["3.11", "3.12", "3.13"],
        "wheel_tested": ["3.12"],
        "wheel_not_tested": ["3.11", "3.13"],
    }


def test_outside_a_repository_the_message_is_gits(tmp_path):
    with pytest.raises(ReleaseError, match="git status failed"):
        make(tmp_path, tmp_path, tmp_path, tmp_path, {}, tmp_path / "dist")


def test_a_release_has_every_file_that_its_readme_names(checkout, tmp_path):
    (checkout / "README.md").write_text((ROOT / "README.md").read_text(encoding="utf-8"))
    commit(checkout)
    folder = made(checkout, tmp_path / "dist")
    named = set(release.NAMED.findall((folder / "README.md").read_text(encoding="utf-8")))
    parts = {f"transduction-compendium-*-{part}.tar.gz" for part in ("book", "source", "data")}
    assert parts | {"transductive-*.whl", "transductive-*.tar.gz", "manifest.json"} < named
    assert problems(folder) == []
    (folder / "SHA256SUMS").write_text(
        "".join(
            line
            for line in (folder / "SHA256SUMS").read_text().splitlines(keepends=True)
            if not line.endswith("-data.tar.gz\n")
        )
    )
    lost = "README.md names transduction-compendium-*-data.tar.gz, which is no file of it"
    assert lost in problems(folder)
    (checkout / "README.md").write_text("See `transduction-compendium-*-slides.pdf`.\n")
    commit(checkout)
    with pytest.raises(ReleaseError, match=r"names transduction-compendium-\*-slides\.pdf, which"):
        made(checkout, tmp_path / "again")


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
    sound = made(checkout, tmp_path / "dist")
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
    damaged = [lambda f: damage(f, source), resum]
    assert f"{source}: not the bytes that manifest.json was made for" in found(
        lambda folder: [change(folder) for change in damaged]
    )

    def emptied(folder):
        for path in folder.glob("[!mS]*"):
            path.unlink()
        damage(folder, "manifest.json", json.dumps(manifest | {"files": []}).encode())
        digest = release.sha256((folder / "manifest.json").read_bytes())
        damage(folder, "SHA256SUMS", f"{digest}  manifest.json\n".encode())

    assert "no file ends with .whl" in found(emptied)
    assert "is no release" in found(lambda folder: damage(folder, "manifest.json"))[0]
    assert "is no release" in found(lambda folder: damage(folder, "SHA256SUMS", b"0  a\n"))[0]
    outside = b"0" * 64 + b"  ../../secret\n"
    assert "is no release" in found(lambda folder: damage(folder, "SHA256SUMS", outside))[0]
    assert "is no release" in problems(tmp_path / "nowhere")[0]


def test_another_release_of_the_version_changes_no_file(checkout, tmp_path):
    folder = made(checkout, tmp_path / "dist")
    before = contents(folder)
    assert made(checkout, tmp_path / "dist") == folder
    with zipfile.ZipFile(checkout.parent / WHEEL, "w") as wheel:
        wheel.writestr(zipfile.ZipInfo("transductive/__init__.py"), "x = 2")
    with pytest.raises(ReleaseError, match=rf"another release of {VERSION}.* raise the version"):
        made(checkout, tmp_path / "dist")
    assert contents(folder) == before and os.listdir(tmp_path / "dist") == [NAME]


def test_command_line(checkout, tmp_path, capsys, monkeypatch):
    packages = {"sdist": tmp_path / SDIST, "wheel": tmp_path / WHEEL}
    monkeypatch.setattr(release, "ROOT", checkout)
    monkeypatch.setattr(build_packages, "build", lambda root, target: packages)
    tried = []

    def tryout(folder, pythons):
        assert problems(folder) == []
        tried.append((folder.name, pythons))
        return ["3.12"]

    monkeypatch.setattr(try_release, "tryout", tryout)
    where = ["--book", str(tmp_path / "book"), "--pdf", str(tmp_path / "book.pdf")]
    where += ["--article", str(tmp_path / "article.pdf")]
    where += ["--out", str(tmp_path / "dist"), sys.executable]
    assert release.main(where) == 0
    folder = tmp_path / "dist" / NAME
    assert tried == [(NAME, [sys.executable])]
    assert json.loads((folder / "manifest.json").read_text())["python"]["wheel_tested"] == ["3.12"]
    assert release.main(["--check", str(folder)]) == 0
    assert "complete and undamaged" in capsys.readouterr().out
    damage(folder, "manifest.json")
    assert release.main(["--check", str(folder)]) == 1
    damage(checkout, "new")
    assert release.main(where) == 1 and "no release: the tree" in capsys.readouterr().err
    (checkout / "new").unlink()
    assert release.main([]) == 1 and "make pdf" in capsys.readouterr().err  # no Makefile here
    assert release.main([*where, "python9.9"]) == 1 and "no program" in capsys.readouterr().err


def test_a_wheel_that_does_not_work_is_not_released(checkout, tmp_path, capsys, monkeypatch):
    def fail(folder, pythons):
        raise build_packages.PackageError("3 failed")

    packages = {"sdist": tmp_path / SDIST, "wheel": tmp_path / WHEEL}
    monkeypatch.setattr(release, "ROOT", checkout)
    monkeypatch.setattr(build_packages, "build", lambda root, target: packages)
    monkeypatch.setattr(try_release, "tryout", fail)
    where = ["--book", str(tmp_path / "book"), "--pdf", str(tmp_path / "book.pdf")]
    where += ["--article", str(tmp_path / "article.pdf")]
    assert release.main([*where, "--out", str(tmp_path / "dist")]) == 1
    assert "no release: 3 failed" in capsys.readouterr().err and not (tmp_path / "dist").exists()


def test_compression_has_no_date():
    assert release.compress(b"text") == release.compress(b"text")
    assert release.compress(b"text")[4:8] == b"\0\0\0\0"


def test_a_check_needs_python_alone(checkout, tmp_path):
    folder = made(checkout, tmp_path / "dist")
    command = [sys.executable, "-I", "-S", str(ROOT / "tools/release.py"), "--check", str(folder)]
    assert subprocess.run(command).returncode == 0
