"""What the book includes is made from recorded results: pages, picture and tables say the same."""

import csv
import io
import re
from xml.etree import ElementTree

import pytest

from transductive_compendium.book.pages import effects_picture, verdicts_csv, write_pages
from transductive_compendium.verdicts import decide_findings, load_statements, verify


@pytest.fixture
def made(recorded, tmp_path):
    """Name -> text of the files that are written."""
    return texts(tmp_path / "pages")


def texts(folder):
    write_pages(folder)
    return {
        str(p.relative_to(folder)): p.read_text() for p in sorted(folder.rglob("*")) if p.is_file()
    }


def cells(line):
    """Cells of a table's row; a bar in a cell is escaped."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def tables(text):
    return [t.splitlines() for t in re.findall(r"((?:^\|.*\n)+)", text, re.M)]


def test_two_builds_are_equal_byte_for_byte_and_touch_nothing_twice(made, tmp_path):
    assert texts(tmp_path / "again") == made
    assert sorted(made) == [
        "claims/toy.md",
        "effects.svg",
        "findings.md",
        "front.md",
        "hardening.md",
        "independent.md",
        "open_choices/toy.md",
        "settings/toy.md",
        "summaries/toy.md",
        "verdicts.csv",
        "verdicts/toy/draws.md",
        "words.md",
    ]
    paths = list((tmp_path / "again").rglob("*.md"))
    stamps = [p.stat().st_mtime_ns for p in paths]
    write_pages(tmp_path / "again")
    assert [p.stat().st_mtime_ns for p in paths] == stamps


def test_every_row_of_every_table_has_the_cells_of_its_head(made):
    found = [table for name, text in made.items() if name.endswith(".md") for table in tables(text)]
    assert len(found) == 8
    for table in found:
        assert len({len(cells(line)) for line in table}) == 1, table[0]


# ---- a paper's page -----------------------------------------------------------------------------


def test_links_of_a_paper_arrive(made):
    page = made["claims/toy.md"]
    anchors = re.findall(r"^\((.*)\)=$|\]\{#(claim-.*?)\}", page, re.M)
    anchors, links = [a or b for a, b in anchors], re.findall(r"\(#(.*?)\)", page)
    assert len(anchors) == len(set(anchors)) and set(links) <= set(anchors)
    claims = {f"claim-{claim.id}" for claim in load_statements()["toy"].claims}
    assert {a for a in anchors if a.startswith("claim-")} == claims
    assert {"claims-toy", "finding-toy-better", "finding-toy-worse"} <= set(anchors)
    for name in ("front.md", "findings.md", "summaries/toy.md", "words.md"):
        assert set(re.findall(r"\]\(#(.*?)\)", made[name])) <= set(anchors), name


# ---- the front page, the report, the summaries --------------------------------------------------


# ---- tables -------------------------------------------------------------------------------------


def test_all_verdicts_as_a_table(made):
    rows = list(csv.DictReader(io.StringIO(made["verdicts.csv"])))
    verdicts = verify()
    assert [row["id"] for row in rows] == [v.claim.id for v in verdicts]
    for row, verdict in zip(rows, verdicts, strict=True):
        assert (row["paper"], row["outcome"]) == ("toy", verdict.outcome)
        assert (float(row["share"]) if row["share"] else None) == verdict.decision.share
        assert row["published"] == verdict.published
        assert row["settings"] == verdict.settings_text
    decided = decide_findings(verdicts=verdicts)["toy"]
    words = {("toy", f.finding.id): f.verdict for f in decided}
    assert {("toy", row["finding"]): row["word"] for row in rows if row["finding"]} == words
    assert verdicts_csv(verdicts, words) == made["verdicts.csv"]
    assert rows[0]["statement"] == "A errs less than B by 2 points."


# ---- the picture --------------------------------------------------------------------------------


def test_the_picture_places_each_effect_between_zero_and_print(recorded):
    """Zero, the reproduced effect and its interval, and the printed effect, on one linear scale."""
    recorded.record_options(near=(0.0, 1.0), far=(0.0, -1.0))
    headlines = [found[0] for found in decide_findings().values()]
    drawn = effects_picture(headlines)
    assert effects_picture(headlines) == drawn
    svg = "{http://www.w3.org/2000/svg}"
    root = ElementTree.fromstring(drawn)
    _, zero, interval = root.findall(f"{svg}line")
    large = next(c for c in root.findall(f"{svg}circle") if c.get("r") == "5")
    small = [float(c.get("cx")) for c in root.findall(f"{svg}circle") if c.get("r") == "2"]
    diamond = float(re.match(r"M([\d.]+) ", root.find(f"{svg}path").get("d"))[1])
    origin, effect = float(zero.get("x1")), float(large.get("cx"))
    unit = (effect - origin) / 2.0  # the gain is 2
    assert unit > 0 and diamond == pytest.approx(effect, abs=0.11)
    assert small == pytest.approx([origin + unit, origin + 3 * unit], abs=0.11)
    half = headlines[0].first.decision.effect[2] - 2.0
    assert float(interval.get("x2")) - effect == pytest.approx(half * unit, abs=0.11)
