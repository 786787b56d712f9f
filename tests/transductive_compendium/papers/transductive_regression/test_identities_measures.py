"""Claims on the identities: what their measures make of rows."""

import pandas as pd
import pytest
from paper_rooms import identity_holds

from transductive_compendium.papers.transductive_regression import identities_measures as report
from transductive_compendium.runner import RecordMissingError, load_recorded
from transductive_compendium.verdicts.rules import HOLDS, decide_mathematics


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
    return rows.assign(**{"printed_conforms": False, **changes})


def test_the_largest_deviation_decides():
    found = report.largest_deviation({report.ITEM: identities()}, ["refits", "two_forms"])
    assert found.error == 3e-11
    assert identity_holds(found, 1e-8)
    off = {report.ITEM: identities(two_forms=[0.0, 1e-6])}
    off = report.largest_deviation(off, ["refits", "two_forms"])
    assert not identity_holds(off, 1e-8)
    # columns that are not asked for do not count
    assert report.largest_deviation({report.ITEM: identities()}, ["two_forms"]).error == 2e-15


def test_the_printed_equation_is_wrong_only_if_everywhere():
    def wrong(excess, **changes):
        found = report.printed_is_wrong(identities(**changes), excess)
        return decide_mathematics(found).outcome == HOLDS

    assert wrong(0.01)
    assert not wrong(0.6)
    assert not wrong(0.01, printed_excess=[0.0, 1.0])
    assert not wrong(0.01, printed_conforms=[True, False])


def test_a_gamma_star_that_does_not_fall_with_the_radius_is_no_match():
    rows = pd.DataFrame({"constraint": [1e-9, 2e-8], "falls_with_radius": True})
    assert report.constrained_minimum(rows).error == 2e-8
    rows["falls_with_radius"] = [True, False]
    assert not identity_holds(report.constrained_minimum(rows))
