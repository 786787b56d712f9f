"""The registry: facts about each data set, read from ``data/registry.yml``."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath

import yaml

from .errors import UnknownDatasetError

#: In the checkout's ``data/``; a wheel has it beside the package's modules.
REGISTRY = files("transductive_compendium").joinpath("_data", "registry.yml")


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
class File:
    """One registered file; `path` is relative to the data folder.

    `content_sha256` is the hash of what the file says, or of each of its realisations in turn.
    """

    path: str
    bytes: int
    sha256: str
    content_sha256: str | tuple[str, ...]
    sources: tuple[Source, ...]


@dataclass(frozen=True)
class Entry:
    """One registered data set; `classes` is code, or newsgroup, -> count.

    The fields: ``data/README.md``. A regression set, or one of texts with several topics, has the
    name of its `target` in place of `classes` and `readings`.
    """

    name: str
    title: str
    files: tuple[File, ...]
    rows: int
    features: tuple[str, ...]
    terms: str
    page: str
    citation: tuple[str, ...]
    notes: tuple[str, ...]
    traps: tuple[str, ...]
    classes: Mapping[int | str, int] | None = None
    readings: Mapping[str, Reading] = field(default_factory=dict)
    target: str | None = None
    substitute: str | None = None
    format: str = "table"
    class_column: str = "last"
    members: str | None = None
    training_rows: int | None = None
    blocks: int | None = None
    left_out: tuple[int, ...] = ()

    @property
    def path(self):
        """The file, or the folder that all files are in if there are several."""
        first = PurePosixPath(self.files[0].path)
        return str(first if len(self.files) == 1 else first.parent)

    @property
    def divisions(self):
        """Numbers of the published divisions into training and test part, if it has any."""
        if self.format == "realisations":
            count = len(self.files[0].content_sha256)
        else:
            count = self.blocks or 0
        return tuple(n for n in range(1, count + 1) if n not in self.left_out)

    @property
    def bytes(self):
        """Size of all files."""
        return sum(file.bytes for file in self.files)


def _file(facts):
    hashes = facts["content_sha256"]
    facts["content_sha256"] = hashes if isinstance(hashes, str) else tuple(hashes)
    facts["sources"] = tuple(Source(**source) for source in facts["sources"])
    return File(**facts)


def _entry(name, facts):
    facts = dict(facts)
    # A set of one file has the facts of the file among its own.
    single = {fact.name: facts.pop(fact.name, None) for fact in fields(File)}
    facts["files"] = tuple(map(_file, facts.get("files", [single])))
    facts["readings"] = {
        key: Reading(tuple(value["positive"]), tuple(value["target_names"]))
        for key, value in facts.get("readings", {}).items()
    }
    if image := facts.pop("image", None):
        facts["features"] = [f"pixel_{i}_{j}" for i in range(image[0]) for j in range(image[1])]
    for key in ("features", "citation", "notes", "traps", "left_out"):
        facts[key] = tuple(facts.get(key, ()))
    return Entry(name=name, **facts)


@cache
def registry():
    """Return all registered data sets as a dictionary name -> `Entry`."""
    facts = yaml.safe_load(REGISTRY.read_text(encoding="utf-8"))
    return {name: _entry(name, value) for name, value in facts.items()}


def pick(name, table, what):
    """Return ``table[name]``; an unknown name raises with the known ones and the nearest."""
    if name in table:
        return table[name]
    near = difflib.get_close_matches(str(name), table, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise UnknownDatasetError(f"There is no {what} {name!r}.{hint} Known: {', '.join(table)}.")
