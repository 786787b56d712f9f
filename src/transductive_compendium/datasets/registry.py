"""The registry: facts about each data set, read from ``data/registry.yml``."""

import difflib
from collections.abc import Mapping
from dataclasses import field, replace
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Annotated, Literal

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from ..checked_yaml import load_checked
from .errors import UnknownDatasetError

#: In the checkout's ``data/``; a wheel has it beside the package's modules.
REGISTRY = files("transductive_compendium").joinpath("_data", "registry.yml")

#: Substitutes of registered sets, which need no download, and their terms.
SUBSTITUTES = {
    "breast_cancer": "CC BY 4.0",
    "digits": "CC BY 4.0",
    "diabetes": "no licence stated",
    "generated_text": "none needed",
}

Count = Annotated[int, Field(strict=True, ge=0)]
Code = Annotated[int, Field(strict=True)]
Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Format = Literal[
    "table",
    "mat",
    "hdf5",
    "realisations",
    "realisations_xlsx",
    "idx",
    "npz",
    "sgml",
    "newsgroups",
    "arff",
]

_checked = dataclass(frozen=True, config=ConfigDict(extra="forbid"))


@_checked
class Source:
    """One public place to download from, and how it was checked before it was registered.

    `member` names what is wanted of an archive there: a file of a zip archive, a data set of a
    collection. `sha256` is that of such a collection. `skipped_lines` come before a table whose
    rows go over several lines.
    """

    url: str
    member: str | None = None
    sha256: Sha256 | None = None
    skipped_lines: Count | None = None
    checked: Literal["content", "checksum", "address"] = "address"


@_checked
class PositiveClass:
    """A choice of two classes: rows with one of the `codes` are +1, the others -1."""

    codes: tuple[Code, ...]
    target_names: tuple[str, str]


@_checked
class File:
    """One registered file; `path` is relative to the data folder.

    `content_sha256` is the hash of what the file says, or of each of its realisations in turn.
    """

    path: str
    bytes: Count
    sha256: Sha256
    content_sha256: Sha256 | tuple[Sha256, ...]
    sources: tuple[Source, ...]


@_checked
class Entry:
    """One registered data set; `classes` is code, or newsgroup, -> count.

    The fields: ``data/README.md``. A regression set, or one of texts with several topics, has the
    name of its `target` in place of `classes` and `positive_classes`. Of images, the `features` are
    named by the pixels.
    """

    title: str
    files: Annotated[tuple[File, ...], Field(min_length=1)]
    rows: Count
    terms: str
    redistribution: Literal["allowed", "unstated", "use only"]
    page: str
    citation: tuple[str, ...]
    notes: tuple[str, ...]
    traps: tuple[str, ...]
    features: tuple[str, ...] = ()
    image: tuple[Count, Count] | None = None
    classes: Mapping[Code | str, Count] | None = None
    positive_classes: Mapping[str, PositiveClass] = field(default_factory=dict)
    target: str | None = None
    substitute: str | None = None
    format: Format = "table"
    class_column: Literal["first", "last"] = "last"
    members: str | None = None
    training_rows: Count | None = None
    blocks: Count | None = None
    left_out: tuple[Count, ...] = ()
    name: str = ""

    def __post_init__(self):
        if (self.classes is None) == (self.target is None):
            raise ValueError("must have either classes or a target")
        if self.substitute is not None and self.substitute not in SUBSTITUTES:
            raise ValueError(f"substitute must be one of {', '.join(SUBSTITUTES)}")
        for name, chosen in self.positive_classes.items():
            if not set(chosen.codes) < set(self.classes or ()):
                raise ValueError(f"positive_classes.{name} must be some of the classes, not all")
        if self.image and not self.features:
            rows, columns = map(range, self.image)
            pixels = tuple(f"pixel_{i}_{j}" for i in rows for j in columns)
            object.__setattr__(self, "features", pixels)

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

    @property
    def description(self):
        """Title, terms and page in a line."""
        return f"{self.title}. Terms: {self.terms}. {self.page}"


def read_registry(path):
    """Return the data sets registered in a file as a dictionary name -> `Entry`.

    Raises
    ------
    SchemaError
        If an entry has a wrong field, or one too few or too many; with its line.
    """
    remedy = "The fields are described in data/README.md; correct the file, or install it anew."
    entries = load_checked(path, dict[str, Entry], remedy)
    return {name: replace(entry, name=name) for name, entry in entries.items()}


@cache
def registry():
    """Return all registered data sets as a dictionary name -> `Entry`."""
    return read_registry(REGISTRY)


def pick(name, table, what):
    """Return ``table[name]``; an unknown name raises with the known ones and the nearest."""
    if name in table:
        return table[name]
    near = difflib.get_close_matches(str(name), table, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise UnknownDatasetError(f"There is no {what} {name!r}.{hint} Known: {', '.join(table)}.")
