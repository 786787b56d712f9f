"""Headlines computed once more by notebooks of a hundred lines, beside the recorded rows.

The notebooks import nothing of ours but the data; ``results/<paper>/independent.csv`` has their
rows, one or several for each draw, and ``findings.yml`` says which of them answer a claim.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd

from ..runner.records import RecordMissingError, results_folder
from .claims import Independent, Statements, evidence_of, load_statements
from .identification import Recorded, settings_of
from .rules import EvidenceError, Repeats, Value
from .verification import published_text

#: Most standard errors between both computations.
APART = 3.0


@dataclass(frozen=True)
class Comparison:
    """A claim's gains by the recorded rows and by the notebook's; of more than two, their mean.

    Parameters
    ----------
    paper, row, printed : str
    reproduced, independent : tuple of Value
    apart : float
        Largest difference of the claim's gaps, in standard errors of the difference.
    """

    paper: str
    row: str
    printed: str
    reproduced: tuple[Value, ...]
    independent: tuple[Value, ...]
    apart: float


def plus_minus(values: Iterable[Value]) -> str:
    """Estimates and halves of their 95 % intervals, to the first digit of the latter."""
    digits = [(value, max(-math.floor(math.log10(value.half)), 0)) for value in values]
    return ", ".join(f"{v.estimate:.{d}f} ± {v.half:.{d}f}" for v, d in digits)


def _values(gaps: np.ndarray) -> tuple[Value, ...]:
    return tuple(map(Value, gaps.T if gaps.shape[1] <= 2 else [gaps.mean(axis=1)]))


def independent_gaps(rows: pd.DataFrame, stated: Independent) -> np.ndarray:
    """The claim's gaps by draw, shape (n, k), of the rows of a notebook."""
    columns = []
    for values in product(*stated.by.values()):
        each = [f"{name} == {value!r}" for name, value in zip(stated.by, values, strict=True)]
        query = " and ".join(filter(None, [stated.where, *each]))
        part = rows.query(query) if query else rows
        columns += [part.eval(gain).groupby(part["split"]).mean() for gain in stated.gains]
    if any(column.empty for column in columns):
        raise EvidenceError(f"no independent rows for {stated.row!r}; see where and by")
    return pd.concat(columns, axis=1, join="inner").to_numpy()


def _compared(found: Statements, stated: Independent, rows: pd.DataFrame, recorded: Recorded):
    claim = next(claim for claim in found.claims if claim.id == stated.claim)
    made = {name: (read, given) for name, read, given in settings_of(claim, found, recorded)}
    name = stated.setting if stated.setting in made else next(iter(made))
    read, given = made[name]
    ours = evidence_of(claim, read(), given)
    if not isinstance(ours, Repeats) or callable(ours.gaps):
        raise EvidenceError(f"claim {claim.id} has no mean gaps by draw to compare")
    theirs = independent_gaps(rows, stated)
    if theirs.shape[1] != ours.gaps.shape[1]:
        raise EvidenceError(f"{stated.row}: {theirs.shape[1]} gaps for {ours.gaps.shape[1]}")
    variance = sum(gaps.var(axis=0, ddof=1) / len(gaps) for gaps in (ours.gaps, theirs))
    apart = np.abs(ours.gaps.mean(axis=0) - theirs.mean(axis=0)) / np.sqrt(variance)
    here, there = _values(ours.gaps), _values(theirs)
    return Comparison(
        found.paper, stated.row, published_text(claim), here, there, float(apart.max())
    )


def compare(
    papers: Iterable[str] | None = None, recorded: Recorded | None = None
) -> list[Comparison]:
    """Compare every stated row of the headlines; papers without rows are left out."""
    recorded, compared = recorded or Recorded(), []
    for paper, found in load_statements(papers).items():
        path = results_folder() / paper / "independent.csv"
        stated = [row for finding in found.findings for row in finding.independent]
        if stated and not path.is_file():
            raise RecordMissingError(f"{path} is missing: run the paper's in_a_hundred_lines.ipynb")
        rows = pd.read_csv(path) if stated else None
        compared += [_compared(found, row, rows, recorded) for row in stated]
    return compared
