import re
import shutil

import pytest

from transductive.experiments import load_recorded, record, run
from transductive.report.pages import escape, provenance_html, summary_table, write_pages


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
    assert sorted(contents(tmp_path / "a")) == ["provenance/toy/curve.md", "summary.md", "toy.md"]
    stamps = [p.stat().st_mtime_ns for p in paths]
    assert [p.stat().st_mtime_ns for p in write_pages(tmp_path / "a")] == stamps


def test_tables_have_every_claim_with_its_anchor_and_links_that_lead_there(recorded, tmp_path):
    write_pages(tmp_path / "a", page="/runs/{name}.ipynb")
    text = (tmp_path / "a" / "toy.md").read_text()
    anchors, links = re.findall(r"^\((claim-.*)\)=$", text, re.M), re.findall(r"\(#(.*?)\)", text)
    assert anchors == links and len(anchors) == 7
    assert "(/runs/toy/curve.ipynb)" in text
    assert "- Tried: another seed, and twice the splits" in text
    assert "The threshold $|f|$ is about two." in text  # prose stays MyST
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in table} == {5}  # bars in cells escaped


def test_summary_counts_by_document_and_outcome(recorded, tmp_path):
    from transductive.report import verify

    verdicts = verify()
    head, _, row = summary_table(verdicts).splitlines()
    cells = dict(
        zip([c.strip() for c in head.split("|")], [c.strip() for c in row.split("|")], strict=True)
    )
    assert cells["Document"] == "[Toy](#claims-toy)" and cells["claims"] == "7"
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
    assert [n.replace("·", "0") for n in numbers] == ["0", "0", "2", "1", "0", "3"]

    page = (tmp_path / "a" / "toy.md").read_text()
    own, theirs, ours = re.split(r"^### .*$", page, flags=re.M)
    assert re.findall(r"^### (.*)$", page, re.M) == [
        "Numbers used to choose the reading",
        "Checks of our own",
    ]
    for part, names in (
        (own, ["toy-loss", "toy-same", "toy-shape"]),
        (theirs, ["toy-theta", "toy-zip"]),
        (ours, ["toy-gain", "toy-identity"]),
    ):
        assert re.findall(r"^\(claim-(.*)\)=$", part, re.M) == names
        assert re.findall(r"^\| \[.*?\]\(#claim-(.*?)\)", part, re.M) == names
        assert re.findall(r"^```\{admonition\} .*\((\S+)\)$", part, re.M) == names
        assert part.count("| Claim | The document | Here | Outcome |") == 1
    assert page.startswith("(claims-toy)=\n")


def test_pages_without_claims_of_the_document_have_no_empty_table(recorded, tmp_path):
    path = tmp_path / "claims" / "toy.yml"
    path.write_text(path.read_text().replace("  item:", "  role: check\n  item:"))
    write_pages(tmp_path / "a")
    page = (tmp_path / "a" / "toy.md").read_text()
    assert page.startswith("(claims-toy)=\n\n### Checks of our own\n\n| Claim |")
    assert "Toy" not in (tmp_path / "a" / "summary.md").read_text()


def test_provenance_strip_is_from_the_record_alone(recorded):
    _, facts = load_recorded("toy/curve")
    strip = provenance_html(facts)
    assert "<code>transductive run toy/curve --profile paper</code>" in strip
    assert facts["date"] in strip and "10 units" in strip and strip.count("\n") == 1
    facts["machine"]["cpu"] = "<b>&"
    assert "&lt;b&gt;&amp;" in provenance_html(facts)


def test_generated_text_is_escaped():
    assert escape("a_b *c* |f| $x$ [y] <z>") == r"a\_b \*c\* \|f\| \$x\$ \[y\] \<z\>"
