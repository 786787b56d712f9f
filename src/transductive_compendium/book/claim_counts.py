"""The papers' titles, their claims counted by outcome, and the rule for ``[Re]``.

ReScience C prefixes the title of a paper with [Re] where a reproduction succeeded, and with [¬Re]
where it did not. Here a stated rule decides from the verdicts.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from ..checked_yaml import load_checked
from ..rooms import room_folders
from ..verdicts.claims import CLAIM, UNDECIDED, Verdict
from ..verdicts.rules import IN_DIRECTION, NOT_REPRODUCED, NOT_TESTABLE, OUTCOMES, REPRODUCED

AGREED = (REPRODUCED, IN_DIRECTION)


@dataclass(frozen=True)
class Paper:
    """Title, authors and keys in the book's references; of what is no paper, the title alone."""

    title: str
    authors: tuple[str, ...] = ()
    references: tuple[str, ...] = ()

    @property
    def by(self) -> str:
        """The authors in a sentence."""
        return " and ".join(filter(None, [", ".join(self.authors[:-1]), *self.authors[-1:]]))


@cache
def papers() -> dict[str, Paper]:
    """All papers by name, from the ``paper.yml`` of their rooms."""
    remedy = "It needs title, and for a paper authors and references; see CONTRIBUTING.md."
    return {
        name: load_checked(folder / "paper.yml", Paper, remedy)
        for name, folder in room_folders().items()
    }


def paper_of(name: str) -> Paper:
    """What is known of a paper; without a room of its own, its name in words."""
    return papers().get(name) or Paper(name.replace("_", " ").capitalize())


def prefix(agreed: int, claims: int) -> str:
    """``[Re]`` if more than half of the claims agree, else ``[¬Re]``."""
    return "[Re]" if 2 * agreed > claims else "[¬Re]"


class Counts(dict[str, int]):
    """Number of claims by outcome."""

    @property
    def claims(self) -> int:
        """Number of all claims."""
        return sum(self.values())

    @property
    def agreed(self) -> int:
        """Number of claims that are reproduced, be it in direction."""
        return sum(self[outcome] for outcome in AGREED)

    @property
    def testable(self) -> int:
        """Number of claims whose data are available."""
        return self.claims - self[NOT_TESTABLE]

    @property
    def decided(self) -> int:
        """Number of claims that are reproduced or contradicted."""
        return self.agreed + self[NOT_REPRODUCED]

    @property
    def prefix(self) -> str:
        """``[Re]`` if more than half of what can be tested agrees, else ``[¬Re]``."""
        return prefix(self.agreed, self.testable)

    @property
    def text(self) -> str:
        """``22 reproduced, 5 inconclusive, 5 not reproduced``."""
        return ", ".join(f"{n} {outcome}" for outcome, n in self.items() if n)


def own_claims(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Verdicts on what papers say: no checks, no numbers that chose an interpretation."""
    return [v for v in verdicts if v.claim.role == CLAIM]


def count(verdicts: Iterable[Verdict], by: Callable[[Verdict], str]) -> dict[str, Counts]:
    """Number of verdicts by `by` and outcome.

    Every row has all of `rules.OUTCOMES`; "undecided" is among them only where it occurs.
    """
    verdicts = list(verdicts)
    outcomes = [*OUTCOMES] + [UNDECIDED] * any(v.outcome == UNDECIDED for v in verdicts)
    counts: dict[str, Counts] = {}
    for v in verdicts:
        counts.setdefault(by(v), Counts(dict.fromkeys(outcomes, 0)))[v.outcome] += 1
    return counts


def count_by_paper(verdicts: Iterable[Verdict]) -> dict[str, Counts]:
    """Number of the papers' own claims by paper and outcome."""
    return count(own_claims(verdicts), lambda v: v.claim.document)


def total(counts: dict[str, Counts]) -> Counts:
    """All rows of `counts` together."""
    rows = list(counts.values())
    outcomes = rows[0] if rows else OUTCOMES
    return Counts({outcome: sum(row[outcome] for row in rows) for outcome in outcomes})
