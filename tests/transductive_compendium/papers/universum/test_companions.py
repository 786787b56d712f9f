"""Options that are run are options of the interpretations."""

import pytest

from transductive_compendium.runner import all_experiments
from transductive_compendium.verdicts.claims import load_statements

PAPER = "universum"
EXPERIMENTS = all_experiments()


@pytest.mark.parametrize(
    "name", [n for n in EXPERIMENTS if n.startswith(f"{PAPER}/") and n.endswith("_options")]
)
def test_options_are_those_of_the_interpretations(name):
    known = load_statements([PAPER])[PAPER].interpretations
    keys = EXPERIMENTS[name].unit_keys({}, "paper")
    found = {(key["interpretation"], key["option"]) for key in keys}
    assert all(option in known[interpretation].others for interpretation, option in found)
