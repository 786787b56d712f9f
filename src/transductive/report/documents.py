"""The documents that were reproduced, and the number of their claims by outcome."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from .claims import CLAIM, UNDECIDED, Verdict
from .verdicts import OUTCOMES

Counts = dict[str, dict[str, int]]


@dataclass(frozen=True)
class Document:
    """Title, authors and key in the book's references."""

    title: str
    authors: str
    reference: str


DOCUMENTS = {
    "bayesian_transduction": Document(
        "Bayesian Transduction",
        "Thore Graepel, Ralf Herbrich and Klaus Obermayer",
        "graepel2000bayesian",
    ),
    "kernel_gibbs_sampler": Document(
        "The Kernel Gibbs Sampler", "Thore Graepel and Ralf Herbrich", "graepel2001kernel"
    ),
    "transductive_regression": Document(
        "Transductive Inference for Estimating Values of Functions",
        "Olivier Chapelle, Vladimir Vapnik and Jason Weston",
        "chapelle2000transductive",
    ),
    "transductive_svm": Document(
        "Transductive Learning (LING\N{NO-BREAK SPACE}572)",
        "University of Washington, after Thorsten Joachims",
        "ling572,joachims1999transductive",
    ),
    "universum": Document(
        "Inference with the Universum",
        "Jason Weston, Ronan Collobert, Fabian Sinz, Léon Bottou and Vladimir Vapnik",
        "weston2006inference",
    ),
}


def document_title(document: str) -> str:
    """Title of a document; of what is none, its name in words."""
    known = DOCUMENTS.get(document)
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
