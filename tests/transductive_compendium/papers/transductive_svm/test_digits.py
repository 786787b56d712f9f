"""Digits with few labels: tasks, draws, and what each method knows."""

import numpy as np
import pandas as pd
import pytest

import transductive_compendium.papers.transductive_svm.digits as digits
from transductive_compendium.datasets import load
from transductive_compendium.runner import get

EXPERIMENT = "transductive_svm/digits"


@pytest.fixture(scope="module")
def data():
    return {"usps": load("digits"), "mnist": load("digits")}


def _rows(data, task, seed=0):
    key = {"dataset": "usps", "task": task, "draw": 0}
    return pd.DataFrame(get(EXPERIMENT).run_unit(key, {}, data, np.random.default_rng(seed)))


def test_smoke_is_the_beginning_of_paper():
    smoke, paper, full = (get(EXPERIMENT).unit_keys({}, t) for t in ("smoke", "paper", "full"))
    assert 0 < len(smoke) < len(paper) < len(full)


@pytest.mark.parametrize("task", digits.TASKS)
@pytest.mark.parametrize("name", ["usps", "mnist"])
def test_tasks_keep_their_digits(name, task, data):
    X, y = digits.task_rows(name, task, data)
    positive, negative = digits.TASKS[task]
    assert (y == 1).sum() == np.isin(data[name].codes, positive).sum()
    assert (y == -1).sum() == np.isin(data[name].codes, negative).sum() and len(X) == len(y)


def test_draws_have_both_classes_among_the_first_ten():
    y = np.where(np.arange(2000) % 40, -1, 1)  # rare enough to be drawn again
    for seed in range(10):
        order = digits.draw(y, np.random.default_rng(seed))
        assert len(set(order)) == len(order) == 100 + 500
        assert set(y[order[:10]]) == {-1, 1}


def test_highest_values_are_positive():
    np.testing.assert_array_equal(digits._top(np.array([0.1, 3.0, -1.0, 3.0]), 2), [-1, 1, -1, 1])
    np.testing.assert_array_equal(digits._top(np.array([1.0, 1.0]), 0), [-1, -1])


def test_each_method_has_the_number_it_knows(data):
    rows = _rows(data, "5 / 8")
    assert len(rows) == len(digits.KERNELS) * len(digits.N_LABELS) * 5
    known = rows[rows["method"].str.contains("true")]
    assert (known["positive"] == known["positive_true"]).all()
    for _, part in rows.groupby(["kernel", "labels"]):
        part = part.set_index("method")
        assert (
            part.at["svm, sample number", "positive"] == part.at["tsvm, sample number", "positive"]
        )
    # a wrong number of positives makes at least as many errors
    m = digits.n_working(np.isin(data["usps"].codes, (5, 8)).sum())
    wrong = (rows["positive"] - rows["positive_true"]).abs()
    assert (rows["error"] * m >= wrong - 1e-9).all() and wrong.any()


def test_methods_see_the_same_draw(data):
    """The numbers of positives among working points, the same for all kernels and labels."""
    rows = _rows(data, "3 / 8", seed=2)
    assert rows["positive_true"].nunique() == 1
