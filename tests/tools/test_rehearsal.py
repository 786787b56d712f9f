"""A rehearsal of the release 1.0.0 from this commit: `make tryout`, some ten minutes.

Packages are built twice, tried out without a compiler, and a notebook is run from what a reader
would download. Book and PDF are small ones in their place.
"""

import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import build_packages
import pytest
import release
import write_metadata
from build_packages import KEPT, PackageError, attributes, build
from try_release import examples, tryout

ROOT = Path(__file__).resolve().parents[2]
#: Tests of every family, kernels among them, in about a minute.
TESTS = (
    "tests/transductive/test_kernels.py",
    "tests/transductive/test_without_the_compendium.py",
    "tests/transductive/leave_one_out/test_loo_form.py",
    "tests/transductive/margin/test_linear_programme.py",
    "tests/transductive/version_space/test_billiard.py",
)


def git(root, *words):
    identity = ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.org"]
    command = ["git", "-C", str(root), *identity, *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def raise_version(root):
    """What CONTRIBUTING.md asks for before a release, committed."""
    changes = {
        "CITATION.cff": [
            (r"^version: .*", "version: 9.8.7"),
            (r"^date-released: .*", "date-released: 2031-02-03"),
        ],
        "meson.build": [(r"^  version: '.*'", "  version: '9.8.7'")],
        "src/transductive/__init__.py": [(r'^__version__ = ".*"', '__version__ = "9.8.7"')],
        "CHANGELOG.md": [(r"^## .*", "## 9.8.7 - 2031-02-03")],
    }
    for name, pairs in changes.items():
        text = (root / name).read_text()
        for pattern, new in pairs:
            text, count = re.subn(pattern, new, text, count=1, flags=re.M)
            assert count == 1, (name, pattern)
        (root / name).write_text(text)
    for name, text in write_metadata.generated(root).items():
        (root / name).write_text(text)
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
    assert release.problems(made) == []
    with capsys.disabled():
        for path in sorted(made.iterdir()):
            print(f"\n{path.name}  {path.stat().st_size} bytes", end="")
        print()
        assert tryout(made, tests=TESTS)


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


def test_what_the_sdist_names_is_there():
    for name in KEPT:
        assert (ROOT / name).exists(), name


def test_the_sdist_has_the_support_that_its_tests_import_and_no_other():
    kept = [ROOT / name for name in KEPT if name.startswith("tests")]
    tests = [p for place in kept for p in (place, *place.rglob("*.py")) if p.is_file()]
    text = "\n".join(path.read_text(encoding="utf-8") for path in tests)
    imported = set(re.findall(r"^ *(?:from|import) (\w+)", text, re.M))
    there = {path.stem for path in (ROOT / "tests/support").glob("*.py")}
    assert {Path(name).stem for name in KEPT if "/support/" in name} == imported & there


def test_a_program_that_fails_is_named_with_what_it_said(tmp_path):
    with pytest.raises(PackageError, match=r"sh -c .* failed:\nbecause"):
        build_packages.run(["sh", "-c", "echo because; false"], tmp_path, {})


def test_no_packages_without_a_wheel_and_an_sdist(tmp_path):
    with pytest.raises(PackageError, match=r"0 files \*\.whl"):
        tryout(tmp_path)


def test_the_examples_of_the_readme_are_one_program():
    program = examples((ROOT / "README.md").read_text(encoding="utf-8"))
    compile(program, "README.md", "exec")
    assert program.count("from transductive import") >= 5 and "pip install" not in program
