"""What the printed book does with what a page folds away."""

import re

import yaml
from bs4 import BeautifulSoup
from print_pdf import ROOT, chosen_entries, contents, dated, unfold

CLAIM = """<details class="sd-card sd-dropdown claim claim-no"><summary>
<span class="sd-summary-text"><span class="claim-statement">B is better.</span>
<span class="claim-verdict">not reproduced, 0 of 100</span></span><svg></svg></summary>
<div><p><span id="claim-old"></span><span id="claim-b">B is better.</span></p>
<p>Print: quoted</p></div></details>"""


def test_a_claim_is_printed_as_its_row_with_its_anchors():
    row = BeautifulSoup(unfold(f"<section>{CLAIM}</section>"), "html.parser").p
    assert row["class"] == ["claim-row"] and [s["id"] for s in row.select("[id]")] == [
        "claim-old",
        "claim-b",
    ]
    assert " ".join(row.get_text().split()) == "B is better. not reproduced, 0 of 100"


def test_all_is_unfolded_but_code_and_what_is_for_the_screen():
    page = unfold(
        "<details><summary>Solution</summary><p>Take w.</p></details>"
        "<details class='hide'><summary>Show code</summary><pre>run()</pre></details>"
    )
    assert '<p class="unfolded-title">Solution</p><p>Take w.</p>' in page
    assert page.count("<details") == 1 and "<summary>Show code</summary>" in page
    page = unfold(
        "<details class='sd-dropdown'><summary>2 claims</summary><ul><li>x</li></ul></details>"
        "<details class='sd-dropdown on-screen'><summary>9 records</summary><p>y</p></details>"
    )
    assert page == (
        '<div class="sd-dropdown"><p class="unfolded-title">2 claims</p><ul><li>x</li></ul></div>'
        '<p class="substitute">9 records: in the book of web pages.</p>'
    )
    page = unfold(
        '<div class="dropdown how-computed admonition"><p id="run">run()</p></div><p>x</p>'
    )
    assert page == '<span id="run"></span><p>x</p>'
    assert unfold("<p>No fold &amp; no change</p>") == "<p>No fold &amp; no change</p>"


def test_chapters_come_before_claims_and_data_and_library_last():
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    order = [name or caption for _, name, caption in contents(toc)]
    assert order.index("book/bayesian_transduction") <= 6
    last = max(order.index(f"book/{name}") for name in ("universum", "comparison", "promises"))
    assert last < order.index("book/report") < order.index("book/artifact")
    end = [name for name in order[order.index("book/data/index") :] if "/" in name]
    assert all(re.match(r"book/(data|api)", name) for name in end)


def test_all_is_printed_but_the_appendices_or_the_pages_that_are_named():
    entries = list(contents(yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))))
    printed = {name for _, name, _ in chosen_entries(entries)}
    assert {"book/universum", "book/report", "book/references"} <= printed
    assert not {"book/artifact", "book/data/heart", "book/api"} & printed
    assert [e[1] for e in chosen_entries(entries, pages=["book/rules"])] == ["book/rules"]


def test_the_date_of_printing_is_replaced_and_nothing_moves():
    pdf = b"<</Creator (D:20311123132830+00'00')\n/CreationDate (D:20311123132830+00'00')\n"
    pdf += b"/ModDate (D:20311123132831+00'00')>>"
    made = dated(pdf, 1_000_000_000)
    assert len(made) == len(pdf) and made.count(b"Date (D:20010909014640+00'00')") == 2
    assert made.startswith(pdf[:38])
