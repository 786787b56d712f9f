"""What is shown of one claim and one finding, for who doubts it."""

import re

import pytest

from transductive_compendium.runner import results_folder
from transductive_compendium.verdicts import decide_findings, verify
from transductive_compendium.verdicts.explanation import explain, explain_finding


def explained(name, checks=False):
    """The text and its lines by label; a label that comes again has its texts in a list."""
    (verdict,) = (v for v in verify(checks=checks) if v.claim.id == name)
    text = explain(verdict)
    found = {}
    for line in text.splitlines()[1:]:
        label, value = line[2:15].strip(), line[15:]
        if line[2] != " ":
            found.setdefault(label, []).append(value)
        else:
            found[next(reversed(found))][-1] += " " + value
    return text, found


def test_a_claim_is_shown_with_all_that_bears_on_it(recorded):
    text, found = explained("toy-gain")
    assert text.startswith("REPRODUCED  toy-gain\n") and max(map(len, text.splitlines())) <= 100
    assert found["statement"] == ["A errs less than B by 2 points."]
    assert found["quote"] == ["“A errs | less”"]
    assert found["place"] == ["toy, section 4, figure 1"]
    assert found["experiment"] == ["A and B on 120 splits of the patients"]
    assert found["repetition"] == ["a random split"]
    assert found["comes out"] == ["The mean gap is above zero."]
    assert found["published"] == ["gain 2 points"]
    assert found["reproduced"] == ["2.000 ± 0.092 (n = 120)"]  # 1 / sqrt(119)
    assert found["repeats"] == [
        "reproduced: comes out in 100 of 100 repetitions of 100 draws, resampled from 120"
    ]
    assert found["carries over"] == ["not run (to new patients)"]
    assert found["options"] == [
        "comes out under 1 of 1 that could be decided; not run: start: far, start: near, "
        "law: uniform"
    ]
    assert found["measure"] == [
        f"toy_gaps(by=2.0) in {file_of_measures()}: Gap between A and B, split by split."
    ]
    (results,) = found["results"]
    assert re.fullmatch(
        r"toy/draws: 120 rows of 4 units, recorded \S+ at commit \w+( with local changes)? in "
        r"\d+ s of computing",
        results,
    )
    assert found["rerun"] == ["transductive run toy/draws --profile paper"]
    assert found["read"] == ["notebooks/toy/draws.ipynb"]
    assert "where to report a disagreement" in found["contest"][0]
    (results_folder().parent / "notebooks/toy/draws.ipynb").unlink()
    assert "read" not in explained("toy-gain")[1]


def file_of_measures():
    from transductive_compendium.rooms import source_file
    from transductive_compendium.verdicts.claims import _MEASURES

    return source_file(_MEASURES["toy_gaps"].__module__)


@pytest.mark.parametrize(
    ("name", "rule", "words"),
    [
        ("toy-gain", "decide_repeats", "in 95 of 100 repetitions"),
        ("toy-same", "decide_repeats", "margin 1."),
        ("toy-theta", "decide_value", "h = t s sqrt(1/n + 1/m) + half a digit"),
        ("toy-theta", "decide_value", "tau 0.5."),
        ("toy-column", "decide_column", "at a joint level"),
        ("toy-identity", "decide_mathematics", "tolerance 1e-10."),
    ],
)
def test_the_rule_is_the_one_that_decides_with_what_it_needs(recorded, name, rule, words):
    _, found = explained(name)
    (text,) = found["rule"]
    assert words in text
    assert text.endswith(f"({rule} in src/transductive_compendium/verdicts/rules.py)")


def test_several_quotes_have_a_line_each(recorded):
    assert explained("toy-theta")[1]["quote"] == ["“about two”", "“theta = 2.0”"]


def test_the_second_mark_and_other_experiments_are_told(recorded):
    text, found = explained("toy-open")
    assert found["carries over"] == ["no (the town is the population)"]
    assert text.startswith("DEPENDS ON THE NUMBER OF DRAWS  toy-open\n")
    assert found["repeats"][0].count("repetitions of") == 2  # of one draw, and of a hundred
    text, found = explained("toy-count")
    assert "the paper publishes no experiment for it; this one is ours" in text
    assert found["carries over"][0].startswith("by construction")


def test_tolerances_that_matter_are_marked(recorded):
    recorded.edit("toy-theta", tau=0.001)
    text, _ = explained("toy-theta")
    assert "tolerance gives another" not in text  # 0.0005 and 0.002 are below the half-width, too
    recorded.edit("toy-theta", tau=0.05)
    assert "half or double the tolerance gives another outcome" in explained("toy-theta")[0]


def test_what_differs_between_options_is_named(recorded):
    from dataclasses import replace

    (verdict,) = (v for v in verify() if v.claim.id == "toy-gain")
    options = {"start: far": "not reproduced", "law: uniform": "reproduced"}
    text = explain(replace(verdict, options=options, options_not_run=("start: near",)))
    words = "under 2 of 3 that could be decided (start: far: not reproduced); not run: start: near"
    assert words in " ".join(text.split())


def test_what_cannot_be_tested_says_why_and_asks_for_no_rule(recorded):
    text, found = explained("toy-mail")
    assert text.startswith("NOT TESTABLE HERE  toy-mail\n")
    assert found["repeats"] == ["not testable here: The mail is private."]
    assert "rule" not in found and "measure" not in found


def test_missing_results_are_told_with_the_command_that_makes_them(room):
    text, found = explained("toy-gain")
    assert text.startswith("UNDECIDED  toy-gain\n")
    assert "transductive run toy/draws --profile paper --record" in found["results"][0]
    assert "rerun" not in found


def test_a_check_has_no_quotation(recorded):
    text, found = explained("toy-check", checks=True)
    assert text.startswith("REPRODUCED  toy-check\n")
    assert not {"quote", "place", "experiment", "comes out", "carries over"} & set(found)
    assert found["rule"][0].startswith("repeats: ")


def test_a_finding_is_shown_with_both_numbers_and_its_claims(recorded):
    better, worse = (explain_finding(d) for d in decide_findings()["toy"])
    assert better.startswith("HOLDS  toy/better\n  finding      A errs less than B.\n")
    for line in (
        "compared     B on the same splits",
        "published    3 %, B 5 %",
        "reproduced   2.000 ± 0.092 (n = 120)",
        "repeats      repetitions in which it comes out: 100 of 100",
        "support      toy-theta: same. The threshold $|f|$ is about two.",
        "figure       notebooks/toy/curve.ipynb",
    ):
        assert f"\n  {line}" in better
    headline = (
        "headline toy-gain: reproduced (100 of 100); not run. A errs less than B by 2 points."
    )
    assert headline in " ".join(better.split())
    assert worse.startswith("OPEN  toy/worse\n")
    assert "not reproduced (0 of 100)" in worse and "toy-theta" not in worse
