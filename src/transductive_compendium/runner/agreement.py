"""Comparison of a rerun with the record of the same units.

All columns must agree to 1e-9. Where the machine that made the record rounds in another way, which
its sentinel shows, an experiment's tolerances hold for the columns that it declares.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from . import sentinel
from .companions import base_of
from .declaration import PROFILES, Rule
from .execution import Run
from .parameters import unknown
from .records import RecordMissingError, load_recorded

#: Absolute and relative difference of numbers that agree.
CLOSE = 1e-9


@dataclass(frozen=True)
class Agreement:
    """Outcome of comparing a run with the recorded result.

    Attributes
    ----------
    name : str
        The experiment.
    compared : int
        Number of rows compared.
    reason : str or None
        Why nothing is compared; None if rows were compared.
    problems : list of str
        One line per disagreement, with its worst place.
    rules : dict
        The experiment's rules by column.
    """

    name: str
    compared: int = 0
    reason: str | None = None
    problems: list[str] = field(default_factory=list)
    rules: Mapping[str, Rule] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """Whether nothing that was compared disagrees."""
        return not self.problems

    def describe(self) -> str:
        """A summary; if all agrees, the same on every machine."""
        if self.problems:
            remedy = (
                "If the change is meant, raise the experiment's version and run: "
                f"transductive run {self.name} --profile paper --record"
            )
            return "\n".join(
                [f"{self.name} does not agree with its recorded result:"]
                + [f"- {problem}" for problem in self.problems]
                + [remedy]
            )
        if self.reason:
            return f"{self.name}: not compared with the recorded result: {self.reason}"
        text = f"{self.name}: {self.compared} rows agree with the recorded result to {CLOSE:g}"
        looser = [f"{c} ({in_words(rule)})" for c, rule in self.rules.items() if rule != "ignore"]
        ignored = [c for c, rule in self.rules.items() if rule == "ignore"]
        if looser:
            text += f", or where a processor rounds in another way: {', '.join(looser)}"
        return text + (f"; not compared: {', '.join(ignored)}." if ignored else ".")


def in_words(rule: Rule | None) -> str:
    """A rule of agreement in words."""
    if rule == "chaotic":
        return "not compared"
    return f"within {CLOSE if rule is None else rule:g}"


def compare(
    run: Run, recorded: tuple[pd.DataFrame, dict] | None = None, alike: bool | None = None
) -> Agreement:
    """Compare a run's rows with the recorded rows of the same units.

    Parameters
    ----------
    run : Run
    recorded : (DataFrame, dict), optional
        By default the result of `load_recorded`.
    alike : bool, optional
        Whether all columns must agree to 1e-9; by default what the record's sentinels say.

    Returns
    -------
    Agreement
        Nothing is compared if substitute data ran, if parameters or the seed differ from the
        defaults, or if there is no record. A record of another version, other defaults or other
        data counts as a disagreement.
    """
    name, rules = run.experiment.name, run.experiment.agreement
    if run.substitute:
        return Agreement(name, reason=run.substitute)
    if run.departures:
        return Agreement(name, reason=f"{', '.join(run.departures)} differs from the recorded run.")
    try:
        rows, facts = recorded or load_recorded(name)
    except RecordMissingError as error:
        return Agreement(name, reason=str(error))
    if problems := [*_other_state(run, rows, facts), *_misspelt(run, rows)]:
        return Agreement(name, problems=problems)
    if alike is None:
        alike = sentinel.rounds_alike(facts.get("sentinels", []))
    here, there, problems = _same_units(run, rows, facts, not alike and "chaotic" in rules.values())
    if problems:
        return Agreement(name, problems=problems)
    for column in here:
        rule = rules.get(column)
        if rule == "ignore" or (rule == "chaotic" and not alike):
            continue
        problems += _judge(here[column], there[column], None if alike else rule)
    return Agreement(name, len(here), None, problems, rules)


def _other_state(run, rows, facts) -> list[str]:
    """Differences between the experiment that ran and the one that was recorded."""

    def state(facts):
        return {**facts, "data": {name: used["sha256"] for name, used in facts["data"].items()}}

    here, there = state(run.provenance), state(facts)
    problems = [
        f"{what} is {here[what]!r} here, {there[what]!r} in the record"
        for what in ("version", "parameters", "seed", "keys", "data")
        if here[what] != there[what]
    ]
    if new := [column for column in run.rows if column not in rows]:
        problems.append(f"columns {', '.join(new)} are not in the record")
    return problems


def _misspelt(run, rows) -> list[str]:
    """Rules for columns of no record: its own, of which some units may lack one, or its item's."""
    name, keys = run.experiment.name, run.provenance["keys"]
    known = [column for column in dict.fromkeys([*run.rows, *rows]) if column not in keys]
    elsewhere: set[str] = set()
    if (item := base_of(name)) != name:
        with suppress(RecordMissingError):
            elsewhere = set(load_recorded(item)[1]["columns"])
    return [
        f"agreement: {unknown('column', column, known)}"
        for column in run.experiment.agreement
        if column not in known and column not in elsewhere
    ]


def _same_units(run, rows, facts, chaotic) -> tuple[pd.DataFrame, pd.DataFrame, list[str]]:
    """Rows of the units on both sides, by unit and row within the unit, and what is lacking.

    If they are `chaotic`, units with another number of rows are left out.
    """
    keys, problems = run.provenance["keys"], []

    def by_unit(rows: pd.DataFrame) -> pd.DataFrame:
        within = rows.groupby(keys, sort=False).cumcount()
        return rows.assign(_row=within).set_index([*keys, "_row"])

    # some units may lack a column that others have, which is then empty in their recorded rows
    here, there = by_unit(run.rows.reindex(columns=list(rows))), by_unit(rows)
    units, known = (side.index.droplevel("_row") for side in (here, there))
    if PROFILES.index(run.profile) <= PROFILES.index(facts["profile"]):
        lacking = units.unique()[~units.unique().isin(known)]
        problems += [f"unit {unit} is not in the record" for unit in lacking]
    here, there = here[units.isin(known)], there[known.isin(units)]
    if chaotic:
        counts = (side.groupby(keys, sort=False).size() for side in (here, there))
        equal = pd.concat(counts, axis=1).nunique(axis=1) == 1
        kept = equal[equal].index
        here, there = (side[side.index.droplevel("_row").isin(kept)] for side in (here, there))
        if not len(kept):
            return here, there, problems
    if len(odd := here.index.symmetric_difference(there.index)):
        problems.append(f"{len(odd)} rows are on one side only, the first: {odd[0]}")
    else:  # an option may have moved in its file since
        there = there.reindex(here.index)
    if not problems and not len(here):
        problems.append("no unit of this run is in the record")
    return here, there, problems


def _judge(here: pd.Series, there: pd.Series, rule: Rule | None) -> list[str]:
    """One line if a column differs by more than its rule allows."""
    gap, same = _gaps(here, there, rule)
    if same.all():
        return []
    at = int(np.argmax(np.where(same, -1.0, gap)))
    where = ", ".join(
        f"{key} {value}" for key, value in zip(here.index.names[:-1], here.index[at], strict=False)
    )
    return [
        f"{here.name} ({in_words(rule)}): {int((~same).sum())} of {len(same)} rows differ, "
        f"worst at {where}: {here.iloc[at]} here, {there.iloc[at]} in the record"
    ]


def _gaps(here: pd.Series, there: pd.Series, rule: Rule | None) -> tuple[np.ndarray, np.ndarray]:
    """Deviation of each row, and whether it is allowed; text and truth values must be equal."""
    numbers = all(
        pd.api.types.is_numeric_dtype(side) and not pd.api.types.is_bool_dtype(side)
        for side in (here, there)
    )
    if not numbers:
        same = (here.to_numpy(object) == there.to_numpy(object)) | (
            here.isna().to_numpy() & there.isna().to_numpy()
        )
        return np.where(same, 0.0, np.inf), same
    a, b = here.to_numpy(float), there.to_numpy(float)
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    with np.errstate(invalid="ignore"):
        gap = np.where(same, 0.0, np.abs(a - b))
    gap = np.where(np.isnan(gap), np.inf, gap)
    close = CLOSE * (1.0 + np.where(np.isfinite(b), np.abs(b), 0.0))
    return gap, same | (gap <= (close if rule is None else rule))
