"""Strict parameters: every experiment declares their names, types and ranges.

A misspelt name or a wrong type stops a run before it starts, instead of silently using a default.
"""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

import numpy as np
from pydantic import Field, TypeAdapter, ValidationError


class ExperimentError(Exception):
    """Base class of the runner's deliberate errors; the message names the remedy."""


@cache
def _validator(kind, minimum, maximum, exclusive_minimum, exclusive_maximum) -> TypeAdapter:
    limits = {"ge": minimum, "le": maximum, "gt": exclusive_minimum, "lt": exclusive_maximum}
    given = {name: value for name, value in limits.items() if value is not None}
    if kind is float:
        given["allow_inf_nan"] = False
    return TypeAdapter(Annotated[kind, Field(**given)])


class ParameterError(ExperimentError, ValueError):
    """A parameter is unknown, has the wrong type or lies outside its range."""


@dataclass(frozen=True)
class Parameter:
    """Type, default and range of one parameter.

    Parameters
    ----------
    default : int, float, str or bool
        The paper's value, used by default. It must be valid itself.
    kind : type
        ``int``, ``float``, ``str`` or ``bool``. An int is accepted as a float; a bool is not
        accepted as a number.
    doc : str
        One line for the reader.
    choices : tuple, optional
        The only values allowed.
    minimum, maximum, exclusive_minimum, exclusive_maximum : float, optional
        Range of a number.
    """

    default: Any
    kind: type
    doc: str
    choices: tuple | None = None
    minimum: float | None = None
    maximum: float | None = None
    exclusive_minimum: float | None = None
    exclusive_maximum: float | None = None

    def __post_init__(self):
        if self.kind not in (bool, int, float, str):
            raise ParameterError(
                f"a parameter's kind is one of int, float, str, bool, not {self.kind!r}"
            )
        object.__setattr__(self, "default", self.check("default", self.default))

    def _checked(self, name: str, value: Any, strict: bool) -> Any:
        limits = (self.minimum, self.maximum, self.exclusive_minimum, self.exclusive_maximum)
        try:
            found = _validator(self.kind, *limits).validate_python(value, strict=strict)
        except ValidationError as error:
            why = error.errors()[0]["msg"]
        else:
            if self.choices is None or found in self.choices:
                return found
            why = "not one of the choices"
        kind = type(value).__name__
        article = "an" if kind[0] in "aeiou" else "a"
        what = f"{name} = {value!r}" + (f", {article} {kind}," if strict else "")
        raise ParameterError(f"{what} is not allowed; it must be {self.describe()} ({why})")

    def check(self, name: str, value: Any) -> Any:
        """Return `value` as the parameter's type, or raise `ParameterError`."""
        value = value.item() if isinstance(value, np.generic) else value
        return self._checked(name, value, strict=True)

    def admits(self, value: Any) -> bool:
        """Whether `check` accepts a value."""
        try:
            self.check("", value)
        except ParameterError:
            return False
        return True

    def parse(self, name: str, text: str) -> Any:
        """Read a value from the command line, as strictly as `check`."""
        return self._checked(name, text, strict=False)

    def describe(self) -> str:
        """The allowed values in words."""
        if self.choices is not None:
            return "one of " + ", ".join(map(repr, self.choices))
        bounds = (
            (">=", self.minimum),
            (">", self.exclusive_minimum),
            ("<=", self.maximum),
            ("<", self.exclusive_maximum),
        )
        limits = " and ".join(f"{sign} {bound:g}" for sign, bound in bounds if bound is not None)
        return f"{self.kind.__name__} {limits}".rstrip()


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """Message for an unknown name: the nearest known one, then all of them, or some of many."""
    known = list(known)
    near = difflib.get_close_matches(str(name), known, n=5, cutoff=0.5)
    hint = f"; did you mean {near[0]!r}?" if near else "."
    listed = ", ".join(known) or "none"
    if len(known) > 40:
        listed = f"{len(known)}, such as {', '.join(near or known[:5])}"
    return f"unknown {what} {name!r}{hint} Known: {listed}."


def resolve(schema: Mapping[str, Parameter], given: Mapping[str, Any] | None) -> dict[str, Any]:
    """Complete `given` with the defaults of `schema`, in the schema's order, and check all values.

    Raises
    ------
    ParameterError
        For a name that is not in the schema, a wrong type, or a value out of range.
    """
    given = dict(given or {})
    for name in given:
        if name not in schema:
            raise ParameterError(unknown("parameter", name, schema))
    return {name: p.check(name, given.get(name, p.default)) for name, p in schema.items()}


def parse_assignments(
    schema: Mapping[str, Parameter], assignments: Iterable[str]
) -> dict[str, Any]:
    """Read ``name=value`` texts, as given to ``-p`` on the command line."""
    values: dict[str, Any] = {}
    for text in assignments:
        name, equals, value = text.partition("=")
        name = name.strip()
        if not equals:
            raise ParameterError(f"{text!r} is not of the form name=value, e.g. -p sigma=3")
        if name in ("profile", "seed"):
            raise ParameterError(f"{name} is an option of its own: --{name} {value}")
        if name not in schema:
            raise ParameterError(unknown("parameter", name, schema))
        if name in values:
            raise ParameterError(f"{name} is given twice; keep one of the two")
        values[name] = schema[name].parse(name, value.strip())
    return values
