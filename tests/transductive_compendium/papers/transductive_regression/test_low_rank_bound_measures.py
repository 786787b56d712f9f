"""Claims on low rank: what their measures make of rows."""

import pandas as pd
import pytest

from transductive_compendium.papers.transductive_regression import low_rank_bound_measures as report
from transductive_compendium.runner import RecordMissingError, load_recorded
from transductive_compendium.verdicts.rules import EvidenceError, decide_mathematics


def test_recorded_rows_have_what_the_measures_read():
    try:
        rows, _ = load_recorded(report.ITEM)
    except RecordMissingError:
        pytest.skip("not recorded")
    assert set(["truncation", "bound", "complement", "transduction"]) <= set(rows)


def low_rank(**changes):
    rows = pd.DataFrame(
        {
            "truncation": [2.0, 0.1, 1e-3, 1e-12],
            "bound": [5.0, 0.11, 1e-3, 1e-12],
            "complement": [0.3, 0.01, 1e-5, 1e-10],
            "transduction": [0.5, 0.02, 1e-4, 1e-10],
        }
    )
    return {report.ITEM: rows.assign(**changes)}


def test_a_bound_holds_in_every_row_or_not():
    within = report.truncation_bounds(low_rank())
    assert within.true == within.cases == 4
    assert report.truncation_bounds(low_rank(complement=[0.3, 0.2, 1e-5, 0.0])).true == 3


def test_values_count_where_little_is_left_out():
    right = report.values_within(low_rank(), 0.01, 0.01)
    assert right.true == right.cases == 2
    assert report.values_within(low_rank(), 0.2, 0.01).true == 2
    # with nothing to look at nothing is shown
    with pytest.raises(EvidenceError):
        decide_mathematics(report.values_within(low_rank(truncation=1.0), 0.01, 0.01))
