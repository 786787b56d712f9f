"""The documents that were reproduced, and the number of their claims by outcome."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from ..checked_yaml import load_checked
from ..rooms import room_folders
from ..verdicts.claims import CLAIM, UNDECIDED, Verdict
from ..verdicts.rules import OUTCOMES

Counts = dict[str, dict[str, int]]


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


def document_title(document: str) -> str:
    """Title of a document; of what is none, its name in words."""
    known = papers().get(document)
    return known.title if known else document.replace("_", " ").capitalize()


def own_claims(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Verdicts on what the documents say: no checks of ours, no numbers that chose a reading."""
    return [v for v in verdicts if v.claim.role == CLAIM]


def count(verdicts: Iterable[Verdict], by: Callable[[Verdict], str]) -> Counts:
    """Number of verdicts by `by` and outcome.

    Every row has all of `verdicts.OUTCOMES`; "undecided" is among them only where it occurs.
    """
    verdicts = list(verdicts)
    outcomes = [*OUTCOMES] + [UNDECIDED] * any(v.outcome == UNDECIDED for v in verdicts)
    counts: Counts = {}
    for v in verdicts:
        counts.setdefault(by(v), dict.fromkeys(outcomes, 0))[v.outcome] += 1
    return counts


def by_document(verdicts: Iterable[Verdict]) -> Counts:
    """Number of the documents' own claims by document and outcome."""
    return count(own_claims(verdicts), lambda v: v.claim.document)


def total(counts: Counts) -> dict[str, int]:
    """All rows of `counts` together."""
    rows = list(counts.values())
    return {
        outcome: sum(row[outcome] for row in rows) for outcome in (rows[0] if rows else OUTCOMES)
    }
