"""What the book includes is made from recorded results: pages, picture and tables say the same."""

import csv
import io
import json
import re
from xml.etree import ElementTree

import pytest

from transductive_compendium.book import pages
from transductive_compendium.book.pages import (
    GROUPS,
    MATHEMATICS,
    OURS,
    claims_picture,
    counts_by_paper,
    verdicts_csv,
    write_pages,
)
from transductive_compendium.book.templating import render
from transductive_compendium.runner import load_recorded, results_folder
from transductive_compendium.verdicts import rules, verify


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
        "checks/toy.md",
        "claims.svg",
        "claims/toy.md",
        "columns.md",
        "findings.md",
        "front.md",
        "hardening.md",
        "open_choices/toy.md",
        "picture.md",
        "rules_trial.md",
        "summaries/toy.md",
        "summary.md",
        "verdicts.csv",
        "verdicts/toy/draws.md",
    ]
    paths = list((tmp_path / "again").rglob("*.md"))
    stamps = [p.stat().st_mtime_ns for p in paths]
    write_pages(tmp_path / "again")
    assert [p.stat().st_mtime_ns for p in paths] == stamps


def test_every_row_of_every_table_has_the_cells_of_its_head(made):
    found = [table for name, text in made.items() if name.endswith(".md") for table in tables(text)]
    assert len(found) >= 8
    for table in found:
        assert len({len(cells(line)) for line in table}) == 1, table[0]


# ---- a paper's page -----------------------------------------------------------------------------


def test_links_of_a_paper_arrive(made):
    page = made["claims/toy.md"]
    anchors = re.findall(r"^\((.*)\)=$|\]\{#(claim-.*?)\}", page, re.M)
    anchors, links = [a or b for a, b in anchors], re.findall(r"\(#(.*?)\)", page)
    assert len(anchors) == len(set(anchors)) and set(links) <= set(anchors)
    claims = {f"claim-{v.claim.id}" for v in verify()}
    assert {a for a in anchors if a.startswith("claim-")} == claims
    assert {"claims-toy", "finding-toy-better", "finding-toy-worse"} <= set(anchors)
    for name in ("front.md", "findings.md", "summaries/toy.md", "summary.md"):
        there = re.findall(r"\]\(#(.*?)\)", made[name])
        assert set(there) <= {*anchors, "not-reproduced-toy"}, name


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
        "Statements without a published experiment, beside the findings": [
            *("toy-count", "toy-mail"),
        ],
        "Checks of our own": [],
    }
    assert "2 findings: 1 holds, 1 open. So the title reads *\\[Re, in part\\] Toy*" in page
    assert "**Holds.** Published: 3 %, B 5 %. Reproduced: 2.000 ± 0.092 (n = 120). Compared" in page
    assert "{doc}`Figure </notebooks/toy/curve>`" in page


def rows(page):
    """Rows of claims on a page by id: the closed title and what it opens to."""
    found = re.findall(r"^:::\{dropdown\} ([^\n]*)\n(.*?)^:::$", page, re.M | re.S)
    return {re.search(r"\(`(toy-.*?)`\)", body)[1]: (title, body) for title, body in found}


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
        "[Reproduced: -0.500 ± 0.092 (n = 120)]{.claim-numbers}"
    )


def test_long_lists_of_numbers_are_cut_in_a_row():
    class Verdict:
        published = "in words"
        reproduced = "earn 84.4, acq 57.1, money-fx 28.0, grain 25.8, crude 34.9, trade 33.8 %"
        claim = type("Claim", (), {"kind": "values"})

    assert pages.numbers_text(Verdict) == f"Reproduced: {Verdict.reproduced}"
    assert pages.numbers_text(Verdict, 40) == "Reproduced: earn 84.4, acq 57.1, money-fx 28.0 …"
    Verdict.claim.kind = "mathematics"
    assert pages.numbers_text(Verdict, 20) == "Found: earn 84.4 …"
    Verdict.reproduced = "5.5e-15"
    assert pages.numbers_text(Verdict) == "Largest deviation: 5.5e-15"


def test_the_row_of_a_claim_has_what_who_doubts_it_asks_for(made):
    page = made["claims/toy.md"]
    block = rows(page)["toy-loss"][1]
    for line in (
        ":class-container: claim claim-no",
        "[B is better than A.]{#claim-toy-loss} (`toy-loss`), headline of the finding",
        '- Print: "B is better" (section 5)',
        "- Experiment: A and B on 120 splits of the patients. A repetition: a random split.",
        "- It comes out if: The mean gap is above zero.",
        "- Published: in words. Reproduced: -0.500 ± 0.092 (n = 120)",
        "- Carries over: not run (to new patients)",
    ):
        assert f"\n{line}\n" in f"\n{block}"
    assert "**Not reproduced**: comes out in 0 of 100 repetitions of 100 draws" in block
    assert "; rule `decide_repeats` in `src/transductive_compendium/verdicts/rules.py`" in block
    under = "comes out under 0 of 1 that could be decided; not run: start: far, start: near, law"
    assert under in block
    assert "[toy/draws](/notebooks/toy/draws.ipynb), by `toy_gaps` in `src/" in block
    assert "Again: `transductive verify toy-loss`" in block
    assert "Experiment (ours; the paper publishes none): no randomness." in page
    assert page.count('- Print: "about two"') == page.count('- Print: "theta = 2.0"') == 1
    # prose stays MyST
    assert "[The threshold $|f|$ is about two.]{#claim-toy-theta} (`toy-theta`)" in page


def test_tolerances_that_matter_are_marked(recorded, tmp_path):
    recorded.edit("toy-theta", tau=0.05)
    page = texts(tmp_path / "pages")["claims/toy.md"]
    assert page.count("Half or double the tolerance gives another outcome; rule") == 1


def test_what_a_paper_leaves_open_with_sources_and_defaults(made):
    _, _, start, law = tables(made["open_choices/toy.md"])[0]
    assert cells(start) == [
        'Where does it start? "begin anywhere" (section 2)',
        "**zero** (nothing: the simplest); far (cited work: page 3); "
        "near (close to zero; program: line 7)",
    ]
    assert cells(law)[1] == "**normal** (print); uniform (program)"


def test_checks_have_a_page_of_their_own_and_count_nowhere(made):
    page = made["checks/toy.md"]
    assert page.startswith("## Figure 1\n")
    (row,) = tables(page)[0][2:]
    assert cells(row) == [
        r"Theta does not drift \| over splits. (`toy-check`)",
        "3.000 ± 0.092 (n = 120)",
        "reproduced (100 of 100)",
    ]
    for name in ("verdicts.csv", "summary.md", "findings.md", "summaries/toy.md"):
        assert "toy-check" not in made[name]
    assert made["claims/toy.md"].endswith("{doc}`/book/checks/toy`.\n")


def test_a_room_with_checks_alone_has_one_page(recorded, tmp_path):
    for name in ("claims", "findings", "open_choices"):
        (recorded.folder / f"{name}.yml").unlink()
    recorded.write()
    found = texts(tmp_path / "pages")
    assert "checks/toy.md" in found
    assert not {"claims/toy.md", "summaries/toy.md", "open_choices/toy.md"} & set(found)


def test_a_paper_without_findings_or_checks_has_its_claims(recorded, tmp_path):
    for claim in ("toy-gain", "toy-theta", "toy-loss"):
        recorded.edit(claim, remove=["finding"])
    for name in ("findings", "checks"):
        (recorded.folder / f"{name}.yml").unlink()
    recorded.write()
    page = texts(tmp_path / "pages")["claims/toy.md"]
    assert page.startswith("(claims-toy)=\n## What its experiments show\n")
    assert "inding" not in page and "book/checks" not in page


# ---- the front page, the report, the summaries --------------------------------------------------


def test_the_front_page_shows_each_headline_with_both_numbers(made):
    text = made["front.md"]
    for words in (
        "**\\[Re, in part\\] {doc}`Toy </book/report/toy>`**",
        "A errs less than B.",
        "- Published: 3 %, B 5 %",
        "- Reproduced: 2.000 ± 0.092 (n = 120)",
        "- Repetitions, as printed, in which its headline claim comes out: 100 of 100",
        "**Holds**. Findings: 1 holds, 1 open of 2 findings. [Claims](#finding-toy-better)",
        ':alt: "Figure: A errs less than B."',
        ":class-container: finding finding-holds",
    ):
        assert words in text
    assert "mail" not in text  # the first alone


def test_all_findings_in_one_table_with_the_main_ones_bold(made):
    better, worse = tables(made["findings.md"])[0][2:]
    assert cells(better) == [
        "**[A errs less than B.](#finding-toy-better)**",
        "3 %, B 5 %",
        "2.000 ± 0.092 (n = 120) (100 of 100)",
        "holds",
    ]
    assert cells(worse)[0] == r"[B errs less than A \| on mail.](#finding-toy-worse)"
    assert cells(worse)[3] == "open"


def numbers(line):
    return [int(cell.replace("·", "0")) for cell in cells(line)[1:]]


def test_summary_counts_findings_and_claims(made):
    findings, claims = tables(made["summary.md"])
    assert cells(findings[0])[1:-1] == ["holds", "in part", "does not hold", "open"]
    assert numbers(findings[2]) == [1, 0, 0, 1, 2]
    assert cells(claims[0])[1:-1] == list(GROUPS)
    rows = {cells(line)[0]: numbers(line) for line in claims[2:]}
    assert rows == {
        "Toy": [4, 0, 1, 1, 0, 1, 7],
        MATHEMATICS: [1, 0, 0, 0, 1, 0, 2],
        OURS: [1, 0, 0, 0, 0, 1, 2],
    }
    assert sum(row[-1] for row in rows.values()) == len(verify())


def test_a_summary_lists_all_that_does_not_come_out_and_all_that_is_open(made):
    page = made["summaries/toy.md"]
    assert page.startswith("# \\[Re, in part\\] Toy\n")
    assert [cells(line)[1] for line in tables(page)[0][2:]] == ["holds", "open"]
    failed, untested = page.split("(not-reproduced-toy)=\n")[1].split(
        "## What could not be decided"
    )
    assert re.findall(r"\(#claim-(.*?)\)", failed) == ["toy-loss", "toy-open"]
    assert "; not reproduced. ([toy-loss]" in failed
    assert re.findall(r"\(#claim-(.*?)\)", untested) == ["toy-mail", "toy-zip", "toy-later"]
    assert "It works on mail. The mail is private. ([toy-mail]" in untested


def test_a_paper_all_of_which_comes_out_says_so(recorded, tmp_path):
    recorded.edit("toy-loss", arguments={"by": 2.0})
    recorded.edit("toy-open", arguments={"by": 9.0})
    page = texts(tmp_path / "pages")["summaries/toy.md"]
    assert page.startswith("# \\[Re\\] Toy\n") and "\nEverything comes out.\n" in page


# ---- tables -------------------------------------------------------------------------------------


def test_all_verdicts_as_a_table(made):
    rows = list(csv.DictReader(io.StringIO(made["verdicts.csv"])))
    verdicts = verify()
    assert [row["id"] for row in rows] == [v.claim.id for v in verdicts]
    for row, verdict in zip(rows, verdicts, strict=True):
        assert (row["paper"], row["outcome"]) == ("toy", verdict.outcome)
        assert (float(row["share"]) if row["share"] else None) == verdict.share
        assert row["published"] == verdict.published and row["carries"] == verdict.carries
    assert verdicts_csv(verdicts) == made["verdicts.csv"]
    assert rows[0]["statement"] == "A errs less than B by 2 points."


def test_the_trial_of_the_rules_is_shown_as_recorded(made, tmp_path):
    assert "Nothing is recorded yet" in made["rules_trial.md"]
    (results_folder() / pages.TRIAL).write_text(
        "rule,truth,outcome,share\nordering,true,reproduced,0.985\n"
        "ordering,true,comes and goes,0.015\nordering,false,not reproduced,1.0\n"
    )
    rows = tables(texts(tmp_path / "pages")["rules_trial.md"])[0][2:]
    assert [cells(line) for line in rows] == [
        ["ordering", "true", "reproduced 98 %, comes and goes 2 %"],
        ["ordering", "false", "not reproduced 100 %"],
    ]


def test_provenance_strip_is_from_the_record_alone(recorded):
    _, facts = load_recorded("toy/draws")
    strip = render("provenance.html", **facts)
    assert "<code>transductive run toy/draws --profile paper</code>" in strip
    assert facts["date"] in strip and "4 units" in strip and strip.count("\n") == 1
    facts["machine"]["cpu"] = "<b>&"
    assert "&lt;b&gt;&amp;" in render("provenance.html", **facts)


# ---- the picture --------------------------------------------------------------------------------


def test_every_outcome_is_in_one_group_and_no_two_groups_look_alike():
    grouped = [outcome for outcomes in GROUPS.values() for outcome in outcomes]
    assert sorted(grouped) == sorted(rules.OUTCOMES)
    for outcomes in GROUPS.values():
        assert len({rules.COMES_OUT[outcome] for outcome in outcomes}) == 1
    assert set(pages._LOOK) == set(GROUPS) and len(set(pages._LOOK.values())) == len(GROUPS)


@pytest.fixture
def counts():
    def row(*numbers):
        return dict(zip(GROUPS, numbers, strict=True))

    return {"A paper": row(63, 3, 36, 23, 0, 6), MATHEMATICS: row(4, 0, 40, 0, 0, 8)}


def alt(counts):
    return json.loads(
        re.search(r"^:alt: (.*)$", render("claims_figure.md", counts=counts), re.M)[1]
    )


def test_alternative_text_states_every_count(counts):
    sentences = alt(counts).removeprefix("Bars of claims by whether they come out. ")
    assert sentences == (
        "A paper: 63 comes out, 3 within what print tells, 36 in part, 23 does not come out, 6 not "
        "testable here. Mathematics and algorithms: 4 comes out, 40 in part, 8 not testable here."
    )
    counts["A paper"]["undecided"] = 2
    assert "2 undecided" in alt(counts)


def test_counts_are_those_of_the_verdicts(made):
    counts = counts_by_paper(verify())
    assert list(counts) == ["Toy", MATHEMATICS, OURS]
    assert sum(sum(row.values()) for row in counts.values()) == 11
    assert f":alt: {json.dumps(alt(counts), ensure_ascii=False)}\n" in made["picture.md"]
    assert "{download}`verdicts.csv </generated/verdicts.csv>`" in made["picture.md"]
    assert made["claims.svg"] == claims_picture(counts)


def test_picture_shows_each_number_by_its_place_and_by_more_than_colour(counts):
    drawn = ElementTree.fromstring(claims_picture(counts))
    svg = "{http://www.w3.org/2000/svg}"
    patterns = {f"url(#{pattern.get('id')})" for pattern in drawn.findall(f".//{svg}pattern")}
    boxes = [box for box in drawn.findall(f"{svg}rect") if box.get("stroke")]
    used = {box.get("fill") for box in boxes if box.get("fill").startswith("url")}
    assert used == patterns and len(used) == 3
    written = {text.text for text in drawn.findall(f"{svg}text")}
    assert (set(GROUPS) - {"undecided"}) | {"131 claims", "52 claims", "A paper"} <= written
    assert "undecided" not in written  # nothing is
    bars = [box for box in boxes if box.get("height") == "36" and box.get("fill") not in patterns]
    rows = {}
    for box in bars:
        rows.setdefault(box.get("y"), []).append(box)
    assert [len(row) for row in rows.values()] == [5, 3]
    for row in rows.values():
        ends = [float(box.get("x")) + float(box.get("width")) for box in row]
        starts = [float(box.get("x")) for box in row]
        assert starts == pytest.approx([230, *ends[:-1]], abs=0.02)  # side by side
        assert ends[-1] == pytest.approx(680, abs=0.02)
    middles = [float(b.get("x")) + float(b.get("width")) / 2 for b in bars]
    shown = [t for t in drawn.findall(f"{svg}text") if t.get("font-size")]
    assert [float(n.get("x")) for n in shown] == pytest.approx(middles, abs=0.02)
    assert [n.text for n in shown] == [*("63", "3", "36", "23", "6"), *("4", "40", "8")]
    # a number without room stands above its part
    assert [text.text for text in shown if text.get("stroke") is None] == ["3"]


def test_picture_is_the_same_bytes_twice_and_changes_with_a_count(counts):
    first = claims_picture(counts)
    assert claims_picture(counts) == first
    counts["A paper"]["not testable here"] += 1
    assert claims_picture(counts) != first
