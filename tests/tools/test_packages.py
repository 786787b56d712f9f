"""The packages: what the sdist contains, and a rehearsal of a release (`make tryout`)."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import release
from build_packages import KEPT, attributes, build
from raised_version import git, set_version

ROOT = Path(__file__).resolve().parents[2]
#: Tests of every family, kernels among them, in about a minute.
TESTS = (
    "tests/transductive/test_kernels.py",
    "tests/transductive/test_without_the_compendium.py",
    "tests/transductive/leave_one_out/test_loo_form.py",
    "tests/transductive/margin/test_linear_programme.py",
    "tests/transductive/version_space/test_billiard.py",
)


def raise_version(root):
    set_version(root, "9.8.7", "2031-02-03")
    git(root, "commit", "--quiet", "--all", "--message", "9.8.7")


def test_a_tree_with_a_raised_version_is_ready_for_a_release(tmp_path):
    git(tmp_path, "clone", "--quiet", "--shared", str(ROOT), str(tmp_path / "clone"))
    raise_version(tmp_path / "clone")
    assert release.check_tree(tmp_path / "clone") == "9.8.7"


@pytest.mark.rehearsal
def test_packages_twice_the_same_and_a_release_that_works_elsewhere(tmp_path, monkeypatch, capsys):
    first, second = tmp_path / "first", tmp_path / "another place" / "of the sources"
    git(tmp_path, "clone", "--quiet", "--shared", str(ROOT), str(first))
    raise_version(first)
    packages = build(first, tmp_path / "one")
    shutil.copytree(first, second)
    with monkeypatch.context() as changed:
        changed.setenv("TZ", "Pacific/Auckland")
        changed.setenv("CFLAGS", "-O0 -g")
        again = build(second, tmp_path / "two")
    for kind, path in packages.items():
        assert path.read_bytes() == again[kind].read_bytes(), kind
    with zipfile.ZipFile(packages["wheel"]) as wheel:
        kernels = [name for name in wheel.namelist() if name.endswith(".abi3.so")]
        assert kernels and "manylinux" in packages["wheel"].name
        commit = wheel.read("transductive_compendium/runner/commit.txt").decode()
        assert commit == git(first, "rev-parse", "HEAD")
        for name in kernels:
            assert not re.search(rb"/tmp/|packages-|" + str(ROOT).encode(), wheel.read(name)), name

    book = tmp_path / "book"
    book.mkdir()
    (book / "index.html").write_text("<h1>Book</h1>")
    pdfs = [tmp_path / name for name in ("book.pdf", "article.pdf")]
    for pdf in pdfs:
        pdf.write_bytes(b"%PDF-1.4")
    made = release.make(first, book, *pdfs, packages, tmp_path / "dist")
    with capsys.disabled():
        for path in sorted(made.iterdir()):
            print(f"\n{path.name}  {path.stat().st_size} bytes", end="")
        print()
        assert " passed" in release.try_out(made, TESTS)


def test_the_sdist_contains_what_was_named_and_nothing_else(tmp_path):
    names = [*KEPT, "book/index.md", "tests/tools/test_x.py", "tests/conftest.py", "tools/x.py"]
    names += ["src/a/b.py", "src/notebooks", "data/book/rows.csv", "results/x.csv", ".ci/run"]
    for name in names:
        path = tmp_path / (f"{name}/x" if name in ("src", "data") or "/t" in name else name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "--quiet", "--message", "all")
    (tmp_path / ".git/info/attributes").write_text(attributes())
    tar = subprocess.run(
        ["git", "-C", tmp_path, "archive", "HEAD"], check=True, capture_output=True
    ).stdout
    listed = subprocess.run(["tar", "t"], input=tar, check=True, capture_output=True).stdout
    found = {name for name in listed.decode().split() if not name.endswith("/")}
    wanted = {name for name in git(tmp_path, "ls-files").split() if name.startswith(KEPT)}
    assert found == wanted and {"src/a/b.py", "src/notebooks", "data/book/rows.csv"} < found


def test_the_sdist_has_the_support_that_its_tests_import_and_no_other():
    kept = [ROOT / name for name in KEPT if name.startswith("tests")]
    tests = [p for place in kept for p in (place, *place.rglob("*.py")) if p.is_file()]
    text = "\n".join(path.read_text(encoding="utf-8") for path in tests)
    imported = set(re.findall(r"^ *(?:from|import) (\w+)", text, re.M))
    there = {path.stem for path in (ROOT / "tests/support").glob("*.py")}
    assert {Path(name).stem for name in KEPT if "/support/" in name} == imported & there


def test_the_tests_of_the_library_run_from_the_sdist(tmp_path):
    """Beside them lies `exact`, whose answers they compare with; nothing else is needed."""
    git(tmp_path, "clone", "--quiet", "--shared", str(ROOT), str(tmp_path / "clone"))
    (tmp_path / "clone/.git/info/attributes").write_text(attributes())
    command = ["git", "-C", tmp_path / "clone", "archive", "HEAD"]
    tar = subprocess.run(command, check=True, capture_output=True).stdout
    sources = tmp_path / "sources"
    sources.mkdir()
    subprocess.run(["tar", "x"], cwd=sources, input=tar, check=True)
    assert (sources / "src/transductive_compendium/exact/arrangement.py").is_file()
    alone = os.environ | {"TRANSDUCTIVE_LIBRARY_ONLY": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    command += ["tests/transductive", "-k", "linear_programme"]  # all are imported, these run
    done = subprocess.run(command, cwd=sources, env=alone, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:]
