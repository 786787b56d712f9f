"""Decide findings from verdicts on claims, and the prefix of a paper's title from findings."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from . import rules
from .claims import Finding, OpenChoice, load_statements
from .verification import Verdict, verify

HOLDS, IN_PART, FAILS, OPEN = "holds", "in part", "does not hold", "open"
FINDING_OUTCOMES = (HOLDS, IN_PART, FAILS, OPEN)
#: Outcomes that need a verb in a sentence.
_SAID = {
    rules.NOT_REPRODUCED: "is not reproduced",
    rules.IN_DIRECTION: "is reproduced in direction only",
    rules.DIFFERENT: "is different",
    rules.UNDECIDED: "is undecided",
    rules.NOT_TESTABLE: "is not testable here",
}


@dataclass(frozen=True)
class DecidedFinding:
    """A finding, its verdict, and those on the claims that decide it.

    Parameters
    ----------
    paper : str
    finding : Finding
    verdict : str
        One of `FINDING_OUTCOMES`.
    headline, support : tuple of Verdict
    open_choices : mapping of str to OpenChoice
        What the paper leaves open, by name.
    """

    paper: str
    finding: Finding
    verdict: str
    headline: tuple[Verdict, ...]
    support: tuple[Verdict, ...]
    open_choices: Mapping[str, OpenChoice] = field(default_factory=dict)

    @property
    def claims(self) -> tuple[Verdict, ...]:
        """Verdicts on all of its claims."""
        return self.headline + self.support

    @property
    def reproduced(self) -> str:
        """The reproduced numbers of its headline."""
        parts = "; ".join(v.reproduced for v in self.headline if v.reproduced != "-").split("; ")
        return "; ".join(dict.fromkeys(parts)) or "-"

    @property
    def share(self) -> float | None:
        """Smallest share of repetitions in which a headline comes out."""
        shares = [v.share for v in self.headline if v.share is not None]
        return min(shares) if shares else None

    @property
    def share_text(self) -> str:
        """That share in words."""
        found = [v for v in self.headline if v.share is not None]
        return min(found, key=lambda v: v.share).share_text if found else ""

    @property
    def options_against(self) -> list[str]:
        """Options under which a headline that comes out by default does not, with the question."""
        return [
            f"{name} ({self.open_choices[name.partition(':')[0]].question})"
            for verdict in self.headline
            if verdict.comes_out == rules.YES
            for name, outcome in (verdict.options or {}).items()
            if rules.COMES_OUT[outcome] not in (rules.YES, rules.OPEN)
        ]

    @property
    def reasons(self) -> list[str]:
        """What keeps it from holding: claims that do not come out, options against a headline."""
        found = [
            f"“{' '.join(v.claim.statement.split())}” {_SAID.get(v.outcome, v.outcome)}"
            for v in self.claims
            if v.comes_out != rules.YES
        ]
        if self.options_against:
            found.append(f"its headline does not come out under {', '.join(self.options_against)}")
        return found

    @property
    def held_text(self) -> str:
        """Options under which its weakest headline comes out, of those decided."""
        found = [v for v in self.headline if v.options and v.held_under[1]]
        weakest = min(found, key=lambda v: v.held_under[0] / v.held_under[1], default=None)
        return weakest.held_text if weakest else ""

    @property
    def fails_everywhere(self) -> bool:
        """Whether a headline fails under every option, and all have been run."""
        return any(
            v.comes_out == rules.NO
            and not v.options_not_run
            and v.held_under[1] == 1 + len(v.options or {})
            and set(v.levels) <= {rules.NO}
            for v in self.headline
        )


def aggregate(headline: Iterable[Verdict], support: Iterable[Verdict]) -> str:
    """The verdict on a finding, from the verdicts on its claims.

    It holds if all claims come out. It holds in part if a support fails or comes out in part, or if
    a headline comes out in part, under some options only, or comes and goes with every
    mean above zero. It is open if a headline is open, if a headline fails and options
    remain to be run or to be decided, or if only an open support keeps it from holding. Otherwise
    it does not hold.
    """
    headline, support = list(headline), list(support)
    if not headline or any(v.comes_out == rules.OPEN for v in headline):
        return OPEN
    failing = [v for v in headline if fails(v) and not {rules.YES, rules.PARTLY} & set(v.levels)]
    if failing:
        return OPEN if any(v.left_open for v in failing) else FAILS
    if any(v.comes_out != rules.YES or held_in_part(v) for v in headline):
        return IN_PART
    levels = {v.comes_out for v in support}
    if levels & {rules.NO, rules.PARTLY}:
        return IN_PART
    return OPEN if rules.OPEN in levels else HOLDS


def fails(verdict: Verdict) -> bool:
    """Whether a claim does not come out, or comes and goes without rising on average."""
    falls = verdict.outcome == rules.COMES_AND_GOES and not verdict.rises
    return falls or verdict.comes_out == rules.NO


def held_in_part(verdict: Verdict) -> bool:
    """Whether some option that was run contradicts the defaults."""
    return bool(set(verdict.levels) - {verdict.comes_out})


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
    verdicts = list(verify(papers) if verdicts is None else verdicts)
    decided: dict[str, list[DecidedFinding]] = {}
    for paper, found in load_statements(papers).items():
        for finding in found.findings:
            own = [
                v
                for v in verdicts
                if v.paper == paper and getattr(v.claim, "finding", "") == finding.id
            ]
            headline, support = (
                tuple(v for v in own if v.claim.role == role) for role in ("headline", "support")
            )
            decided.setdefault(paper, []).append(
                DecidedFinding(
                    paper,
                    finding,
                    aggregate(headline, support),
                    headline,
                    support,
                    found.open_choices,
                )
            )
    return decided


def prefix(findings: Iterable[DecidedFinding]) -> str:
    """Prefix of a reproduced paper's title.

    ``[not Re]`` if its headline, the first finding, fails under every option; ``[open]`` if
    under half of its findings are decided; ``[Re]`` if two thirds are decided and all of those
    hold; else ``[Re, in part]``.
    """
    findings = list(findings)
    counts = Counter(finding.verdict for finding in findings)
    decided = len(findings) - counts[OPEN]
    if findings and findings[0].verdict == FAILS and findings[0].fails_everywhere:
        return "[¬Re]"
    if 2 * decided < len(findings) or not findings:
        return "[open]"
    if 3 * decided >= 2 * len(findings) and counts[HOLDS] == decided:
        return "[Re]"
    return "[Re, in part]"
