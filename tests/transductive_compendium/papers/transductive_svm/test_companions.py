"""Rows beside the recorded tables agree with them where they are run again."""

import pytest

from transductive_compendium.runner import RecordMissingError, compare, get, load_recorded, run

COMPANIONS = [
    "transductive_svm/reuters_table_options",
    "transductive_svm/reuters_table_groups",
    "transductive_svm/reuters_learning_options",
]


@pytest.mark.parametrize("name", COMPANIONS)
def test_smoke_rows_agree(name):
    get(name)
    try:
        load_recorded(name)
    except RecordMissingError:
        pytest.skip("not recorded")
    agreement = compare(run(name, "smoke", progress=False, fresh=True))
    if agreement.reason:  # the data are not at hand
        pytest.skip(agreement.reason)
    assert agreement.ok and agreement.compared, agreement.problems
