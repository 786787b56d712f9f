"""Digits with few labels: splits, and what each method knows."""

import numpy as np
import pytest
from paper_rooms import unit_rows

from transductive_compendium.datasets import load
from transductive_compendium.datasets.digit_tasks import TASKS
from transductive_compendium.datasets.registry import registry
from transductive_compendium.papers.transductive_svm.digits import (
    KERNELS,
    N_LABELS,
    TASK_SIZES,
    highest_positive,
    n_working,
    random_rows,
)


@pytest.fixture(scope="module")
def data():
    return {"usps": load("digits"), "mnist": load("digits")}


def _rows(data, task, seed=0):
    key = {"dataset": "usps", "task": task, "draw": 0}
    return unit_rows("transductive_svm/digits", key, data, seed)


def test_sizes_of_tasks_are_those_of_the_registry():
    for (name, task), size in TASK_SIZES.items():
        counts = registry()[name].classes
        assert size == sum(counts[digit] for side in TASKS[task] for digit in side)


def test_splits_have_both_classes_among_the_first_ten():
    y = np.where(np.arange(2000) % 40, -1, 1)  # rare enough to be drawn again
    for seed in range(10):
        order = random_rows(y, np.random.default_rng(seed))
        assert len(set(order)) == len(order) == 100 + 500
        assert set(y[order[:10]]) == {-1, 1}


def test_highest_values_are_positive():
    values = np.array([0.1, 3.0, -1.0, 3.0])
    np.testing.assert_array_equal(highest_positive(values, 2), [-1, 1, -1, 1])
    np.testing.assert_array_equal(highest_positive(np.array([1.0, 1.0]), 0), [-1, -1])


def test_each_method_has_the_number_it_knows(data):
    rows = _rows(data, "5 / 8")
    assert len(rows) == len(KERNELS) * len(N_LABELS) * 5
    known = rows[rows["method"].str.contains("true")]
    assert (known["positive"] == known["positive_true"]).all()
    for _, part in rows.groupby(["kernel", "labels"]):
        part = part.set_index("method")
        assert (
            part.at["svm, sample number", "positive"] == part.at["tsvm, sample number", "positive"]
        )
    # a wrong number of positives makes at least as many errors
    m = n_working(np.isin(data["usps"].codes, (5, 8)).sum())
    wrong = (rows["positive"] - rows["positive_true"]).abs()
    assert (rows["error"] * m >= wrong - 1e-9).all() and wrong.any()


def test_methods_see_the_same_split(data):
    """The numbers of positives among working points, the same for all kernels and labels."""
    rows = _rows(data, "3 / 8", seed=2)
    assert rows["positive_true"].nunique() == 1
