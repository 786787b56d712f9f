"""Table 1's splits, and its experiment on SVM, LD and TLD on small sizes."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from paper_rooms import unit_rows

from transductive_compendium.datasets import available, load
from transductive_compendium.papers.transductive_regression import table_1
from transductive_compendium.papers.transductive_regression.table_1_splits import (
    N_POSTAL_CUTS,
    N_POSTAL_RUNS,
    SETS,
    partition,
    wrong_signs,
)


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


def test_published_splits_come_first_then_others_of_their_size():
    partitions = np.array([[0, 2, 4, 6], [1, 3, 5, 7]])
    table = SimpleNamespace(name="toy", y=np.ones(10), partitions=partitions)
    for split in range(6):
        train, test = partition(table, split)
        assert len(train) == 4
        assert sorted([*train, *test]) == list(range(10))
    for split in (0, 1):
        np.testing.assert_array_equal(partition(table, split)[0], partitions[split])
    drawn = {tuple(partition(table, split)[0]) for split in range(2, 6)}
    assert len(drawn) == 4
    assert tuple(partition(table, 2)[0]) in drawn
    other = SimpleNamespace(name="other", y=np.ones(10), partitions=partitions)
    assert tuple(partition(other, 2)[0]) not in drawn


def test_postal_runs_share_out_the_training_part_and_have_one_test_set():
    table = SimpleNamespace(name="usps", y=np.ones(9298), partitions=None, n_train=7291)
    runs = [partition(table, split) for split in range(N_POSTAL_RUNS)]
    assert all(len(train) == 317 for train, _ in runs)
    assert sorted(np.concatenate([train for train, _ in runs])) == list(range(7291))
    for _, test in runs:
        np.testing.assert_array_equal(test, runs[0][1])
    assert len(set(runs[0][1])) == 2000
    assert runs[0][1].min() >= 7291
    # the next cut shares the training part out in another way
    other = [partition(table, N_POSTAL_RUNS + split)[0] for split in range(N_POSTAL_RUNS)]
    assert sorted(np.concatenate(other)) == list(range(7291))
    assert not any(set(train) == set(first) for train, (first, _) in zip(other, runs, strict=True))
    with pytest.raises(ValueError, match="0 to 229"):
        partition(table, N_POSTAL_CUTS * N_POSTAL_RUNS)


@pytest.mark.parametrize("name", SETS)
def test_numbers_of_training_points(name):
    if not available(name):
        pytest.skip(f"the {name} data are not at hand")
    assert len(partition(load(name), 0)[0]) == SETS[name]


def test_a_value_of_zero_is_half_an_error():
    """What rounding makes of it, and so which of two signs, differs between machines."""
    labels = np.array([1.0, 1.0, -1.0, 1.0, -1.0])
    values = np.array([2.0, -1.0, -3.0, 1e-15, -1e-16])
    assert wrong_signs(values, labels) == 2.0
