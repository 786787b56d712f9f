"""Proof units: those units of each experiment that show, when rerun, that its record holds.

``results/proof_units.json`` lists them. They contain each condition of an experiment at least once,
as far as a unit of it is affordable; the file names the others with a measured unit, and the
sentinel of the machine on which the units were chosen. ``python tools/choose_proof_units.py``
writes it.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from ..datasets import DataError
from . import sentinel
from .agreement import Agreement, compare
from .declaration import Experiment
from .execution import Run, load_data, run
from .fingerprint import fingerprint
from .parameters import ExperimentError
from .records import load_recorded, results_folder
from .seeding import canonical

#: Seconds below which a release reruns a whole record, and the share of other units that it draws.
SHORT, SHARE = 60.0, 0.01
#: Seconds above which proof units are left to a release, which reruns them whatever it draws.
DEAR = 60.0
#: Seconds below which a release reruns the measured unit of a condition that no proof unit has.
BEARABLE = 8.0
#: Number of values from which on consecutive whole numbers count repetitions, whatever the first.
MANY = 20


@dataclass(frozen=True)
class Proof:
    """Proof units of one experiment, as they stand in the file.

    Attributes
    ----------
    keys : list of str
        Names of a unit's key.
    units : list of list
        Values of each unit's key.
    seconds : list of float
        Processor time of each unit.
    apart : list of int
        Positions of the units that did not meet the record to 1e-9 where they were chosen, because
        the record was made on a machine that rounds in another way, or that were chosen on another
        machine than those of the other experiments.
    unaffordable : list of [str, value, float, list]
        Conditions without a proof unit: column, value, and the processor time and key of the unit
        that was measured for it; if that was stopped, the seconds after which.
    """

    keys: list[str]
    units: list[list]
    seconds: list[float]
    apart: list[int] = field(default_factory=list)
    unaffordable: list[list] = field(default_factory=list)

    def unit_keys(self, apart: bool | None = None) -> list[dict[str, Any]]:
        """Keys of all units, or of those that are `apart` or not."""
        return [
            dict(zip(self.keys, values, strict=True))
            for position, values in enumerate(self.units)
            if apart is None or (position in self.apart) == apart
        ]

    def bearable(self) -> list[dict[str, Any]]:
        """Keys of the units that were measured for other conditions, below `BEARABLE`."""
        return [
            dict(zip(self.keys, values, strict=True))
            for *_, seconds, values in self.unaffordable
            if seconds < BEARABLE
        ]


def conditions(keys: Sequence[dict[str, Any]]) -> list[tuple[str, Any]]:
    """Column and value of each condition among unit keys.

    A column is no condition if it only counts repetitions: consecutive whole numbers, from 0 or at
    least `MANY` of them. Any other value of a column is one: a data set, a method, a size.
    """
    found = []
    for column in keys[0]:
        values = list(dict.fromkeys(key[column] for key in keys))
        if not _counts(values):
            found += [(column, value) for value in values]
    return found


def _counts(values: Sequence) -> bool:
    if not all(type(value) is int for value in values):
        return False
    consecutive = max(values) - min(values) == len(values) - 1
    return consecutive and (min(values) == 0 or len(values) >= MANY)


def proof_file() -> Path:
    """The list of all proof units."""
    return results_folder() / "proof_units.json"


@cache
def read(path: Path) -> tuple[str, dict[str, Proof]]:
    """The sentinel of the machine that chose the units, and each experiment's proof units."""
    if not path.is_file():
        return "", {}
    found = json.loads(path.read_text(encoding="utf-8"))
    return found["sentinel"], {n: Proof(**entry) for n, entry in found["experiments"].items()}


def proof(experiment: Experiment) -> Proof:
    """Proof units of an experiment.

    Raises
    ------
    ExperimentError
        If it has none, or if its units or conditions are no longer those of the file.
    """
    name, path = experiment.name, proof_file()
    remedy = f"choose them: python tools/choose_proof_units.py {name}"
    found = read(path)[1].get(name)
    if not found:
        raise ExperimentError(f"{name} has no proof units in {path.name}; {remedy}")
    keys, chosen = experiment.unit_keys(experiment.defaults, "paper"), found.unit_keys()
    for key in chosen + found.bearable():
        if key not in keys:
            raise ExperimentError(f"{name} no longer has the proof unit {key}; {remedy}")
    named = {(column, value) for column, value, *_ in found.unaffordable}
    named |= {condition for key in chosen for condition in key.items()}
    for column, value in conditions(keys):
        if (column, value) not in named:
            raise ExperimentError(f"{name} has no proof unit of {column} = {value!r}; {remedy}")
    return found


def run_units(experiment: Experiment, keys: Sequence[dict[str, Any]], **options: Any) -> Run:
    """Run some units of an experiment, in its order; `options` are other arguments of `run`."""
    wanted = {tuple(key.items()) for key in keys}
    every = experiment.unit_keys(experiment.defaults, "full")
    ordered = [key for key in every if tuple(key.items()) in wanted]
    some = replace(experiment, units=lambda params, profile: ordered)
    return run(some, "paper", progress=False, **options)


def prove(experiment: Experiment, store: str | Path | None = None) -> Agreement:
    """Rerun an experiment's proof units and compare them with its record.

    On a machine that rounds as the one on which they were chosen did, those that are not apart must
    meet the record in all columns to 1e-9.

    Parameters
    ----------
    experiment : Experiment
    store : path, optional
        Root of the unit store, where finished units are written but not looked for.

    Returns
    -------
    Agreement
        That of all units, or of those that disagree.
    """
    found = proof(experiment)
    alike = sentinel.rounds_alike([read(proof_file())[0]]) or None
    outcome = Agreement(experiment.name, reason="it has no proof units.")
    for apart in (True, False):
        if keys := found.unit_keys(apart):
            outcome = compare(
                run_units(experiment, keys, store=store, fresh=True), alike=None if apart else alike
            )
            if not outcome.ok:
                break
    return outcome


def other_than_declared(experiment: Experiment) -> str:
    """Why a record is none of the experiment as it is declared; empty if it is one.

    It may be missing or damaged, be of another version, seed or default parameters, or of other
    units.
    """
    name = experiment.name
    try:
        rows, facts = load_recorded(name)
    except ExperimentError as error:
        return str(error)
    keys = pd.DataFrame(experiment.unit_keys(experiment.defaults, facts["profile"]))
    declared = {
        "version": experiment.version,
        "seed": experiment.seed,
        "parameters": experiment.defaults,
        "keys": list(keys),
    }
    for what, now in declared.items():
        if facts[what] != now:
            return f"recorded with {what} {facts[what]!r}, now {now!r}"
    units, known = (
        pd.MultiIndex.from_frame(table[facts["keys"]]).unique() for table in (keys, rows)
    )
    lacking, others = (~units.isin(known)).sum(), (~known.isin(units)).sum()
    if facts["units"] == len(units) and not others:  # a unit may have no row
        return ""
    option = "--record" if made_by_earlier_code(experiment) else "--extend"
    return (
        f"the record of {name} has {facts['units']} units, now there are {len(units)}: "
        f"{lacking} lack, {others} are others; make it again: "
        f"transductive run {name} --profile {facts['profile']} {option}"
    )


def made_by_earlier_code(experiment: Experiment) -> str:
    """Fingerprint of the code that made a record; empty if it is that of the code here."""
    made_by = load_recorded(experiment.name)[1]["code"].get("fingerprint") or "unknown"
    return "" if made_by == fingerprint(experiment) else made_by


def drawn(experiment: Experiment, commit: str) -> list[dict[str, Any]]:
    """Units that a release reruns: of a short record all, else a few and what no test reruns."""
    facts = load_recorded(experiment.name)[1]
    keys = experiment.unit_keys(experiment.defaults, facts["profile"])
    if facts["seconds"] < SHORT:
        return keys

    def number(key):
        text = f"{commit} {experiment.name} {canonical(key)}"
        return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16) / 16**8

    found = read(proof_file())[1].get(experiment.name)
    untested = found.bearable() if found else []
    if found and sum(found.seconds) > DEAR:
        untested += found.unit_keys()
    return [key for key in keys if number(key) < SHARE or key in untested]


def disagreeing(
    experiments: Sequence[Experiment], commit: str, progress: Callable[[str], Any] = print
) -> dict[str, str]:
    """Records that a release must not contain, and why.

    Parameters
    ----------
    experiments : sequence of Experiment
    commit : str
        Decides which units of long records are rerun.
    progress : callable, default print
        Is told the name of each experiment that agrees.

    Returns
    -------
    dict of str to str
        Records that are none of the experiment, that cannot be compared because data are not at
        hand, or that a rerun disagrees with.
    """
    found = {}
    for experiment in experiments:
        why = other_than_declared(experiment)
        if not why and (keys := drawn(experiment, commit)):
            try:
                # substitutes would be run for nothing
                if not (why := load_data(experiment)[2]):
                    agreement = compare(run_units(experiment, keys, jobs=-1))
                    why = agreement.reason or ("" if agreement.ok else agreement.describe())
            except (ExperimentError, DataError) as error:
                why = str(error)
        if why:
            found[experiment.name] = why
        else:
            progress(f"{experiment.name}: {len(keys)} units agree")
    return found
