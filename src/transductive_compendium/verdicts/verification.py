"""Decide verdicts from statements and recorded rows."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import Any

import pandas as pd

from ..runner.companions import GROUPS, OPTIONS
from ..runner.open_choices import Option
from ..runner.parameters import ExperimentError
from ..runner.records import RecordMissingError, load_recorded
from . import rules
from .claims import (
    Check,
    Claim,
    Judged,
    Setting,
    Statements,
    arguments_of,
    load_statements,
    measure_of,
    shared,
)

#: Function that decides claims of each kind; the first line of its docstring is the rule in words.
RULES = {
    "repeats": rules.decide_repeats,
    "equivalence": rules.decide_repeats,
    "value": rules.decide_value,
    "column": rules.decide_column,
    "mathematics": rules.decide_mathematics,
}
BY_CONSTRUCTION = "by construction"
NOT_RUN = "not run"


@dataclass(frozen=True)
class Verdict:
    """A decided claim or check.

    Parameters
    ----------
    paper : str
    claim : Claim or Check
    outcome, reproduced, detail, share, tolerance_matters, rises
        As in `rules.Decision`.
    carries, carries_detail : str
        The second mark: whether the statement generalises to new cases.
    options : dict
        Outcome by ``choice: option`` of every option that was run, without the defaults.
    options_not_rising : tuple of str
        Options that come and go and for which some quantity is not above zero on average.
    options_not_run : tuple of str
        Options that can touch the claim and were not run.
    shares
        As in `rules.Decision`.
    """

    paper: str
    claim: Claim | Check
    outcome: str
    reproduced: str
    detail: str
    share: float | None = None
    tolerance_matters: bool = False
    rises: bool = True
    carries: str = ""
    carries_detail: str = ""
    options: Mapping[str, str] | None = None
    options_not_run: tuple[str, ...] = ()
    options_not_rising: tuple[str, ...] = ()
    shares: tuple[tuple[int, float], ...] = ()

    @property
    def comes_out(self) -> str:
        """Yes, in part, no or open."""
        return rules.COMES_OUT[self.outcome]

    @property
    def published(self) -> str:
        """What the paper prints, for a table's cell."""
        return published_text(self.claim)

    @property
    def levels(self) -> list[str]:
        """Yes, in part or no, for every option that was run and could be decided."""
        levels = [
            rules.NO if name in self.options_not_rising else rules.COMES_OUT[outcome]
            for name, outcome in (self.options or {}).items()
        ]
        return [level for level in levels if level != rules.OPEN]

    @property
    def left_open(self) -> bool:
        """Whether some option was not run or could not be decided."""
        undecided = rules.OPEN in map(rules.COMES_OUT.get, (self.options or {}).values())
        return undecided or bool(self.options_not_run)

    @property
    def share_text(self) -> str:
        """Share of repetitions in words: for each number of draws, if they differ."""
        found = [(m, round(100 * share)) for m, share in self.shares]
        if len({share for _, share in found}) > 1:
            return ", ".join(f"{share} of 100 with {m} draw{'s' * (m != 1)}" for m, share in found)
        return "" if self.share is None else f"{100 * self.share:.0f} of 100"

    @property
    def held_under(self) -> tuple[int, int]:
        """Number of options under which it comes out, and number that could be decided."""
        levels = [level for level in (self.comes_out, *self.levels) if level != rules.OPEN]
        return levels.count(rules.YES), len(levels)

    @property
    def held_text(self) -> str:
        """Those numbers in words, and under how many it comes out in part."""
        held, decided = self.held_under
        partly = (self.comes_out, *self.levels).count(rules.PARTLY)
        return f"{held} of {decided} that could be decided" + (
            f", in part under {partly}" if partly else ""
        )

    def as_dict(self) -> dict[str, Any]:
        """JSON-able: the claim's id and statement, and the verdict's fields."""
        found = asdict(self)
        claim = found.pop("claim")
        names = ("id", "statement", "kind", "finding", "role", "place", "setting", "item")
        return {name: claim[name] for name in names if name in claim} | {
            "published": self.published,
            **found,
        }


def published_text(claim: Judged) -> str:
    """What the paper prints, in short: its words or its numbers."""
    published = claim.published

    def shown(x):
        return f"{x:.{max(published.digits, 0)}f}"

    if published.text:
        return published.text
    if published.value is not None:
        return f"{shown(published.value)} {published.unit}".strip()
    if published.cells:
        cells = ", ".join(f"{name} {shown(x)}" for name, x in published.cells.items())
        return f"{cells} {published.unit}".strip()
    if published.gain is not None:
        return f"gain {published.gain:.3g} {published.unit}".strip()
    return "in words"


def decide(
    claim: Claim | Check, evidence: Any, setting: Setting | None, few: bool = False
) -> rules.Decision:
    """Apply the rule of the claim's kind; `few` as in `rules.decide_repeats`.

    Raises
    ------
    EvidenceError
        If the measure's evidence does not fit the rule.
    """
    if isinstance(evidence, rules.NotTestable):
        stead = f" In its stead: {evidence.substitute}" if evidence.substitute else ""
        return rules.Decision(rules.NOT_TESTABLE, "-", evidence.reason + stead, rises=False)
    if isinstance(claim, Check):
        # of our own, at most as many as there are: resampled to more they would hide their error
        draws = (min(claim.m, evidence.n) if isinstance(evidence, rules.Repeats) else claim.m,)
    else:
        draws = setting.draws if setting else (0,)
    rule, published = RULES[claim.kind], claim.published
    if rule is rules.decide_repeats:
        margin = claim.margin if claim.kind == "equivalence" else None
        return rule(evidence, draws, published.gain, margin, few)
    if rule is rules.decide_mathematics:
        return rule(evidence, claim.tolerance)

    def tau(printed):
        return claim.tau or rules.tolerance_of(printed, published.digits, published.unit == "%")

    if rule is rules.decide_value:
        printed, taus, rivals = published.value, tau(published.value), published.rival
    else:
        printed, rivals = published.cells, published.rivals
        taus = {cell: tau(x) for cell, x in printed.items()}
    decision = rule(evidence, printed, published.digits, draws[0], taus, rivals)
    estimate, n, draws = decision.reproduced.partition(" (n = ")
    return replace(decision, reproduced=f"{estimate} {published.unit}".rstrip() + n + draws)


class _Recorded:
    """Recorded rows, each read once."""

    def __init__(self):
        self._rows: dict[str, pd.DataFrame] = {}
        self._parameters: dict[str, Mapping[str, Any]] = {}
        self._parts: dict[tuple, dict[Any, pd.DataFrame]] = {}

    def _read(self, name: str) -> None:
        if name not in self._rows:
            rows, facts = load_recorded(name)
            self._rows[name], self._parameters[name] = rows, facts["parameters"]

    def rows(self, name: str) -> pd.DataFrame:
        self._read(name)
        return shared(self._rows[name])

    def parameters(self, name: str) -> Mapping[str, Any]:
        """Parameters of the experiment that a record is of."""
        self._read(name)
        return self._parameters[name]

    def companion(self, name: str, columns: tuple[str, ...]) -> dict[Any, pd.DataFrame]:
        """Rows of a companion by columns that they then lack, but ``test_group``.

        There are none if it has no such columns, or no record.
        """
        if (name, columns) not in self._parts:
            parts = {}
            with suppress(RecordMissingError):
                if set(columns) <= set(rows := self.rows(name)):
                    parts = {
                        part: found.drop(columns=[c for c in columns if c != "test_group"])
                        for part, found in rows.groupby(list(columns), sort=False)
                    }
            self._parts[name, columns] = parts
        return self._parts[name, columns]

    def frames(self, claim: Judged) -> dict[str, pd.DataFrame]:
        return {name: self.rows(name) for name in claim.results}

    def under(self, claim: Claim, choice: str, option: str) -> dict[str, pd.DataFrame]:
        """Rows of the claim's results that were run under an option."""
        columns = ("choice", "option")
        return {
            name: shared(parts[choice, option])
            for name in claim.results
            if (choice, option) in (parts := self.companion(name + OPTIONS, columns))
        }

    def by_group(self, claim: Judged, column: str) -> list[dict]:
        """Rows without each group of cases (``left_out``), or of each group (``test_group``)."""
        companions = {name: self.companion(name + GROUPS, (column,)) for name in claim.results}
        groups = sorted({group for parts in companions.values() for group in parts})
        return [
            self.frames(claim)
            | {name: shared(parts[group]) for name, parts in companions.items() if group in parts}
            for group in groups
        ]

    def runs(self, claim: Claim, option: Option) -> bool:
        """Whether an option sets a parameter of one of the claim's experiments."""
        return any(set(option.run) & set(self.parameters(name)) for name in claim.results)


def _verdict(paper, claim, found: Statements, recorded: _Recorded) -> Verdict:
    if claim.kind == "untestable":
        return Verdict(paper, claim, rules.NOT_TESTABLE, "-", claim.why, rises=False)
    if claim.measure is None:
        return Verdict(paper, claim, rules.UNDECIDED, "-", "no measure decides it yet", rises=False)
    setting = found.setting_of(claim) if isinstance(claim, Claim) else None

    def evidence_of(frames, arguments=claim.arguments):
        return measure_of(claim)(frames, **arguments)

    def judged(frames, arguments=claim.arguments, few=False):
        evidence = evidence_of(frames, arguments)
        return evidence, decide(claim, evidence, setting, few)

    try:
        evidence, decision = _guarded(claim, judged, recorded.frames(claim))
    except (ExperimentError, rules.EvidenceError) as error:
        return Verdict(paper, claim, rules.UNDECIDED, "-", str(error), rises=False)
    options: dict[str, str] = {}
    not_run: list[str] = []
    not_rising: list[str] = []
    carries = detail = ""
    if setting and decision.outcome != rules.NOT_TESTABLE:
        for name, frames, arguments in _touching(claim, found, recorded):
            try:
                if frames is None:
                    raise RecordMissingError(f"{name} was not run")
                made = _guarded(claim, judged, frames, arguments, True)[1]
            except RecordMissingError:
                not_run.append(name)
                continue
            except (ExperimentError, rules.EvidenceError):
                made = rules.Decision(rules.UNDECIDED, "-", "")
            options[name] = made.outcome
            if made.outcome == rules.COMES_AND_GOES and not made.rises:
                not_rising.append(name)
        carries, detail = _second_mark(claim, setting, evidence, evidence_of, recorded)
    return Verdict(
        paper,
        claim,
        decision.outcome,
        decision.reproduced,
        decision.detail,
        decision.share,
        decision.tolerance_matters,
        decision.rises,
        carries,
        detail,
        options,
        tuple(not_run),
        tuple(not_rising),
        decision.shares,
    )


def _touching(
    claim: Claim, found: Statements, recorded: _Recorded
) -> Iterator[tuple[str, dict | None, dict]]:
    """Options that can touch a claim, with its rows and its measure's arguments under each.

    An open choice touches it if an option sets an argument of its measure that the claim does not
    fix, or a parameter of one of its experiments; then all its options do. The rows are None if
    they were not run.
    """
    free = set(arguments_of(claim)) - set(claim.arguments)
    for key, choice in found.open_choices.items():
        judges = any(free & set(option.judge) for option in choice.options.values())
        touched = judges or any(
            recorded.under(claim, key, name) or recorded.runs(claim, option)
            for name, option in choice.options.items()
        )
        for name, option in choice.others.items() if touched else ():
            arguments = {k: v for k, v in option.judge.items() if k in free}
            rows = recorded.under(claim, key, name)
            lacking = recorded.runs(claim, option) and not rows
            judged = (rows or arguments) and not lacking
            frames = recorded.frames(claim) | rows if judged else None
            yield f"{key}: {name}", frames, {**claim.arguments, **arguments}


def _guarded(claim: Judged, work: Callable, *arguments: Any) -> Any:
    """Result of `work`; turns any error of a measure into an `EvidenceError`."""
    try:
        return work(*arguments)
    except (ExperimentError, rules.EvidenceError):
        raise
    except Exception as error:  # the other claims still count
        raise rules.EvidenceError(
            f"measure {claim.measure} failed: {type(error).__name__}: {error}"
        ) from error


def _second_mark(claim, setting, evidence, evidence_of, recorded):
    if re.match(r"no\b", setting.carries_over):
        return "no", setting.carries_over.partition(":")[2].strip()
    if setting.carries_over.startswith(BY_CONSTRUCTION):
        return BY_CONSTRUCTION, "the law is known: new draws are new data"
    if not isinstance(evidence, rules.Repeats):
        return "", ""
    margin = claim.margin if claim.kind == "equivalence" else None

    def mark_of_groups():
        if groups := recorded.by_group(claim, "test_group"):
            return rules.carries_over_disjoint([evidence_of(f) for f in groups], margin)
        if groups := recorded.by_group(claim, "left_out"):
            return rules.carries_over(evidence, [evidence_of(f) for f in groups], margin)
        return NOT_RUN, ""

    try:
        mark, detail = _guarded(claim, mark_of_groups)
    except RecordMissingError:
        return NOT_RUN, f"to new {setting.carries_over}"
    except (ExperimentError, rules.EvidenceError) as error:
        return NOT_RUN, str(error)
    return mark, f"to new {setting.carries_over}" + (f": {detail}" if detail else "")


def verify(papers: Iterable[str] | None = None, checks: bool = False) -> list[Verdict]:
    """Decide every claim from the recorded results alone.

    Parameters
    ----------
    papers : iterable of str, optional
        By default all that have claims.
    checks : bool, default False
        Whether to decide our own checks instead of the claims.

    Returns
    -------
    list of Verdict
        In the order of the files. If a result is missing or damaged, or a measure fails, the claim
        is undecided, with the reason; the others are decided nevertheless.
    """
    recorded = _Recorded()
    return [
        _verdict(paper, claim, found, recorded)
        for paper, found in load_statements(papers).items()
        for claim in (found.checks if checks else found.claims)
    ]
