"""Generated pages of findings, claims and rules, made from recorded results alone.

So two builds give the same bytes. The pages' texts are in ``templates/``.
"""

import csv
import io
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path

from ..rooms import source_file
from ..runner.records import notebook_of, results_folder
from ..runner.unit_store import write_atomically
from ..verdicts.claims import load_statements, measure_of
from ..verdicts.findings import DecidedFinding, decide_findings, prefix
from ..verdicts.identification import identify
from ..verdicts.independent import compare, plus_minus
from ..verdicts.verification import RULES, Verdict, published_text, verify
from .repository import contest
from .templating import render
from .titles import paper_of

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
    protocol = load_statements([verdict.paper])[verdict.paper].protocol_of(claim)
    return PUBLISHED if protocol and protocol.experiment == "published" else OURS


#: Published texts without a number; folded rows omit them.
_NO_NUMBER = ("in words", "no number", "-")


def numbers_text(verdict: Verdict, length: int = 72) -> str:
    """Published and reproduced number of a claim (the first of several), for its folded row."""

    def short(text: str) -> str:
        if len(text) <= length:
            return text
        return re.sub(r"[,;]?\s[^,;]*$", "", text[: length - 1]) + " …"

    if verdict.claim.kind == "mathematics":
        return ""  # the test stands in the row
    parts = {"Published": verdict.published, "Measured": verdict.reproduced}
    texts = [f"{k}: {short(v)}" for k, v in parts.items() if v not in _NO_NUMBER]
    return ". ".join(texts).replace(" ….", " …")


def claims_page(paper: str, verdicts: list[Verdict], findings: list[DecidedFinding]) -> str:
    """One paper's findings, each with its claims, then its other claims; a row for each claim.

    Anchors: ``finding-<paper>-<id>``, ``claim-<id>``.
    """
    told = {claim.claim.id for finding in findings for claim in finding.claims}
    others = [v for v in verdicts if v.claim.id not in told]
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
        contest=contest,
    )


def open_choices_page(paper: str) -> str:
    """What a paper leaves open, with options and sources; and what matters to no headline."""
    found = load_statements([paper])[paper]
    return render("open_choices.md", choices=found.open_choices, settled=found.settled)


def threshold_ranges(verdicts: Iterable[Verdict]) -> dict[str, tuple[float, float]]:
    """By paper, the thresholds of a misfit between which the same settings stand."""
    ranges: dict[str, tuple[float, float]] = {}
    for v in verdicts:
        for found in v.tables.values():
            low, high = ranges.get(v.paper, (0.0, math.inf))
            ranges[v.paper] = max(low, found.range[0]), min(high, found.range[1])
    return ranges


def settings_page(paper: str, decided: Iterable[Verdict] = ()) -> str:
    """What the printed baselines of a paper identify: anchors, and the misfit of every option."""
    found = load_statements([paper])[paper]
    known = {name: table for v in decided for name, table in v.tables.items()}
    if not known.keys() >= found.anchors.tables.keys():
        known = identify(found)
    tables = {name: known[name] for name in found.anchors.tables}
    return render("settings.md", tables=tables, published_text=published_text)


#: Left edge and width of the part of the picture that has a scale, its zero, and a row's height.
_LEFT, _WIDTH, _ZERO, _ROW = 14, 392, 120, 62


def effects_picture(headlines: Iterable[DecidedFinding]) -> str:
    """Published against reproduced effect of each headline, as SVG: a row each, with its own scale.

    Small dots are the other standing settings and those that nothing excludes; a variant of the
    algorithm, programmed or converged, is a circle with its interval. Dots at an end of a scale
    are named.
    """
    rows = []
    for number, decided in enumerate(headlines):
        first = decided.first
        if first.decision.effect is None:
            continue
        published = first.claim.published.gain
        names = (*first.standing()[1:], *first.told)
        effects = {n: first.decisions[n].effect for n in names if first.decisions[n].effect}
        variants = {
            name.partition(": ")[2]: effects.pop(name) for name in first.variants if name in effects
        }
        dots = {name: effect[0] for name, effect in effects.items()}
        shown = (first.decision.effect, *variants.values())
        found = [0.0, *chain(*shown), *dots.values(), *([published] if published else [])]
        left, right = _ZERO - _LEFT, _LEFT + _WIDTH - _ZERO
        scale = 0.96 * min(left / max(-min(found), 1e-9), right / max(max(found), 1e-9))

        def place(x, scale=scale):
            return round(_ZERO + scale * x, 1)

        rows.append(
            {
                "top": 34 + _ROW * number,
                "title": paper_of(decided.paper).called.partition(",")[0],
                "unit": first.claim.published.unit.partition(",")[0] or "average gap",
                "effects": [[place(x) for x in effect] for effect in shown],
                "dots": sorted({place(x) for x in dots.values()}),
                "published": place(published) if published else None,
                "numbers": (
                    published,
                    shown[0][0],
                    {name: x for name, (x, *_) in variants.items()},
                ),
            }
        )
    return render("effects.svg", rows=rows, left=_LEFT, width=_WIDTH, zero=_ZERO, row=_ROW)


#: The part of the README that `write_readme` replaces.
_TABLE = re.compile(r"(<!-- headlines: .*? -->\n).*?(<!-- end of headlines -->)", re.S)
PICTURE = "book/assets/headlines.svg"


def headline_table(headlines: Iterable[DecidedFinding]) -> str:
    """One row a paper: on what condition its headline holds, published, reproduced, twice."""
    headlines = list(headlines)
    return render(
        "headlines.md",
        headlines=headlines,
        compared=compare(f.paper for f in headlines),
        paper_of=paper_of,
        plus_minus=plus_minus,
    )


def write_readme(root: Path, headlines: Iterable[DecidedFinding]) -> None:
    """Write the headlines into the README of a checkout, and the picture that it shows."""
    headlines, readme = list(headlines), root / "README.md"
    text = readme.read_text(encoding="utf-8")
    made = _TABLE.sub(lambda m: f"{m[1]}\n{headline_table(headlines)}\n{m[2]}", text)
    for path, new in ((readme, made), (root / PICTURE, effects_picture(headlines))):
        if not path.is_file() or path.read_text(encoding="utf-8") != new:
            write_atomically(path, new)


def verdicts_csv(verdicts: Iterable[Verdict], words: Mapping[tuple[str, str], str]) -> str:
    """All verdicts as a CSV table; `words` are those of the findings, by paper and id."""
    names = ["paper", "id", "finding", "word", "kind", "outcome", "setting", "settings", "share"]
    names += ["published", "reproduced", "statement"]
    made = io.StringIO()
    lines = csv.writer(made, lineterminator="\n")
    lines.writerow(names)
    for v in verdicts:
        finding = load_statements([v.paper])[v.paper].finding_of(v.claim)
        share = v.decision.share
        facts = v.as_dict() | {
            "finding": finding.id if finding else "",
            "word": words[v.paper, finding.id] if finding else "",
            "setting": v.setting,
            "settings": v.settings_text,
            "share": "" if share is None else f"{share:.4f}",
            "statement": " ".join(v.claim.statement.split()),
        }
        lines.writerow([facts.get(name, "") for name in names])
    return made.getvalue()


def hardening_table() -> str:
    """Results of `make harden`, by part and date, from ``results/hardening.json`` if it exists."""
    path = results_folder() / "hardening.json"
    facts = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None
    return render("hardening.md", facts=facts)


#: Number of claims that a notebook's page shows unfolded.
_SHOWN = 5


def verdicts_of_items(paper: str, verdicts: Iterable[Verdict]) -> dict[str, str]:
    """For each item, the table of the claims that its notebook's results decide.

    First claims of findings come first. A claim whose results have no page is with its finding's
    figure.
    """
    found = load_statements([paper])[paper]
    firsts = [finding.claims[0] for finding in found.findings]
    by_item: dict[str, list[Verdict]] = {}
    for v in sorted(verdicts, key=lambda v: v.claim.id not in firsts):
        paths = [Path(path) for path in map(notebook_of, v.claim.results) if path]
        items = [path.stem for path in paths if path.parent.name == paper]
        finding = found.finding_of(v.claim)
        if not items and finding:
            items = [finding.figure]
        for item in dict.fromkeys(items):
            by_item.setdefault(item, []).append(v)
    return {
        item: render("verdicts_of_item.md", first=own[:_SHOWN], folded=own[_SHOWN:])
        for item, own in by_item.items()
    }


def write_pages(
    folder: str | Path,
    papers: Iterable[str] | None = None,
    verdicts: list[Verdict] | None = None,
) -> list[Path]:
    """Write the fragments that the book includes; unchanged files keep their time.

    Parameters
    ----------
    folder : path
        Folder for ``front.md`` (the picture, and a card for each paper's headline),
        ``effects.svg``, ``findings.md`` (all findings), ``words.md`` (their words under other
        thresholds), ``verdicts.csv``, ``independent.md``, ``hardening.md``; by paper ``claims/``,
        ``open_choices/``, ``settings/`` and ``summaries/``; by paper and item ``verdicts/``.
    papers : optional
        Names of papers; by default all.
    verdicts : optional
        Verdicts on their claims; by default they are decided now.
    """
    folder = Path(folder)
    verdicts = verify(papers) if verdicts is None else verdicts
    findings = decide_findings(papers, verdicts)
    facts = {
        "papers": {name: paper_of(name) for name in load_statements(papers)},
        "statements": load_statements(papers),
        "findings": findings,
        "prefixes": {paper: prefix(found) for paper, found in findings.items()},
    }
    texts = {
        "front.md": render(
            "front.md", table=headline_table(f[0] for f in findings.values()), **facts
        ),
        "findings.md": render("findings.md", **facts),
        "words.md": render("words.md", ranges=threshold_ranges(verdicts), **facts),
        "effects.svg": effects_picture(found[0] for found in findings.values()),
        "verdicts.csv": verdicts_csv(
            verdicts,
            {(f.paper, f.finding.id): f.verdict for found in findings.values() for f in found},
        ),
        "independent.md": render(
            "independent.md", rows=compare(papers), paper_of=paper_of, plus_minus=plus_minus
        ),
        "hardening.md": hardening_table(),
    }
    for paper in load_statements(papers):
        own = [v for v in verdicts if v.paper == paper]
        if own:
            texts[f"claims/{paper}.md"] = claims_page(paper, own, findings.get(paper, []))
            texts[f"open_choices/{paper}.md"] = open_choices_page(paper)
            texts[f"settings/{paper}.md"] = settings_page(paper, own)
            for item, table in verdicts_of_items(paper, own).items():
                texts[f"verdicts/{paper}/{item}.md"] = table
            texts[f"summaries/{paper}.md"] = render(
                "summary_head.md",
                name=paper,
                paper=paper_of(paper),
                prefix=prefix(findings.get(paper, [])),
                findings=findings.get(paper, []),
            )
    for name, text in texts.items():
        path = folder / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            write_atomically(path, text)
    return [folder / name for name in texts]
