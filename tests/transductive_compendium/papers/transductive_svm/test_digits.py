"""Digits with few labels: splits, and what each method knows."""

import numpy as np
import pytest
from paper_rooms import unit_rows

from transductive_compendium.datasets.digit_tasks import TASKS
from transductive_compendium.datasets.registry import registry
from transductive_compendium.papers.transductive_svm.digits import (
    KERNELS,
    N_LABELS,
    TASK_SIZES,
    n_working,
    random_rows,
)
from transductive_compendium.papers.transductive_svm.digits_measures import overlap


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


def test_each_method_has_the_number_it_knows(digits):
    key = {"dataset": "usps", "task": "5 / 8", "draw": 0}
    rows = unit_rows("transductive_svm/digits", key, digits)
    assert len(rows) == len(KERNELS) * len(N_LABELS) * 5
    assert rows["positive_true"].nunique() == 1  # the same split for all
    known = rows[rows["method"].str.contains("true")]
    assert (known["positive"] == known["positive_true"]).all()
    for _, part in rows.groupby(["kernel", "labels"]):
        positive = part.set_index("method")["positive"]
        assert positive["svm, sample number"] == positive["tsvm, sample number"]
    # a wrong number of positives makes at least as many errors
    m = n_working(np.isin(digits["usps"].codes, (5, 8)).sum())
    wrong = (rows["positive"] - rows["positive_true"]).abs()
    assert (rows["error"] * m >= wrong - 1e-9).all() and wrong.any()


def test_overlap_of_splits():
    assert overlap("mnist", "3 / 8", 10) == pytest.approx(1010 / (13966 - 1010))
    assert overlap("usps", "even / odd", 100) == pytest.approx(1100 / (9298 - 1100))
    assert overlap("usps", "3 / 8", 10) == pytest.approx(393 / (1532 - 393))
