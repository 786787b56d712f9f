"""Generated pages of findings, claims, checks and rules, made from recorded results alone.

So two builds give the same bytes. The pages' texts are in ``templates/``.
"""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Any

from ..rooms import source_file
from ..runner.records import notebook_of, results_folder
from ..runner.unit_store import write_atomically
from ..verdicts import rules
from ..verdicts.claims import load_statements, measure_of
from ..verdicts.findings import FINDING_OUTCOMES, DecidedFinding, decide_findings, prefix
from ..verdicts.verification import RULES, Verdict, verify
from .colours import OUTCOMES
from .columns import columns_page
from .templating import render
from .titles import paper_of

TRIAL = "rules_trial.csv"

#: Groups of outcomes in the picture and the tables, by whether the printed statement comes out.
GROUPS = {
    "comes out": (rules.REPRODUCED, rules.HOLDS, rules.SAME),
    "within what print tells": (rules.COMPATIBLE, rules.NEAR),
    "in part": (rules.IN_DIRECTION, rules.COMES_AND_GOES, rules.DEPENDS),
    "does not come out": (rules.NOT_REPRODUCED, rules.DIFFERENT, rules.FAILS),
    "undecided": (rules.UNDECIDED,),
    "not testable here": (rules.NOT_TESTABLE,),
}
_GROUP_OF = {outcome: group for group, outcomes in GROUPS.items() for outcome in outcomes}
#: Fills of a group, one over the other; no neighbours differ in colour only.
_LOOK = {
    group: (colour, *patterns)
    for (group, colour), patterns in zip(
        OUTCOMES.items(),
        ((), ("url(#stripes)",), ("url(#dots)",), ("url(#crosses)",), ("url(#dots)",), ()),
        strict=True,
    )
}
#: Width of the picture's bars, and the width of a number with one or more digits.
_BAR_LEFT, _BAR_WIDTH, _NUMBER_WIDTHS = 230, 450, (0, 18, 25, 32)

#: Sections of a paper's page, by the basis of its claims.
PUBLISHED, MATHEMATICS, OURS = (
    "What its experiments show",
    "Mathematics and algorithms",
    "Statements without a published experiment",
)


def section_of(verdict: Verdict) -> str:
    """The section of its paper's page that a claim belongs to."""
    claim = verdict.claim
    if claim.kind == "mathematics":
        return MATHEMATICS
    setting = load_statements([verdict.paper])[verdict.paper].setting_of(claim)
    return PUBLISHED if setting and setting.experiment == "published" else OURS


#: Published texts without a number; folded rows omit them.
_NO_NUMBER = ("in words", "no number", "-")


def numbers_text(verdict: Verdict, length: int = 72) -> str:
    """Published and reproduced number of a claim (the first of several), for its folded row."""

    def short(text: str) -> str:
        if len(text) <= length:
            return text
        return re.sub(r"[,;]?\s[^,;]*$", "", text[: length - 1]) + " …"

    parts = {"Published": verdict.published, "Reproduced": verdict.reproduced}
    if verdict.claim.kind == "mathematics" and verdict.reproduced != "-":
        bare = re.fullmatch(r"[\d.e+-]+", verdict.reproduced)
        parts = {"Largest deviation" if bare else "Found": verdict.reproduced}
    texts = [f"{k}: {short(v)}" for k, v in parts.items() if v not in _NO_NUMBER]
    return ". ".join(texts).replace(" ….", " …")


def claims_page(paper: str, verdicts: list[Verdict], findings: list[DecidedFinding]) -> str:
    """One paper's findings, each with its claims, then its other claims; a row for each claim.

    Anchors: ``finding-<paper>-<id>``, ``claim-<id>``.
    """
    others = [v for v in verdicts if not v.claim.finding]
    return render(
        "claims_page.md",
        paper=paper,
        title=paper_of(paper).called,
        prefix=prefix(findings),
        findings=findings,
        counts=Counter(f.verdict for f in findings),
        others={
            s: [v for v in others if section_of(v) == s] for s in (PUBLISHED, MATHEMATICS, OURS)
        },
        numbers={v.claim.id: numbers_text(v) for v in verdicts},
        found=load_statements([paper])[paper],
        rules=RULES,
        measure_of=measure_of,
        notebook_of=notebook_of,
        source_file=source_file,
    )


def checks_page(paper: str, verdicts: list[Verdict]) -> str:
    """Our own checks of one paper's experiments, by subject."""
    by_item = {
        item: list(group)
        for item, group in groupby(
            sorted(verdicts, key=lambda v: v.claim.item), key=lambda v: v.claim.item
        )
    }
    return render("checks_page.md", by_item=by_item)


def open_choices_page(paper: str) -> str:
    """What a paper leaves open: quotation, options with their sources, default."""
    found = load_statements([paper])[paper]
    return render("open_choices.md", choices=found.open_choices)


def counts_by_paper(verdicts: Iterable[Verdict]) -> dict[str, dict[str, int]]:
    """Number of claims by group: on published experiments by paper, then of the others."""
    counts: dict[str, Counter] = {}
    for v in verdicts:
        section = section_of(v)
        row = paper_of(v.paper).called if section == PUBLISHED else section
        counts.setdefault(row, Counter())[_GROUP_OF[v.outcome]] += 1
    order = sorted(counts, key=lambda row: row in (MATHEMATICS, OURS))
    return {row: {group: counts[row][group] for group in GROUPS} for row in order}


def claims_picture(counts: dict[str, dict[str, int]]) -> str:
    """Stacked bars of the shares of the groups, one for each row, as SVG."""
    bars = []
    for title, row in counts.items():
        parts: list[dict[str, Any]] = []
        left, claims = float(_BAR_LEFT), sum(row.values())
        for group, number in row.items():
            width = _BAR_WIDTH * number / claims
            if number:
                fits = width >= _NUMBER_WIDTHS[min(len(str(number)), 3)]
                place = {"left": round(left, 2), "width": round(width, 2), "fits": fits}
                parts.append({"outcome": group, "number": number, **place})
            left += width
        bars.append({"title": title, "claims": claims, "parts": parts})
    shown = [group for group in GROUPS if any(row[group] for row in counts.values())]
    return render("claims.svg", bars=bars, shown=shown, look=_LOOK)


def verdicts_csv(verdicts: Iterable[Verdict]) -> str:
    """All verdicts as a CSV table."""
    names = ("paper", "id", "finding", "role", "kind", "outcome", "share", "published")
    names += ("reproduced", "carries", "statement")
    made = io.StringIO()
    lines = csv.writer(made, lineterminator="\n")
    lines.writerow(names)
    for v in verdicts:
        facts = {"paper": v.paper, **v.as_dict()}
        share = "" if v.share is None else f"{v.share:.4f}"
        facts |= {"share": share, "statement": " ".join(v.claim.statement.split())}
        lines.writerow([facts.get(name, "") for name in names])
    return made.getvalue()


def hardening_table() -> str:
    """Results of `make harden`, by part and date, from ``results/hardening.json`` if it exists."""
    path = results_folder() / "hardening.json"
    facts = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None
    return render("hardening.md", facts=facts)


def trial_table() -> str:
    """Verdicts of the rules on simulated repetitions, from ``results/rules_trial.csv``."""
    path = results_folder() / TRIAL
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    cases: dict[tuple[str, str], list[str]] = {}
    for row in csv.DictReader(lines):
        text = f"{row['outcome']} {100 * float(row['share']):.0f} %"
        cases.setdefault((row["rule"], row["truth"]), []).append(text)
    return render("rules_trial.md", cases=cases)


#: Number of claims that a notebook's page shows unfolded.
_SHOWN = 5


def verdicts_of_items(paper: str, verdicts: Iterable[Verdict]) -> dict[str, str]:
    """For each item, the table of the claims that its notebook's results decide.

    Headlines come first. A claim whose results have no notebook is with its finding's figure.
    """
    figures = {f.id: f.figure for f in load_statements([paper])[paper].findings}
    by_item: dict[str, list[Verdict]] = {}
    for v in sorted(verdicts, key=lambda v: not v.claim.finding or v.claim.role != "headline"):
        paths = [Path(path) for path in map(notebook_of, v.claim.results) if path]
        items = [path.stem for path in paths if path.parent.name == paper]
        if not items and v.claim.finding:
            items = [figures[v.claim.finding]]
        for item in dict.fromkeys(items):
            by_item.setdefault(item, []).append(v)
    return {
        item: render("verdicts_of_item.md", first=own[:_SHOWN], folded=own[_SHOWN:])
        for item, own in by_item.items()
    }


def write_pages(
    folder: str | Path,
    papers: Iterable[str] | None = None,
    decided: tuple[list[Verdict], list[Verdict]] | None = None,
) -> list[Path]:
    """Write the fragments that the book includes; unchanged files keep their time.

    Parameters
    ----------
    folder : path
        Folder for ``front.md`` (a block for each paper's headline), ``findings.md`` (all findings),
        ``claims.svg``, ``verdicts.csv``, ``picture.md``, ``summary.md``,
        ``rules_trial.md``, ``hardening.md``, ``columns.md``; by paper ``claims/``, ``checks/``,
        ``open_choices/`` and ``summaries/``; by paper and item ``verdicts/``.
    papers : optional
        Names of papers; by default all.
    decided : optional
        Verdicts on their claims and on their checks; by default they are decided now.
    """
    folder = Path(folder)
    verdicts, checks = decided or (verify(papers), verify(papers, checks=True))
    findings = decide_findings(papers, verdicts)
    counts = counts_by_paper(verdicts)
    facts = {
        "papers": {name: paper_of(name) for name in load_statements(papers)},
        "findings": findings,
        "prefixes": {paper: prefix(found) for paper, found in findings.items()},
        "outcomes": FINDING_OUTCOMES,
    }
    texts = {
        "front.md": render("front.md", **facts),
        "findings.md": render("findings.md", **facts),
        "summary.md": render("summary.md", counts=counts, groups=list(GROUPS), **facts),
        "claims.svg": claims_picture(counts),
        "verdicts.csv": verdicts_csv(verdicts),
        "picture.md": render("claims_figure.md", counts=counts),
        "rules_trial.md": trial_table(),
        "hardening.md": hardening_table(),
        "columns.md": columns_page(),
    }
    for paper, found in load_statements(papers).items():
        own = [v for v in verdicts if v.paper == paper]
        if own:
            texts[f"claims/{paper}.md"] = claims_page(paper, own, findings.get(paper, []))
            texts[f"open_choices/{paper}.md"] = open_choices_page(paper)
            for item, table in verdicts_of_items(paper, own).items():
                texts[f"verdicts/{paper}/{item}.md"] = table
            texts[f"summaries/{paper}.md"] = render(
                "summary_head.md",
                name=paper,
                paper=paper_of(paper),
                prefix=prefix(findings.get(paper, [])),
                findings=findings.get(paper, []),
                failed=[v for v in own if v.comes_out in (rules.NO, rules.PARTLY)],
                untested=[v for v in own if v.comes_out == rules.OPEN],
            )
        if found.checks:
            texts[f"checks/{paper}.md"] = checks_page(
                paper, [v for v in checks if v.paper == paper]
            )
    for name, text in texts.items():
        path = folder / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            write_atomically(path, text)
    return [folder / name for name in texts]
