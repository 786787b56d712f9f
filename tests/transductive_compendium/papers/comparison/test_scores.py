"""Scores of labels, probabilities and orders, and what is made of them split by split."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import brier_score_loss, log_loss

from transductive_compendium.papers.comparison import scores
from transductive_compendium.papers.comparison import scores_measures as measures

NOISE = 0.002 * np.random.default_rng(0).standard_normal((3, 100))


def test_hits_are_expected_over_orders_of_ties():
    values, hit = np.array([2.0, 1.0, 1.0, 1.0, 0.0]), np.array([0, 1, 0, 0, 1], dtype=bool)
    np.testing.assert_allclose(scores.expected_hits(values, hit), [0, 1 / 3, 2 / 3, 1, 2])
    # against the mean over random orders
    rng = np.random.default_rng(1)
    orders = [np.lexsort((rng.random(5), -values)) for _ in range(20_000)]
    np.testing.assert_allclose(
        scores.expected_hits(values, hit), np.mean([hit[o].cumsum() for o in orders], 0), atol=0.02
    )


def test_error_with_the_true_number():
    truth = np.array([True, True, False, False, False])
    assert scores.error_told(np.array([5.0, 4, 3, 2, 1]), truth) == 0.0
    assert scores.error_told(-np.array([5.0, 4, 3, 2, 1]), truth) == pytest.approx(0.8)
    assert scores.error_told(np.zeros(5), truth) == pytest.approx(2 * 2 * 3 / 5 / 5)
    # whatever the threshold
    values = np.random.default_rng(0).standard_normal(40)
    truth = values + np.random.default_rng(1).standard_normal(40) > 0
    assert scores.error_told(values, truth) == scores.error_told(values - 7.0, truth)
    labels = values > np.sort(values)[-truth.sum() - 1]
    assert scores.error_told(values, truth) == pytest.approx(np.mean(labels != truth))


def test_rejection():
    wrong = np.array([False, False, False, True, True])
    good = scores.rejection(np.arange(5.0)[::-1], wrong)
    assert good["error_kept"] == pytest.approx(1 / 4)
    assert good["risk_area"] == pytest.approx(np.mean([0, 0, 0, 1 / 4, 2 / 5]))
    none = scores.rejection(np.ones(5), wrong)
    assert none["error_kept"] == none["risk_area"] == pytest.approx(wrong.mean())


def test_calibration_scores_are_the_usual_ones():
    rng = np.random.default_rng(0)
    p = rng.uniform(0.01, 0.99, 500)
    truth = rng.random(500) < p
    found = scores.calibration(p, truth)
    assert found["brier"] == pytest.approx(brier_score_loss(truth, p))
    assert found["log_loss"] == pytest.approx(log_loss(truth, p))
    assert sum(found[f"points_{e}"] for e in (60, 70, 80, 90, 100)) == 500
    right = np.mean((p >= 0.5) == truth)
    assert sum(found[f"right_{e}"] for e in (60, 70, 80, 90, 100)) == pytest.approx(500 * right)
    # drawn from p itself: what is claimed is kept, within four standard deviations
    assert found["claimed"] == pytest.approx(right, abs=4 * 0.5 / np.sqrt(500))
    sure = scores.calibration(np.array([1.0, 0.0]), np.array([True, True]))
    assert sure["points_100"] == 2 and sure["right_100"] == 1
    assert sure["log_loss"] == pytest.approx(-0.5 * np.log(0.005 * 0.995))
    assert set(scores.calibration(None, truth)) == set(found)


def test_overlap_of_splits():
    assert measures.overlap("thyroid", 40) == pytest.approx((40 + 53) / (215 - 93))
    f = 20 / 9603 + 400 / 3299
    assert measures.overlap("reuters acq", 20) == pytest.approx(f / (1 - f))
    # of ten positives in a hundred, those nine in ten are drawn from the negatives
    f = 20 / 13138 + 180 / 6825
    assert measures.overlap("mnist 5 / 8", 20, 200, 0.9) == pytest.approx(f / (1 - f))
    assert measures.overlap("heart", 10) < measures.overlap("heart", 80)


def test_gains_have_intervals():
    """The gain of the first method on the second is 10 points over the number of labels / 10."""
    frame = pd.DataFrame(
        {"problem": problem, "draw": draw, "labels": labels, "method": method}
        | {"error": 0.2 - gain * worth / labels + NOISE[i, draw], "error_told": 0.1}
        for problem, worth in (("mnist 5 / 8", 1.0), ("banana", -1.0))
        for draw in range(100)
        for labels in (10, 80)
        for i, (method, gain) in enumerate({"tsvm": 1.0, "svm": 0.0}.items())
    )
    table = measures.gains(frame, "tsvm", "svm", "labels")
    row = table.loc[("mnist 5 / 8", 10)]
    assert row["gain"] == pytest.approx(10, abs=0.2) and 0 < row["half"] < 1
    assert len(table) == 4


def methods_frame(claimed, right=0.75):
    ends = (60, 70, 80, 90, 100)
    row = {f"{what}_{e}": 0.0 for e in ends for what in ("points", "right")}
    row |= {"problem": "banana", "method": "bt", "error": 1.0 - right}
    row |= {"points_100": 100.0, "right_100": 100 * right}
    rows = [row | {"draw": d, "claimed": claimed + NOISE[0, d]} for d in range(100)]
    other = {"problem": "banana", "draw": 0, "method": "svm", "claimed": np.nan, "error": 0.5}
    return pd.DataFrame([*rows, other])


@pytest.mark.parametrize("claimed", [0.85, 0.65])
def test_overconfidence_is_what_is_claimed_beyond_what_is_right(claimed):
    found = measures.overconfidence(methods_frame(claimed)).loc["banana", "bt"]
    assert len(found) == 100
    assert found.mean() == pytest.approx(100 * (claimed - 0.75), abs=0.1)


def test_reliability_pools_the_splits():
    table = measures.reliability(methods_frame(0.9), ["banana"])
    assert table.at[("bt", 100), "points"] == 10000
    assert table.at[("bt", 100), "right"] == pytest.approx(0.75)
    assert np.isnan(table.at[("bt", 60), "right"])
    assert set(table.index.get_level_values("method")) == {"bt"}
