"""Proof units: those units of each experiment whose rerun shows that its record still holds.

``results/proof_units.json`` lists them, with the sentinel of the machine on which they were chosen.
``python tools/choose_proof_units.py`` writes it.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from . import sentinel
from .agreement import Agreement, compare
from .declaration import Experiment
from .execution import Run, run
from .parameters import ExperimentError
from .records import results_folder

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
    unaffordable : list of list
        Conditions without a proof unit, because their units take too long: column and value.
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
    found, names = json.loads(path.read_text(encoding="utf-8")), [f.name for f in fields(Proof)]
    return found["sentinel"], {
        experiment: Proof(**{name: entry[name] for name in names if name in entry})
        for experiment, entry in found["experiments"].items()
    }


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
    for key in chosen:
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
