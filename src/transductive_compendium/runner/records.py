"""Recorded results, ``results/<paper>/<item>.csv`` and ``.json``, and comparison with reruns.

Large rows are compressed, ``.csv.xz``.
"""

import hashlib
import io
import json
import lzma
import os
import time
from contextlib import suppress
from csv import reader as csv_rows
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .companions import base_of
from .declaration import PROFILES, Experiment, UnitMean, get
from .execution import Run
from .fingerprint import fingerprint
from .parameters import ExperimentError, unknown
from .provenance import source_checkout
from .unit_store import UnitStore, sweep, unit_address, write_together

#: Bytes of rows above which they are compressed.
LARGE = 3_000_000


class RecordError(ExperimentError):
    """A recorded result is missing, damaged, or must not be written."""


class RecordMissingError(RecordError):
    """There is no recorded result of that name."""


def results_folder() -> Path:
    """Folder of the recorded results.

    It is ``TRANSDUCTIVE_RESULTS``, else in the nearest folder upwards that contains ``results/``
    and ``_config.yml``, else in the checkout that the package runs from.

    Raises
    ------
    RecordError
        If there is none of these.
    """
    if folder := os.environ.get("TRANSDUCTIVE_RESULTS"):
        return Path(folder)
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "results").is_dir() and (folder / "_config.yml").is_file():
            return folder / "results"
    if checkout := source_checkout():
        return checkout / "results"
    raise RecordError(
        "no folder of recorded results: run this inside a checkout of the compendium or the folder "
        "that `transductive notebooks` made, or set TRANSDUCTIVE_RESULTS to its results/ folder"
    )


def notebook_of(name: str) -> str | None:
    """Notebook that shows a result or its companion, by its path in the checkout; or None."""
    for item in (name, base_of(name)):
        path = f"notebooks/{item}.ipynb"
        if (results_folder().parent / path).is_file():
            return path
    return None


# Python's own float() reads back exactly what was written, whatever the version of pandas.
_READ = {
    "int64": int,
    "str": str,
    "bool": {"True": True, "False": False}.__getitem__,
    "float64": lambda text: float(text or "nan"),
}


def _kind(frame: pd.DataFrame, column: str) -> str:
    values = frame[column]
    if pd.api.types.is_bool_dtype(values):
        return "bool"
    if pd.api.types.is_integer_dtype(values):
        return "int64"
    if pd.api.types.is_float_dtype(values):
        return "float64"
    if all(type(value) is str and value for value in values):
        return "str"
    raise RecordError(
        f"column {column!r} mixes types, or has missing or empty text; give every row one kind "
        f"of value (NaN is allowed in float columns)"
    )


def write_pair(csv: Path, rows: pd.DataFrame, facts: dict[str, Any]) -> tuple[Path, Path]:
    """Write rows and their provenance, which contains the hash of the rows.

    A process killed between two renames leaves a pair that does not match. `load_recorded` detects
    this; the units are stored, so the same command records them again at once.

    Parameters
    ----------
    csv : Path
        The provenance is written beside it, with the suffix ``.json``. More than `LARGE` bytes of
        rows are written to ``.csv.xz`` instead.
    rows : DataFrame
    facts : dict
        JSON-able. The number of rows, the kinds of their columns and the hash of the rows, as they
        are without compression, are added.

    Returns
    -------
    csv, json : path

    Raises
    ------
    RecordError
        If a column mixes kinds, or the folder cannot be written.
    """
    kinds = {column: _kind(rows, column) for column in rows}
    raw = rows.to_csv(index=False, lineterminator="\n").encode()
    digest = hashlib.sha256(raw).hexdigest()
    facts = {**facts, "rows": len(rows), "columns": kinds, "csv_sha256": digest}
    target, packed = csv.with_suffix(".json"), csv.with_suffix(".csv.xz")
    used, other = (packed, csv) if len(raw) > LARGE else (csv, packed)
    content = lzma.compress(raw) if used == packed else raw
    try:
        write_together({used: content, target: (json.dumps(facts, indent=2) + "\n").encode()})
        other.unlink(missing_ok=True)
    except OSError as error:
        raise RecordError(
            f"{csv.parent} cannot be written ({error.strerror or error}); finished units are "
            f"stored. Make the folder writable, or name another in TRANSDUCTIVE_RESULTS; the same "
            f"command then records without computing again"
        ) from error
    sweep(csv.parent)
    return used, target


def record(run: Run) -> tuple[Path, Path]:
    """Write a run's rows and provenance to the results folder, replacing an earlier record.

    Returns
    -------
    csv, json : path

    Raises
    ------
    RecordError
        For a smoke run, a run on substitute data, or one with parameters or a seed that differ from
        the defaults; if the folder cannot be written.
    """
    name = run.experiment.name
    if run.own_data:
        raise RecordError(
            f"{name} is not recorded, because it ran on {run.own_data}; the record is of the "
            f"paper's data. Save such a run with --out FILE.csv"
        )
    if run.substitute:
        raise RecordError(
            f"{name} is not recorded, because it ran on substitute data: {run.substitute} "
            f"Get the real data first: transductive data fetch, or for a set without a public "
            f"source what its data card says"
        )
    if run.departures:
        raise RecordError(
            f"{name} is not recorded, because {', '.join(run.departures)} differs "
            f"from the default; save such a run with --out FILE.csv"
        )
    if run.profile == "smoke":
        raise RecordError(
            f"{name} is not recorded: smoke is only the first units of the paper "
            f"profile. Run: transductive run {name} --profile paper --record"
        )
    return write_pair(results_folder() / f"{name}.csv", run.rows, run.provenance)


def rows_of(name: str) -> Path:
    """File of a record's rows: ``.csv.xz`` if that alone is there, else ``.csv``."""
    csv = results_folder() / f"{name}.csv"
    packed = csv.with_suffix(".csv.xz")
    return packed if packed.is_file() and not csv.is_file() else csv


def load_recorded(name: str) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Rows and provenance of a recorded result, bit for bit as they were recorded.

    Raises
    ------
    RecordMissingError
        If it was never recorded.
    RecordError
        If the files are damaged or do not match.
    """
    csv = rows_of(name)
    remedy = f"record it again: transductive run {name} --profile paper --record"
    target = results_folder() / f"{name}.json"
    if not csv.is_file() or not target.is_file():
        raise RecordMissingError(f"no recorded result of {name} ({csv}); {remedy}")
    try:
        for pause in (0.05, 0.5, None):
            raw, facts = csv.read_bytes(), json.loads(target.read_text(encoding="utf-8"))
            raw = lzma.decompress(raw) if csv.suffix == ".xz" else raw
            if hashlib.sha256(raw).hexdigest() == facts["csv_sha256"]:
                break
            if pause is None:
                raise ValueError("its rows are not those that the provenance was written for")
            time.sleep(pause)  # another process may be between the two renames
        names, *lines = csv_rows(io.StringIO(raw.decode(), newline=""))
        if names != list(facts["columns"]):
            raise ValueError("the columns are not those of the provenance")
        columns = zip(*lines, strict=True) if lines else [() for _ in names]
        frame = pd.DataFrame(
            {
                name: pd.Series([_READ[kind](text) for text in texts], dtype=kind)
                for (name, kind), texts in zip(facts["columns"].items(), columns, strict=True)
            }
        )
    except (OSError, lzma.LZMAError, ValueError, KeyError, TypeError) as error:
        raise RecordError(f"the recorded result {csv} is damaged ({error}); {remedy}") from error
    return frame, facts


def store_recorded(name: str | Experiment, store: Any = None) -> list[dict[str, Any]]:
    """Store the units of a record, so that a run goes on from them, on another machine, too.

    Parameters
    ----------
    name : str or Experiment
    store : path, optional
        Root of the unit store; by default `unit_store.store_folder`.

    Returns
    -------
    list of dict
        Where the units come from, as `extended` expects it: their number, and the machine, package
        versions, commit, date and peak memory of each run that made some.

    Raises
    ------
    RecordMissingError
        If there is none.
    RecordError
        If it is damaged, or other code made it.
    """
    experiment = name if isinstance(name, Experiment) else get(name)
    name = experiment.name
    rows, facts = load_recorded(name)
    if (code := fingerprint(experiment)) != facts["code"]["fingerprint"]:
        raise RecordError(
            f"the record of {name} cannot be extended: other code made it "
            f"({facts['code']['fingerprint']}, now {code}); record it again: "
            f"transductive run {name} --profile paper --record"
        )
    hashes = {asked: used["sha256"] for asked, used in facts["data"].items()}
    context = (experiment.name, facts["version"], hashes, facts["parameters"], facts["seed"])
    units, columns = UnitStore(name, store), facts["keys"]
    made = rows.groupby(columns, sort=False)
    for _, part in made:
        key = {column: np.asarray(part[column])[:1].tolist()[0] for column in columns}
        kept = part.drop(columns=columns).to_dict("records")
        unit = {"key": key, "rows": kept, "seconds": facts["seconds"] / len(made), "code": code}
        units.write(unit_address(*context, key), unit)
    earlier = facts.get("extended", [])
    last = {name: facts[name] for name in ("date", "machine", "versions", "peak_memory_bytes")}
    last |= {
        "units": facts["units"] - sum(part["units"] for part in earlier),
        "commit": facts["code"]["commit"],
    }
    return [*earlier, last]


def extended(run: Run, parts: list[dict[str, Any]]) -> Run:
    """The run with the provenance of units that `store_recorded` took from a record."""
    facts = dict(run.provenance)
    peaks = [part["peak_memory_bytes"] for part in (facts, *parts)]
    facts["peak_memory_bytes"] = max((peak for peak in peaks if peak is not None), default=None)
    return replace(run, provenance=facts | {"extended": parts})


@dataclass(frozen=True)
class Agreement:
    """Outcome of comparing a run with the recorded result.

    Attributes
    ----------
    ok : bool
        False if any comparison disagrees.
    compared : int
        Number of rows compared.
    reason : str or None
        Why nothing is compared; None if rows were compared.
    problems : list of str
        One line per disagreement, with its worst place.
    table : DataFrame
        Per column: rule, worst deviation, agrees.
    """

    name: str
    compared: int = 0
    reason: str | None = None
    problems: list[str] = field(default_factory=list)
    table: pd.DataFrame = field(default_factory=pd.DataFrame, repr=False)

    @property
    def ok(self) -> bool:
        """Whether nothing that was compared disagrees."""
        return not self.problems

    def describe(self) -> str:
        """A summary; if all agrees, without numbers that vary between computers."""
        if self.problems:
            return "\n".join(
                [f"{self.name} does not agree with its recorded result:"]
                + [f"- {problem}" for problem in self.problems]
                + [
                    "If the change is meant, raise the experiment's version and run: "
                    f"transductive run {self.name} --profile paper --record"
                ]
            )
        if self.reason:
            return f"{self.name}: not compared with the recorded result: {self.reason}"
        rules = ", ".join(f"{row.column} ({row.rule})" for row in self.table.itertuples())
        return f"{self.name}: {self.compared} rows agree with the recorded result: {rules}."


def _column(here: pd.Series, there: pd.Series, rule: float | str | None):
    """Rule in words, deviation per row, and which rows agree."""
    numeric = all(
        pd.api.types.is_float_dtype(s) or pd.api.types.is_integer_dtype(s) for s in (here, there)
    )
    both_float = numeric and pd.api.types.is_float_dtype(there)
    if not numeric or rule == "exact" or (rule is None and not both_float):
        same = (here.to_numpy(object) == there.to_numpy(object)) | (
            here.isna().to_numpy() & there.isna().to_numpy()
        )
        return "exact", np.where(same, 0.0, np.inf), same
    a, b = here.to_numpy(float), there.to_numpy(float)
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    with np.errstate(invalid="ignore"):
        gap = np.where(same, 0.0, np.abs(a - b))
    gap = np.where(np.isnan(gap), np.inf, gap)
    if rule is None:
        return "within 1e-6", gap, same | (gap <= 1e-6 * (1 + np.where(same, 0, np.abs(b))))
    return f"within {rule:g}", gap, gap <= rule


def _unit_means(here: pd.Series, there: pd.Series) -> tuple[pd.Series, pd.Series, np.ndarray]:
    """Mean of both sides over each unit's rows, one row per unit, and which units are odd.

    Both sides have the index of `compare`: the unit keys, then the row within the unit. A unit is
    odd if missing or infinite values are in different rows on the two sides.
    """
    keys = here.index.names[:-1]
    here, there = here.astype(float), there.astype(float)
    finite = np.isfinite(here) & np.isfinite(there)
    odd = ~(finite | (here == there) | (here.isna() & there.isna()))

    def per_unit(values: pd.Series, how: str) -> pd.Series:
        spread = values.groupby(level=keys, sort=False).transform(how)
        return spread[spread.index.get_level_values(-1) == 0]

    means = (per_unit(side.where(finite), "mean") for side in (here, there))
    return *means, per_unit(odd, "any").to_numpy()


def compare(run: Run, recorded: tuple[pd.DataFrame, dict] | None = None) -> Agreement:
    """Compare a run's rows with the recorded rows of the same units.

    Parameters
    ----------
    run : Run
    recorded : (DataFrame, dict), optional
        By default the result of `load_recorded`.

    Returns
    -------
    Agreement
        Nothing is compared if substitute data ran, if parameters or the seed differ from the
        defaults, or if there is no record. A record of another version, other defaults or other
        data is stale and counts as a disagreement.
    """
    experiment, name = run.experiment, run.experiment.name
    if run.substitute:
        return Agreement(name, reason=run.substitute)
    if run.departures:
        return Agreement(name, reason=f"{', '.join(run.departures)} differs from the recorded run.")
    try:
        frame, facts = recorded or load_recorded(name)
    except RecordMissingError as error:
        return Agreement(name, reason=str(error))

    here = {**run.provenance, "data": {k: d["sha256"] for k, d in run.provenance["data"].items()}}
    there = {**facts, "data": {k: d["sha256"] for k, d in facts["data"].items()}}
    problems = [
        f"{what} is {here[what]!r} here, {there[what]!r} in the record"
        for what in ("version", "parameters", "seed", "keys", "data")
        if here[what] != there[what]
    ]
    if list(run.rows) != list(frame):
        problems.append(f"columns are {list(run.rows)} here, {list(frame)} in the record")
    values = [c for c in run.rows if c not in run.provenance["keys"]]
    # a companion may run some methods only: a column that its item has is no slip of the pen
    elsewhere: set[str] = set()
    if (item := base_of(name)) != name:
        with suppress(RecordMissingError):
            elsewhere = set(load_recorded(item)[1]["columns"])
    problems += [
        f"agreement: {unknown('column', c, values)}"
        for c in experiment.agreement
        if c not in values and c not in elsewhere
    ]
    if problems:
        return Agreement(name, problems=problems)

    def by_row(rows: pd.DataFrame) -> pd.DataFrame:
        keys = run.provenance["keys"]
        within = rows.groupby(keys, sort=False).cumcount()
        return rows.assign(_row=within).set_index([*keys, "_row"])

    mine, other = by_row(run.rows), by_row(frame)
    units = mine.index.droplevel("_row").unique()
    known = other.index.droplevel("_row")
    if PROFILES.index(run.profile) <= PROFILES.index(facts["profile"]):
        for unit in units[~units.isin(known)]:
            problems.append(f"unit {unit} is not in the record")
    other, mine = other[known.isin(units)], mine[mine.index.droplevel("_row").isin(known)]
    if not mine.index.equals(other.index):
        odd = mine.index.symmetric_difference(other.index)
        problems.append(
            f"{len(odd)} rows are on one side only or in another order"
            + (f", the first: {odd[0]}" if len(odd) else "")
        )
    if not problems and not len(mine):
        problems.append("no unit of this run is in the record")
    if problems:
        return Agreement(name, problems=problems)

    table = []
    for column in values:
        rule = experiment.agreement.get(column)
        if rule == "ignore":
            continue
        here, there, what = mine[column], other[column], "rows"
        if isinstance(rule, UnitMean):
            if not all(pd.api.types.is_numeric_dtype(side) for side in (here, there)):
                problems.append(f"{column} has unit means to agree, but is not a number; use exact")
                continue
            what, (here, there, odd) = "units", _unit_means(here, there)
            words, gap, _ = _column(here, there, rule.tolerance)
            words, gap = f"unit means {words}", np.where(odd, np.inf, gap)
            same = gap <= rule.tolerance
        else:
            words, gap, same = _column(here, there, rule)
        table.append(
            {"column": column, "rule": words, "worst": float(gap.max()), "agrees": bool(same.all())}
        )
        if not same.all():
            at = int(np.argmax(np.where(same, -1.0, gap)))
            where = ", ".join(
                f"{k} {v}" for k, v in zip(here.index.names[:-1], here.index[at], strict=False)
            )
            values = f"{here.iloc[at]} here, {there.iloc[at]} in the record"
            if what == "units" and odd[at]:
                values = "missing or infinite in other rows than in the record"
            problems.append(
                f"{column} ({words}): {int((~same).sum())} of {len(same)} {what} differ, "
                f"worst at {where}: {values}"
            )
    return Agreement(name, len(mine), None, problems, pd.DataFrame(table))
