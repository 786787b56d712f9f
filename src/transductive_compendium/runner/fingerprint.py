"""Fingerprint of the code that computed a record: a hash of everything that its units import.

It follows imports through the sources, without running them, from the module that declares the
experiment: every name to the module that defines it, through the ``__init__`` of packages; compiled
kernels to their sources, headers and compiler flags; data sets to their loaders and registry
entries. Comments, docstrings and the texts of errors and warnings do not count; nor do the titles
of experiments, the descriptions of parameters, the tolerances of agreement, and fields of a class
that are declared as ``Annotated[..., "told"]``, because they only describe.

An installed package has no sources of its kernels; it contains their hashes, written by the build
(``tools/hash_kernels.py``).
"""

import ast
import hashlib
import json
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict
from functools import cache, cached_property
from pathlib import Path
from threading import Lock

from .declaration import Experiment
from .kernel_sources import kernel_hash
from .parameters import ExperimentError

PACKAGES = ("transductive", "transductive_compendium")
SEEDING = "transductive_compendium.runner.seeding"
#: Modules that run units, find data or report on them; they change no row.
NOT_FOLLOWED = tuple(
    f"transductive_compendium.{name}"
    for name in (
        "runner",
        "verdicts",
        "book",
        "rooms",
        "datasets.download",
        "checked_yaml",
        "datasets.errors",
    )
)
#: In a package's ``__init__``, the module of each name that is imported on first access.
HOMES = "_HOMES"
#: Fields of the registry that describe; the hash of the arrays is part of a unit's address.
_TOLD = (
    "title",
    "terms",
    "redistribution",
    "page",
    "citation",
    "notes",
    "traps",
    "files",
    "members",
)
#: Arguments that describe and do not compute, of the calls that declare an experiment.
_DESCRIPTIONS = {"experiment": ("title", "agreement"), "Parameter": ("doc", 2)}


#: Time at which this process loaded the packages; it does not run later edits.
_LOADED = time.time_ns()
#: Threads of a Dask worker ask at once; Python 3.11 fails where two of them parse.
_ONE_AT_A_TIME = Lock()


class Sources:
    """The packages' sources below a folder, which are read but not run.

    Parameters
    ----------
    folder : path
        The folder that holds both packages: ``src`` of a checkout, or where a wheel is installed.
    loaded : int, optional
        Nanoseconds since the epoch: a file that changed since then is not what this process runs.
    """

    def __init__(self, folder: str | Path, loaded: int | None = None):
        self.folder, self._loaded = Path(folder), loaded
        self._files: dict[str, Path | None] = {}
        self._imports: dict[str, list[str]] = {}
        self._hashes: dict[str, str] = {}
        self._handed: dict[str, dict[str, tuple[str, str]]] = {}

    def file(self, module: str) -> Path | None:
        """File of a module of these packages (or of a package, a kernel), else None."""
        if module.split(".")[0] not in PACKAGES:
            return None
        if module not in self._files:
            place = self.folder.joinpath(*module.split("."))
            ends = (place.with_suffix(".py"), place / "__init__.py", place.with_suffix(".pyx"))
            self._files[module] = next((path for path in ends if path.is_file()), None)
        return self._files[module]

    def is_package(self, module: str) -> bool:
        """Whether a module is a package's ``__init__``, which only re-exports names."""
        path = self.file(module)
        return path is not None and path.name == "__init__.py"

    @cached_property
    def kernel_hashes(self) -> dict[str, str]:
        """Hashes of the kernels written by the build, if their sources are not installed."""
        path = self.folder / "transductive" / "_kernel_hashes.json"
        return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}

    def is_kernel(self, module: str) -> bool:
        """Whether a module is compiled."""
        path = self.file(module)
        return module in self.kernel_hashes if path is None else path.suffix == ".pyx"

    def defining(self, module: str, name: str) -> str | None:
        """Module of these packages in which ``from module import name`` finds the name, or None."""
        inner = f"{module}.{name}"
        if self.is_kernel(inner) or self.file(inner):
            return inner
        if not self.is_package(module):
            return module if self.file(module) or self.is_kernel(module) else None
        home = self._handed_on(module).get(name)
        return self.defining(*home) if home else module

    def _handed_on(self, package: str) -> dict[str, tuple[str, str]]:
        """Names that a package's ``__init__`` re-exports, with their modules and names there."""
        if package not in self._handed:
            found = self._handed[package] = {}
            for node in _statements(_text(self.file(package))):
                if isinstance(node, ast.ImportFrom):
                    source = _source(node, package, True)
                    found |= {a.asname or a.name: (source, a.name) for a in node.names}
                elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == HOMES:
                    homes = ast.literal_eval(node.value)
                    found |= {name: (package + home, name) for name, home in homes.items()}
        return self._handed[package]

    def imports(self, path: Path, module: str = "") -> list[str]:
        """Modules of these packages that define what a Python file imports.

        Raises
        ------
        ExperimentError
            If the file changed after this process started.
        """
        if self._loaded is not None and path.stat().st_mtime_ns > self._loaded:
            raise ExperimentError(
                f"{path} has changed since this process started, which may run the old version: "
                f"restart the process, or the notebook's kernel"
            )
        found = []
        for node in _statements(_text(path)):
            if isinstance(node, ast.ImportFrom):
                source = _source(node, module, path.name == "__init__.py")
                found += [self.defining(source, alias.name) for alias in node.names]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
                found += [name for name in names if self.file(name) or self.is_kernel(name)]
        return [name for name in found if name]

    def closure(self, modules: Iterable[str]) -> set[str]:
        """`modules`, and all modules of these packages that they import, directly or not."""
        found, waiting = set(), list(modules)
        while waiting:
            module = waiting.pop()
            skipped = any(f"{module}.".startswith(f"{name}.") for name in NOT_FOLLOWED)
            if module in found or (skipped and module != SEEDING):
                continue
            found.add(module)
            if module not in self._imports:
                self._imports[module] = self._needs(module)
            waiting += self._imports[module]
        return found

    def _needs(self, module: str) -> list[str]:
        if self.is_kernel(module):
            return []
        if self.is_package(module):  # used as an object: any of its names may be meant
            found = (self.defining(*home) for home in self._handed_on(module).values())
            return [name for name in found if name]
        return self.imports(self.file(module), module)

    def hash(self, module: str) -> str:
        """SHA-256 of what a module computes."""
        if module not in self._hashes:
            path = self.file(module)
            if path is None:
                self._hashes[module] = self.kernel_hashes[module]
            else:
                self._hashes[module] = (kernel_hash if path.suffix == ".pyx" else python_hash)(path)
        return self._hashes[module]


@cache
def installed() -> Sources:
    """The sources that this process runs."""
    return Sources(Path(__file__).resolve().parents[2], loaded=_LOADED)


def fingerprint(experiment: Experiment, sources: Sources | None = None) -> str:
    """Hash of the code that an experiment's rows depend on.

    Parameters
    ----------
    experiment : Experiment
    sources : Sources, optional
        By default those that this process runs, as they were at the first call.

    Returns
    -------
    str
        Sixteen hexadecimal digits.
    """
    with _ONE_AT_A_TIME:
        return _fingerprint(experiment, sources or installed())


def _fingerprint(experiment: Experiment, sources: Sources) -> str:
    digest = hashlib.sha256(json.dumps(_registered(experiment.datasets), sort_keys=True).encode())
    roots = [SEEDING, *_loaders(experiment.datasets)]
    if experiment.module.split(".")[0] in PACKAGES:
        roots.append(experiment.module)
    elif path := _readers_file(experiment.run_unit):
        roots += sources.imports(path)
        digest.update(python_hash(path).encode())
    for module in sorted(sources.closure(roots)):
        if not sources.is_package(module):
            digest.update(f"{module}\0{sources.hash(module)}\0".encode())
    return digest.hexdigest()[:16]


def _registered(names: Iterable[str]) -> dict[str, dict]:
    """The fields of data sets' registry entries that determine what is loaded."""
    from ..datasets.registry import registry

    known = registry()
    entries = {name: asdict(known[name]) for name in names if name in known}
    return {
        name: {key: repr(entry[key]) for key in entry if key not in _TOLD}
        for name, entry in entries.items()
    }


def _loaders(names: Iterable[str]) -> list[str]:
    from ..datasets import loader_module

    return sorted({loader_module(name) for name in names})


def _readers_file(run_unit: Callable) -> Path | None:
    """File of a reader's own experiment, the same in every process that imports it."""
    code = getattr(getattr(run_unit, "func", run_unit), "__code__", None)
    path = Path(code.co_filename) if code else None
    return path if path and path.is_file() else None


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def _statements(text: str) -> list[ast.stmt]:
    """The imports and assignments of a Python text."""
    kinds = ast.Import | ast.ImportFrom | ast.Assign
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, kinds)]


def _source(node: ast.ImportFrom, module: str, is_package: bool) -> str:
    """Full name of the module that a ``from`` import names."""
    if not node.level:
        return node.module or ""
    parts = module.split(".")
    parts = parts[: len(parts) - node.level + is_package]
    return ".".join([*parts, node.module] if node.module else parts)


def python_hash(path: Path) -> str:
    """SHA-256 of what a Python file computes."""
    return _text_hash(_text(path))


@cache
def _text_hash(text: str) -> str:
    return hashlib.sha256(_canonical(_without_texts(ast.parse(text))).encode()).hexdigest()


def _without_texts(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if ast.get_docstring(node, clean=False) is not None:
                node.body = node.body[1:]
            if isinstance(node, ast.ClassDef):
                node.body = [field for field in node.body if not _is_told(field)]
        elif isinstance(node, ast.Raise):
            _empty_texts(node)
        elif isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name == "warn":
                _empty_texts(node)
            texts = _DESCRIPTIONS.get(name, ())
            node.keywords = [word for word in node.keywords if word.arg not in texts]
            node.args = [value for place, value in enumerate(node.args) if place not in texts]
    return tree


def _is_told(node: ast.stmt) -> bool:
    """Whether a statement is a field that is declared as ``Annotated[..., "told"]``."""
    kind = getattr(node, "annotation", None)
    if not (isinstance(kind, ast.Subscript) and getattr(kind.value, "id", "") == "Annotated"):
        return False
    return any(getattr(mark, "value", "") == "told" for mark in getattr(kind.slice, "elts", ()))


def _empty_texts(node: ast.AST) -> None:
    class Emptying(ast.NodeTransformer):
        def visit_JoinedStr(self, text):
            return ast.Constant("")

        def visit_Constant(self, constant):
            return ast.Constant("") if isinstance(constant.value, str) else constant

    Emptying().visit(node)


def _canonical(value) -> str:
    """A syntax tree as text that is the same for all versions of Python."""
    if isinstance(value, ast.AST):
        fields = (
            f"{name}={_canonical(item)}"
            for name, item in ast.iter_fields(value)
            if item not in (None, []) and name not in ("kind", "type_comment", "type_ignores")
        )
        return f"{type(value).__name__}({','.join(fields)})"
    if isinstance(value, list):
        return f"[{','.join(map(_canonical, value))}]"
    return repr(value)
