"""Claims on the basis function of the pair left out: what their measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of

from transductive_compendium.papers.transductive_regression import (
    basis_functions_measures as report,
)
from transductive_compendium.runner import RecordMissingError, load_recorded
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED


def test_recorded_rows_have_what_the_measures_read():
    try:
        rows, _ = load_recorded(report.ITEM)
    except RecordMissingError:
        pytest.skip("not recorded")
    assert {"dataset", "split", "gamma", "kept", "dropped", "test"} <= set(rows)


def basis(small=3.0, n=40, spread=0.02):
    """Leave-one-out errors at the test error, (15) off by a factor at small gamma."""
    rng = np.random.default_rng(0)
    grid = pd.MultiIndex.from_product(
        [["boston", "diabetes"], range(n), 10.0 ** np.arange(-4, 2)],
        names=["dataset", "split", "gamma"],
    )
    rows = grid.to_frame(index=False).assign(dropped=10.0)
    rows["test"] = 10.0 * (1 + spread * rng.standard_normal(len(rows)))
    rows["kept"] = 10.0 * np.where(rows["gamma"] < 0.01, small, 1.0)
    return rows


def nearer(rows, largest=0.001):
    return outcome_of(report.nearer_without_basis(rows, "boston", largest))


def test_further_from_the_test_error_at_small_ridges():
    assert nearer(basis(spread=0.1)) == REPRODUCED
    evidence = report.nearer_without_basis(basis(spread=0.0), "boston", 0.001)
    np.testing.assert_allclose(evidence.gaps, np.log(3.0))
    # factors too small and too large are the same distance
    evidence = report.nearer_without_basis(basis(spread=0.0, small=1 / 3), "boston", 0.001)
    np.testing.assert_allclose(evidence.gaps, np.log(3.0))
    assert nearer(basis(spread=0.1, small=1.0)) == NOT_REPRODUCED
