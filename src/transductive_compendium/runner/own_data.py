"""A reader's own table instead of an experiment's data set: ``-p data=FILE.csv``.

The room's ``own_data.yml`` names the experiments that accept one. Each has exactly one data set, a
table with two classes or with a target, and takes the sizes of its design from the table's rows.
"""

from __future__ import annotations

import hashlib
import math
import os
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from ..checked_yaml import load_checked
from ..environment import expanded
from ..rooms import room_folders
from .delimited_text import SEPARATORS, is_number, read_lines, with_decimal_points
from .parameters import ExperimentError, Parameter

if TYPE_CHECKING:
    from .declaration import Experiment


class _Word(Parameter):
    """A text of the reader's own, also one of which papermill's ``-p`` makes a number or a bool."""

    def check(self, name: str, value: Any) -> str:
        """Return `value` as a text, or raise `ParameterError`."""
        word = str(value) if isinstance(value, int | float | np.generic) else value
        return super().check(name, word)


PARAMETER: Parameter = _Word(
    "", str, "your CSV file: label last, or called y, label or target; empty: the paper's data"
)
POSITIVE_CLASS: Parameter = _Word(
    "", str, "class of your file that is +1; empty: larger number or later name"
)
#: Column names that mark the label, in any position.
LABELS = ("y", "label", "target")
#: How programs write a missing value: spreadsheets, R, pandas, data bases, the UCI sets, SAS.
MISSING = frozenset(
    ("", "na", "n/a", "#n/a", "#na", "<na>", "nan", "-nan", "nat", "null", "none", "?", ".")
)
MIN_CLASS_ROWS = 10


class OwnDataError(ExperimentError, ValueError):
    """A reader's table cannot be used; the message names file, line and remedy."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Design:
    """An experiment's requirements of a table.

    Parameters
    ----------
    at_least : int
        Least number of rows.
    design : str
        Which sizes depend on the table, and which stay those of the paper.
    at_most : int, optional
        Largest number of rows, whose Gram matrix fits into memory.
    fixed : tuple of str, optional
        Parameters that are of the paper's data alone, and stay at their defaults.
    """

    at_least: int
    design: str
    at_most: int | None = None
    fixed: tuple[str, ...] = ()


@cache
def designs(folder: Path) -> dict[str, Design]:
    """Items of a room that run on a reader's table."""
    path = folder / "own_data.yml"
    if not path.is_file():
        return {}
    return load_checked(path, dict[str, Design], "See runner/own_data.py for the fields.")


def design(experiment: Experiment) -> Design | None:
    """Requirements of `experiment` for a reader's table, or None if it accepts none."""
    folder = room_folders().get(experiment.paper)
    return designs(folder).get(experiment.name.partition("/")[2]) if folder else None


def parameters(experiment: Experiment) -> dict[str, Parameter]:
    """``data``, and of a table with classes ``positive_class``; none if it accepts no table."""
    from ..datasets.registry import registry

    if not design(experiment):
        return {}
    (asked,) = experiment.datasets
    classes = registry()[asked].target is None
    return {"data": PARAMETER} | ({"positive_class": POSITIVE_CLASS} if classes else {})


def schema(experiment: Experiment) -> dict[str, Parameter]:
    """The experiment's parameters, and those of a reader's table if it accepts one."""
    return {**experiment.parameters, **parameters(experiment)}


def taken_out(
    experiment: Experiment, given: Mapping[str, Any] | None
) -> tuple[dict[str, Any], dict[str, str]]:
    """`given` without what is of the reader's table, and that: nothing, or ``data`` and the class.

    Raises
    ------
    OwnDataError
        For a positive class without a table.
    """
    given = dict(given or {})
    own = {
        name: parameter.check(name, given.pop(name, "")).strip()
        for name, parameter in parameters(experiment).items()
    }
    own = {name: value for name, value in own.items() if value}
    if own and "data" not in own:
        raise OwnDataError(
            f"positive_class = {own['positive_class']!r} is a class of your own table: name its "
            f"file, too, by data=FILE.csv, or leave the class out"
        )
    return given, own


def check_fixed(experiment: Experiment, params: Mapping[str, Any], file: str) -> None:
    """Refuse parameters that are of the paper's data alone, beside a reader's table."""
    for name in design(experiment).fixed:
        if params[name] != (default := experiment.defaults[name]):
            raise OwnDataError(
                f"{name} = {params[name]!r} is of {experiment.datasets[0]}, not of your own table "
                f"{file}: leave {name} at {default!r}; positive_class names your class that is +1"
            )


def load(
    experiment: Experiment, file: str, positive_class: str = ""
) -> tuple[dict, dict[str, str], str]:
    """Load a reader's table under the name of the data set that it replaces.

    Parameters
    ----------
    experiment : Experiment
    file : str
        A CSV file with a header and otherwise only numbers, except for the names of two classes.
        The label is the last column, or the one called y, label or target. Semicolons or tabs may
        stand in place of commas, and then decimal commas in place of points; see `read_lines` for
        encodings and compression.
    positive_class : str, optional
        The class that is +1; by default the larger number, or the later word in the alphabet.

    Returns
    -------
    data : dict
        From the replaced name to a `Dataset` or `RegressionDataset`.
    names : dict
        From the replaced name to the name of the file.
    note : str
        Notice of what runs, and of what is not compared with the record.

    Raises
    ------
    OwnDataError
        If the table cannot be used; the message gives file, line and remedy.
    """
    from ..datasets.registry import registry

    (asked,) = experiment.datasets
    path = expanded(file)
    header, lines, cells, how = _read(path)
    at = _label_column(path, header)
    features = [name for k, name in enumerate(header) if k != at]
    X = np.array(
        [
            [_number(path, line, header[k], row[k]) for k in range(len(header)) if k != at]
            for line, row in zip(lines, cells, strict=True)
        ]
    )
    wanted = design(experiment)
    _check_size(path, experiment.name, wanted, len(X))
    for k, name in enumerate(features):
        with np.errstate(over="ignore"):
            steps = np.diff(X[:, k])
        if not steps.any():
            _refuse(path, 1, f"column {name!r} is {X[0, k]:g} in every row", "remove the column")
        _check_spread(path, lines, name, X[:, k])
        if (steps == 1).all():
            what = f"column {name!r} counts the rows, and may give away a sorted label"
            _refuse(path, 1, what, "remove the column")
    labels = [row[at] for row in cells]
    if registry()[asked].target is None:
        table, told = _classes(path, header[at], lines, X, labels, features, positive_class)
        told += f" (class {table.positive_class} is +1)"
    else:
        table, told = _targets(path, header[at], lines, X, labels, features)
    width = ""
    if "sigma" in experiment.parameters:
        width = " Choose sigma first: its default is of the paper's data."
    note = (
        f"Data of your own, {path.name}, replace {asked}: {len(X)} rows, {X.shape[1]} features, "
        f"{told}.{how}{width} The recorded and the published numbers are of {asked}: nothing is "
        f"compared, and nothing can be recorded. Parameters that you did not set stay the paper's. "
        f"Sizes: {wanted.design}."
    )
    return {asked: table}, {asked: path.name}, note


def _refuse(path: Path, line: int, what: str, remedy: str) -> NoReturn:
    raise OwnDataError(f"{path}, line {line}: {what}; {remedy}.")


def _read(path: Path) -> tuple[list[str], list[int], list[list[str]], str]:
    """Header, for each line below it its number and cells, and a sentence on unusual signs."""
    # not the path's own methods, which raise for a name that is too long
    if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)):
        raise OwnDataError(
            f"data = {str(path)!r}: it is a pipe or a device, and the table is read more than "
            "once; write it to a file, and name that."
        )
    try:
        found, separator = read_lines(path)
    except OSError as error:
        known = {FileNotFoundError: "there is no such file", IsADirectoryError: "it is a folder"}
        where = known.get(type(error), f"it cannot be read ({error.strerror})")
        raise OwnDataError(
            f"data = {str(path)!r}: {where}; give the path from {Path.cwd()}, or a full one."
        ) from error
    except ValueError as error:
        raise OwnDataError(
            f"{path} cannot be read ({error}); save it as a CSV file in UTF-8, comma-separated."
        ) from error
    if not found:
        _refuse(path, 1, "the file is empty", "it needs a header and a row for each case")
    (line, header), body = found[0], found[1:]
    if len(header) < 2:
        _refuse(
            path, line, f"one column, {header[0][:40]!r}", "separate features and label by commas"
        )
    # the names of two classes may be the only words of a row
    if sum(map(is_number, header)) >= len(header) - 1:
        _refuse(path, line, "numbers in place of names", "name the columns in the first line")
    for name, count in Counter(header).items():
        if not name or count > 1:
            what = f"{count} columns are called {name!r}" if name else "a column has no name"
            remedy = "give each column a name of its own"
            if not name:
                remedy += "; if pandas wrote its index there, save with index=False"
            _refuse(path, line, what, remedy)
    for line, row in body:
        if len(row) != len(header):
            _refuse(
                path,
                line,
                f"{len(row)} cells under a header of {len(header)}",
                "give each row a cell for every column",
            )
    how = ""
    if separator != ",":
        try:
            body, commas = with_decimal_points(body)
        except ValueError as error:
            _refuse(path, 1, str(error), "write decimal points, and nothing between thousands")
        how = f" Cells are separated by {SEPARATORS[separator]}"
        how += ", and commas read as decimal points." if commas else "."
    return header, [line for line, _ in body], [row for _, row in body], how


def _label_column(path: Path, header: list[str]) -> int:
    named = [k for k, name in enumerate(header) if name.lower() in LABELS]
    if len(named) > 1:
        both = " and ".join(repr(header[k]) for k in named)
        _refuse(path, 1, f"{both} may each be the label", "rename all but one of them")
    return named[0] if named else len(header) - 1


def _number(path: Path, line: int, column: str, cell: str) -> float:
    where = f"column {column!r} "
    if cell.lower() in MISSING:
        remedy = "fill in a number, or remove the row or the column"
        _refuse(path, line, where + f"is {cell or 'empty'}", remedy)
    if not is_number(cell):
        _refuse(
            path,
            line,
            where + f"holds the text {cell[:40]!r}",
            "if it is the label, call it label (or put it last); else code it as a number, or "
            "remove the column",
        )
    if not math.isfinite(float(cell)):
        _refuse(
            path, line, where + f"is {cell}", "fill in a number, or remove the row or the column"
        )
    return float(cell)


def _check_spread(path: Path, lines: list[int], column: str, values: np.ndarray) -> None:
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        variance = values.var()
    if not np.finfo(float).tiny <= variance < np.inf:
        far = int(np.argmax(np.abs(values)))
        what = f"column {column!r} is {values[far]:g}, whose square no floating-point number holds"
        _refuse(path, lines[far], what, "correct it, or give the column in another unit")


def _check_size(path: Path, name: str, wanted: Design, n: int) -> None:
    if n < wanted.at_least:
        raise OwnDataError(
            f"{path}: {n} rows; {name} needs at least {wanted.at_least} ({wanted.design}). "
            f"Add rows, or take another figure."
        )
    if wanted.at_most and n > wanted.at_most:
        raise OwnDataError(
            f"{path}: {n} rows; {name} takes at most {wanted.at_most}, whose Gram matrix fits into "
            f"memory. Draw a random sample of them."
        )


def _shown(label: float | str) -> str:
    return label if isinstance(label, str) else np.format_float_positional(label, trim="-")


def _told(path: Path, X: np.ndarray) -> str:
    """Which table this is, so that others find the same file."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return f"a table of {len(X)} rows, SHA-256 of the file {digest}"


def _classes(path, column, lines, X, labels, features, positive_class):
    """A two-class table."""
    from ..datasets.dataset_types import Dataset
    from ..datasets.registry import PositiveClass
    from ..datasets.tables import content_sha256

    for line, label in zip(lines, labels, strict=True):
        if label.lower() in MISSING:
            what = f"the label {column!r} is missing" + (f" ({label})" if label else "")
            _refuse(path, line, what, "fill it in, or remove the row")
    values = [float(text) for text in labels] if all(map(is_number, labels)) else labels
    written: dict[float | str, str] = {}
    for line, label, value in zip(lines, labels, values, strict=True):
        if (other := written.setdefault(value, label)) != label:
            what = f"the labels {other} and {label} are one number"
            _refuse(path, line, what, "write each class in one way, or give the classes names")
    counts = Counter(values)
    if len(counts) != 2:
        shown = ", ".join(f"{_shown(v)} ({n} rows)" for v, n in counts.most_common(3))
        more = ", ..." if len(counts) > 3 else ""
        classes = "1 class" if len(counts) == 1 else f"{len(counts)} classes"
        remedy = "a second one is needed" if len(counts) == 1 else "keep or make two of them"
        if len(counts) > 10:
            remedy = (
                "keep two classes, or take a figure of transductive_regression for a target; if "
                "another column is the label, call it label"
            )
        _refuse(path, 1, f"the label {column!r} has {classes}: {shown}{more}", remedy)
    names = [_shown(value) for value in sorted(counts)]
    if values is not labels and is_number(positive_class):
        positive_class = _shown(float(positive_class))
    if positive_class and positive_class not in names:
        raise OwnDataError(
            f"positive_class = {positive_class!r}; {path.name} has the classes "
            f"{' and '.join(names)}: name one of them, or leave it out"
        )
    positive = names.index(positive_class) if positive_class else 1
    if min(counts.values()) < MIN_CLASS_ROWS:
        rare = min(counts, key=counts.get)
        raise OwnDataError(
            f"{path}: class {_shown(rare)} of {column!r} has {counts[rare]} rows; both parts of a "
            f"split need some of each class: add rows until it has {MIN_CLASS_ROWS}."
        )
    # by the positive class, so that the hash, by which units are stored, depends on it
    codes = np.array([value == sorted(counts)[positive] for value in values], dtype=np.int64)
    first: dict[bytes, int] = {}
    for k, row in enumerate(X + 0.0):
        other = first.setdefault(row.tobytes(), k)
        if codes[other] != codes[k]:
            _refuse(
                path,
                lines[k],
                f"the features of line {lines[other]} with another label, which no function is "
                f"right on",
                "remove one of the two rows",
            )
    table = Dataset(
        path.name,
        X,
        codes=codes,
        feature_names=tuple(features),
        positive_classes={
            names[positive]: PositiveClass((1,), (names[1 - positive], names[positive]))
        },
        positive_class=names[positive],
        sha256=content_sha256(np.column_stack([X, codes])),
        description=_told(path, X),
    )
    shares = [f"{count} of class {name}" for name, count in table.counts.items()]
    return table, f"{' and '.join(shares)} by the column {column!r}"


def _targets(path, column, lines, X, labels, features):
    from ..datasets.dataset_types import RegressionDataset
    from ..datasets.tables import content_sha256

    for line, text in zip(lines, labels, strict=True):
        if not is_number(text) and text.lower() not in MISSING:
            what = f"the figure needs a number as target, and column {column!r} holds {text[:40]!r}"
            remedy = "call a column of numbers target, or take a figure of bayesian_transduction"
            _refuse(path, line, what, f"{remedy} for two classes")
    y = np.array(
        [_number(path, line, column, text) for line, text in zip(lines, labels, strict=True)]
    )
    if (y == y[0]).all():
        _refuse(path, 1, f"the target {column!r} is {y[0]:g} in every row", "give one that varies")
    _check_spread(path, lines, column, y)
    table = RegressionDataset(
        path.name,
        X,
        y,
        tuple(features),
        column,
        sha256=content_sha256(np.column_stack([X, y])),
        description=_told(path, X),
    )
    return table, f"target {column!r} from {y.min():g} to {y.max():g}"
