"""YAML files checked against a schema; errors name the file, the line, the field, the remedy."""

from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import TypeAdapter, ValidationError

T = TypeVar("T")


class SchemaError(ValueError):
    """A YAML file does not have the form that it must have."""


def load_checked(path: str | Path, kind: type[T], remedy: str) -> T:
    """Read a YAML file as an instance of `kind`.

    Parameters
    ----------
    path : path
    kind : type
        Anything that pydantic can validate, such as ``dict[str, Entry]`` of a dataclass.
    remedy : str
        Closes the message of an error: where the fields are described.

    Returns
    -------
    kind

    Raises
    ------
    SchemaError
        If the file cannot be read, or does not have this form; with the line.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
        tree, value = yaml.compose(text, yaml.SafeLoader), yaml.safe_load(text)
    except (OSError, yaml.YAMLError) as error:
        raise SchemaError(f"{path} cannot be read: {error}. {remedy}") from error
    try:
        return TypeAdapter(kind).validate_python(value)
    except ValidationError as error:
        lines = []
        for found in error.errors():
            place = [str(part) for part in found["loc"]]
            lines.append(f"{path}, line {_line(tree, place)}, {'.'.join(place)}: {found['msg']}")
        raise SchemaError("\n".join([*lines[:5], remedy])) from error


def _line(node: Any, place: list[str]) -> int:
    """Line of the innermost part of `place` that is in the file, from 1."""
    line = node.start_mark.line + 1 if node is not None else 1
    for part in place:
        if isinstance(node, yaml.MappingNode):
            found = [(key, value) for key, value in node.value if key.value == part]
            if not found:
                break
            line, node = found[0][0].start_mark.line + 1, found[0][1]
        elif isinstance(node, yaml.SequenceNode) and part.isdigit() and int(part) < len(node.value):
            node = node.value[int(part)]
            line = node.start_mark.line + 1
        else:
            break
    return line
