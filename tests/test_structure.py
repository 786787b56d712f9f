"""The house: imports go one way, rooms keep to themselves, and modules have names of their own."""

import ast
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SRC = ROOT / "src"
PAPERS = "transductive_compendium.papers"
#: Each floor may import itself and what stands before it. Rooms are told apart below.
FLOORS = (
    "transductive_compendium.exact",
    "transductive",
    "transductive_compendium.environment",
    "transductive_compendium.path_option",
    "transductive_compendium.checked_yaml",
    "transductive_compendium.rooms",
    "transductive_compendium.rejection_curves",
    "transductive_compendium.datasets",
    "transductive_compendium.runner",
    "units",
    "transductive_compendium.verdicts",
    "measures",
    "transductive_compendium.book",
    "drawings",
    "transductive_compendium.data_commands",
    "transductive_compendium.cli",
)
#: Names that every package may have.
COMMON = {"__init__"}


def module_of(path):
    parts = path.relative_to(SRC).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in sorted(SRC.rglob("*.py"))}


@cache
def imports(module):
    """Modules of the two packages that a module imports, anywhere in its code."""
    return list(_imported(module))


def _imported(module):
    path = MODULES[module]
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            base = ".".join(parts[: len(parts) - node.level + 1]) if node.level else ""
            source = ".".join(filter(None, [base, node.module]))
            for alias in node.names:
                inner = f"{source}.{alias.name}"
                yield inner if inner in MODULES else source
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def ours(module):
    return module.split(".")[0] in ("transductive", "transductive_compendium")


def floor(module):
    if module.startswith(f"{PAPERS}."):
        ends = {"_measures": "measures", "_drawing": "drawings"}
        return FLOORS.index(next((ends[e] for e in ends if module.endswith(e)), "units"))
    if module in (PAPERS, "transductive_compendium"):
        return 0
    found = [n for n, name in enumerate(FLOORS) if f"{module}.".startswith(f"{name}.")]
    assert found, f"{module} has no floor: name it in FLOORS"
    return max(found)


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_one_way(module):
    for other in filter(ours, imports(module)):
        assert floor(other) <= floor(module), f"{module} imports {other}, which stands above it"


def test_the_library_knows_nothing_of_the_compendium():
    for module in filter(lambda name: floor(name) == FLOORS.index("transductive"), MODULES):
        assert not [name for name in imports(module) if name.startswith("transductive_c")], module


def test_exact_answers_need_numpy_and_scipy_alone():
    for module in MODULES:
        if module.startswith("transductive_compendium.exact"):
            packages = {name.partition(".")[0] for name in imports(module)}
            known = {"numpy", "scipy", "transductive_compendium", *sys.stdlib_module_names}
            assert packages <= known, module
            assert not [n for n in imports(module) if ours(n) and ".exact" not in n], module


FAMILIES = ("version_space", "leave_one_out", "margin")


@pytest.mark.parametrize("family", FAMILIES)
def test_families_of_estimators_do_not_import_each_other(family):
    others = tuple(f"transductive.{other}" for other in FAMILIES if other != family)
    for module in MODULES:
        if module.startswith(f"transductive.{family}"):
            assert not [name for name in imports(module) if name.startswith(others)], module


def test_papers_do_not_import_each_other():
    for module in MODULES:
        if module.startswith(f"{PAPERS}."):
            room = ".".join(module.split(".")[:3])
            strangers = [
                name
                for name in imports(module)
                if name.startswith(f"{PAPERS}.") and not f"{name}.".startswith(f"{room}.")
            ]
            assert not strangers, f"{module} imports {strangers}: what two share lies below them"


def test_no_two_modules_share_a_name_but_items_of_different_papers():
    homes = defaultdict(list)
    for path in [*MODULES.values(), *SRC.rglob("*.pyx")]:
        if path.stem not in COMMON:
            homes[path.stem].append(path.relative_to(SRC))
    for name, paths in homes.items():
        in_papers = all("papers" in path.parts for path in paths)
        assert len(paths) == 1 or in_papers, f"{name}: {', '.join(map(str, paths))}"


def test_packages_only_hand_names_on():
    """An ``__init__`` computes nothing, so that an import of one name stays quick."""
    for module, path in MODULES.items():
        if path.name == "__init__.py":
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
                name = getattr(getattr(node, "targets", [None])[0], "id", getattr(node, "name", ""))
                handing = name.startswith("_")
                handed = isinstance(node, ast.Import | ast.ImportFrom)
                assert text or handed or handing, f"{module}: {ast.unparse(node)[:80]}"


def test_units_and_their_measures_lie_side_by_side():
    for module, path in MODULES.items():
        if module.startswith(PAPERS) and path.stem.endswith("_measures"):
            units = path.with_name(f"{path.stem.removesuffix('_measures')}.py")
            room = [name for name in MODULES if name.startswith(module.rpartition(".")[0] + ".")]
            shared = sum(module in imports(name) for name in room) > 1
            assert units.is_file() or shared, f"{path} has no {units.name} beside it"


@pytest.mark.parametrize("path", sorted((ROOT / "tests").rglob("test_*.py")), ids=lambda p: p.stem)
def test_tests_mirror_the_packages(path):
    place = path.relative_to(ROOT / "tests")
    if place.parts[0] not in ("transductive", "transductive_compendium"):
        return
    folder = SRC.joinpath(*place.parent.parts)
    assert folder.is_dir(), f"{place}: there is no {folder.relative_to(ROOT)}"
