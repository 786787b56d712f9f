"""YAML files checked against a schema; errors name the file, the line, the field, the remedy."""

from collections.abc import Iterator
from difflib import get_close_matches
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import TypeAdapter, ValidationError

T = TypeVar("T")

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times faster

_SHOWN_MAX = 5  # errors in one message
_PLAINER = {
    "missing": "is missing",
    "missing_argument": "is missing",
}
_NO_FIELD = ("extra_forbidden", "unexpected_keyword_argument")


class SchemaError(ValueError):
    """A YAML file does not have the form that it must have."""


def load_checked(path: str | Path | Traversable, kind: type[T], remedy: str) -> T:
    """Read a YAML file as an instance of `kind`.

    Parameters
    ----------
    path : path
    kind : type
        Anything that pydantic can validate, such as ``dict[str, Entry]`` of a dataclass.
    remedy : str
        Last sentence of an error's message: where the fields are described.

    Returns
    -------
    kind

    Raises
    ------
    SchemaError
        If the file cannot be read, has a key twice, or does not have this form; the message gives
        the line.
    """
    path = Path(path) if isinstance(path, str) else path
    try:
        text = path.read_text(encoding="utf-8")
        tree = yaml.compose(text, _Loader)
        value = yaml.load(text, _Loader)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise SchemaError(f"{path} cannot be read: {error}. {remedy}") from error
    faults = list(_repeated_keys(tree))
    if not faults:
        try:
            return TypeAdapter(kind).validate_python(value)
        except ValidationError as error:
            faults = _faults(tree, error, kind)
    lines = [f"{path}, line {line}, {field}: {fault}" for line, field, fault in faults]
    if len(lines) > _SHOWN_MAX:
        lines[_SHOWN_MAX:] = [f"and {len(lines) - _SHOWN_MAX} more errors"]
    raise SchemaError("\n".join([*lines, remedy]))


def _faults(tree: Any, error: ValidationError, kind: Any) -> list[tuple[int, str, str]]:
    """Line, field and fault of each wrong field; faults of one union are grouped."""
    found: dict[tuple[int, str], list[str]] = {}
    for details in error.errors():
        place = [str(part) for part in details["loc"]]
        line, depth = _find(tree, place)
        # beyond the file's own keys, pydantic appends the types that it tried, or the missing field
        depth += details["type"].startswith("missing")
        message = _PLAINER.get(details["type"], details["msg"].removeprefix("Value error, "))
        if details["type"] in _NO_FIELD:
            message = _no_field(place[-1], _fields(kind, place[:-1]))
        found.setdefault((line, ".".join(place[:depth]) or "the file"), []).append(message)
    return [(*where, "; or: ".join(dict.fromkeys(texts))) for where, texts in found.items()]


def _no_field(name: str, known: list[str]) -> str:
    near = get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else "remove or correct it."
    return f"is no field; {hint} Fields here: {', '.join(known) or 'none'}"


def _fields(kind: Any, place: list[str]) -> list[str]:
    """Names of the fields that an instance of `kind` has at a place."""
    schema = TypeAdapter(kind).json_schema()

    def below(node: Any, place: list[str]) -> list[str]:
        if not isinstance(node, dict):
            return []
        if "$ref" in node:
            return below(schema["$defs"][node["$ref"].rpartition("/")[2]], place)
        if "anyOf" in node:
            return [name for each in node["anyOf"] for name in below(each, place)]
        fields = node.get("properties", {})
        if not place:
            return list(fields)
        inner = fields.get(place[0]) or node.get("additionalProperties") or node.get("items")
        return below(inner, place[1:])

    return below(schema, place)


def _find(node: Any, place: list[str]) -> tuple[int, int]:
    """Line, from 1, of the innermost part of `place` in the file, and how many parts it has."""
    line = node.start_mark.line + 1 if node is not None else 1
    for depth, part in enumerate(place):
        if isinstance(node, yaml.MappingNode):
            found = [(key, value) for key, value in node.value if key.value == part]
            if not found:
                return line, depth
            line, node = found[0][0].start_mark.line + 1, found[0][1]
        elif isinstance(node, yaml.SequenceNode) and part.isdigit() and int(part) < len(node.value):
            node = node.value[int(part)]
            line = node.start_mark.line + 1
        else:
            return line, depth
    return line, len(place)


def _repeated_keys(node: Any) -> Iterator[tuple[int, str, str]]:
    """Keys that a mapping has twice, of which YAML would silently take the last."""
    if isinstance(node, yaml.MappingNode):
        lines: dict[str, int] = {}
        for key, value in node.value:
            if key.value in lines and isinstance(key, yaml.ScalarNode):
                first = lines[key.value]
                yield key.start_mark.line + 1, key.value, f"is a key in line {first} already"
            elif isinstance(key, yaml.ScalarNode):
                lines[key.value] = key.start_mark.line + 1
            yield from _repeated_keys(value)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from _repeated_keys(value)
