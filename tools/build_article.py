"""Typeset the article: numbers from verdicts and records, prose from ``article/article.typ``.

    make article                               _build/article/article.pdf
    python tools/build_article.py --typeset    the same from the numbers of the last run

The prose asks for a number by the claim, check or table of anchors that it belongs to, and by the
setting, as ``told`` in findings.yml does; benchmarks are read from their records as they are.
"""

import argparse
import json
import re
import sys
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import matplotlib
import pandas as pd
import typst
import yaml
from print_pdf import commit_date

from transductive_compendium.book.pages import effects_picture
from transductive_compendium.book.titles import paper_of
from transductive_compendium.rooms import chapter_pictures
from transductive_compendium.verdicts import Verdict, decide_findings, load_statements, verify
from transductive_compendium.verdicts.findings import FINDING_OUTCOMES, DecidedFinding, prefix
from transductive_compendium.verdicts.identification import Identified, identify
from transductive_compendium.verdicts.rules import YES

ROOT = Path(__file__).resolve().parent.parent
ARTICLE = ROOT / "article" / "article.typ"
BUILD = ROOT / "_build" / "article"
PDF = BUILD / "article.pdf"
FACTS = "facts.json"
#: A number that the prose asks for: ``found("claim | choice: option")``.
ASKED = re.compile(r'\bfound\("([^"]+)"\)')
#: Printed in the place of a number that no record tells.
NOT_RUN = "(not run)"


def described(decided: DecidedFinding) -> dict:
    """A finding for the tables and lists."""
    first = decided.first
    missing = [claim for claim in decided.claims if set(claim.levels()) != {YES}]
    sentences = re.split(r"(?<=\.) (?=[A-Z])", decided.told)
    return {
        "sentence": decided.finding.sentence,
        "word": decided.verdict,
        "published": decided.finding.published,
        "reproduced": first.outcome if first.reproduced == "-" else first.reproduced,
        "missing": [" ".join(claim.claim.statement.split()) for claim in missing],
        # without those whose numbers no record tells
        "told": " ".join(s for s in sentences if not re.search(r" -[.,;)]", s)),
        "effect": first.decision.effect,
    }


def settings(tables: dict[str, Identified]) -> list[dict]:
    """What the anchors of each of a paper's tables say: misfits in per cent."""
    return [
        {
            "table": name.replace("_", " "),
            "anchors": sum(anchor.decides for anchor in found.table.anchors),
            "standing": {s: 100 * found.misfits[s].value for s in found.standing()},
            "excluded": {s: 100 * m.value for s, m in found.misfits.items() if not found.fits(s)},
        }
        for name, found in tables.items()
        if found.misfits
    ]


def number(key: str, findings: list[DecidedFinding]) -> str:
    """The number that the prose asks for by `key`."""
    told = (decided.number(key) for decided in findings)
    return next((text for text in told if text != "-"), NOT_RUN)


def facts(source: str, claims: list[Verdict]) -> dict:
    """All that the article tells of the reproduction.

    Parameters
    ----------
    source : str
        The article's text, which asks for numbers.
    claims : list of Verdict
        As `verify` decides them.
    """
    findings = decide_findings(None, claims)
    headlines = [found[0] for found in findings.values()]
    about = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    every = [decided for found in findings.values() for decided in found]
    records = [json.loads(path.read_bytes()) for path in (ROOT / "results").glob("*/*.json")]
    return {
        "title": about["preferred-citation"]["title"],
        "version": about["version"],
        "authors": [author["name"] for author in about["authors"]],
        "keywords": about["keywords"],
        "date": str(about.get("date-released", "")),
        "words": {word: [f.verdict for f in every].count(word) for word in FINDING_OUTCOMES},
        "outcomes": Counter(claim.outcome for claim in claims),
        # benchmarks have no units
        "hours": sum(one["seconds"] for one in records if "units" in one) / 3600,
        "papers": {
            paper: {
                "called": paper_of(paper).called,
                "prefix": prefix(found),
                "findings": [described(decided) for decided in found],
                "settings": settings(identify(load_statements([paper])[paper])),
            }
            for paper, found in findings.items()
        },
        "found": {key: number(key, headlines) for key in ASKED.findall(source)},
    }


def write_numbers(folder: Path, claims: list[Verdict]) -> list[str]:
    """Write ``facts.json`` and the pictures to `folder`; returns the keys that no record tells."""
    # the modules of the benchmarks stand beside each other, not in a package
    sys.path.append(str(ROOT / "benchmarks"))
    import label_noise_page

    folder.mkdir(parents=True, exist_ok=True)
    told = facts(ARTICLE.read_text(encoding="utf-8"), claims)
    (folder / FACTS).write_text(json.dumps(told, indent=1, ensure_ascii=False), encoding="utf-8")
    headlines = [found[0] for found in decide_findings(None, claims).values()]
    (folder / "effects.svg").write_text(effects_picture(headlines), encoding="utf-8")
    label_noise_page.figures(pd.read_csv(ROOT / "results/benchmarks/label_noise.csv"), folder)
    flight = "fig-kgs-flight"
    chapter_pictures()[flight](folder / flight)
    return [key for key, text in told["found"].items() if text == NOT_RUN]


def typeset(folder: Path, kind: str = "pdf") -> bytes | list[bytes]:
    """The article from the numbers in `folder`, which is below the checkout; of PNG each page."""
    return typst.compile(  # type: ignore[call-overload]  # its stubs know no lists of paths
        ARTICLE,
        root=ROOT,
        format=kind,
        sys_inputs={"numbers": f"/{folder.relative_to(ROOT).as_posix()}"},
        # only fonts that come with packages, so that every computer makes the same pages
        ignore_system_fonts=True,
        font_paths=[Path(matplotlib.get_data_path(), "fonts/ttf")],
        timestamp=datetime.fromtimestamp(commit_date(), UTC),
    )


def main(arguments=None) -> int:
    """Command line; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--typeset", action="store_true", help="with the numbers of the last run")
    given = parser.parse_args(arguments)
    if not given.typeset:
        for key in write_numbers(BUILD, verify()):
            print(f"article: no record tells {key!r}", file=sys.stderr)
    if not (BUILD / FACTS).is_file():
        sys.exit(f"there are no numbers in {BUILD}; write them with `make article`")
    PDF.write_bytes(typeset(BUILD))  # type: ignore[arg-type]  # a PDF is one file
    print(f"article: {PDF}, {len(typeset(BUILD, 'svg'))} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
