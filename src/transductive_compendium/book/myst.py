"""Generated text as MyST."""

import re
from collections.abc import Iterable
from typing import Any


def escape(text: str) -> str:
    """Generated text as literal MyST."""
    return re.sub(r"([\\`*_{}\[\]<>$|#])", r"\\\1", " ".join(text.split()))


def one_line(prose: str) -> str:
    """Prose of the claims files, which is MyST already."""
    return " ".join(prose.split())


def cell(prose: str) -> str:
    """The same for a table's cell, which a bar would end."""
    return re.sub(r"(?<!\\)\|", r"\\|", one_line(prose))


def row(cells: Iterable[Any]) -> str:
    """A row of a table."""
    return "| " + " | ".join(map(str, cells)) + " |"


def anchor(*names: str) -> str:
    """Names as a target: ``claims``, ``toy``, ``Figure 1a`` to ``claims-toy-figure-1a``."""
    return re.sub(r"[^a-z0-9]+", "-", " ".join(names).lower()).strip("-")
