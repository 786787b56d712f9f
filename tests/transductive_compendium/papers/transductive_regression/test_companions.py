"""Rows beside the recorded ones agree with them where they are run again."""

import pytest

from transductive_compendium.runner import RecordMissingError, compare, get, load_recorded, run

ITEMS = [f"figure_1{panel}" for panel in "abcd"]
COMPANIONS = [
    *(f"{item}_{kind}" for item in ITEMS for kind in ("options", "groups")),
    "search_boston_options",
    "search_kin_options",
    "search_kin_groups",
    "regression_controls_options",
    "regression_controls_groups",
    "table_1_options",
    "table_1_choice_options",
    "boosting_options",
]


@pytest.mark.parametrize("item", COMPANIONS)
def test_smoke_rows_agree(item):
    name = f"transductive_regression/{item}"
    get(name)
    try:
        load_recorded(name)
    except RecordMissingError:
        pytest.skip("not recorded")
    agreement = compare(run(name, "smoke", progress=False, fresh=True))
    if agreement.reason:  # the data are not at hand
        pytest.skip(agreement.reason)
    assert agreement.ok and agreement.compared, agreement.problems
