"""The columns of the records: ``results/columns.yml``, checked, and compared with the records."""

import lzma
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from transductive_compendium.checked_yaml import SchemaError, load_checked
from transductive_compendium.runner.companions import COLUMNS, base_of

FILE = "columns.yml"
_checked = dataclass(frozen=True, config=ConfigDict(extra="forbid"))


@_checked
class Column:
    """Description and unit of a column."""

    unit: str
    meaning: str


@_checked
class Described:
    """Columns that some records have in common."""

    of: tuple[str, ...]
    columns: dict[str, Column]


@_checked
class Dictionary:
    """Contents of ``columns.yml``: columns that all records share, and those of some records."""

    shared: dict[str, Column]
    records: tuple[Described, ...]

    def own(self, name: str) -> dict[str, Column]:
        """Columns described for a record, without the shared ones."""
        found: dict[str, Column] = {}
        for block in self.records:
            if name in block.of:
                if twice := sorted(set(found) & set(block.columns)):
                    raise SchemaError(
                        f"{FILE}: {name} has {', '.join(twice)} in two entries; remove one"
                    )
                found |= block.columns
        return found


@cache
def load(path: Path) -> Dictionary:
    """Read a ``columns.yml``.

    Raises
    ------
    SchemaError
        If the file does not have this form; the message gives file, line and field.
    """
    remedy = "An entry needs unit and meaning; see CONTRIBUTING.md, Add an experiment."
    return load_checked(path, Dictionary, remedy)


def records(folder: Path) -> dict[str, list[str]]:
    """Columns of every table below a results folder, by its name without the ending."""
    found: dict[str, list[str]] = {}
    for path in sorted([*folder.rglob("*.csv"), *folder.rglob("*.csv.xz")]):
        read = lzma.open if path.suffix == ".xz" else open
        with read(path, "rt", encoding="utf-8") as file:
            header = file.readline().rstrip("\n").split(",")
        found[path.relative_to(folder).as_posix().partition(".")[0]] = header
    return found


def companion_of(name: str, header: Iterable[str], known: Iterable[str]) -> tuple[str, list[str]]:
    """A companion's experiment and its additional columns; for other records, themselves."""
    base = name if name in known else base_of(name)
    more = COLUMNS if name != base else ()
    return base, [column for column in more if column in header]


def faults(dictionary: Dictionary, found: dict[str, list[str]]) -> Iterator[str]:
    """Missing and superfluous columns of the dictionary, a line for each record.

    Parameters
    ----------
    dictionary : Dictionary
    found : dict
        Columns by record, as `records` gives them.
    """
    used: set[str] = set()
    columns: dict[str, set[str]] = {}
    entries = {n for block in dictionary.records for n in block.of}
    for name, header in found.items():
        base, more = companion_of(name, header, entries)
        own = dictionary.own(base)
        columns.setdefault(base, set()).update(header)
        used |= {column for column in header if column not in own}
        if missing := [c for c in header if c not in own and c not in dictionary.shared]:
            example = "".join(f"\n      {c}: {{unit: ..., meaning: ...}}" for c in missing)
            yield (
                f"{name}: {', '.join(missing)} not described; add to results/{FILE}, records:"
                f"\n  - of: [{base}]\n    columns:{example}"
            )
        if base != name and not more:
            yield f"{name}: a companion without its columns; describe it by an entry"
    for name in sorted(entries):
        if name not in columns:
            yield f"{name}: described, but there is no such record; remove it from results/{FILE}"
        elif extra := [c for c in dictionary.own(name) if c not in columns[name]]:
            yield f"{name}: {', '.join(extra)} described, but no column; remove the entries"
    if unused := sorted(set(dictionary.shared) - used - set(COLUMNS)):
        yield f"shared: no record has {', '.join(unused)}; remove the entries"
