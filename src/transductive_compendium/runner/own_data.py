"""A reader's own table in place of an experiment's data set: ``-p data=FILE.csv``.

The room's ``own_data.yml`` names the experiments that accept one, and the least number of its rows.
"""

from __future__ import annotations

import hashlib
import io
import re
import warnings
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ..checked_yaml import load_checked
from ..environment import expanded
from ..rooms import room_folders
from .parameters import ExperimentError, Parameter

if TYPE_CHECKING:
    from .declaration import Experiment

PARAMETER = Parameter(
    "", str, "your CSV file: label last, or called y, label or target; empty: the paper's data"
)
#: Column names that mark the label, in any position.
LABELS = ("y", "label", "target")
#: Least number of rows of a class, and most rows whose Gram matrix fits into memory.
MIN_CLASS_ROWS, MAX_ROWS = 10, 10_000


class OwnDataError(ExperimentError, ValueError):
    """A reader's table cannot be used; the message names the problem and the remedy."""


@cache
def least_rows(paper: str) -> dict[str, int]:
    """Experiments of a room that accept a reader's table, and the least number of its rows."""
    path = room_folders().get(paper, Path()) / "own_data.yml"
    found = load_checked(path, dict[str, int], "ITEM: least rows") if path.is_file() else {}
    return {f"{paper}/{item}": least for item, least in found.items()}


def schema(experiment: Experiment) -> dict[str, Parameter]:
    """The experiment's parameters, and ``data`` if it accepts a reader's table."""
    accepts = experiment.name in least_rows(experiment.paper)
    return {**experiment.parameters} | ({"data": PARAMETER} if accepts else {})


def taken_out(experiment: Experiment, given: Mapping[str, Any] | None) -> tuple[dict, str]:
    """`given` without ``data``, and the file that it names; empty if none."""
    given = dict(given or {})
    accepts = schema(experiment).get("data") is PARAMETER
    return given, PARAMETER.check("data", given.pop("data", "")).strip() if accepts else ""


def load(experiment: Experiment, file: str) -> tuple[dict, dict[str, str], str]:
    """Load a reader's table, as `execution.load_data` loads a paper's, or raise `OwnDataError`.

    It is a CSV file with a header: features are numbers, and the label has two classes, of which
    the larger number or the later name is +1, or is a number to be predicted.
    """
    from ..datasets.dataset_types import Dataset, RegressionDataset
    from ..datasets.registry import PositiveClass, registry
    from ..datasets.tables import content_sha256

    (asked,), path = experiment.datasets, expanded(file)
    frame, classes = _read(path), registry()[asked].target is None
    label = next((name for name in frame if name.lower() in LABELS), frame.columns[-1])
    for problem in _problems(frame, label, classes, least_rows(experiment.paper)[experiment.name]):
        raise OwnDataError(f"{path}: {problem}.")
    table, values = frame.drop(columns=label), frame[label]
    high = values.max()
    y = ((values == high) if classes else values).to_numpy(np.int64 if classes else float)
    X, features = table.to_numpy(float), tuple(table)
    told = hashlib.sha256(path.read_bytes()).hexdigest()
    told = f"a table of {len(X)} rows, SHA-256 of the file {told}"
    sha256, found = content_sha256(np.column_stack([X, y])), f"target {label!r}"
    made: Dataset | RegressionDataset
    if classes:
        names = str(values.min()), str(high)
        positive = {names[1]: PositiveClass((1,), names)}
        made = Dataset(path.name, X, y, features, positive, names[1], sha256, told)
        found = f"{(y == 0).sum()} of class {names[0]} and {y.sum()} of class {names[1]} (+1)"
    else:
        made = RegressionDataset(path.name, X, y, features, label, sha256, told)
    return (
        {asked: made},
        {asked: path.name},
        f"Your data, {path.name}, replace {asked}: {len(X)} rows, {X.shape[1]} features, {found}. "
        f"Nothing is compared with the record, and nothing can be recorded. Parameters that you "
        f"did not set, such as the width of a kernel, keep the values for {asked}.",
    )


def _read(path: Path) -> pd.DataFrame:
    try:
        with warnings.catch_warnings():
            # pandas would cut a row with more cells than the header
            warnings.simplefilter("error", pd.errors.ParserWarning)
            given, form = _as_exported(path)
            return pd.read_csv(given, skipinitialspace=True, index_col=False, **form)
    except (OSError, ValueError, pd.errors.ParserWarning) as error:
        raise OwnDataError(
            f"data = {str(path)!r} cannot be read as a table ({error}); give a CSV file in UTF-8 "
            f"with a header, by its path from {Path.cwd()} or a full one"
        ) from error


def _only_rises(values: pd.Series) -> bool:
    """Whether whole numbers only rise, or only fall, with the rows."""
    whole = bool((values == np.round(values)).all())
    return (
        whole
        and (values.is_monotonic_increasing or values.is_monotonic_decreasing)
        and (values.is_unique)
    )


def _as_exported(path: Path) -> tuple[Any, dict[str, str]]:
    """The table and its separators, without what a spreadsheet adds to it.

    That is a first line such as ``sep=;``, and a separator at the end of each line.
    """
    try:
        lines = path.read_bytes().decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        return path, {}  # compressed, perhaps
    sep = lines.pop(0)[4] if lines and re.fullmatch("sep=.", lines[0]) else ","
    ends = [line.endswith(sep) for line in lines[1:] if line]
    if ends and all(ends):
        more = lines[1].count(sep) - lines[0].count(sep)
        if lines[0].endswith(sep) or more == 1:
            lines = [line.removesuffix(sep) for line in lines]
    text = "\n".join(lines)
    decimal = "," if sep == ";" and "." not in text else "."
    return io.StringIO(text), {"sep": sep, "decimal": decimal}


def _problems(frame: pd.DataFrame, label: str, classes: bool, least: int) -> Iterator[str]:
    """Problems of a table with their remedies; one may follow from the one before."""
    n, counts = len(frame), frame[label].value_counts()
    if frame.shape[1] < 2:
        yield "it has one column; separate features and label by commas"
    if pd.to_numeric(frame.columns, errors="coerce").notna().sum() >= frame.shape[1] - 1:
        yield "its first line has numbers in place of names; add a header"
    if any(name.startswith("Unnamed: ") for name in frame):
        yield "a column has no name; name it, or save with index=False"
    if sum(name.lower() in LABELS for name in frame) > 1:
        yield f"two columns are called {' or '.join(LABELS)}; rename one of them"
    for row, column in np.argwhere(frame.isna()):
        where = f"column {frame.columns[column]!r} of row {row + 1} below the header"
        yield f"{where} is empty; fill it in, or remove the row or the column"
    if n < least:
        yield f"it has {n} rows, and this experiment needs at least {least}; add rows"
    for name, values in (frame.drop(columns=label) if classes else frame).items():
        if values.dtype.kind not in "iuf":
            yield f"column {name!r} holds text; code it as numbers, remove it, or call it label"
        with np.errstate(over="ignore", invalid="ignore"):
            spread = values.std()
        if not 0 < spread < np.inf:
            yield f"column {name!r} never varies, or has huge values; remove it, or change its unit"
        if name != label and _only_rises(values):
            yield f"column {name!r} rises or falls like row numbers; remove it, or mix the rows"
    if classes and (len(counts) != 2 or counts.min() < MIN_CLASS_ROWS):
        yield (
            f"label {label!r} has {len(counts)} classes, the smallest of {counts.min()} rows; keep "
            f"two of at least {MIN_CLASS_ROWS}, or call another column label"
        )
    if classes and n > MAX_ROWS:
        yield f"it has {n} rows, and {MAX_ROWS} fit into memory; draw a random sample of them"
    if classes and frame.drop_duplicates().duplicated(list(frame.columns.drop(label))).any():
        yield "two rows have equal features and different labels; remove one of them"
