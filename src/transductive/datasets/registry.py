"""The registry: facts about each data set, read from ``data/registry.yml``."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import yaml

from .._paths import data_file
from .errors import UnknownDatasetError


@dataclass(frozen=True)
class Source:
    """One public place to download from; `member` names a file inside a zip archive there."""

    url: str
    member: str | None = None


@dataclass(frozen=True)
class Reading:
    """A reading of the class codes as two classes: `positive` codes are +1, the others -1."""

    positive: tuple[int, ...]
    target_names: tuple[str, str]


@dataclass(frozen=True)
class Entry:
    """One registered file; `path` is relative to the data folder, `classes` is code -> count."""

    name: str
    title: str
    path: str
    bytes: int
    sha256: str
    content_sha256: str
    rows: int
    features: tuple[str, ...]
    class_column: str
    classes: Mapping[int, int]
    readings: Mapping[str, Reading]
    sources: tuple[Source, ...]
    terms: str
    page: str
    citation: tuple[str, ...]
    notes: tuple[str, ...]
    traps: tuple[str, ...]


def _entry(name, facts):
    facts = dict(facts)
    facts["readings"] = {
        key: Reading(tuple(value["positive"]), tuple(value["target_names"]))
        for key, value in facts["readings"].items()
    }
    facts["classes"] = dict(facts["classes"])
    facts["sources"] = tuple(Source(**source) for source in facts["sources"])
    for key in ("features", "citation", "notes", "traps"):
        facts[key] = tuple(facts[key])
    return Entry(name=name, **facts)


@cache
def registry():
    """Return all registered files as a dictionary name -> `Entry`."""
    facts = yaml.safe_load(data_file("registry.yml").read_text(encoding="utf-8"))
    return {name: _entry(name, value) for name, value in facts.items()}


def pick(name, table, what):
    """Return ``table[name]``; an unknown name raises with the known ones and the nearest."""
    if name in table:
        return table[name]
    near = difflib.get_close_matches(str(name), table, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise UnknownDatasetError(f"There is no {what} {name!r}.{hint} Known: {', '.join(table)}.")
