"""What is shown of one claim and one finding, for who doubts it."""

import re

from transductive_compendium.rooms import source_file
from transductive_compendium.runner import results_folder
from transductive_compendium.verdicts import verify
from transductive_compendium.verdicts.claims import _MEASURES
from transductive_compendium.verdicts.explanation import (
    explain,
)


def labelled(text):
    """Lines by label; a label that comes again has its texts in a list."""
    found = {}
    for line in text.splitlines()[1:]:
        label, value = line[2:16].strip(), line[16:]
        if line[2] != " ":
            found.setdefault(label, []).append(value)
        else:
            found[next(reversed(found))][-1] += " " + value
    return found


def explained(name):
    (verdict,) = (v for v in verify() if v.claim.id == name)
    text = explain(verdict)
    return text, labelled(text)


def test_a_claim_is_shown_with_all_that_bears_on_it(recorded):
    text, found = explained("toy-gain")
    assert text.startswith("REPRODUCED  toy-gain\n") and max(map(len, text.splitlines())) <= 100
    file = source_file(_MEASURES["toy_gaps"][0].__module__)
    for label, line in {
        "statement": "A errs less than B by 2 points.",
        "quote": "“A errs | less”",
        "place": "toy, section 4, figure 1",
        "experiment": "A and B on 120 splits of the patients",
        "repetition": "a random split",
        "comes out": "The mean gap is above zero.",
        "published": "gain 2 points",
        "setting": "default",
        "reproduced": "2.00 (1.82, 2.18) (n = 120)",  # 1.98 / sqrt(119)
        "verdict": "reproduced: 100 % of the printed gain of 2; comes out in 100 of 100 "
        "repetitions of 100 draws",
        "measure": f"toy_gaps(by=2.0) in {file}: Gap between A and B, split by split.",
        "rerun": "transductive run toy/draws --profile paper",
        "read": "notebooks/toy/draws.ipynb",
    }.items():
        assert found[label] == [line]
    assert found["told"] == ["not run: start: far, start: near, law: uniform"]
    assert found["contest"][0].startswith(
        "in the sources, after `make setup`, change the measure, or the option"
    )
    assert "then `transductive verify toy-gain`; " in found["contest"][0]
    assert "to run" not in found and "excluded" not in found  # no experiment of it is registered
    assert re.fullmatch(
        r"results/toy/draws.csv: 120 rows of 4 units, recorded \S+ at commit "
        r"\w+( with local changes)? in \d+ s of computing",
        found["results"][0],
    )
    assert "where to report a disagreement" in found["contest"][0]
    (results_folder().parent / "notebooks/toy/draws.ipynb").unlink()
    assert "read" not in explained("toy-gain")[1]


def test_mathematics_is_shown_with_the_tests_that_decide_it(recorded):
    recorded.mark("toy-identity", "holds", "holds")
    text, found = explained("toy-identity")
    assert text.startswith("HOLDS  toy-identity\n") and "rule" not in found
    assert found["test"] == ["test_0, test_1"] and found["shown if"] == ["They agree to rounding."]
    assert found["run"] == ["python -m pytest tests/test_toy.py::test_0 tests/test_toy.py::test_1"]
