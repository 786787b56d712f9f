"""A summary per document in the manner of ReScience C: ``[Re]``, or ``[¬Re]``.

ReScience C prefixes the title of a paper with [Re] where a reproduction succeeded, and with [¬Re]
where it did not. Here a stated rule decides from the verdicts.
"""

from collections.abc import Callable, Iterable

from ..verdicts.claims import Verdict
from ..verdicts.rules import IN_DIRECTION, INCONCLUSIVE, NOT_REPRODUCED, NOT_TESTABLE, REPRODUCED
from .documents import Counts, by_document, document_title, own_claims, papers
from .myst import anchor, escape, one_line, row
from .picture import counted

_AGREED = (REPRODUCED, IN_DIRECTION)

#: Why a claim of a kind is left open; shapes and identities always are decided.
_OPEN = {
    "value": "The half-width, made of both sides' sampling error, is wider than the tolerance",
    "ordering": "The difference cannot be told from chance, adjusted for the number of tests",
    "equivalence": "The interval of the difference lies neither inside the tolerance nor outside",
}


def agreed(outcomes: dict[str, int]) -> int:
    """Number of claims that are reproduced, be it in direction."""
    return sum(outcomes[outcome] for outcome in _AGREED)


def testable(outcomes: dict[str, int]) -> int:
    """Number of claims whose data are to be had."""
    return sum(outcomes.values()) - outcomes[NOT_TESTABLE]


def decided(outcomes: dict[str, int]) -> int:
    """Number of claims that are reproduced or contradicted."""
    return agreed(outcomes) + outcomes[NOT_REPRODUCED]


def prefix(agreeing: int, claims: int) -> str:
    """``[Re]`` if more than half of the claims agree, else ``[¬Re]``."""
    return "[Re]" if 2 * agreeing > claims else "[¬Re]"


def summaries_table(verdicts: Iterable[Verdict]) -> str:
    """All summaries, with the numbers that decide, and what a laxer and a stricter rule say."""
    head = ["Summary", "reproduced", "of testable", "of decided", "by the decided alone"]
    head.append("without identities and shapes")
    lines = [row(head), row(["---", "--:", "--:", "--:", "---", "---"])]
    verdicts = list(verdicts)
    # what has sampling error: no formula holds by itself, and no predicate decides on a mean
    sampled = by_document(v for v in verdicts if v.claim.kind in _OPEN)
    for document, outcomes in by_document(verdicts).items():
        title = f"{prefix(agreed(outcomes), testable(outcomes))} {document_title(document)}"
        lines.append(
            row(
                [
                    f"[{escape(title)}](/book/errata/{document}.md)",
                    agreed(outcomes),
                    testable(outcomes),
                    decided(outcomes),
                    escape(prefix(agreed(outcomes), decided(outcomes))),
                    _by_these(sampled.get(document)),
                ]
            )
        )
    return "\n".join(lines) + "\n"


def _by_these(outcomes: dict[str, int] | None) -> str:
    """What the rule says of these claims, with the numbers that decide."""
    if not outcomes:
        return "-"
    agreeing, claims = agreed(outcomes), testable(outcomes)
    return f"{escape(prefix(agreeing, claims))}, {agreeing} of {claims}"


def not_reproduced_line(counts: Counts) -> str:
    """How many claims of which document are not reproduced, each a link to what was tried."""
    found = [
        f"{outcomes[NOT_REPRODUCED]} of [{escape(document_title(document))}]"
        f"(#not-reproduced-{anchor(document)})"
        for document, outcomes in counts.items()
        if outcomes[NOT_REPRODUCED]
    ]
    return f"Not reproduced: {', '.join(found) if found else 'no claim'}.\n"


def _own(document: str, verdicts: Iterable[Verdict]) -> list[Verdict]:
    return [v for v in own_claims(verdicts) if v.claim.document == document]


def summary_head(document: str, verdicts: Iterable[Verdict]) -> str:
    """Head of one document's summary: title, original and counts."""
    own = _own(document, verdicts)
    outcomes = by_document(own)[document]
    agreeing, claims = agreed(outcomes), testable(outcomes)
    title = f"{prefix(agreeing, claims)} {document_title(document)}"
    lines = [f"# {escape(title)}", ""]
    if document in papers() and papers()[document].authors:
        known = papers()[document]
        cited = ",".join(known.references)
        lines += [f"Original: {known.by}, *{known.title}* {{cite}}`{cited}`.", ""]
    lines += [
        f"{len(own)} claims: {counted(outcomes)}. Of the {claims} that can be tested, {agreeing} "
        f"agree, {'more' if 2 * agreeing > claims else 'not more'} than half. "
        f"[Each claim with its rule and numbers](#claims-{anchor(document)}), "
        f"{{doc}}`the method </book/{document}>`.",
    ]
    return "\n".join(lines) + "\n"


def summary_lists(document: str, verdicts: Iterable[Verdict]) -> str:
    """What is reproduced, and each claim that is not; what is open or could not be tested, and why.

    Sections without claims are left out.
    """
    own = _own(document, verdicts)
    sections = (_reproduced, _not_reproduced, _inconclusive, _not_testable)
    return "\n".join(line for section in sections for line in section(own, document)) + "\n"


def _grouped(verdicts: Iterable[Verdict], by: Callable[[Verdict], str]) -> dict:
    groups: dict[str, list[Verdict]] = {}
    for v in verdicts:
        groups.setdefault(by(v), []).append(v)
    return groups


def _item(v: Verdict) -> str:
    return v.claim.item


def _by_item(document: str, verdicts: list[Verdict], among: list[Verdict] | None = None) -> str:
    """Links to the figures and tables in the report, with the number of `verdicts` of each.

    With `among`, also how many claims there are of each.
    """
    of_item = _grouped(among or [], _item)
    parts = []
    for item, group in _grouped(verdicts, _item).items():
        part = f"[{escape(item)}](#claims-{anchor(document, item)}): {len(group)}"
        parts.append(part + (f" of {len(of_item[item])}" if item in of_item else ""))
    return "; ".join(parts)


def _reproduced(own: list[Verdict], document: str) -> list[str]:
    found = [v for v in own if v.outcome in _AGREED]
    if not found:
        return []
    return ["", "## What is reproduced", "", _by_item(document, found, own) + "."]


def _not_reproduced(own: list[Verdict], document: str) -> list[str]:
    failed = [v for v in own if v.outcome == NOT_REPRODUCED]
    if not failed:
        return []
    lines = ["", f"(not-reproduced-{anchor(document)})="]
    lines += ["## What is not reproduced, and what was tried", ""]
    for v in failed:
        here = v.detail if v.claim.kind == "shape" else v.ours
        parts = [
            f"- **{escape(v.claim.item)}.** {one_line(v.claim.statement)}",
            f"*The document:* {escape(v.theirs)}.",
            f"*Here:* {escape(here)}.",
            *([f"*Tried:* {one_line(v.claim.tried)}"] if v.claim.tried else []),
            f"([{escape(v.claim.id)}](#claim-{v.claim.id}))",
        ]
        lines.append(" ".join(parts))
    return lines


def _inconclusive(own: list[Verdict], document: str) -> list[str]:
    left = [v for v in own if v.outcome == INCONCLUSIVE]
    lines = ["", "## What is inconclusive, and why", ""] if left else []
    for kind, group in _grouped(left, lambda v: v.claim.kind).items():
        lines.append(f"- {_OPEN[kind]}. {_by_item(document, group)}.")
    return lines


def _not_testable(own: list[Verdict], document: str) -> list[str]:
    left = [v for v in own if v.outcome == NOT_TESTABLE]
    lines = ["", "## What could not be tested", ""] if left else []
    # what stands in for the data has numbers of its own, which the report gives
    for why, group in _grouped(left, lambda v: v.detail.split(" In its stead: ")[0]).items():
        why = escape(why[:1].upper() + why[1:].rstrip("."))
        lines.append(f"- {why}. {_by_item(document, group)}.")
    return lines
