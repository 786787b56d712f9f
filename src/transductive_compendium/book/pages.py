"""MyST fragments for the book: the reproduction report.

Everything comes from recorded results and claims, so that two builds give the same bytes.
"""

from collections.abc import Iterable
from pathlib import Path

from ..runner.unit_store import write_atomically
from ..verdicts.claims import CALIBRATION, CHECK, CLAIM, Verdict, verify
from .documents import Counts, by_document, count, document_title, total
from .hardening import hardening_table
from .myst import anchor, cell, escape, one_line, row
from .picture import picture_csv, picture_figure, picture_svg
from .summaries import not_reproduced_line, summaries_table, summary_head, summary_lists

#: Sections of a document's page, by role.
_SECTIONS = {
    CLAIM: "Claims of the document",
    CALIBRATION: "Numbers used to choose the reading",
    CHECK: "Checks of our own",
}


def _counts_table(counts: Counts, what: str, links: Iterable[str]) -> list[str]:
    """Lines of a table of counts whose rows lead to the anchors `links`."""
    columns = list(total(counts))
    lines = [row([what, *columns, "claims"]), row(["---", *["--:"] * (len(columns) + 1)])]
    named = [(f"[{escape(n)}](#{to})", r) for (n, r), to in zip(counts.items(), links, strict=True)]
    if len(counts) > 1:
        named.append(("**All**", total(counts)))
    return lines + [
        row([name, *(r[c] or "·" for c in columns), sum(r.values())]) for name, r in named
    ]


def summary_table(verdicts: Iterable[Verdict]) -> str:
    """Number of the documents' own claims by document and outcome, as a table."""
    counts = by_document(verdicts)
    named = {document_title(document): r for document, r in counts.items()}
    links = [f"claims-{anchor(document)}" for document in counts]
    return "\n".join(_counts_table(named, "Document", links)) + "\n"


def claims_page(document: str, verdicts: Iterable[Verdict]) -> str:
    """One document's claims: first their number by figure or table, then each of them.

    There is a section per role, and in it one per figure or table of the document, with a table
    and a block per claim with its anchor ``claim-<id>``. What the document does not itself claim,
    or what was used to choose the reading, follows in sections of its own.
    """
    verdicts = [v for v in verdicts if v.claim.document == document]
    lines = [f"(claims-{anchor(document)})="]
    for role, title in _SECTIONS.items():
        items: dict[str, list[Verdict]] = {}
        for v in verdicts:
            if v.claim.role == role:
                items.setdefault(v.claim.item, []).append(v)
        if not items:
            continue
        lines += [f"## {title}", ""]
        if role == CLAIM:
            counts = count((v for group in items.values() for v in group), lambda v: v.claim.item)
            links = [f"claims-{anchor(document, item)}" for item in items]
            lines += [*_counts_table(counts, "Figure, table or section", links), ""]
        for item, group in items.items():
            if role == CLAIM:
                lines.append(f"(claims-{anchor(document, item)})=")
            lines += [f"### {escape(item)}", "", *_claims(group), ""]
    return "\n".join(lines).rstrip() + "\n"


def _claims(verdicts: list[Verdict]) -> list[str]:
    """Lines of a table and a block per claim."""
    lines = [row(["Claim", "The document", "Here", "Outcome"]), row(["---"] * 4)]
    for v in verdicts:
        outcome = f"[{v.outcome}](#claim-{v.claim.id})"
        lines.append(row([cell(v.claim.statement), escape(v.theirs), escape(v.ours), outcome]))
    for v in verdicts:
        shown = ", ".join(f"[{escape(r)}](/notebooks/{r}.ipynb)" for r in v.claim.results)
        kind = v.claim.kind
        if v.claim.tolerance is not None:
            kind += f", tolerance {v.claim.tolerance:g}"
        lines += [
            "",
            f"(claim-{v.claim.id})=",
            f"```{{admonition}} {escape(v.claim.item)}: {v.outcome} ({escape(v.claim.id)})",
            f":class: claim claim-{anchor(v.outcome)}",
            "",
            f"{one_line(v.claim.statement)} ({one_line(v.claim.source)}; {kind})",
            "",
            f"- The document: {escape(v.theirs)}",
            f"- Here: {escape(v.ours)}",
            f"- Decided by: {escape(v.detail)}",
        ]
        if v.claim.tried:
            lines.append(f"- Tried: {one_line(v.claim.tried)}")
        lines += [f"- Computed in: {shown}, by `{v.claim.measure}`", "```"]
    return lines


def write_pages(
    folder: str | Path, documents: Iterable[str] | None = None, claims: str | Path | None = None
) -> list[Path]:
    """Write the fragments that the book includes; files that would not change are left alone.

    Parameters
    ----------
    folder : path
        Gets the picture, ``claims.svg``, with its numbers in ``claims.csv`` and, to be included,
        ``front.md`` and ``picture.md``; the tables ``summary.md`` and ``summaries.md``;
        ``not_reproduced.md``; ``hardening.md``; ``claims/<document>.md``; for what has claims of
        its own ``summaries/<document>.md`` and ``summaries/<document>_claims.md``.
    documents, claims : optional
        As in `claims.verify`.
    """
    folder, verdicts = Path(folder), verify(documents, claims)
    counts = by_document(verdicts)
    texts = {
        "claims.svg": picture_svg(counts),
        "claims.csv": picture_csv(counts),
        "front.md": picture_figure(counts, "claims-at-a-glance"),
        "picture.md": picture_figure(counts, "claims-by-document"),
        "summary.md": summary_table(verdicts),
        "summaries.md": summaries_table(verdicts),
        "not_reproduced.md": not_reproduced_line(counts),
        "hardening.md": hardening_table(),
    }
    for document in dict.fromkeys(v.claim.document for v in verdicts):
        texts[f"claims/{document}.md"] = claims_page(document, verdicts)
    for document in counts:
        texts[f"summaries/{document}.md"] = summary_head(document, verdicts)
        texts[f"summaries/{document}_claims.md"] = summary_lists(document, verdicts)
    for name, text in texts.items():
        path = folder / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            write_atomically(path, text)
    return [folder / name for name in texts]
