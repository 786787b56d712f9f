"""Decide findings from verdicts on claims, and the prefix of a paper's title from its headline."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from . import rules
from .claims import Finding, load_statements
from .verification import Verdict, verify

HOLDS, IN_PART, FAILS, OPEN = "holds", "in part", "does not hold", "open"
FINDING_OUTCOMES = (HOLDS, IN_PART, FAILS, OPEN)
PREFIXES = {HOLDS: "[Re]", IN_PART: "[Re, in part]", FAILS: "[¬Re]", OPEN: "[open]"}
#: Thresholds of a misfit beside the fifth, under which the words are told.
STRICT, LOOSE = 0.1, 1 / 3


def word(levels: Sequence[Sequence[str]]) -> str:
    """The verdict on a finding, from whether its claims come out in each standing setting.

    It holds if all claims come out in all. It holds in part if the first claim comes out in some
    setting, or smaller than printed. It does not hold if the first claim fails in all. Else it is
    open.
    """
    first = set(levels[0])
    if {level for found in levels for level in found} == {rules.YES}:
        return HOLDS
    if first & {rules.YES, rules.PARTLY}:
        return IN_PART
    return FAILS if first == {rules.NO} else OPEN


@dataclass(frozen=True)
class DecidedFinding:
    """A finding and the verdicts on its claims, in their order.

    Parameters
    ----------
    paper : str
    finding : Finding
    claims : tuple of Verdict
    every : dict of str to Verdict
        Verdicts on all claims of the paper by id.
    """

    paper: str
    finding: Finding
    claims: tuple[Verdict, ...]
    every: Mapping[str, Verdict] = field(default_factory=dict)

    @property
    def verdict(self) -> str:
        """One of `FINDING_OUTCOMES`."""
        return self.word()

    def word(self, threshold: float = rules.FIT, plain: bool = False) -> str:
        """The verdict under another threshold of the misfit, or under the plain default."""
        return word([claim.levels(threshold, plain) for claim in self.claims])

    @property
    def words(self) -> dict[str, str]:
        """The verdict, and what it would be otherwise."""
        return {
            "verdict": self.verdict,
            "plain default": self.word(plain=True),
            "at a tenth": self.word(STRICT),
            "at a third": self.word(LOOSE),
        }

    @property
    def first(self) -> Verdict:
        """The claim on the first result of the sentence."""
        return self.claims[0]

    @property
    def reproduced(self) -> str:
        """The reproduced numbers of its first claim."""
        return self.first.reproduced

    @property
    def told(self) -> str:
        """The sentences on where it comes out, with the numbers; what is missing is "-"."""
        return re.sub(r"{([^}]+)}", lambda found: self.number(found[1]), self.finding.told)

    def number(self, key: str) -> str:
        """Reproduced numbers of ``claim | setting``, or misfit of ``table | setting``."""
        name, _, setting = key.partition(" | ")
        if name in self.every:
            verdict = self.every[name]
            decision = verdict.decisions.get(setting or verdict.setting)
            return decision.reproduced if decision else "-"
        tables = {t: found for v in self.every.values() for t, found in v.tables.items()}
        found = tables.get(name)
        misfit = found and found.misfits.get(setting or found.standing()[0])
        return f"{100 * misfit.value:.0f} %" if misfit else "-"

    @property
    def reasons(self) -> list[str]:
        """Claims that do not come out, or not in each standing setting."""
        return [
            f"“{' '.join(v.claim.statement.split())}”: "
            f"{v.settings_text or v.decision.fault or v.outcome}"
            for v in self.claims
            if set(v.levels()) != {rules.YES}
        ]


def decide_findings(
    papers: Iterable[str] | None = None, verdicts: Iterable[Verdict] | None = None
) -> dict[str, list[DecidedFinding]]:
    """All findings by paper, each decided by its claims.

    Parameters
    ----------
    papers : iterable of str, optional
        By default all.
    verdicts : iterable of Verdict, optional
        Verdicts of `verify`, if already computed.
    """
    by_id = {v.claim.id: v for v in (verify(papers) if verdicts is None else verdicts)}
    decided: dict[str, list[DecidedFinding]] = {}
    for paper, found in load_statements(papers).items():
        every = {claim.id: by_id[claim.id] for claim in found.claims if claim.id in by_id}
        for finding in found.findings:
            own = tuple(by_id[name] for name in finding.claims)
            decided.setdefault(paper, []).append(DecidedFinding(paper, finding, own, every))
    return decided


def prefix(findings: Sequence[DecidedFinding]) -> str:
    """Prefix of a reproduced paper's title: the word of its headline, the first finding."""
    return PREFIXES[findings[0].verdict] if findings else PREFIXES[OPEN]
