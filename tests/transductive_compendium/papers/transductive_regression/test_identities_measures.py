"""Claims on the identities: what their measures make of rows."""

import pandas as pd
import pytest

from transductive_compendium.papers.transductive_regression import identities_measures as report
from transductive_compendium.runner import RecordMissingError, load_recorded
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED, decide_identity


def test_recorded_rows_have_what_the_measures_read():
    try:
        rows, _ = load_recorded(report.ITEM)
    except RecordMissingError:
        pytest.skip("not recorded")
    assert set(["refits", "two_forms", "minimum", "printed_excess"]) <= set(rows)


def identities(**changes):
    rows = pd.DataFrame(
        {"refits": [1e-12, 3e-11], "two_forms": [2e-15, 0.0], "printed_excess": [0.5, 40.0]}
    )
    return {report.ITEM: rows.assign(**{"printed_conforms": False, **changes})}


def test_the_largest_deviation_decides():
    found = report.largest_deviation(identities(), ["refits", "two_forms"])
    assert found.error == 3e-11
    assert decide_identity(found, 1e-8).outcome == REPRODUCED
    off = report.largest_deviation(identities(two_forms=[0.0, 1e-6]), ["refits", "two_forms"])
    assert decide_identity(off, 1e-8).outcome == NOT_REPRODUCED
    # columns that are not asked for do not count
    assert report.largest_deviation(identities(), ["two_forms"]).error == 2e-15


def test_the_printed_equation_is_wrong_only_if_everywhere():
    assert report.printed_is_wrong(identities(), 0.01).holds
    assert not report.printed_is_wrong(identities(), 0.6).holds
    assert not report.printed_is_wrong(identities(printed_excess=[0.0, 1.0]), 0.01).holds
    once = identities(printed_conforms=[True, False])
    assert not report.printed_is_wrong(once, 0.01).holds
