"""What section 4 leaves open."""

from transductive_compendium.runner import get


def test_choices_name_what_they_change():
    keys = get("bayesian_transduction/choices").unit_keys({}, "paper")
    assert keys[0] == {"dataset": "thyroid", "choice": "the reading"}
    assert {"dataset": "heart", "choice": "classes: hyper against the rest"} not in keys
