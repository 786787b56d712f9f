"""Table 1's experiment on SVM, LD and TLD, on small sizes."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from paper_rooms import unit_rows

from transductive_compendium.papers.transductive_regression import table_1


@pytest.mark.parametrize("split", [3, 99])
def test_pooled_runs_are_tested_on_other_runs(split):
    postal = SimpleNamespace(name="usps", y=np.zeros(9298), n_train=7291, partitions=None)
    train, test = table_1.division(postal, split, pooled=True)
    literal_train, literal_test = table_1.division(postal, split)
    np.testing.assert_array_equal(train, literal_train)
    assert len(test) == len(literal_test) == 2000
    assert len(np.unique(np.r_[train, test])) == 2317 and test.max() < 7291 <= literal_test.min()
    assert set(test) != set(table_1.division(postal, split - 1, pooled=True)[1])


def test_postal_runs_in_the_order_of_the_file():
    postal = SimpleNamespace(
        name="usps", y=np.zeros(9298), n_train=7291, partitions=None, substitute=False
    )
    train, test = table_1.division(postal, 1, in_order=True)
    np.testing.assert_array_equal(train, np.arange(317, 634))
    np.testing.assert_array_equal(test, np.arange(7291, 9291))


@pytest.fixture
def chosen(monkeypatch):
    """The free parameters of each method on the one set, whatever chooses them."""
    free = {"SVM": (5.0, 1.0), "LD": (5.0, 1.0), "TLD": (5.0, 1.0, 0.1)}
    for rule in ("least_mean", "leave_one_out"):
        monkeypatch.setitem(table_1.CHOSEN, rule, {"ida_heart": free})
    for option in table_1.CHOSEN_WITH:
        monkeypatch.setitem(table_1.CHOSEN_WITH, option, {"ida_heart": free})
    return free


@pytest.fixture
def row(chosen, cancer):
    def row(**options):
        key = {"dataset": "ida_heart", "split": 0}
        return unit_rows("transductive_regression/table_1", key, cancer, **options).iloc[0]

    return row


def test_without_transduction_and_with_one_choice_all_discriminants_are_one(row, chosen):
    default = row()
    chosen["TLD"] = (5.0, 1.0, np.inf)
    inductive = row()
    assert inductive.tld_error == inductive.start_error == inductive.ld_error
    assert 0 < inductive.ld_error < 15 and 0 < inductive.svm_error < 15
    assert (inductive.n_train, inductive.n_test) == (341, 228)
    assert default.tld_error != inductive.tld_error
    assert default.start_error == inductive.start_error


def test_options_change_one_thing(row, chosen):
    """With the same free parameters only what is read anew changes."""
    default, scaled, start = row(), row(gamma_star_size="over_m"), row(y0_basis="all")
    for unchanged in ("svm_error", "start_error"):
        assert scaled[unchanged] == default[unchanged]
    pd.testing.assert_series_equal(row(choice="leave_one_out"), default)
    assert start.ld_error == default.ld_error and start.start_error != default.start_error
    for option in (row(tld_basis="linear"), row(gamma_scale="functional")):
        assert option.svm_error == default.svm_error and option.tld_error != default.tld_error
    with pytest.raises(ValueError, match="one of them at a time"):
        row(tld_basis="linear", choice="median")
    # gamma* of 341 / 5 held-out points on 228 test points
    chosen["TLD"] = (5.0, 1.0, 0.1 * 341 / 5 / 228)
    assert row().tld_error == scaled.tld_error
