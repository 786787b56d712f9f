"""Which code a record was computed by: a hash of all that its units import, and of nothing else.

From the module that declares the experiment, imports are followed through the sources, without
running them: every name to the module that defines it, through the faces of packages; compiled
kernels to their sources and headers; data sets to the readers of their formats. Comments,
docstrings and the texts of errors and warnings do not count, nor do the titles of experiments, the
descriptions of parameters and the tolerances of agreement.

An installed package has no sources of its kernels; the build leaves their hashes in its place
(``tools/hash_kernels.py``).
"""

import ast
import hashlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

from .declaration import Experiment
from .kernel_sources import kernel_hash

#: Number of this definition. Records made under another one cannot be compared with it.
DEFINITION = 2
PACKAGES = ("transductive", "transductive_compendium")
KERNEL_HASHES = "_kernel_hashes.json"
_HERE = "transductive_compendium"
SEEDING = f"{_HERE}.runner.seeding"
#: What runs units, finds data and reports on them changes no row.
_NOT_FOLLOWED = (
    f"{_HERE}.runner",
    f"{_HERE}.verdicts",
    f"{_HERE}.book",
    f"{_HERE}.rooms",
    f"{_HERE}.datasets.download",
    f"{_HERE}.datasets.errors",
    f"{_HERE}.datasets.registry",
)
#: Arguments of calls that describe and do not compute: by keyword, or by position.
_TEXTS = {"experiment": ("title", "agreement"), "Parameter": ("doc", 2)}


@cache
def _root(package: str) -> Path:
    return Path(sys.modules[package].__file__).parent if package in sys.modules else _find(package)


def _find(package: str) -> Path:
    from importlib.util import find_spec

    return Path(find_spec(package).origin).parent


def _file(module: str) -> Path | None:
    """Source of a module of ours: its file, a package's face or a kernel; or None."""
    top, *rest = module.split(".")
    if top not in PACKAGES:
        return None
    place = _root(top).joinpath(*rest)
    for path in (place.with_suffix(".py"), place / "__init__.py", place.with_suffix(".pyx")):
        if path.is_file() and (rest or path.name == "__init__.py"):
            return path
    return None


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _absolute(node: ast.ImportFrom, module: str, is_package: bool) -> str:
    if not node.level:
        return node.module or ""
    parts = module.split(".")
    parts = parts[: len(parts) - node.level + is_package]
    return ".".join([*parts, node.module] if node.module else parts)


def _defining(module: str, name: str) -> str | None:
    """Module of ours in which ``from module import name`` finds what it names."""
    if _is_kernel(f"{module}.{name}") or _file(f"{module}.{name}"):
        return f"{module}.{name}"
    path = _file(module)
    if path is None or path.name != "__init__.py":
        return module if path or _is_kernel(module) else None
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if name == (alias.asname or alias.name):
                    return _defining(_absolute(node, module, True), alias.name)
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "_HOMES":
            home = ast.literal_eval(node.value).get(name)  # names imported when first used
            if home is not None:
                return _defining(module + home, name)
    return module


def _is_kernel(module: str) -> bool:
    path = _file(module)
    return module in _kernel_hashes() if path is None else path.suffix == ".pyx"


@cache
def _kernel_hashes() -> dict[str, dict]:
    """What the build wrote of the kernels, where their sources are not installed."""
    path = _root("transductive") / KERNEL_HASHES
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def imports(path: Path, module: str) -> Iterator[str]:
    """Modules of ours in which the imports of a Python file find what they name."""
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.ImportFrom):
            source = _absolute(node, module, path.name == "__init__.py")
            found = [_defining(source, alias.name) for alias in node.names]
        elif isinstance(node, ast.Import):
            found = [alias.name for alias in node.names if _file(alias.name)]
        else:
            continue
        yield from (name for name in found if name and name.split(".")[0] in PACKAGES)


def closure(modules: Iterable[str]) -> set[str]:
    """All modules of ours that `modules` import, directly or not, and they themselves."""
    found, waiting = set(), list(modules)
    while waiting:
        module = waiting.pop()
        skipped = any(module == s or module.startswith(f"{s}.") for s in _NOT_FOLLOWED)
        if module not in found and (not skipped or module == SEEDING):
            found.add(module)
            if not _is_kernel(module):
                waiting += imports(_file(module), module)
    return found


def _without_texts(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if body and ast.get_docstring(node, clean=False) is not None:
                node.body = body[1:]
        elif isinstance(node, ast.Raise):
            _blank(node)
        elif isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name == "warn":
                _blank(node)
            texts = _TEXTS.get(name, ())
            node.keywords = [word for word in node.keywords if word.arg not in texts]
            node.args = [a for place, a in enumerate(node.args) if place not in texts]
    return tree


def _blank(node: ast.AST) -> None:
    """Empty the texts below a node."""
    for below in ast.walk(node):
        for field, value in ast.iter_fields(below):
            values = value if isinstance(value, list) else [value]
            blank = [_empty(v) for v in values]
            if any(new is not old for new, old in zip(blank, values, strict=True)):
                setattr(below, field, blank if isinstance(value, list) else blank[0])


def _empty(node):
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return ast.Constant("") if is_text or isinstance(node, ast.JoinedStr) else node


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


@cache
def python_hash(path: Path) -> str:
    """SHA-256 of what a Python file computes."""
    tree = _without_texts(ast.parse(path.read_text(encoding="utf-8")))
    return hashlib.sha256(_canonical(tree).encode()).hexdigest()


def _hash(module: str) -> str:
    path = _file(module)
    if path is None:
        return _kernel_hashes()[module]
    return kernel_hash(path) if path.suffix == ".pyx" else python_hash(path)


def fingerprint(experiment: Experiment) -> str:
    """Hash of the code that an experiment's rows depend on.

    Parameters
    ----------
    experiment : Experiment

    Returns
    -------
    str
        Sixteen hexadecimal digits.
    """
    digest = hashlib.sha256(str(DEFINITION).encode())
    roots = [SEEDING, *_loaders(experiment.datasets)]
    if experiment.module.split(".")[0] in PACKAGES:
        roots.append(experiment.module)
    elif path := _reader_file(experiment.run_unit):
        roots += imports(path, "")
        digest.update(python_hash(path).encode())
    for module in sorted(closure(roots)):
        if not _is_face(module):
            digest.update(f"{module}\0{_hash(module)}\0".encode())
    return digest.hexdigest()[:16]


def _reader_file(run_unit: Callable) -> Path | None:
    """File of a reader's own experiment; the same in every process that has it."""
    code = getattr(getattr(run_unit, "func", run_unit), "__code__", None)
    path = Path(code.co_filename) if code else None
    return path if path and path.is_file() else None


def _is_face(module: str) -> bool:
    path = _file(module)
    return path is not None and path.name == "__init__.py"


def _loaders(names: Iterable[str]) -> list[str]:
    from ..datasets import loader_module

    return sorted({loader_module(name) for name in names})
