"""The splits of Table 1, and how wrong signs are counted."""

from types import SimpleNamespace

import numpy as np
import pytest

from transductive_compendium.datasets import available, load
from transductive_compendium.papers.transductive_regression.table_1_splits import (
    N_POSTAL_CUTS,
    N_POSTAL_RUNS,
    SETS,
    partition,
    wrong_signs,
)


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
