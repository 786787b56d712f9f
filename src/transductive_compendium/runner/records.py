"""Recorded results: ``results/<paper>/<item>.csv`` and ``.json``.

Large rows are compressed, ``.csv.xz``.
"""

import hashlib
import io
import json
import lzma
import os
import re
import shlex
import time
from pathlib import Path
from typing import Any

import pandas as pd

from .. import environment
from .declaration import get
from .execution import Run
from .parameters import ExperimentError
from .provenance import source_checkout
from .unit_store import sweep, write_together

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
    RecordMissingError
        If there is none of these.
    RecordError
        If the variable names no folder.
    """
    if folder := environment.folder(environment.RESULTS):
        if why := environment.fault(folder):
            raise RecordError(
                f"{environment.RESULTS} names {folder}, which cannot be searched as a folder "
                f"({why}). Correct it, make the folder, or unset it (`unset {environment.RESULTS}`)"
            )
        return folder
    try:
        here = Path.cwd()
    except FileNotFoundError:  # the current folder is gone
        here = Path(os.devnull)
    for folder in (here, *here.parents):
        if os.path.isdir(folder / "results") and os.path.isfile(folder / "_config.yml"):
            return folder / "results"
    if checkout := source_checkout():
        return checkout / "results"
    raise RecordMissingError(
        "no folder of recorded results and notebooks: run this in a checkout of the compendium, "
        "set TRANSDUCTIVE_RESULTS to its results/ folder, or unpack the archive of notebooks of a "
        "release (tar -xzf) and run it there"
    )


def notebook_of(name: str) -> str | None:
    """Notebook that shows a result, by its path in the checkout; or None."""
    shown = get(name)
    path = f"notebooks/{shown.paper}/{shown.page}.ipynb"
    return path if os.path.isfile(results_folder().parent / path) else None


def drawing_command(run: Run) -> str:
    """The papermill command that draws a run; empty if no notebook draws it as it was run."""
    shown, path = run.experiment, notebook_of(run.experiment.name)
    if path is None:
        return ""
    text = (results_folder().parent / path).read_text(encoding="utf-8")
    page = get(re.search(r'begin\(\\"([a-z0-9_/]+)', text)[1])
    changed = {k: v for k, v in run.params.items() if v != shown.defaults[k]}
    changed |= {"seed": run.seed} if run.seed != shown.seed else {}
    changed |= {"data": run.own_data} if run.own_data else {}
    if page.name != shown.name:  # its rows are drawn beside those of another, which it follows
        own = page.defaults | {"seed": page.seed}
        if any(name not in own or own[name] == value for name, value in changed.items()):
            return ""
    words = [f"{word}" for pair in changed.items() for word in ("-p", *pair)]
    return shlex.join(["papermill", path, "out.ipynb", "-p", "profile", run.profile, *words])


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
            f"{name} is not recorded, because it ran on {run.own_data}; the record is of "
            f"the paper's data. Save such a run with --out FILE.csv"
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
    return packed if os.path.isfile(packed) and not os.path.isfile(csv) else csv


# Numbers are read back exactly as written, which earlier versions of pandas must be told.
_PANDAS = tuple(map(int, pd.__version__.split(".")[:2]))
_EXACT = {} if _PANDAS >= (3, 1) else {"float_precision": "round_trip"}


def load_recorded(name: str) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Rows and provenance of a recorded result, bit for bit as they were recorded.

    Raises
    ------
    RecordMissingError
        If it was never recorded.
    RecordError
        If the files cannot be read, are damaged or do not match.
    """
    csv = rows_of(name)
    command = f"transductive run {name} --profile paper --record"
    target = results_folder() / f"{name}.json"
    try:
        for pause in (0.05, 0.5, None):
            raw, facts = csv.read_bytes(), json.loads(target.read_text(encoding="utf-8"))
            raw = lzma.decompress(raw) if csv.suffix == ".xz" else raw
            if hashlib.sha256(raw).hexdigest() == facts["csv_sha256"]:
                break
            if pause is None:
                raise ValueError("its rows are not those that the provenance was written for")
            time.sleep(pause)  # another process may be between the two renames
        kinds = facts["columns"]
        floats = [name for name, kind in kinds.items() if kind == "float64"]
        missing = {name: ["", "nan"] for name in floats}
        frame = pd.read_csv(
            io.BytesIO(raw), dtype=kinds, keep_default_na=False, na_values=missing, **_EXACT
        )
        if list(frame) != list(kinds):
            raise ValueError("the columns are not those of the provenance")
    except FileNotFoundError as error:
        message = f"{name} is not recorded yet ({csv}); record it: {command}"
        raise RecordMissingError(message) from error
    except (OSError, lzma.LZMAError, ValueError, KeyError, TypeError) as error:
        message = f"the recorded result {csv} is damaged ({error}); record it again: {command}"
        raise RecordError(message) from error
    return frame.copy(), facts  # columns of a kind side by side
