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
    assert set(["dataset", "split", "gamma", "kept", "dropped", "norm", "test"]) <= set(rows)


def basis(kept_at=0.1, dropped_at=0.1, small=3.0, n=40, spread=0.02):
    """Both leave-one-out errors smallest at a gamma of their own; test error smallest at 0.1."""
    rng = np.random.default_rng(0)
    grid = pd.MultiIndex.from_product(
        [["boston", "diabetes"], range(n), [0.7, 1.4], 10.0 ** np.arange(-4, 2)],
        names=["dataset", "split", "log_sigma", "gamma"],
    )
    rows = grid.to_frame(index=False)

    def valley(at, log_sigma):
        away = np.log10(rows["gamma"] / at) ** 2 + (rows["log_sigma"] != log_sigma)
        return 10.0 * (1 + 0.1 * away)

    noise = 1 + spread * rng.standard_normal(len(rows))
    rows["test"] = valley(0.1, 0.7) * noise
    rows["test_norm"] = rows["test"] + 1
    rows["kept"] = valley(kept_at, 0.7) * np.where(rows["gamma"] < 0.01, small, 1.0)
    rows["dropped"] = valley(dropped_at, 0.7)
    rows["norm"] = valley(0.1, 1.4)
    return rows


def test_choices_are_the_smallest_estimates():
    table = report.choices(basis(kept_at=1.0, dropped_at=0.01, spread=0.0))
    assert len(table) == 2 * 40 * 4
    for estimate, gamma, log_sigma in (
        ("kept", 1.0, 0.7),
        ("dropped", 0.01, 0.7),
        ("norm", 0.1, 1.4),
        ("test", 0.1, 0.7),
    ):
        part = table[table["estimate"] == estimate]
        np.testing.assert_allclose(part["gamma"], gamma)
        np.testing.assert_allclose(part["log_sigma"], log_sigma)
    # test errors by the form that the estimate is of
    by = table.set_index("estimate")["test_error"].groupby(level=0).first()
    assert by["kept"] == pytest.approx(11.0) and by["test"] == pytest.approx(10.0)
    assert by["norm"] == pytest.approx(12.0)


def nearer(rows, largest=0.001):
    return outcome_of(report.nearer_without_basis({report.ITEM: rows}, "boston", largest))


def test_further_from_the_test_error_at_small_ridges():
    assert nearer(basis(spread=0.1)) == REPRODUCED
    evidence = report.nearer_without_basis({report.ITEM: basis(spread=0.0)}, "boston", 0.001)
    np.testing.assert_allclose(evidence.gaps, np.log(3.0))
    # factors too small and too large are the same distance
    evidence = report.nearer_without_basis(
        {report.ITEM: basis(spread=0.0, small=1 / 3)}, "boston", 0.001
    )
    np.testing.assert_allclose(evidence.gaps, np.log(3.0))
    assert nearer(basis(spread=0.1, small=1.0)) == NOT_REPRODUCED
