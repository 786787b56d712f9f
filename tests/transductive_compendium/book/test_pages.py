"""What the book includes is made from recorded results: pages, picture and tables say the same."""

import csv
import io
import re
from dataclasses import replace
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
    assert len(found) == 7
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


def test_findings_come_first_with_their_claims_then_the_others_by_what_they_rest_on(made):
    page = made["claims/toy.md"]
    parts = re.split(r"^##+ (.*)$", page, flags=re.M)[1:]
    sections = {
        head: re.findall(r"\]\{#claim-(.*?)\} \(`\1`\)", body)
        for head, body in zip(parts[::2], parts[1::2], strict=True)
    }
    assert sections == {
        "Findings": [],
        "A errs less than B.": ["toy-gain", "toy-theta"],
        "B errs less than A | on mail.": ["toy-loss"],
        "What its experiments show, beside the findings": [
            *("toy-open", "toy-same", "toy-column", "toy-zip"),
        ],
        "Mathematics and algorithms, beside the findings": ["toy-identity", "toy-later"],
        "Statements without a published experiment, beside the findings": ["toy-count"],
    }
    assert ":::{dropdown} 1 statement that no experiment can decide" in page
    assert "- [It works on mail.]{#claim-toy-mail} (section 9): The mail is private." in page
    assert "2 findings: 1 holds, 1 does not hold. The first decides the title" in page
    assert "**Holds.** Published: 3 %, B 5 %. Reproduced: 2.00 (1.82, 2.18) (n = 120)." in page
    assert "{doc}`Figure </notebooks/toy/curve>`" in page


def rows(page):
    """Rows of claims on a page by id: the closed title and what it opens to."""
    found = re.findall(r"^:::\{dropdown\} ([^\n]*)\n(.*?)^:::$", page, re.M | re.S)
    ids = [re.search(r"\(`(toy-.*?)`\)", body) for _, body in found]
    return {id[1]: row for id, row in zip(ids, found, strict=True) if id}


def test_each_claim_is_one_row_with_verdict_and_both_numbers(made):
    page = made["claims/toy.md"]
    found = rows(page)
    assert list(found) and set(found) == {v.claim.id for v in verify()}
    for v in verify():
        title = found[v.claim.id][0]
        assert " ".join(v.claim.statement.split()) in title and v.outcome in title
        assert len(re.sub(r"\]\{.*?\}", "", title)) < 300
        assert page.count(f"{{#claim-{v.claim.id}}}") == 1
    assert found["toy-loss"][0] == (
        "B is better than A. [not reproduced, 0 of 100]{.claim-verdict} "
        "[Measured: -0.50 (-0.68, -0.32) (n = 120)]{.claim-numbers}"
    )


def test_a_claim_says_what_the_anchors_stand_for_and_exclude(recorded, anchors, tmp_path):
    recorded.write(anchors=anchors)
    recorded.record_options(near=(0.05, 2.0), far=(1.0, 2.0))
    made = texts(tmp_path / "pages")
    block = rows(made["claims/toy.md"])["toy-gain"][1]
    assert "Other options (they decide nothing): comes out under start: near" in block
    assert "Excluded by the printed baselines: start: far (reproduced, misfit 50 %)" in block
    page = made["settings/toy.md"]
    assert "**Thresholds.** The default stands: misfit 0 %." in page
    assert "start: far 50 % (excluded)" in page and "**default 0 %**" in page
    assert "the same settings stand for every threshold above 0 %." in made["words.md"]


# ---- the front page, the report, the summaries --------------------------------------------------


def test_all_findings_in_one_table_with_their_settings(made):
    better, worse = tables(made["findings.md"])[0][2:]
    assert cells(better) == [
        "[A errs less than B.](#finding-toy-better)",
        "holds",
        "3 %, B 5 %",
        "2.00 (1.82, 2.18) (n = 120)",
        "-",
    ]
    assert cells(worse)[0] == r"[B errs less than A \| on mail.](#finding-toy-worse)"
    assert cells(worse)[1] == "does not hold"
    assert [cells(line)[1:] for line in tables(made["words.md"])[0][2:]] == [
        ["holds", "·", "·", "·"],
        ["does not hold", "·", "·", "·"],
    ]


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
    told = headlines[0].first.told
    effects = {n: headlines[0].first.decisions[n].effect for n in told}
    most = max((n for n in told if effects[n]), key=lambda n: effects[n][0])
    named = [n for n in told if n.replace("_", " ") in root.itertext()]
    assert named == [most]
    half = headlines[0].first.decision.effect[2] - 2.0
    assert float(interval.get("x2")) - effect == pytest.approx(half * unit, abs=0.11)


def test_the_picture_has_a_circle_for_a_variant(recorded):
    recorded.record_options(near=(0.0, 1.0), far=(0.0, -1.0))
    decided = decide_findings()["toy"][0]
    name = next(iter(decided.first.told))
    variant = replace(decided.first, variants=(name,))
    drawn = effects_picture([replace(decided, claims=(variant, *decided.claims[1:]))])
    svg = "{http://www.w3.org/2000/svg}"
    root = ElementTree.fromstring(drawn)
    large = [c.get("fill") for c in root.findall(f"{svg}circle") if c.get("r") == "5"]
    small = [c for c in root.findall(f"{svg}circle") if c.get("r") == "2"]
    assert large == ["#0072B2", "#fff"] and len(small) == 1
    assert len(root.findall(f"{svg}line")) == 4  # scale, zero, and two intervals
    text = " ".join(root.itertext())
    effects = [variant.decisions[n].effect[0] for n in ("default", name)]
    option = name.partition(": ")[2]
    assert f"as printed {effects[0]:.2g}, {option} {effects[1]:.2g}" in text
