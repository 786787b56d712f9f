"""Run an experiment's units: in any order, on any number of workers, with the same rows.

Each unit has its own generator, seeded by the experiment's seed and the unit's key, and its own
place in the store. So a run killed at any moment repeats only the units that were in progress.
"""

import os
import shlex
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..datasets.errors import DataError
from . import own_data
from . import provenance as prov
from .declaration import Experiment, get
from .fingerprint import fingerprint
from .parameters import ExperimentError, ParameterError, resolve
from .seeding import canonical, unit_rng
from .sentinel import sentinel
from .unit_store import UnitStore, sweep, unit_address

_SHOWN_MAX = 5  # failing units in one message
#: Bytes by which a worker may grow, far above caches of matrices.
MOST_GROWTH = 8 * 2**30


class UnitError(ExperimentError, RuntimeError):
    """Some units failed; the others are finished and stored. ``keys`` lists the failed ones."""

    def __init__(self, message: str, keys: list[dict] | None = None):
        super().__init__(message)
        self.keys = keys or []


@dataclass(frozen=True)
class Run:
    """Rows of a run and their provenance.

    Attributes
    ----------
    experiment : Experiment
    profile : {"smoke", "paper", "full"}
    params : dict
        All parameters, defaults included.
    seed : int
    rows : DataFrame
        The unit key's columns, then the rows' own, in the order of the units.
    provenance : dict
        JSON-able facts that are recorded with the rows.
    substitute : str or None
        Which data replaced which, and why; None if the real data were used.
    own_data : str
        File of the reader's own table that replaced the data; else empty.
    """

    experiment: Experiment
    profile: str
    params: dict[str, Any]
    seed: int
    rows: pd.DataFrame = field(repr=False)
    provenance: dict[str, Any] = field(repr=False)
    substitute: str | None = None
    own_data: str = ""

    @property
    def departures(self) -> list[str]:
        """Differences from the recorded run: parameters, file of data, and seed, as name=value."""
        defaults = {k: p.default for k, p in self.experiment.parameters.items()}
        odd = [f"{k}={v}" for k, v in self.params.items() if v != defaults[k]]
        odd += [f"data={Path(self.own_data).name}"] if self.own_data else []
        return odd + ([f"seed={self.seed}"] if self.seed != self.experiment.seed else [])

    @property
    def differences(self) -> list[str]:
        """`departures`, and which data replaced which that are not available."""
        replaced = "" if self.own_data else (self.substitute or "").partition(", which")[0]
        return [*self.departures, *filter(None, [replaced])]


def load_data(experiment: Experiment) -> tuple[dict[str, Any], dict[str, str], str | None]:
    """Data sets of an experiment; for those that are not available, their substitutes.

    Returns
    -------
    data : dict
        By the names that the experiment declares.
    names : dict
        From the declared name to the name of the loaded data set.
    substitute : str or None
        The notice to show if a data set is replaced.

    Raises
    ------
    DataError
        If data are damaged, or missing without a substitute.
    """
    if not experiment.datasets:
        return {}, {}, None
    from .. import datasets

    data, names, notices = {}, {}, []
    for asked in experiment.datasets:
        names[asked] = asked
        try:
            data[asked] = datasets.load(asked)
        except datasets.DataMissingError as error:
            if not (substitute := datasets.substitute(asked)):
                raise
            names[asked] = substitute
            data[asked] = datasets.load(substitute)
            why = (str(error).splitlines() or ["missing"])[0].rstrip(":")
            notices.append(f"{substitute} replaces {asked}, which is not available ({why})")
    return data, names, ("; ".join(notices) + "; nothing is compared.") if notices else None


def plain_rows(rows: Any, key: Mapping[str, Any]) -> list[dict]:
    """Rows with NumPy scalars converted to Python's, so that fresh and stored rows are equal."""
    plain = []
    for row in rows:
        if clash := set(row) & set(key):
            raise ExperimentError(f"row column {clash.pop()!r} is a name of the unit key; drop it")
        row = {k: v.item() if isinstance(v, np.generic) else v for k, v in row.items()}
        for name, value in row.items():
            if value is not None and type(value) not in (int, float, str, bool):
                raise ExperimentError(
                    f"row column {name!r} holds {type(value).__name__}; rows hold scalars only: "
                    f"give one row per element"
                )
        plain.append(row)
    return plain


_code_here: dict[str, str] = {}  # what this process runs, which an edit of its files is not


def _keep_caches() -> None:
    """Let a worker grow: joblib ends one that has 300 MB more than after its first unit.

    Units share what they load and choose in caches, which a new worker would compute again.
    """
    from joblib.externals.loky import process_executor

    process_executor._MAX_MEMORY_LEAK_SIZE = MOST_GROWTH


def _same_code(experiment: Experiment, code: str) -> None:
    """Raise if this worker's source code differs from that of the process that runs."""
    if experiment.name not in _code_here:
        _code_here[experiment.name] = fingerprint(experiment)
    if _code_here[experiment.name] != code:
        raise ExperimentError(
            f"worker {os.getpid()} on {os.uname().nodename} has other source code than the process "
            f"that runs {experiment.name}: install the same version on both, then start the "
            f"workers anew"
        )


@dataclass(frozen=True, eq=False)  # hashed by what it is, as joblib's Dask backend wants it
class _Task:
    """One unit with all that a worker needs, including data; it runs, stores and never raises.

    The data are part of the task. If they were scattered in a Dask cluster, a worker's death could
    take them from the others.
    """

    experiment: Experiment
    position: int
    key: dict
    address: str
    params: dict
    seed: int
    data: dict
    store: UnitStore
    code: str
    process: int = field(default_factory=os.getpid)

    def __call__(self) -> dict:
        from threadpoolctl import threadpool_limits

        unit = {"position": self.position, "code": self.code, "error": None, "note": None}
        start = time.perf_counter()
        try:
            if os.getpid() != self.process:
                _keep_caches()
                _same_code(self.experiment, self.code)
            with threadpool_limits(limits=1):
                rng = unit_rng(self.experiment.stream, self.seed, self.key)
                rows = self.experiment.rows_of(
                    dict(self.key), {**self.params, "seed": self.seed}, dict(self.data), rng
                )
            unit |= {"rows": plain_rows(rows, self.key), "seconds": time.perf_counter() - start}
            unit["peak_memory_bytes"] = prov.peak_memory()
        except (ExperimentError, DataError) as error:
            return unit | {"error": str(error)}
        except Exception as error:
            return unit | {"error": self._refusal(error) or traceback.format_exc()}
        return unit | {"note": self.keep(unit)}

    def _refusal(self, error: Exception) -> str:
        """What the library refuses, in one sentence with a remedy; empty for other errors."""
        *_, (frame, _) = traceback.walk_tb(error.__traceback__)
        library = str(frame.f_globals.get("__name__", "")).startswith("transductive.")
        if not (library and isinstance(error, ValueError)):
            return ""
        numbers = [name for name, value in self.params.items() if type(value) is float]
        near = type(error).__name__ == "IllConditionedError" and "sigma" in numbers
        remedy = (
            "a smaller -p sigma=..." if near else f"another {' or '.join(numbers or ['value'])}"
        )
        return f"{error}\nRemedy for this command: {remedy}, or other columns in your own table."

    def stored(self) -> tuple[dict | None, str | None]:
        """The stored unit, if code of this fingerprint made it; and a note on a torn one."""
        found, note = self.store.read(self.address)
        return (found if found and found["code"] == self.code else None), note

    def keep(self, unit: dict) -> str | None:
        """Store a finished unit; return the reason if it could not be stored, else None."""
        try:
            kept = {name: unit[name] for name in ("rows", "seconds", "code")}
            self.store.write(self.address, {"key": self.key, **kept})
        except OSError as error:
            return error.strerror or str(error)
        return None

    def kept(self, unit: dict) -> bool:
        """Whether this process finds a worker's result in the store."""
        found, _ = self.store.read(self.address)
        return found is not None and found["seconds"] == unit["seconds"]


class _Progress:
    """Units done, rate and time left on stderr: a bar on a terminal, else a line per tenth."""

    def __init__(self, name: str, done: int, total: int, show: bool | Callable):
        self.name, self.first, self.done, self.total, self.show = name, done, done, total, show
        self.start, self.bar = time.perf_counter(), None
        if show is True and done < total and sys.stderr.isatty():
            from tqdm import tqdm

            self.bar = tqdm(desc=name, total=total, initial=done, unit="unit", file=sys.stderr)

    def step(self) -> None:
        self.done += 1
        if self.bar is not None:
            self.bar.update()
        elif self.show is not False:
            rate = (self.done - self.first) / max(time.perf_counter() - self.start, 1e-9)
            text = (
                f"{self.name}: {self.done} of {self.total} units, {rate:.3g} units/s, "
                f"{(self.total - self.done) / rate:.0f} s left"
            )
            if callable(self.show):
                self.show(text)
            elif self.done * 10 // self.total > (self.done - 1) * 10 // self.total:
                print(text, file=sys.stderr, flush=True)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


def _compute(tasks: list[_Task], jobs: int, progress: _Progress) -> list[dict]:
    from joblib import Parallel, delayed
    from threadpoolctl import threadpool_limits

    from .dask_backend import backend

    finished, by_position = [], {task.position: task for task in tasks}
    try:
        with threadpool_limits(limits=1), backend():
            # None leaves the number of workers to a joblib.parallel_config around the call (Dask).
            parallel = Parallel(n_jobs=None if jobs == 1 else jobs, return_as="generator_unordered")
            for unit in parallel(delayed(task)() for task in tasks):
                task = by_position[unit["position"]]
                # A worker on another machine may have another disk, or none to write to.
                if not unit["error"] and not task.kept(unit):
                    unit["note"] = task.keep(unit)
                finished.append(unit)
                progress.step()
    except Exception as error:
        why = (str(error).splitlines() or [""])[0]
        raise UnitError(
            f"the workers stopped ({type(error).__name__}: {why}). Finished units are stored; "
            f"the same command goes on from there, and with --jobs 1 it shows the cause."
        ) from error
    finally:
        progress.close()
    return finished


@dataclass(frozen=True)
class _Request:
    """A run as it was asked for, checked, with its units and data."""

    experiment: Experiment
    profile: str
    params: dict[str, Any]
    seed: int
    keys: list[dict]
    data: dict[str, Any]
    names: dict[str, str]
    substitute: str | None
    own_data: str
    code: str

    @property
    def hashes(self) -> dict[str, str]:
        """Hash of each data set, by the name that the experiment declares."""
        return {asked: table.sha256 for asked, table in self.data.items()}

    @property
    def command(self) -> str:
        """The command that repeats the run."""
        command = prov.command(self.experiment, self.profile, self.params, self.seed)
        return command + (f" -p {shlex.quote(f'data={self.own_data}')}" if self.own_data else "")

    def tasks(self, store: UnitStore) -> list[_Task]:
        """One task for each unit, in their order."""
        name, version, hashes = self.experiment.name, self.experiment.version, self.hashes
        return [
            _Task(
                self.experiment,
                position,
                key,
                unit_address(name, version, hashes, self.params, self.seed, key),
                self.params,
                self.seed,
                self.data,
                store,
                self.code,
            )
            for position, key in enumerate(self.keys)
        ]

    def table(self, done: dict[int, dict]) -> pd.DataFrame:
        """Rows of all units, in their order, with the columns of the unit key first."""
        rows = [{**key, **row} for p, key in enumerate(self.keys) for row in done[p]["rows"]]
        table = pd.DataFrame(rows, columns=None if rows else list(self.keys[0]))
        if self.substitute and "dataset" in self.keys[0]:
            # rows bear the name of their real data
            table["dataset"] = table["dataset"].replace(self.names)
        return table

    def provenance(self, done: dict[int, dict], finished: list[dict]) -> dict[str, Any]:
        """What is recorded with the rows; the memory is that of the units computed now."""
        data = {k: {"used": self.names[k], "sha256": sha} for k, sha in self.hashes.items()}
        for name in data if self.own_data else ():
            data[name]["told"] = self.data[name].description
        return {
            "experiment": self.experiment.name,
            "version": self.experiment.version,
            "title": self.experiment.title,
            "profile": self.profile,
            "parameters": self.params,
            "seed": self.seed,
            "keys": list(self.keys[0]),
            "data": data,
            "code": {**prov.git_state(), "fingerprint": self.code},
            "versions": prov.versions(),
            "machine": prov.machine(),
            "sentinels": [sentinel()],
            "units": len(self.keys),
            "seconds": round(sum(unit["seconds"] for unit in done.values()), 3),
            "peak_memory_bytes": max((u["peak_memory_bytes"] for u in finished), default=None),
            "command": self.command,
            "date": datetime.now(UTC).date().isoformat(),
        }


def _request(
    name: str | Experiment, profile: str, params: Mapping[str, Any] | None, seed: int | None
) -> _Request:
    """Check what `run` was given, and load the data."""
    experiment = name if isinstance(name, Experiment) else get(name)
    params, own = own_data.taken_out(experiment, params)
    params = resolve(experiment.parameters, params)
    seed = experiment.seed if seed is None else seed
    if type(seed) is not int or seed < 0:
        raise ParameterError(f"seed = {seed!r}; it must be an int >= 0")
    keys = experiment.unit_keys(params, profile)
    loaded = own_data.load(experiment, own) if own else load_data(experiment)
    code = fingerprint(experiment)
    return _Request(experiment, profile, params, seed, keys, *loaded, own, code)


def _stored(tasks: list[_Task]) -> dict[int, dict]:
    """Units that need not be computed again, by their positions."""
    done, notes = {}, []
    for task in tasks:
        found, note = task.stored()
        if note:
            notes.append(note)
        if found:
            done[task.position] = found
    if notes:
        more = f" (and {len(notes) - 1} more)" if len(notes) > 1 else ""
        warnings.warn(notes[0] + more, RuntimeWarning, stacklevel=3)
    return done


def _warn_if_not_stored(experiment: Experiment, store: UnitStore, finished: list[dict]) -> None:
    if reasons := [unit["note"] for unit in finished if unit["note"]]:
        warnings.warn(
            f"{len(reasons)} units of {experiment.name} could not be stored in {store.folder} "
            f"({', '.join(sorted(set(reasons)))}). They are among the rows of this run, but the "
            f"next one computes them again. Make the folder writable, or name another in "
            f"TRANSDUCTIVE_STORE",
            RuntimeWarning,
            stacklevel=3,
        )


def _raise_if_failed(request: _Request, finished: list[dict]) -> None:
    failed = sorted((u for u in finished if u["error"]), key=lambda unit: unit["position"])
    if not failed:
        return
    keys, total = [request.keys[unit["position"]] for unit in failed], len(request.keys)
    raise UnitError(
        f"{len(failed)} of {total} units of {request.experiment.name} failed; the other "
        f"{total - len(failed)} are stored and will not be repeated.\nFailing units: "
        + "; ".join(map(canonical, keys[:_SHOWN_MAX]))
        + (f"; and {len(keys) - _SHOWN_MAX} more" if len(keys) > _SHOWN_MAX else "")
        + f"\nThe first of them:\n{failed[0]['error']}\nCorrect it, then: {request.command}",
        keys,
    )


def run(
    name: str | Experiment,
    profile: str = "smoke",
    params: Mapping[str, Any] | None = None,
    seed: int | None = None,
    jobs: int = 1,
    progress: bool | Callable[[str], Any] = True,
    store: Any = None,
    fresh: bool = False,
) -> Run:
    """Run an experiment, or continue a run that was stopped.

    Parameters
    ----------
    name : str or Experiment
    profile : {"smoke", "paper", "full"}, default "smoke"
    params : dict, optional
        Parameters that differ from their defaults; ``data``, if the experiment accepts it, is the
        file of a reader's own table.
    seed : int, optional
        By default the experiment's own.
    jobs : int, default 1
        Worker processes (-1: one per processor). With 1 an enclosing ``joblib.parallel_config``
        decides, for example its ``backend="dask"`` for a Dask cluster. The workers store units;
        this process stores those that it does not find stored.
    progress : bool or callable, default True
        A callable gets a line of text after each unit.
    store : path, optional
        Root of the unit store; by default `unit_store.store_folder`.
    fresh : bool, default False
        Recompute every unit, even if it is stored.

    Returns
    -------
    Run

    Raises
    ------
    ParameterError
        For a wrong parameter, before anything runs.
    UnitError
        If units fail, after all others are finished and stored.

    Notes
    -----
    Units stored by other code are recomputed.
    """
    if type(jobs) is not int or jobs == 0:
        raise ParameterError(f"jobs = {jobs!r}; it must be an int >= 1, or -1 for all processors")
    request = _request(name, profile, params, seed)
    experiment, units = request.experiment, UnitStore(request.experiment.name, store)
    sweep(units.folder)
    tasks = request.tasks(units)
    done = {} if fresh else _stored(tasks)
    bar = _Progress(experiment.name, len(done), len(tasks), progress)
    finished = _compute([task for task in tasks if task.position not in done], jobs, bar)
    _warn_if_not_stored(experiment, units, finished)
    _raise_if_failed(request, finished)
    done |= {unit["position"]: unit for unit in finished}
    return Run(
        experiment,
        profile,
        request.params,
        request.seed,
        request.table(done),
        request.provenance(done, finished),
        request.substitute,
        request.own_data,
    )
