"""MyST fragments for the book: the reproduction report and the provenance strips.

Everything comes from recorded results and claims, so that two builds give the same bytes.
"""

import html
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..experiments.records import RecordError, load_recorded
from ..experiments.store import write_atomically
from .claims import CALIBRATION, CHECK, CLAIM, UNDECIDED, Verdict, verify
from .verdicts import OUTCOMES

#: Where the page of an experiment's notebook is, from the root of the book.
NOTEBOOK_PAGE = "/notebooks/{name}.ipynb"

#: Sections of a document's page that follow its own claims, by role.
_SECTIONS = {CALIBRATION: "Numbers used to choose the reading", CHECK: "Checks of our own"}


def document_title(document: str) -> str:
    """``bayesian_transduction`` to ``Bayesian transduction``, ``..._svm`` to ``... SVMs``."""
    return document.replace("_", " ").capitalize().replace(" svm", " SVMs")


def escape(text: str) -> str:
    """Generated text as literal MyST."""
    return re.sub(r"([\\`*_{}\[\]<>$|#])", r"\\\1", " ".join(text.split()))


def _cell(prose: str) -> str:
    # Prose of the claims files is MyST already; a bar would end the cell.
    return re.sub(r"(?<!\\)\|", r"\\|", " ".join(prose.split()))


def _row(cells: Iterable[Any]) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"


def summary_table(verdicts: Iterable[Verdict]) -> str:
    """Number of the documents' own claims by document and outcome, as a table."""
    verdicts = [v for v in verdicts if v.claim.role == CLAIM]
    columns = [*OUTCOMES] + [UNDECIDED] * any(v.outcome == UNDECIDED for v in verdicts)
    counts: dict[str, dict[str, int]] = {}
    for v in verdicts:
        row = counts.setdefault(v.claim.document, dict.fromkeys(columns, 0))
        row[v.outcome] += 1
    total = {c: sum(row[c] for row in counts.values()) for c in columns}
    lines = [_row(["Document", *columns, "claims"]), _row(["---", *["--:"] * (len(columns) + 1)])]
    named = [
        (f"[{document_title(d)}](#claims-{d.replace('_', '-')})", row) for d, row in counts.items()
    ]
    if len(counts) > 1:
        named.append(("**All**", total))
    lines += [
        _row([name, *(row[c] or "·" for c in columns), sum(row.values())]) for name, row in named
    ]
    return "\n".join(lines) + "\n"


def claims_page(document: str, verdicts: Iterable[Verdict], page: str = NOTEBOOK_PAGE) -> str:
    """One document's claims: a table, then a block per claim with its anchor ``claim-<id>``.

    What the document does not itself claim, or what was used to choose the reading, follows in
    sections of the third level.
    """
    verdicts = [v for v in verdicts if v.claim.document == document]
    lines = [f"(claims-{document.replace('_', '-')})="]
    lines += _claims([v for v in verdicts if v.claim.role == CLAIM], page)
    for role, title in _SECTIONS.items():
        if others := [v for v in verdicts if v.claim.role == role]:
            lines += ["", f"### {title}", *_claims(others, page)]
    return "\n".join(lines) + "\n"


def _claims(verdicts: list[Verdict], page: str) -> list[str]:
    """Lines of a table and a block per claim; none without claims."""
    if not verdicts:
        return []
    lines = ["", _row(["Claim", "The document", "Here", "Outcome"]), _row(["---"] * 4)]
    for v in verdicts:
        link = f"[{escape(v.claim.item)}](#claim-{v.claim.id}): {_cell(v.claim.statement)}"
        lines.append(_row([link, escape(v.theirs), escape(v.ours), f"**{v.outcome}**"]))
    for v in verdicts:
        shown = ", ".join(f"[{escape(r)}]({page.format(name=r)})" for r in v.claim.results)
        kind = v.claim.kind
        if v.claim.tolerance is not None:
            kind += f", tolerance {v.claim.tolerance:g}"
        lines += [
            "",
            f"(claim-{v.claim.id})=",
            f"```{{admonition}} {escape(v.claim.item)}: {v.outcome} ({escape(v.claim.id)})",
            f":class: claim claim-{v.outcome.replace(' ', '-')}",
            "",
            f"{' '.join(v.claim.statement.split())} ({' '.join(v.claim.source.split())}; {kind})",
            "",
            f"- The document: {escape(v.theirs)}",
            f"- Here: {escape(v.ours)}",
            f"- Decided by: {escape(v.detail)}",
        ]
        if v.claim.tried:
            lines.append(f"- Tried: {' '.join(v.claim.tried.split())}")
        lines += [f"- Computed in: {shown}", "```"]
    return lines


def provenance_facts(provenance: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Label and text of what a strip shows, all of it from the recorded provenance."""
    code, versions = provenance["code"], provenance["versions"]
    commit = (code["commit"] or "unknown")[:12] + " with local changes" * bool(code["dirty"])
    if code["units_from_other_code"]:
        commit += f", {code['units_from_other_code']} units from earlier code"
    used = provenance["data"].values()
    data = ", ".join(f"{d['used']} (SHA-256 {d['sha256'][:12]})" for d in used)
    return [
        ("Profile", f"{provenance['profile']}, {provenance['units']} units"),
        ("Data", data or "generated"),
        ("Seed", str(provenance["seed"])),
        ("Code", f"version {provenance['version']}, commit {commit}"),
        ("Made with", ", ".join(f"{name} {v}" for name, v in versions.items())),
        (
            "On",
            f"{provenance['machine']['cpu']}, {provenance['date']}, {provenance['seconds']:.0f} s",
        ),
        ("Rerun", provenance["command"]),
    ]


def provenance_html(provenance: Mapping[str, Any]) -> str:
    """The provenance strip under a figure, as HTML on one line."""
    parts = [
        f"<b>{label}</b> "
        + (f"<code>{html.escape(text)}</code>" if label == "Rerun" else html.escape(text))
        for label, text in provenance_facts(provenance)
    ]
    return f'<p class="provenance"><small>{" · ".join(parts)}</small></p>\n'


def write_pages(
    folder: str | Path,
    documents: Iterable[str] | None = None,
    claims: str | Path | None = None,
    page: str = NOTEBOOK_PAGE,
) -> list[Path]:
    """Write the fragments that the book includes; files that would not change are left alone.

    Parameters
    ----------
    folder : path
        Gets ``summary.md``, ``<document>.md`` and ``provenance/<document>/<item>.md``.
    documents, claims : optional
        As in `claims.verify`.
    page : str
        Path of a notebook's page from the root of the book; ``{name}`` is the experiment's name.
    """
    folder, verdicts = Path(folder), verify(documents, claims)
    texts = {"summary.md": summary_table(verdicts)}
    for document in dict.fromkeys(v.claim.document for v in verdicts):
        texts[f"{document}.md"] = claims_page(document, verdicts, page)
    for name in sorted({name for v in verdicts for name in v.claim.results}):
        try:
            texts[f"provenance/{name}.md"] = provenance_html(load_recorded(name)[1])
        except RecordError:  # its claims say so already
            continue
    for name, text in texts.items():
        path = folder / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            write_atomically(path, text)
    return [folder / name for name in texts]
