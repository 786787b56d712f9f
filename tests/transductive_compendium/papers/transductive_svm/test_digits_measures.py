"""Digits with few labels: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.papers.transductive_svm import digits_measures as measures
from transductive_compendium.papers.transductive_svm.digits import TASK_SIZES

NOISE = 0.004 * np.random.default_rng(0).standard_normal((3, 30))
ERROR = {"svm": {10: 0.2, 100: 0.06}, "tsvm, true number": {10: 0.1, 100: 0.05}}


def made_up():
    """Errors of `ERROR`, on even / odd the other way round; with RBF twice as large."""
    rows = [
        {"dataset": dataset, "task": task, "draw": draw, "kernel": kernel, "labels": labels}
        | {"method": method, "error": factor * ERROR[swap[method]][labels] + NOISE[i, draw]}
        for dataset, task in TASK_SIZES
        for draw in range(30)
        for kernel, factor in (("linear", 1.0), ("rbf", 2.0))
        for labels in (10, 100)
        for i, method in enumerate(ERROR)
        for swap in [dict(zip(ERROR, [*ERROR][:: -1 if task == "even / odd" else 1], strict=True))]
    ]
    return pd.DataFrame(rows)


def test_overlap_of_splits():
    assert measures.overlap("mnist", "3 / 8", 10) == pytest.approx(1010 / (13966 - 1010))
    assert measures.overlap("usps", "even / odd", 100) == pytest.approx(1100 / (9298 - 1100))
    assert measures.overlap("usps", "3 / 8", 10) == pytest.approx(393 / (1532 - 393))


def test_gains_have_intervals():
    table = measures.gains(made_up(), 10, "rbf")
    row = table.loc[("mnist", "3 / 8", "tsvm, true number")]
    assert row["gain"] == pytest.approx(20.0, abs=0.5) and 0 < row["half"] < 1.0
    assert table.loc[("usps", "even / odd", "tsvm, true number"), "gain"] < -19
    assert len(table) == len(TASK_SIZES)


def test_a_wrong_number_is_in_per_cent_of_the_working_points():
    frame = pd.DataFrame({"dataset": ["mnist", "usps"], "task": ["3 / 8", "1 / 7"]})
    frame = frame.assign(positive=[480, 100], positive_true=[500, 151])
    assert TASK_SIZES["usps", "1 / 7"] == 2061
    np.testing.assert_allclose(measures.missed_number(frame), [2.0, 100 * 51 / 515])
