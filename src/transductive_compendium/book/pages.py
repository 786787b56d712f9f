"""The reproduction report: what the book includes, made from recorded results and claims alone.

So two builds give the same bytes. The words of the pages are in ``templates/``.
"""

import csv
import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..rooms import source_file
from ..runner.records import results_folder
from ..runner.unit_store import write_atomically
from ..verdicts.claims import CALIBRATION, CHECK, CLAIM, UNDECIDED, Verdict, measure_of, verify
from ..verdicts.explanation import RULES
from ..verdicts.rules import IN_DIRECTION, INCONCLUSIVE, NOT_REPRODUCED, NOT_TESTABLE, REPRODUCED
from .claim_counts import (
    AGREED,
    Counts,
    count,
    count_by_paper,
    own_claims,
    paper_of,
    prefix,
    total,
)
from .templating import render

#: Sections of a paper's page, by role.
_SECTIONS = {
    CLAIM: "Claims of the paper",
    CALIBRATION: "Numbers used to choose the interpretation",
    CHECK: "Checks of our own",
}
#: Why a claim of a kind with sampling error is left open; patterns and identities never are.
_OPEN = {
    "value": "The half-width, made of both sides' sampling error, is wider than the tolerance",
    "ordering": (
        "The difference cannot be distinguished from chance, adjusted for the number of tests"
    ),
    "equivalence": "The interval of the difference lies neither inside the tolerance nor outside",
}
#: Fills of an outcome, one upon the other; no two outcomes differ in colour alone.
_LOOK = {
    REPRODUCED: ("#0072b2",),
    IN_DIRECTION: ("#9ccbe8", "url(#stripes)"),
    INCONCLUSIVE: ("#d9d9d9", "url(#dots)"),
    NOT_TESTABLE: ("#fff",),
    NOT_REPRODUCED: ("#d55e00", "url(#crosses)"),
    UNDECIDED: ("#000",),
}
#: Width of the picture's bars, and what a number of one or more digits needs of it.
_BAR_LEFT, _BAR_WIDTH, _NUMBER_WIDTHS = 230, 450, (0, 18, 25, 32)


def _titles(papers: Iterable[str]) -> dict[str, str]:
    return {name: paper_of(name).title for name in papers}


def claims_page(paper: str, verdicts: Iterable[Verdict]) -> str:
    """One paper's claims: first their number by figure or table, then each of them.

    There is a section per role, and in it one per figure or table of the paper, with a table and a
    block per claim with its anchor ``claim-<id>``. What the paper does not itself claim, or what
    was used to choose the interpretation, follows in sections of its own.
    """
    sections = []
    for role, title in _SECTIONS.items():
        found = [v for v in verdicts if v.claim.document == paper and v.claim.role == role]
        if found:
            by_item: dict[str, list[Verdict]] = {}
            for v in found:
                by_item.setdefault(v.claim.item, []).append(v)
            counts = count(found, lambda v: v.claim.item) if role == CLAIM else {}
            sections.append(
                {"title": title, "by_item": by_item, "counts": counts, "all": total(counts)}
            )
    return render(
        "claims_page.md",
        paper=paper,
        sections=sections,
        rules=RULES,
        measure_of=measure_of,
        source_file=source_file,
    )


def summary_table(verdicts: Iterable[Verdict]) -> str:
    """Number of the papers' own claims by paper and outcome."""
    counts = count_by_paper(verdicts)
    return render("summary.md", counts=counts, all=total(counts), titles=_titles(counts))


def summaries_table(verdicts: Iterable[Verdict]) -> str:
    """All summaries, with the numbers that decide, and what a laxer and a stricter rule say."""
    verdicts = list(verdicts)
    counts = count_by_paper(verdicts)
    # what has sampling error: no formula holds by itself, and no pattern decides on a mean
    sampled = count_by_paper(v for v in verdicts if v.claim.kind in _OPEN)
    return render(
        "summaries.md", counts=counts, sampled=sampled, titles=_titles(counts), prefix=prefix
    )


def not_reproduced_line(counts: dict[str, Counts]) -> str:
    """How many claims of which paper are not reproduced, each a link to what was tried."""
    return render(
        "not_reproduced.md",
        counts={name: row[NOT_REPRODUCED] for name, row in counts.items() if row[NOT_REPRODUCED]},
        titles=_titles(counts),
    )


def _own(paper: str, verdicts: Iterable[Verdict]) -> list[Verdict]:
    return [v for v in own_claims(verdicts) if v.claim.document == paper]


def summary_head(paper: str, verdicts: Iterable[Verdict]) -> str:
    """Head of one paper's summary: title, original and counts."""
    counts = count_by_paper(_own(paper, verdicts))[paper]
    return render("summary_head.md", name=paper, paper=paper_of(paper), counts=counts)


def summary_lists(paper: str, verdicts: Iterable[Verdict]) -> str:
    """What is reproduced, and each claim that is not; what is open or could not be tested, and why.

    Sections without claims are left out.
    """
    own = _own(paper, verdicts)
    untested: dict[str, list[Verdict]] = {}
    for v in own:
        if v.outcome == NOT_TESTABLE:
            # the substitute for the data has numbers of its own, which the report gives
            untested.setdefault(v.detail.split(" In its stead: ")[0], []).append(v)
    return render(
        "summary_lists.md",
        name=paper,
        own=own,
        agreed=[v for v in own if v.outcome in AGREED],
        failed=[v for v in own if v.outcome == NOT_REPRODUCED],
        open=[v for v in own if v.outcome == INCONCLUSIVE],
        open_because=_OPEN,
        untested=untested,
    )


def hardening_table() -> str:
    """What `make harden` did and when, by part, from ``results/hardening.json`` if it is there."""
    path = results_folder() / "hardening.json"
    facts = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None
    return render("hardening.md", facts=facts)


def claims_picture(counts: dict[str, Counts]) -> str:
    """Stacked bars of the shares of the outcomes, one each paper, as SVG."""
    rows = {paper_of(paper).title: row for paper, row in counts.items()}
    if len(rows) > 1:
        rows["All papers"] = total(counts)
    bars = []
    for title, row in rows.items():
        parts: list[dict[str, Any]] = []
        left = float(_BAR_LEFT)
        for outcome, number in row.items():
            width = _BAR_WIDTH * number / row.claims
            if number:
                fits = width >= _NUMBER_WIDTHS[min(len(str(number)), 3)]
                place = {"left": round(left, 2), "width": round(width, 2), "fits": fits}
                parts.append({"outcome": outcome, "number": number, **place})
            left += width
        bars.append({"title": title, "claims": row.claims, "parts": parts})
    shown = [outcome for outcome, number in total(counts).items() if number]
    return render("claims.svg", bars=bars, shown=shown, look=_LOOK)


def claims_csv(counts: dict[str, Counts]) -> str:
    """Numbers of the picture: a row per paper and outcome."""
    made = io.StringIO()
    lines = csv.writer(made, lineterminator="\n")
    lines.writerow(["document", "outcome", "claims"])
    for paper, row in counts.items():
        lines.writerows([paper, outcome, n] for outcome, n in row.items())
    return made.getvalue()


def claims_figure(counts: dict[str, Counts], name: str) -> str:
    """The picture as a figure with the anchor `name`; its words are made of the same counts."""
    return render(
        "claims_figure.md",
        name=name,
        counts=counts,
        all=total(counts),
        titles=_titles(counts),
        least_and_most=[
            choose(counts, key=lambda paper: counts[paper][REPRODUCED] / counts[paper].claims)
            for choose in (min, max)
            if counts
        ],
    )


def write_pages(
    folder: str | Path, papers: Iterable[str] | None = None, claims: str | Path | None = None
) -> list[Path]:
    """Write the fragments that the book includes; files that would not change are left alone.

    Parameters
    ----------
    folder : path
        Gets the picture, ``claims.svg``, with its numbers in ``claims.csv`` and, to be included,
        ``front.md`` and ``picture.md``; the tables ``summary.md`` and ``summaries.md``;
        ``not_reproduced.md``; ``hardening.md``; ``claims/<paper>.md``; for what has claims of its
        own ``summaries/<paper>.md`` and ``summaries/<paper>_claims.md``.
    papers, claims : optional
        As in `claims.verify`.
    """
    folder, verdicts = Path(folder), verify(papers, claims)
    counts = count_by_paper(verdicts)
    texts = {
        "claims.svg": claims_picture(counts),
        "claims.csv": claims_csv(counts),
        "front.md": claims_figure(counts, "claims-at-a-glance"),
        "picture.md": claims_figure(counts, "claims-by-document"),
        "summary.md": summary_table(verdicts),
        "summaries.md": summaries_table(verdicts),
        "not_reproduced.md": not_reproduced_line(counts),
        "hardening.md": hardening_table(),
    }
    for paper in dict.fromkeys(v.claim.document for v in verdicts):
        texts[f"claims/{paper}.md"] = claims_page(paper, verdicts)
    for paper in counts:
        texts[f"summaries/{paper}.md"] = summary_head(paper, verdicts)
        texts[f"summaries/{paper}_claims.md"] = summary_lists(paper, verdicts)
    for name, text in texts.items():
        path = folder / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            write_atomically(path, text)
    return [folder / name for name in texts]
