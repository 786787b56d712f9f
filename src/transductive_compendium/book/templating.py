"""Pages and fragments from the templates of this folder, as MyST, HTML or SVG."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from textwrap import wrap
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_environment
from jinja2.filters import make_attrgetter


def escape(text: str) -> str:
    """Generated text as literal MyST."""
    return re.sub(r"([\\`*_{}\[\]<>$|#])", r"\\\1", one_line(text))


def one_line(prose: str) -> str:
    """Prose of the claims files, already MyST, in one line."""
    return " ".join(prose.split())


def cell(prose: str) -> str:
    """The same for a table's cell, with escaped bars."""
    return re.sub(r"(?<!\\)\|", r"\\|", one_line(prose))


def anchor(*names: str) -> str:
    """Names joined to an anchor: ``claims``, ``toy``, ``Figure 1a``: ``claims-toy-figure-1a``."""
    return re.sub(r"[^a-z0-9]+", "-", " ".join(names).lower()).strip("-")


@pass_environment
def grouped(environment: Environment, values: Iterable, attribute: str) -> dict[Any, list]:
    """Values grouped by an attribute, in the order of each group's first value."""
    groups: dict[Any, list] = {}
    for value in values:
        groups.setdefault(make_attrgetter(environment, attribute)(value), []).append(value)
    return groups


_ENVIRONMENT = Environment(
    loader=FileSystemLoader(Path(__file__).with_name("templates")),
    autoescape=lambda name: name.endswith((".html", ".svg")),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_ENVIRONMENT.filters |= {
    "anchor": anchor,
    "cell": cell,
    "grouped": grouped,
    "myst": escape,
    "one_line": one_line,
    "quoted": lambda text: json.dumps(text, ensure_ascii=False),
    "wrapped": wrap,
}


def render(template: str, **facts: Any) -> str:
    """Render a template with `facts`; the text ends in one line break.

    Raises
    ------
    jinja2.UndefinedError
        If the template uses a fact that is not in `facts`.
    """
    return _ENVIRONMENT.get_template(template).render(facts).rstrip() + "\n"
