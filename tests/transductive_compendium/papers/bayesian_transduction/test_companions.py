"""Options that were run are options of the interpretations."""

from transductive_compendium.papers.bayesian_transduction.readings import READINGS
from transductive_compendium.runner import load_recorded
from transductive_compendium.runner.records import RecordMissingError
from transductive_compendium.verdicts.claims import load_statements

PAPER = "bayesian_transduction"


def test_options_are_those_of_the_interpretations():
    known = load_statements([PAPER])[PAPER].interpretations
    assert all(set(found) <= set(known[name].others) for name, found in READINGS.items())
    for item in (
        "figure_2a",
        "figure_2b",
        "thousand_bounces",
        "long_runs",
        "class_error",
        "readings",
    ):
        try:
            rows, _ = load_recorded(f"{PAPER}/{item}_options")
        except RecordMissingError:
            continue
        for name, option in set(zip(rows["interpretation"], rows["option"], strict=True)):
            assert option in known[name].others
