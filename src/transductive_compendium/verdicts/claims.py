"""A paper's statements: findings, claims, protocols, anchors, and what the paper leaves open.

They are loaded strictly from ``findings.yml``, ``claims.yml``, ``anchors.yml``, ``settled.yml``
and ``open_choices.yml`` of a paper's room. A claim names a measure, a function that turns recorded
rows into evidence; the rule of its kind turns evidence into a verdict. Mathematics is decided by
marked tests. No verdict is entered by hand.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import field
from difflib import get_close_matches
from functools import cache, wraps
from pathlib import Path
from typing import Annotated, Any, Literal

import pandas as pd
from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from ..checked_yaml import SchemaError, load_checked
from ..rooms import import_room, room_folders
from ..runner.open_choices import FILE, OpenChoice, load_open_choices
from ..runner.parameters import unknown
from ..runner.records import RecordError, results_folder

_REMEDY = "The fields are described in CONTRIBUTING.md, 'Add a claim'."
#: Function and results of each measure by name.
_MEASURES: dict[str, tuple[Callable, tuple[str, ...]]] = {}

Kind = Literal["repeats", "equivalence", "numbers", "mathematics", "untestable"]
Count = Annotated[int, Field(strict=True, ge=1)]
Number = Annotated[float, Field(strict=True)]  # takes an int, no text
Positive = Annotated[float, Field(strict=True, gt=0)]
Digits = Annotated[int, Field(strict=True)]

_checked = dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid"))


class ClaimError(Exception):
    """A file of claims breaks the schema; the message names file, claim and remedy."""


def measure(*results: str) -> Callable[[Callable], Callable]:
    """Decorator that registers a measure: ``function(rows, **arguments)`` returns evidence.

    Parameters
    ----------
    *results : str
        Recorded results that it reads. Of one, `rows` are its rows; of several, a dict of rows by
        name. A measure without them reads the ``results`` that its claims name, a dict, too.

    Raises
    ------
    ClaimError
        If a measure of another module has the name.
    """

    def register(function: Callable) -> Callable:
        other, _ = _MEASURES.get(function.__name__, (function, ()))
        if other.__module__ != function.__module__:
            raise ClaimError(
                f"measure {function.__name__} is in {other.__module__} and again in "
                f"{function.__module__}; rename one"
            )
        _MEASURES[function.__name__] = function, results
        return function

    return register


def of_rows(function: Callable) -> Callable:
    """Decorator: ``function(rows, *arguments)`` is computed once for all copies by `shared`.

    Its results may not be changed in place.
    """

    @wraps(function)
    def remembered(rows, *arguments, **named):
        derived = vars(rows).get("_derived")
        if derived is None:
            return function(rows, *arguments, **named)
        key = (function, arguments, *named.items())
        if key not in derived:
            derived[key] = function(rows, *arguments, **named)
        return derived[key]

    return remembered


def shared(rows: pd.DataFrame) -> pd.DataFrame:
    """A copy of rows for one measure, and with other such copies what `of_rows` makes of them."""
    copy = rows.copy(deep=False)
    vars(copy)["_derived"] = vars(rows).setdefault("_derived", {})
    return copy


@_checked
class Independent:
    """Rows of a paper's notebook of a hundred lines that answer a claim; see `independent`.

    Parameters
    ----------
    row : str
        Name of the row of the table.
    claim, setting : str
        The claim, and the setting of its recorded rows.
    gains : tuple of str
        Expressions in the columns of a row, one for each gap of the claim.
    where : str
        Query that selects the rows.
    by : dict of str to tuple
        Columns whose values select a gap each, in the claim's order.
    """

    row: str
    claim: str
    gains: tuple[str, ...]
    setting: str = "default"
    where: str = ""
    by: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)


@_checked
class Finding:
    """What a reader would repeat of a paper; the first of a file is its headline.

    Parameters
    ----------
    id, sentence, comparator : str
        The sentence says all that the printed one does.
    claims : tuple of str
        The claims that it is cut into; the first is the first result of the sentence quoted.
    figure : str
        The page whose figure shows it.
    published : str
        For the table of findings.
    condition : str
        Of a headline: on what condition it holds, for README and front page.
    card : str
        Of a headline: where it fails and what to teach it for, for the front page; no numbers.
    told : str
        Where and how far it comes out, and where it fails: sentences in which
        ``{claim-id}`` stands for the reproduced numbers of a claim, ``{table}`` for the misfit of a
        table of anchors, ``{... | choice: option}`` for either under another setting.
    independent : tuple of Independent
        What the paper's notebook of a hundred lines found.
    """

    id: str
    sentence: str
    comparator: str
    claims: Annotated[tuple[str, ...], Field(min_length=1)]
    figure: str
    published: str
    condition: str = ""
    card: Annotated[str, Field(pattern=r"^(\S+\s*){0,40}$")] = ""
    told: str = ""
    independent: tuple[Independent, ...] = ()


@_checked
class Protocol:
    """An experiment as printed.

    Parameters
    ----------
    text : str
        The experiment: data, kernel, parameters, start.
    repetition : str
        What is random in each repetition.
    m : int, "exact" or None
        Draws (random splits, training or data sets) behind a printed number; "exact" if nothing is
        random; nothing if the paper does not tell.
    experiment : "published" or "ours"
        Whether the paper publishes the experiment; if not, its claims are counted separately.
    """

    text: str
    repetition: str
    m: Count | Literal["exact"] | None = None
    experiment: Literal["published", "ours"] = "published"

    @property
    def draws(self) -> int | None:
        """Draws behind a printed number; 0 if nothing is random."""
        return 0 if self.m == "exact" else self.m


@_checked
class Published:
    """What the paper prints: a text, a number, the cells of a column, or a gain."""

    text: str = ""
    value: Number | None = None
    cells: Mapping[str | int, Number] | None = None
    gain: Number | None = None
    digits: Digits = 0
    unit: str = ""

    def __post_init__(self):
        if self.cells:
            object.__setattr__(self, "cells", {str(key): x for key, x in self.cells.items()})

    @property
    def numbers(self) -> dict[str, float]:
        """Printed numbers by cell; a lone one has the name ""."""
        if not self.cells and self.value is not None:
            return {"": self.value}
        return {str(key): x for key, x in (self.cells or {}).items()}


@_checked
class Judged:
    """Fields that a claim and an anchor share.

    Parameters
    ----------
    id, statement : str
    kind : str
        Names the rule.
    results : tuple of str
        Recorded results that the measure reads; by default those that it names itself.
    measure, arguments : str, dict
        The function that turns them into evidence.
    margin : float, optional
        Largest difference of an equivalence, or a gain that is none, in the measure's unit.
    published : Published
    """

    id: str
    statement: str
    kind: Kind
    results: tuple[str, ...] = ()
    measure: str | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    margin: Positive | None = None
    published: Published = field(default_factory=Published)

    def __post_init__(self):
        if self.kind == "equivalence" and self.margin is None:
            raise ValueError("an equivalence needs margin, fixed before anything runs")
        if self.kind == "numbers" and not self.published.numbers:
            raise ValueError("numbers need published: {value: ... or cells: {...}, digits: ...}")


@_checked
class Claim(Judged):
    """An atomic statement of a paper.

    Parameters
    ----------
    quote : str or tuple of str
        Verbatim quotation.
    place : str
        Place of the quotation in the paper.
    protocol : str
        Key of the experiment as printed; mathematics has none.
    comes_out : str
        The criterion for one repetition.
    why : str
        Reason, if no experiment can decide the claim.
    """

    quote: str | tuple[str, ...]
    place: str
    protocol: str = ""
    comes_out: str = ""
    why: str = ""

    def __post_init__(self):
        super().__post_init__()
        if self.kind == "mathematics" and (self.measure or self.results):
            raise ValueError("mathematics is decided by a marked test; remove measure and results")
        if self.kind == "untestable":
            if not self.why:
                raise ValueError("what is untestable needs why")
        elif not self.comes_out:
            raise ValueError("needs comes_out, the criterion for one repetition")
        elif self.kind != "mathematics" and not self.protocol:
            raise ValueError("needs the protocol that it is about")

    @property
    def quotes(self) -> tuple[str, ...]:
        """The verbatim quotes."""
        return (self.quote,) if isinstance(self.quote, str) else self.quote


@_checked
class Anchor(Judged):
    """A printed number of a comparator, or one that no test label enters.

    Its measure returns the reproduced number as a `rules.Value`; for the place of a minimum, how
    far the criterion at the printed place lies above its least, as a share.

    Parameters
    ----------
    quantity, quote, place : str
    readers : tuple of str
        Its ids in the two raw lists of ``results/anchors``.
    minimum : bool, default False
        Whether it is the place of a minimum.
    told : str
        Why it identifies nothing and is only told; such a number needs no measure.
    untouched_by : tuple of str
        Open choices that cannot change it, though its experiment has them: what only the
        contribution's method does.
    """

    kind: Literal["numbers"] = "numbers"
    statement: str = ""
    quantity: str
    quote: str
    place: str
    readers: tuple[str, ...]
    minimum: bool = False
    told: str = ""
    untouched_by: tuple[str, ...] = ()

    def __post_init__(self):
        if not self.told and self.measure is None:
            raise ValueError("needs a measure, or told: why it identifies nothing")
        if not (self.minimum or self.published.numbers):
            raise ValueError("needs published: {value: ... or cells: {...}, digits: ...}")

    @property
    def decides(self) -> bool:
        """Whether it identifies settings."""
        return not self.told


@_checked
class Table:
    """Experiments that share their preprocessing, and the anchors that identify it."""

    experiments: tuple[str, ...]
    anchors: tuple[Anchor, ...] = ()


@_checked
class Anchors:
    """Contents of ``anchors.yml``: tables by name, and by reason the numbers that are in none."""

    tables: Mapping[str, Table] = field(default_factory=dict)
    left_out: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@_checked
class Settled:
    """What lies between data and headline and is no open choice, and what settles it.

    Parameters
    ----------
    choice, taken : str
        The question, and what is done.
    why : str
        ``print: ...``, ``law: ...`` (the same distribution, or the same number), ``test: NAME``, a
        test that it moves the headline by less than a tenth of its interval, or ``rows: ITEM,
        ...``, a record that says by how much it does.
    """

    choice: str
    taken: str
    why: Annotated[str, Field(pattern="^(print|law|test|rows): ")]


@_checked
class _ClaimsFile:
    protocols: Mapping[str, Protocol] = field(default_factory=dict)
    claims: tuple[Claim, ...]


@_checked
class Statements:
    """Contents of the files of a paper's room."""

    paper: str
    findings: tuple[Finding, ...] = ()
    protocols: Mapping[str, Protocol] = field(default_factory=dict)
    open_choices: Mapping[str, OpenChoice] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    anchors: Anchors = field(default_factory=Anchors)
    settled: tuple[Settled, ...] = ()

    @property
    def judged(self) -> tuple[Judged, ...]:
        """All that may have a measure: claims and anchors."""
        anchors = (anchor for table in self.anchors.tables.values() for anchor in table.anchors)
        return (*self.claims, *anchors)

    @property
    def testable(self) -> tuple[Claim, ...]:
        """The claims that have a verdict."""
        return tuple(claim for claim in self.claims if claim.kind != "untestable")

    @property
    def untestable(self) -> tuple[Claim, ...]:
        """The claims that no experiment can decide."""
        return tuple(claim for claim in self.claims if claim.kind == "untestable")

    def protocol_of(self, claim: Judged) -> Protocol | None:
        """The experiment that a claim is about."""
        return self.protocols.get(getattr(claim, "protocol", ""))

    def finding_of(self, claim: Judged) -> Finding | None:
        """The finding that a claim belongs to."""
        return next((f for f in self.findings if claim.id in f.claims), None)

    def tables_of(self, claim: Judged) -> dict[str, Table]:
        """Tables that share an experiment with a claim."""
        return {
            name: table
            for name, table in self.anchors.tables.items()
            if set(table.experiments) & set(claim.results)
        }

    def called(self, setting: str, variants: Iterable[str] = ()) -> str:
        """A setting in words; nothing for the default, unless the verdict has `variants`."""
        if setting == "default":
            choices = [self.open_choices[name.partition(": ")[0]] for name in variants]
            return choices[0].options[choices[0].default].text if choices else ""
        if ", " in setting:
            return ", ".join(map(self.called, setting.split(", ")))
        key, _, name = setting.partition(": ")
        choice = self.open_choices.get(key)
        return (choice.options[name].text if choice and name in choice.options else "") or setting


def _faults(found: Statements) -> Iterable[str]:
    """Wrong references between the files."""
    names = [entry.id for entry in found.judged]
    told = [name for finding in found.findings for name in finding.claims]
    for kind, ids in (("finding", [f.id for f in found.findings]), ("claim", names)):
        for name in sorted({name for name in ids if ids.count(name) > 1}):
            yield f"{kind} {name}: the id is taken"
    for name in sorted({name for name in told if told.count(name) > 1}):
        yield f"claim {name}: it is in two findings"
    if len(found.findings) > 8:
        yield f"{len(found.findings)} findings; keep at most eight"
    settings = ["default"] + [
        f"{key}: {name}"
        for key, choice in found.open_choices.items()
        for name in choice.options
        if name != choice.default
    ]
    for finding in found.findings:
        known = [claim.id for claim in found.claims]
        for name in finding.claims:
            if name not in known:
                yield f"finding {finding.id}: {unknown('claim', name, known)}"
        known += found.anchors.tables
        named = re.findall(r"{([^}|]*?)(?: \| ([^}]*))?}", finding.told)
        for name, setting in [*named, *((row.claim, row.setting) for row in finding.independent)]:
            if name not in known:
                yield f"finding {finding.id}: {unknown('claim', name, known)}"
            if setting and setting not in settings:
                yield f"finding {finding.id}: {unknown('setting', setting, settings)}"
    for claim in found.claims:
        if claim.protocol and claim.protocol not in found.protocols:
            yield f"claim {claim.id}: {unknown('protocol', claim.protocol, found.protocols)}"
    for anchor in (anchor for table in found.anchors.tables.values() for anchor in table.anchors):
        for name in anchor.untouched_by:
            if name not in found.open_choices:
                yield f"anchor {anchor.id}: {unknown('open choice', name, found.open_choices)}"
    yield from _unused_judgements(found)
    yield from _unlisted(found)
    for entry in found.judged:
        yield from (f"claim {entry.id}: {fault}" for fault in _measure_faults(entry))


def _measure_faults(judged: Judged) -> Iterable[str]:
    if judged.measure is None:
        return
    if judged.measure not in _MEASURES:
        yield (
            unknown("measure", judged.measure, sorted(_MEASURES))
            + " Measures are functions marked @measure() in the room's *_measures.py."
        )
        return
    if not judged.results:
        yield "has a measure, but no results for it"
    function, results = _MEASURES[judged.measure]
    if results and judged.results != results:
        yield f"its results are those of its measure, {', '.join(results)}"
    signature = inspect.signature(function)
    try:
        signature.bind({}, **judged.arguments)
    except TypeError as error:
        yield f"arguments do not fit {judged.measure}{signature}: {error}"


def _unused_judgements(found: Statements) -> Iterable[str]:
    """Arguments that an option sets and that no measure of the room takes.

    That of the choice's name may be a parameter.
    """
    taken = {
        argument
        for judged in found.judged
        if judged.measure in _MEASURES
        for argument in arguments_of(judged)
    }
    for name, choice in found.open_choices.items():
        for option, made in choice.options.items():
            for argument in made.judge:
                if argument not in {name, *taken}:
                    yield f"open choice {name}, {option}: {unknown('argument', argument, taken)}"


def _ids(entries: Any) -> set[str]:
    """All ids in what is nested."""
    if isinstance(entries, dict):
        own = {entries["id"]} if "id" in entries else set()
        return own.union(*map(_ids, entries.values()))
    return set().union(*map(_ids, entries)) if isinstance(entries, list) else set()


def listed_ids(paper: str) -> set[str] | None:
    """Ids in the raw lists of a paper's printed numbers; None if there are no lists of any."""
    with suppress(RecordError):
        if (folder := results_folder() / "anchors").is_dir():
            lists = [load_checked(path, dict, "") for path in folder.glob(f"*/{paper}.yml")]
            return _ids(lists)
    return None


def _unlisted(found: Statements) -> Iterable[str]:
    """Ids of anchors that are in no raw list, where the lists are at hand."""
    named = {f"anchor {a.id}": a.readers for t in found.anchors.tables.values() for a in t.anchors}
    named |= {f"left_out, {why}": ids for why, ids in found.anchors.left_out.items()}
    if not named or (listed := listed_ids(found.paper)) is None:
        return
    for place, ids in named.items():
        for name in ids:
            if name not in listed:
                yield (
                    f"{place}: {unknown('id of a printed number', name, sorted(listed))} Write it "
                    f"into results/anchors/*/{found.paper}.yml, what the readers list, or correct "
                    f"it."
                )


def load_folder(folder: str | Path, paper: str) -> Statements:
    """Statements of one room.

    Raises
    ------
    ClaimError
        For an entry that breaks the schema (the message gives file and line), or that names
        something unknown.
    """
    folder = Path(folder)

    def read(name, kind, default):
        path = folder / f"{name}.yml"
        return load_checked(path, kind, _REMEDY) if path.is_file() else default

    try:
        file = read("claims", _ClaimsFile, None)
        found = Statements(
            paper=paper,
            findings=read("findings", tuple[Finding, ...], ()),
            protocols=file.protocols if file else {},
            open_choices=load_open_choices(folder / FILE),
            claims=file.claims if file else (),
            anchors=read("anchors", Anchors, Anchors()),
            settled=read("settled", tuple[Settled, ...], ()),
        )
    except SchemaError as error:
        raise ClaimError(str(error)) from error
    for entry in found.judged:
        if not entry.results and entry.measure in _MEASURES:
            object.__setattr__(entry, "results", _MEASURES[entry.measure][1])
    if faults := list(_faults(found)):
        raise ClaimError("\n".join([f"{folder.name}: {fault}" for fault in faults] + [_REMEDY]))
    return found


def statement_folders() -> dict[str, Path]:
    """Name and folder of each room that has claims."""
    return {n: f for n, f in room_folders().items() if (f / "claims.yml").is_file()}


@cache
def _load(paper: str, folder: Path) -> Statements:
    if paper in room_folders():
        import_room(paper, measures=True)
    return load_folder(folder, paper)


def load_statements(papers: Iterable[str] | None = None) -> dict[str, Statements]:
    """Statements of the given papers, or of all.

    Raises
    ------
    ClaimError
        For an unknown paper, or an entry that breaks the schema.
    """
    folders = statement_folders()
    result = {}
    for paper in folders if papers is None else papers:
        if paper not in folders:
            raise ClaimError(unknown("paper", paper, folders))
        result[paper] = _load(paper, folders[paper])
    return result


def printed(paper: str) -> dict[str, Judged]:
    """Claims and anchors on printed numbers, by id."""
    found = load_statements([paper])[paper].judged
    return {entry.id: entry for entry in found if entry.kind == "numbers"}


def measure_of(judged: Judged) -> Callable:
    """The function that turns recorded rows into evidence."""
    return _MEASURES[judged.measure][0]


def evidence_of(
    judged: Judged, frames: Mapping[str, pd.DataFrame], arguments: Mapping | None = None
) -> Any:
    """What a claim's measure makes of the rows of its results; by default with its arguments."""
    function, results = _MEASURES[judged.measure]
    rows = frames[results[0]] if len(results) == 1 else frames
    return function(rows, **(judged.arguments if arguments is None else arguments))


def arguments_of(judged: Judged) -> tuple[str, ...]:
    """Names of the arguments that a claim's measure takes."""
    return tuple(inspect.signature(measure_of(judged)).parameters)[1:]


def find(name: str) -> tuple[str, str, str]:
    """Paper, kind ("paper", "finding" or "claim") and id of what `name` names.

    Raises
    ------
    ClaimError
        If the name is none of these; the message gives the nearest one.
    """
    folders = statement_folders()
    if name in folders:
        return name, "paper", name
    known: list[str] = list(folders)
    for paper, found in load_statements().items():
        for kind, entries in (("finding", found.findings), ("claim", found.claims)):
            ids = [entry.id for entry in entries]
            full = [f"{paper}/{i}" if kind == "finding" else i for i in ids]
            known += full
            if name in full or (name in ids):
                return paper, kind, name.rpartition("/")[2]
    near = get_close_matches(name, known, n=1)
    raise ClaimError(
        f"unknown paper, finding or claim {name!r}"
        + (f"; did you mean {near[0]!r}?" if near else ".")
        + f" Papers: {', '.join(folders)}. `transductive verify PAPER` prints the rest."
    )
