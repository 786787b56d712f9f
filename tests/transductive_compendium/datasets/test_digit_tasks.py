"""Two-class problems made of digits."""

import numpy as np
import pytest

from transductive_compendium.datasets import load
from transductive_compendium.datasets.digit_tasks import TASKS, task_rows


@pytest.fixture(scope="module")
def data():
    return {"usps": load("digits"), "mnist": load("digits")}


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("name", ["usps", "mnist"])
def test_tasks_keep_their_digits(name, task, data):
    X, y = task_rows(name, task, data)
    positive, negative = TASKS[task]
    assert (y == 1).sum() == np.isin(data[name].codes, positive).sum()
    assert (y == -1).sum() == np.isin(data[name].codes, negative).sum() and len(X) == len(y)
