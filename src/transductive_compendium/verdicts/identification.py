"""Which settings a paper's printed baselines identify.

A *setting* is the default of every open choice, or a single change of it. Its misfit is the largest
deviation of a reproduced from a printed baseline. If the default fits, it stands; else all single
changes that fit stand together; if none does, the nearest. No number of a contribution enters.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pandas as pd

from ..runner.companions import companions_of
from ..runner.open_choices import OpenChoice, Option
from ..runner.parameters import ExperimentError
from ..runner.records import RecordMissingError, load_recorded
from .claims import Anchor, Judged, Statements, Table, arguments_of, evidence_of, shared
from .rules import FIT, Column, EvidenceError, Misfit, Value, misfit, worst

DEFAULT = "default"


class Recorded:
    """Recorded rows, each read once."""

    def __init__(self):
        self._rows: dict[str, pd.DataFrame] = {}
        self._parameters: dict[str, Mapping[str, Any]] = {}
        self._keys: dict[str, list[str]] = {}
        self._parts: dict[str, dict[tuple[str, str], pd.DataFrame]] = {}

    def _read(self, name: str) -> None:
        if name not in self._rows:
            rows, facts = load_recorded(name)
            self._rows[name], self._parameters[name] = rows, facts["parameters"]
            self._keys[name] = facts["keys"]

    def rows(self, name: str) -> pd.DataFrame:
        self._read(name)
        return shared(self._rows[name])

    def parameters(self, name: str) -> Mapping[str, Any]:
        """Parameters of the experiment that a record is of."""
        self._read(name)
        return self._parameters[name]

    def companion(self, name: str) -> dict[tuple[str, str], pd.DataFrame]:
        """Rows of a companion by choice and option; none if it has no record."""
        if name not in self._parts:
            self._parts[name] = {}
            with suppress(RecordMissingError):
                by_option = self.rows(name).groupby(["choice", "option"], sort=False)
                self._parts[name] = {
                    part: rows.drop(columns=["choice", "option"]) for part, rows in by_option
                }
        return self._parts[name]

    def options_of(self, name: str) -> dict[tuple[str, str], pd.DataFrame]:
        """The same of all companions of an experiment."""
        first, *apart = companions_of(name)
        parts = [item for each in apart for item in self.companion(each).items()]
        return self.companion(first) | {key: self._completed(name, part) for key, part in parts}

    def _completed(self, name: str, part: pd.DataFrame) -> pd.DataFrame:
        """With the record's rows of the units that the option leaves as they are."""
        rows, keys = self.rows(name), self._keys[name]
        drawn = rows[rows[keys[0]].isin(part[keys[0]])]
        changed = pd.MultiIndex.from_frame(part[keys])
        same = drawn[~pd.MultiIndex.from_frame(drawn[keys]).isin(changed)]
        return pd.concat([part, same], ignore_index=True)

    def frames(self, judged: Judged) -> dict[str, pd.DataFrame]:
        return {name: self.rows(name) for name in judged.results}

    def changed(self, name: str, option: Option) -> bool | None:
        """Whether an option's parameters differ from a record's; None if it sets none of them."""
        own = self.parameters(name)
        differs = [own[p] != value for p, value in option.run.items() if p in own]
        return any(differs) if differs else None

    def under(self, judged: Judged, choice: str, option: str, run: Option) -> dict | None:
        """Rows of an entry's results under an option; None if those of one were not run."""
        frames = self.frames(judged)
        for name in judged.results:
            part = self.options_of(name).get((choice, option))
            if part is not None:
                frames[name] = shared(part)
            elif self.changed(name, run):
                return None
        return frames


def _touches(judged: Judged, key: str, choice: OpenChoice, recorded: Recorded) -> bool:
    """Whether a choice can change what an entry's measure returns."""
    free = set(arguments_of(judged)) - set(judged.arguments)
    return any(free & set(option.judge) for option in choice.options.values()) or any(
        recorded.changed(name, option) is not None
        or (key, option_name) in recorded.options_of(name)
        for option_name, option in choice.options.items()
        for name in judged.results
    )


def _not_run() -> None:
    """Rows of a setting that has none."""


def settings_of(
    judged: Judged, found: Statements, recorded: Recorded
) -> Iterator[tuple[str, Callable[[], dict | None], dict]]:
    """Settings that can change an entry: name, what reads its rows, and its measure's arguments.

    The first is that of its records. The rows are None if a setting was not run. An open choice
    counts if it sets a parameter of one of the entry's experiments, or an argument of its measure
    that the entry does not fix.
    """
    free = set(arguments_of(judged)) - set(judged.arguments)
    as_recorded = partial(recorded.frames, judged)
    made, own = [], []
    for key, choice in found.open_choices.items():
        if not _touches(judged, key, choice, recorded):
            continue
        default = choice.options[choice.default]
        deviates = any(
            recorded.changed(name, default)
            # a value that no option has is the experiment's own, and leaves nothing open
            and any(recorded.changed(name, o) is False for o in choice.options.values())
            for name in judged.results
        )
        for name, option in choice.options.items():
            if name == choice.default and not deviates:
                continue
            arguments = {k: v for k, v in option.judge.items() if k in free}
            title = DEFAULT if name == choice.default else f"{key}: {name}"
            differs = [recorded.changed(result, option) for result in judged.results]
            rows: Callable[[], dict | None]
            if any(differs):
                rows = partial(recorded.under, judged, key, name, option)
            elif arguments:
                rows = as_recorded
            else:  # the records are of it, or it changes nothing here
                own += [title] * (deviates and False in differs)
                continue
            made.append((title, rows, {**judged.arguments, **arguments}))
    titles = [title for title, *_ in made]
    if own or DEFAULT not in titles:  # else some records are of the default, others not
        yield ", ".join(own) or DEFAULT, as_recorded, dict(judged.arguments)
    # with two choices away from their defaults, no record is of the default of all
    many = titles.count(DEFAULT) > 1
    for title, rows, arguments in sorted(made, key=lambda setting: setting[0] != DEFAULT):
        yield title, _not_run if many and title == DEFAULT else rows, arguments


@dataclass(frozen=True)
class Identified:
    """What a table's anchors say of each setting.

    Parameters
    ----------
    table : Table
    by_anchor : dict of dict
        Misfit by anchor's id and setting; anchors that are only told included.
    own : str
        The setting of the records.
    not_run : frozenset of str
        Settings that change an anchor that decides, but have no rows there.
    fault : str
        Why nothing is known: a record is missing or damaged, or a measure fails.
    """

    table: Table
    by_anchor: Mapping[str, Mapping[str, Misfit]] = field(default_factory=dict)
    own: str = DEFAULT
    not_run: frozenset[str] = frozenset()
    fault: str = ""

    @property
    def misfits(self) -> dict[str, Misfit]:
        """The largest misfit by setting, over the anchors that decide.

        A setting that cannot change an anchor has the default's misfit there.
        """
        deciding = {a.id: self.by_anchor.get(a.id, {}) for a in self.table.anchors if a.decides}
        names = dict.fromkeys(name for found in deciding.values() for name in found)
        return {
            name: worst({a: found.get(name) or found[DEFAULT] for a, found in deciding.items()})
            for name in names
            if name not in self.not_run
            and all(name in found or DEFAULT in found for found in deciding.values())
        }

    def standing(self, threshold: float = FIT) -> tuple[str, ...]:
        """The settings that stand: the default, else all that fit, else the nearest."""
        misfits = self.misfits
        fitting = [name for name, found in misfits.items() if found.lower < threshold]
        if not misfits or DEFAULT in fitting:
            return (DEFAULT,)
        return tuple(fitting) or (min(misfits, key=lambda name: misfits[name].value),)

    def fits(self, name: str, threshold: float = FIT) -> bool:
        """Whether a setting fits, or no anchor can tell."""
        return name not in self.misfits or self.misfits[name].lower < threshold

    @property
    def range(self) -> tuple[float, float]:
        """Thresholds between which the standing settings are the same."""
        here = self.standing()
        steps = sorted({found.lower for found in self.misfits.values()})
        below = [x for x in steps if x < FIT and self.standing(x) != here]
        above = [x for x in steps if x >= FIT and self.standing(x + 1e-12) != here]
        return max(below, default=0.0), min(above, default=float("inf"))


def guarded(judged: Judged, work: Callable, *arguments: Any) -> Any:
    """Result of `work`; any error of an entry's measure becomes an `EvidenceError`."""
    try:
        return work(*arguments)
    except (ExperimentError, EvidenceError):
        raise
    except Exception as error:  # the other entries still count
        raise EvidenceError(
            f"measure {judged.measure} failed: {type(error).__name__}: {error}; correct it, or "
            "teach it the option's value"
        ) from error


def _misfit(anchor: Anchor, frames: Mapping[str, pd.DataFrame], arguments: Mapping) -> Misfit:
    evidence = evidence_of(anchor, frames, arguments)
    if anchor.minimum:
        if not isinstance(evidence, Value):
            raise EvidenceError("the excess at a printed minimum is a Value")
        estimate, half = evidence.estimate, evidence.half
        return Misfit(estimate, max(estimate - half, 0.0), estimate + half)
    if isinstance(evidence, Value):
        evidence = Column({"": evidence})
    printed = anchor.published
    return worst(
        {
            cell: misfit(evidence.cells[cell], x, printed.digits, printed.unit == "%")
            for cell, x in printed.numbers.items()
        }
    )


def _identified(table: Table, found: Statements, recorded: Recorded) -> Identified:
    by_anchor: dict[str, dict[str, Misfit]] = {}
    own, not_run = DEFAULT, set()
    for anchor in table.anchors:
        if anchor.measure is None:
            continue
        title = DEFAULT
        try:
            settings = [
                setting
                for setting in settings_of(anchor, found, recorded)
                if setting[0].partition(": ")[0] not in anchor.untouched_by
            ]
            own = own if settings[0][0] == DEFAULT else settings[0][0]
            by_anchor[anchor.id] = misfits = {}
            for title, rows, arguments in settings:
                if (frames := rows()) is not None:
                    misfits[title] = guarded(anchor, _misfit, anchor, frames, arguments)
        except (ExperimentError, EvidenceError) as error:
            under = "" if title == DEFAULT else f" under {title}"
            return Identified(table, fault=f"anchor {anchor.id}{under}: {error}")
        if anchor.decides:
            not_run |= {title for title, *_ in settings} - set(by_anchor[anchor.id])
    return Identified(table, by_anchor, own, frozenset(not_run))


def identify(found: Statements, recorded: Recorded | None = None) -> dict[str, Identified]:
    """What the anchors of a paper's tables say of each setting, by table."""
    recorded = recorded or Recorded()
    return {
        name: _identified(table, found, recorded) for name, table in found.anchors.tables.items()
    }
