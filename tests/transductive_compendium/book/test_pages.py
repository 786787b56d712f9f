import re
import shutil

import pytest

from transductive_compendium.book.pages import summary_table, write_pages
from transductive_compendium.book.templating import render
from transductive_compendium.runner import load_recorded, record, run


@pytest.fixture
def recorded(curve):
    record(run(curve, "paper", progress=False))
    return curve


def contents(folder):
    return {
        str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()
    }


def test_two_builds_are_equal_byte_for_byte_and_touch_nothing_twice(recorded, tmp_path):
    paths = write_pages(tmp_path / "a")
    write_pages(tmp_path / "b")
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert sorted(contents(tmp_path / "a")) == [
        "claims.csv",
        "claims.svg",
        "claims/toy.md",
        "front.md",
        "hardening.md",
        "not_reproduced.md",
        "picture.md",
        "summaries.md",
        "summaries/toy.md",
        "summaries/toy_claims.md",
        "summary.md",
    ]
    stamps = [p.stat().st_mtime_ns for p in paths]
    assert [p.stat().st_mtime_ns for p in write_pages(tmp_path / "a")] == stamps


def test_each_claim_is_once_under_its_figure_with_links_that_arrive(recorded, tmp_path):
    write_pages(tmp_path / "a")
    text = (tmp_path / "a" / "claims" / "toy.md").read_text()
    anchors, links = re.findall(r"^\((.*)\)=$", text, re.M), re.findall(r"\(#(.*?)\)", text)
    assert sorted(anchors) == sorted({"claims-toy", *links})
    by_figure = {
        part.splitlines()[0]: re.findall(r"^\(claim-(.*)\)=$", part, re.M)
        for part in text.split("\n### ")[1:]
    }
    assert by_figure == {
        "Figure 1": ["toy-theta", "toy-gain", "toy-loss", "toy-shape"],
        "Table 2": ["toy-same"],
        "Equation 3": ["toy-identity"],
        "Table 9": ["toy-zip"],
    }
    assert "(/notebooks/toy/curve.ipynb)" in text
    assert "; rule: `decide_value` in `src/transductive_compendium/verdicts/rules.py`\n" in text
    assert "by `toy_theta` in `src/" in text
    assert "- Tried: another seed, and twice the splits" in text
    assert "The threshold $|f|$ is about two." in text  # prose stays MyST
    tables = re.findall(r"((?:^\|.*\n)+)", text, re.M)
    for table in tables:  # bars in cells are escaped
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1


def test_counts_by_figure_sum_to_those_of_the_paper(recorded, tmp_path):
    write_pages(tmp_path / "a")
    text = (tmp_path / "a" / "claims" / "toy.md").read_text()
    table = re.search(r"^\| Figure, table or section.*\n\|.*\n((?:\|.*\n)+)", text, re.M).group(1)
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()]
    numbers = [[int(n.replace("·", "0")) for n in row[1:]] for row in rows]
    assert rows[-1][0] == "**All**" and numbers[-1][-1] == 7
    assert [sum(column) for column in zip(*numbers[:-1], strict=True)] == numbers[-1]
    assert all(sum(row[:-1]) == row[-1] for row in numbers)


def test_summary_counts_by_paper_and_outcome(recorded, tmp_path):
    from transductive_compendium.verdicts import verify

    verdicts = verify()
    head, _, row = summary_table(verdicts).splitlines()
    cells = dict(
        zip([c.strip() for c in head.split("|")], [c.strip() for c in row.split("|")], strict=True)
    )
    assert cells["Paper"] == "[Toy](#claims-toy)" and cells["claims"] == "7"
    assert cells["not testable here"] == "1" and "undecided" not in cells
    shutil.rmtree(tmp_path / "results")
    assert "undecided" in summary_table(verify())


def test_other_roles_have_sections_of_their_own_and_are_not_in_the_summary(recorded, tmp_path):
    path = tmp_path / "claims" / "toy.yml"
    text = path.read_text()
    for name, role in (
        ("toy-gain", "check"),
        ("toy-theta", "calibration"),
        ("toy-identity", "check"),
        ("toy-zip", "calibration"),
    ):
        text = text.replace(f"- id: {name}\n", f"- id: {name}\n  role: {role}\n")
    path.write_text(text)
    write_pages(tmp_path / "a")
    summary = (tmp_path / "a" / "summary.md").read_text()
    numbers = [cell.strip() for cell in summary.splitlines()[-1].split("|")][2:-1]
    assert [n.replace("·", "0") for n in numbers] == ["0", "0", "1", "0", "2", "3"]

    page = (tmp_path / "a" / "claims" / "toy.md").read_text()
    assert page.startswith("(claims-toy)=\n## Claims of the paper\n")
    sections = re.split(r"^## ", page, flags=re.M)[1:]
    assert {
        part.splitlines()[0]: re.findall(r"^\(claim-(.*)\)=$", part, re.M) for part in sections
    } == {
        "Claims of the paper": ["toy-loss", "toy-shape", "toy-same"],
        "Numbers used to choose the interpretation": ["toy-theta", "toy-zip"],
        "Checks of our own": ["toy-gain", "toy-identity"],
    }


def test_what_claims_nothing_itself_has_a_page_of_checks_and_no_summary(recorded, tmp_path):
    path = tmp_path / "claims" / "toy.yml"
    path.write_text(path.read_text().replace("  item:", "  role: check\n  item:"))
    write_pages(tmp_path / "a")
    page = (tmp_path / "a" / "claims" / "toy.md").read_text()
    assert page.startswith("(claims-toy)=\n## Checks of our own\n\n### Figure 1\n")
    assert "Toy" not in (tmp_path / "a" / "summary.md").read_text()
    assert not (tmp_path / "a" / "summaries").exists()
    assert "There are no claims." in (tmp_path / "a" / "front.md").read_text()


def test_provenance_strip_is_from_the_record_alone(recorded):
    _, facts = load_recorded("toy/curve")
    strip = render("provenance.html", **facts)
    assert "<code>transductive run toy/curve --profile paper</code>" in strip
    assert facts["date"] in strip and "10 units" in strip and strip.count("\n") == 1
    facts["machine"]["cpu"] = "<b>&"
    assert "&lt;b&gt;&amp;" in render("provenance.html", **facts)
