"""Versions, ranges and build settings say the same thing wherever they are written."""

import ast
import json
import re
import subprocess
import sys
import tomllib
import zipfile
from itertools import chain
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).resolve().parents[2]


def normal_name(name: str) -> str:
    """Normalised name of a distribution, as package indexes compare names."""
    return re.sub(r"[-_.]+", "-", name).lower()


def locked_versions(text: str) -> dict[str, str]:
    """Name -> version, from the text of requirements.lock."""
    return {
        normal_name(name): version
        for name, version in re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", text, re.M)
    }


def requested(text: str) -> list[str]:
    """Names in the text of requirements.in, in its order."""
    return re.findall(r"^([A-Za-z0-9._-]+)", text, re.M)


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
ENVIRONMENT = yaml.safe_load((ROOT / "environment.yml").read_text())
LOCK = (ROOT / "requirements.lock").read_text()
LOCKED = locked_versions(LOCK)
REQUESTED = {normal_name(name) for name in requested((ROOT / "requirements.in").read_text())}

#: Import name -> distribution, where they differ.
DISTRIBUTIONS = {
    "PIL": "matplotlib",  # draws with it
    "bs4": "beautifulsoup4",
    "daal4py": "scikit-learn-intelex",
    "jupyter_client": "ipykernel",
    "sklearn": "scikit-learn",
    "sklearnex": "scikit-learn-intelex",
    "sphinx": "jupyter-book",
    "yaml": "pyyaml",
}


def declared(*groups):
    """Requirements of pyproject.toml: of the package, and of the named extras."""
    extras = PROJECT["project"]["optional-dependencies"]
    texts = chain(PROJECT["project"]["dependencies"], *(extras[group] for group in groups))
    return {normal_name(r.name): r for r in map(Requirement, texts)}


# but what the benchmarks are compared with, and skip where it is not installed
EVERYTHING = declared(*(PROJECT["project"]["optional-dependencies"].keys() - {"bench"}))


def test_lock_is_pinned_and_hashed_and_names_no_place():
    entries = re.split(r"\n(?=\S)", LOCK.strip())
    assert len(entries) > 50
    for entry in entries:
        assert re.match(r"[A-Za-z0-9._-]+==\S+", entry), entry.splitlines()[0]
        assert "--hash=sha256:" in entry, entry.splitlines()[0]
    assert "://" not in LOCK and " @ " not in LOCK and "index-url" not in LOCK


@pytest.mark.parametrize("name", sorted(EVERYTHING))
def test_locked_version_is_in_the_allowed_range(name):
    requirement = EVERYTHING[name]
    assert name in REQUESTED, f"add {name} to requirements.in and run `make lock`"
    assert requirement.specifier.contains(LOCKED[name]), (
        f"requirements.lock has {name} {LOCKED[name]}; pyproject.toml: {requirement.specifier}"
    )


@pytest.mark.parametrize("text", PROJECT["build-system"]["requires"])
def test_build_requirements_agree(text):
    requirement = Requirement(text)
    assert requirement.specifier == EVERYTHING[normal_name(requirement.name)].specifier


def test_environment_names_the_locked_versions():
    conda = [item for item in ENVIRONMENT["dependencies"] if isinstance(item, str)]
    pip = next(item["pip"] for item in ENVIRONMENT["dependencies"] if isinstance(item, dict))
    tools = {"python", "pip", "c-compiler", "make"}
    pins = dict(re.split(r"==?", item) for item in [*conda, *pip] if "=" in item)
    assert SpecifierSet(PROJECT["project"]["requires-python"]).contains(pins.pop("python"))
    assert {item for item in conda if "=" not in item} == tools - {"python"}
    assert pins == {name: LOCKED[name] for name in REQUESTED}


def test_version_is_the_same_everywhere():
    built = re.search(r"^  version: '([^']+)'", (ROOT / "meson.build").read_text(), re.M)[1]
    package = (ROOT / "src/transductive/__init__.py").read_text()
    assert f'__version__ = "{built}"' in package
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"] == built


def imported(folder):
    """Top-level names that the Python files below a folder import, and from where."""
    local = {path.stem for path in (ROOT / folder).rglob("*.py")} | {
        "transductive",
        "transductive_compendium",
    }
    local |= {
        path.stem
        for own in ("tools", "book/_ext", "benchmarks")
        for path in (ROOT / own).glob("*.py")
    }
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module]
            else:
                continue
            for name in names:
                top = name.split(".")[0]
                if top not in sys.stdlib_module_names and top not in local:
                    yield DISTRIBUTIONS.get(top, normal_name(top)), path.relative_to(ROOT)


@pytest.mark.parametrize(
    "folder, extras",
    [
        ("src/transductive", []),
        ("src/transductive_compendium", ["compendium", "notebooks", "cluster"]),
        ("tools", ["compendium", "notebooks", "book", "article", "test"]),
        ("book", ["book", "compendium"]),
        ("benchmarks", ["compendium", "test", "cluster", "bench"]),
        ("tests", ["compendium", "notebooks", "cluster", "book", "test", "build"]),
    ],
)
def test_imports_are_declared(folder, extras):
    allowed = declared(*extras)
    for name, path in imported(folder):
        # packaging comes with pytest; IPython with ipykernel; docutils with Sphinx.
        assert name in {*allowed, "packaging", "ipython", "docutils"}, f"{path} imports {name}"


def test_what_notebooks_import_is_declared():
    """Who installs the extras `compendium` and `notebooks` can run every one of them."""
    allowed = {*declared("compendium", "notebooks"), "ipython"}
    for path in sorted((ROOT / "notebooks").glob("*/*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")
        names = {
            name.split(".")[0] for name in re.findall(r"^ *(?:from|import) ([\w.]+)", code, re.M)
        }
        names -= {"transductive", "transductive_compendium", *sys.stdlib_module_names}
        wanted = {DISTRIBUTIONS.get(name, normal_name(name)) for name in names}
        assert wanted <= allowed, f"{path}: {wanted - allowed}"


def test_a_build_may_leave_out_the_compendium(tmp_path):
    command = ["meson", "setup", "-Dcompendium=false", tmp_path / "build", ROOT]
    subprocess.run(command, check=True, capture_output=True)
    plan = json.loads((tmp_path / "build/meson-info/intro-install_plan.json").read_text())
    places = [one["destination"] for kind in plan.values() for one in kind.values()]
    assert {Path(place).parts[1] for place in places} == {"transductive"}


@pytest.mark.parametrize("library, versions", [("#define __GLIBC__ 2\n", 1), ("", 0)])
def test_only_glibc_is_asked_to_choose_a_version_of_a_function(library, versions, tmp_path):
    (tmp_path / "stdlib.h").write_text(library)
    source = f'#include "{ROOT}/src/transductive/_compiler.h"\nWIDTHS("avx2", "O3") void f(void);\n'
    target = ["-D__linux__=1", "-D__x86_64__=1", "-U__clang__", "-nostdinc", "-I", tmp_path]
    command = ["cc", "-E", *target, "-x", "c", "-"]
    done = subprocess.run(command, input=source, capture_output=True, text=True, check=True)
    assert done.stdout.count("target_clones") == versions


def test_wheel_holds_the_packages_and_nothing_else(wheel):
    assert "-cp311-abi3-" in wheel.name
    names = zipfile.ZipFile(wheel).namelist()
    files = {Path(name) for name in names if not name.split("/")[0].endswith(".dist-info")}
    assert not any("__pycache__" in path.parts for path in files)
    kernels = {path for path in (ROOT / "src").rglob("*.pyx")}
    assert sum(path.name.endswith(".abi3.so") for path in files) == len(kernels)
    compiled = {".pyx", ".pxd", ".h", ".c", ".pyc"}
    sources = {
        path.relative_to(ROOT / "src")
        for path in (ROOT / "src").rglob("*")
        if path.is_file() and path.suffix not in compiled and path.name != "meson.build"
    }
    made = {Path("transductive_compendium/_data/registry.yml")}
    assert {path for path in files if path.suffix != ".so"} == sources | made


def test_the_library_needs_little():
    """What `pip install transductive` brings; the rest is the extra `compendium`."""
    needed = {normal_name(Requirement(text).name) for text in PROJECT["project"]["dependencies"]}
    light = {"arviz-stats", "joblib", "numpy", "scikit-learn", "scipy", "threadpoolctl", "tqdm"}
    assert needed == light
