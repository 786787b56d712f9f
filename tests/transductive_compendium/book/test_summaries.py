"""[Re] or [¬Re]: the rule, and what a paper's summary lists."""

import re

import pytest

from transductive_compendium.book.claim_counts import count_by_paper, prefix
from transductive_compendium.book.pages import (
    not_reproduced_line,
    summaries_table,
    summary_head,
    summary_lists,
)
from transductive_compendium.runner import record, run
from transductive_compendium.verdicts import verify


@pytest.fixture
def verdicts(curve):
    record(run(curve, "paper", progress=False))
    return verify()


@pytest.mark.parametrize(
    ("agreeing", "claims", "expected"),
    [(3, 5, "[Re]"), (5, 5, "[Re]"), (2, 4, "[¬Re]"), (2, 5, "[¬Re]"), (0, 0, "[¬Re]")],
)
def test_more_than_half_must_agree(agreeing, claims, expected):
    assert prefix(agreeing, claims) == expected


def test_the_rule_counts_what_is_open_against_and_leaves_out_what_cannot_be_tested(verdicts):
    outcomes = [v.outcome for v in verdicts]
    assert {o: outcomes.count(o) for o in outcomes} == {
        "reproduced": 3,
        "not reproduced": 2,
        "inconclusive": 1,
        "not testable here": 1,
    }
    (line,) = summaries_table(verdicts).splitlines()[2:]
    assert [c.strip() for c in line.split("|")[1:-1]] == [
        r"[\[¬Re\] Toy](/book/errata/toy.md)",
        *("3", "6", "5", r"\[Re\]"),  # three of six are not more than half, three of five are
        r"\[¬Re\], 2 of 4",
    ]
    assert summary_head("toy", verdicts).startswith("# \\[¬Re\\] Toy\n")


def test_one_claim_more_that_agrees_turns_the_title(verdicts, tmp_path):
    path = tmp_path / "claims" / "toy.yml"
    path.write_text(path.read_text().replace("tolerance: 1.0e-9", "tolerance: 9.0"))
    assert summary_head("toy", verify()).startswith("# \\[Re\\] Toy\n")


def test_all_that_is_not_reproduced_is_listed_with_both_sides_and_what_was_tried(verdicts):
    page = summary_lists("toy", verdicts)
    part = page.split("## What is not reproduced, and what was tried\n")[1].split("\n## ")[0]
    lines = [line for line in part.splitlines() if line]
    assert re.findall(r"\(#claim-(.*?)\)", part) == ["toy-loss", "toy-shape"]
    assert len(lines) == 2
    assert "another seed, and twice the splits" in lines[0] and "*Tried:*" not in lines[1]
    assert r"rises by 0.3 \| after 5" in lines[1]  # of a shape, what was seen


def test_the_other_sections_count_what_they_link_to(verdicts):
    page = summary_lists("toy", verdicts)
    reproduced = page.split("## What is reproduced\n\n")[1].splitlines()[0]
    assert reproduced == (
        "[Figure 1](#claims-toy-figure-1): 2 of 4; [Equation 3](#claims-toy-equation-3): 1 of 1."
    )
    untested = page.split("## What could not be tested\n\n")[1]
    assert untested == "- The mail is private. [Table 9](#claims-toy-table-9): 1.\n"
    open_ones = page.split("## What is inconclusive, and why\n\n")[1].split("\n\n")[0]
    assert open_ones.startswith("- The interval of the difference lies neither inside")
    assert open_ones.endswith(". [Table 2](#claims-toy-table-2): 1.")
    decided = [v for v in verdicts if v.outcome != "inconclusive"]
    assert "## What is inconclusive" not in summary_lists("toy", decided)


def test_the_front_page_leads_to_what_is_not_reproduced(verdicts):
    counts = count_by_paper(verdicts)
    assert not_reproduced_line(counts) == "Not reproduced: 2 of [Toy](#not-reproduced-toy).\n"
    assert "(not-reproduced-toy)=\n## " in summary_lists("toy", verdicts)
    counts["toy"]["not reproduced"] = 0
    assert not_reproduced_line(counts) == "Not reproduced: no claim.\n"
