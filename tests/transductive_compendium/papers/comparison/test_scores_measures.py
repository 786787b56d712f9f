"""Scores split by split: gains, and what is claimed of what is right."""

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.papers.comparison import scores_measures as measures

NOISE = 0.002 * np.random.default_rng(0).standard_normal((3, 100))


def labels_frame():
    """The gain of the first method on the second is 10 points over the number of labels / 10."""
    return pd.DataFrame(
        {"problem": problem, "draw": draw, "labels": labels, "method": method}
        | {"error": 0.2 - gain * worth / labels + NOISE[i, draw], "error_told": 0.1}
        for problem, worth in (("mnist 5 / 8", 1.0), ("banana", -1.0))
        for draw in range(100)
        for labels in (10, 80)
        for i, (method, gain) in enumerate({"tsvm": 1.0, "svm": 0.0}.items())
    )


def test_overlap_of_splits():
    assert measures.overlap("thyroid", 40) == pytest.approx((40 + 53) / (215 - 93))
    f = 20 / 9603 + 400 / 3299
    assert measures.overlap("reuters acq", 20) == pytest.approx(f / (1 - f))
    # of ten positives in a hundred, those nine in ten are drawn from the negatives
    f = 20 / 13138 + 180 / 6825
    assert measures.overlap("mnist 5 / 8", 20, 200, 0.9) == pytest.approx(f / (1 - f))
    assert measures.overlap("heart", 10) < measures.overlap("heart", 80)


def test_gains_have_intervals():
    table = measures.gains(labels_frame(), "tsvm", "svm", "labels")
    row = table.loc[("mnist 5 / 8", 10)]
    assert row["gain"] == pytest.approx(10, abs=0.2) and 0 < row["half"] < 1
    assert len(table) == 4


def methods_frame(claimed, right=0.75):
    ends = (60, 70, 80, 90, 100)
    bins = {f"{what}_{e}": 0.0 for e in ends for what in ("points", "right")}
    rows = [
        {"problem": "banana", "draw": d, "method": "bt", "claimed": claimed + NOISE[0, d]}
        | {"error": 1.0 - right}
        | bins
        | {"points_100": 100.0, "right_100": 100 * right}
        for d in range(100)
    ]
    other = {"problem": "banana", "draw": 0, "method": "svm", "claimed": np.nan, "error": 0.5}
    return pd.DataFrame([*rows, other])


def test_overconfidence_is_what_is_claimed_beyond_what_is_right():
    for claimed in (0.85, 0.65):
        found = measures.overconfidence(methods_frame(claimed)).loc["banana", "bt"]
        assert len(found) == 100
        assert found.mean() == pytest.approx(100 * (claimed - 0.75), abs=0.1)


def test_reliability_pools_the_splits():
    table = measures.reliability(methods_frame(0.9), ["banana"])
    assert table.at[("bt", 100), "points"] == 10000
    assert table.at[("bt", 100), "right"] == pytest.approx(0.75)
    assert np.isnan(table.at[("bt", 60), "right"])
    assert set(table.index.get_level_values("method")) == {"bt"}
