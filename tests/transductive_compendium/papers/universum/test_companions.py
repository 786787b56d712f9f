"""As printed, under other interpretations and without groups: reruns agree with the records."""

import pytest

from transductive_compendium.datasets import available
from transductive_compendium.runner import (
    RecordMissingError,
    all_experiments,
    compare,
    load_recorded,
    run,
)
from transductive_compendium.verdicts.claims import load_statements

PAPER = "universum"
COMPANIONS = [
    name
    for name in all_experiments()
    if name.startswith(f"{PAPER}/") and name.endswith(("_options", "_groups", "_printed"))
]


def recorded(name):
    try:
        return load_recorded(name)[0]
    except RecordMissingError:
        pytest.skip(f"{name} is not recorded")


@pytest.mark.parametrize("name", COMPANIONS)
def test_companions_agree_with_the_record(name, tmp_path):
    recorded(name)
    if not all(available(data) for data in all_experiments()[name].datasets):
        pytest.skip("the data are not at hand")
    agreement = compare(run(name, progress=False, store=tmp_path))
    assert agreement.ok, agreement.describe()


@pytest.mark.parametrize("name", [name for name in COMPANIONS if name.endswith("_options")])
def test_options_are_those_of_the_interpretations(name):
    known = load_statements([PAPER])[PAPER].interpretations
    keys = all_experiments()[name].unit_keys({}, "paper")
    found = {(key["interpretation"], key["option"]) for key in keys}
    assert all(option in known[interpretation].others for interpretation, option in found)
