"""Table 1's experiment on SVM, LD and TLD, on small sizes."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from paper_rooms import unit_rows

from transductive_compendium.papers.transductive_regression import table_1
from transductive_compendium.papers.transductive_regression.table_1_splits import (
    N_POSTAL_RUNS,
    SETS,
)
from transductive_compendium.runner import get


def test_the_table_has_the_published_numbers_of_splits():
    keys = pd.DataFrame(get("transductive_regression/table_1").unit_keys({}, "paper"))
    counts = keys.groupby("dataset").split.nunique()
    assert counts["usps"] == 10 * N_POSTAL_RUNS and counts["usps pooled"] == 100
    assert (counts[[name for name in SETS if name != "usps"]] == 200).all()
    smoke = pd.DataFrame(get("transductive_regression/table_1").unit_keys({}, "smoke"))
    assert list(smoke.dataset) == list(SETS) and (smoke.split == 0).all()


def test_other_options_have_fewer_splits():
    keys = pd.DataFrame(get("transductive_regression/table_1_options").unit_keys({}, "paper"))
    counts = keys.groupby(["option", "dataset"]).split.nunique()
    assert (counts["linear"] == 30).all() and "usps pooled" not in counts["linear"]
    assert counts["median"]["banana"] == 100
    assert (counts["median"][["usps", "usps pooled"]] == N_POSTAL_RUNS).all()


@pytest.mark.parametrize("split", [3, 99])
def test_pooled_runs_are_tested_on_other_runs(split):
    postal = SimpleNamespace(name="usps", y=np.zeros(9298), n_train=7291, partitions=None)
    train, test = table_1.division(postal, split, pooled=True)
    literal_train, literal_test = table_1.division(postal, split)
    np.testing.assert_array_equal(train, literal_train)
    assert len(test) == len(literal_test) == 2000
    assert len(np.unique(np.r_[train, test])) == 2317 and test.max() < 7291 <= literal_test.min()
    assert set(test) != set(table_1.division(postal, split - 1, pooled=True)[1])


def test_table_rows(monkeypatch, cancer):
    """Without transduction (gamma_star infinite) and with one choice, all discriminants are one."""
    chosen = {"ida_heart": {"SVM": (5.0, 1.0), "LD": (5.0, 1.0), "TLD": (5.0, 1.0, np.inf)}}
    monkeypatch.setitem(table_1.CHOSEN, "least_mean", chosen)
    key = {"dataset": "ida_heart", "split": 0}
    row = unit_rows("transductive_regression/table_1", key, cancer).iloc[0]
    assert row.tld_error == row.start_error == row.ld_error
    assert 0 < row.ld_error < 15 and 0 < row.svm_error < 15
    assert (row.n_train, row.n_test) == (341, 228)
    monkeypatch.setitem(chosen["ida_heart"], "TLD", (5.0, 1.0, 0.1))
    again = unit_rows("transductive_regression/table_1", key, cancer).iloc[0]
    assert again.tld_error != row.tld_error and again.start_error == row.start_error


def test_options_change_one_thing(monkeypatch, cancer):
    chosen = {"ida_heart": {"SVM": (5.0, 1.0), "LD": (5.0, 1.0), "TLD": (5.0, 1.0, 0.1)}}
    monkeypatch.setitem(table_1.CHOSEN, "least_mean", chosen)
    key = {"dataset": "ida_heart", "split": 0}

    def row(**options):
        return unit_rows("transductive_regression/table_1", key, cancer, **options).iloc[0]

    default, scaled = row(), row(gamma_star_size="over_m")
    assert scaled.svm_error == default.svm_error and scaled.start_error == default.start_error
    # gamma* of 341 / 5 held-out points on 228 test points
    chosen["ida_heart"]["TLD"] = (5.0, 1.0, 0.1 * 341 / 5 / 228)
    assert row().tld_error == scaled.tld_error


def test_options_with_a_choice_of_their_own(monkeypatch, cancer):
    """The formulas change beside the free parameters; with the same ones only what is read anew."""
    chosen = {"ida_heart": {"SVM": (5.0, 1.0), "LD": (5.0, 1.0), "TLD": (5.0, 1.0, 0.1)}}
    key = {"dataset": "ida_heart", "split": 0}
    monkeypatch.setitem(table_1.CHOSEN, "least_mean", chosen)
    monkeypatch.setitem(table_1.CHOSEN, "leave_one_out", chosen)
    for option in table_1.CHOSEN_WITH:
        monkeypatch.setitem(table_1.CHOSEN_WITH, option, chosen)

    def row(**options):
        return unit_rows("transductive_regression/table_1", key, cancer, **options).iloc[0]

    default, start = row(), row(y0_basis="all")
    pd.testing.assert_series_equal(row(choice="leave_one_out"), default)
    assert start.ld_error == default.ld_error and start.start_error != default.start_error
    for option in (row(tld_basis="linear"), row(gamma_scale="functional")):
        assert option.svm_error == default.svm_error and option.tld_error != default.tld_error
    with pytest.raises(ValueError, match="one of them at a time"):
        row(tld_basis="linear", choice="median")


def test_postal_runs_in_the_order_of_the_file():
    postal = SimpleNamespace(
        name="usps", y=np.zeros(9298), n_train=7291, partitions=None, substitute=False
    )
    train, test = table_1.division(postal, 1, in_order=True)
    np.testing.assert_array_equal(train, np.arange(317, 634))
    np.testing.assert_array_equal(test, np.arange(7291, 9291))
