"""Scores of labels, probabilities and orders."""

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss, log_loss

from transductive_compendium.papers.comparison import scores


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
