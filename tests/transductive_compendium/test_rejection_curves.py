"""Error against rejection: ties, thresholds, and what counts as a training set of a split."""

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.rejection_curves import (
    UNANIMOUS,
    confidence_of,
    curve,
    error_at_rejection,
    outcomes,
    theta_max,
)


def test_confidence_is_that_of_equation_7():
    p_plus = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
    assert confidence_of(p_plus).tolist() == [1.0, 0.5, 0.0, 0.5, 1.0]


def test_without_ties_the_least_confident_points_go_first():
    confidence = np.array([[0.1, 0.2, 0.3, 0.4]])
    wrong = np.array([[True, False, True, False]])
    errors = error_at_rejection(confidence, wrong, [0.0, 0.25, 0.5, 0.75])
    np.testing.assert_allclose(errors, [[0.5, 1 / 3, 0.5, 0.0]])


def test_ties_are_broken_evenly():
    """The expected error over random orders; 4000 orders, six standard errors."""
    rng = np.random.default_rng(0)
    confidence = rng.integers(0, 4, size=40) / 4.0
    wrong = rng.uniform(size=40) < 0.3
    rate = 0.35
    kept = round((1 - rate) * 40)
    drawn = []
    for _ in range(4000):
        order = np.lexsort((rng.uniform(size=40), -confidence))
        drawn.append(wrong[order[:kept]].mean())
    expected = error_at_rejection(confidence[None], wrong[None], rate)[0, 0]
    assert abs(np.mean(drawn) - expected) < 6 * np.std(drawn) / np.sqrt(4000)


def test_points_unanimous_to_rounding_are_one_tie():
    confidence = np.array([[1.0, 1.0 - 1e-12, 1.0, 0.2]])
    wrong = np.array([[True, False, False, False]])
    assert error_at_rejection(confidence, wrong, 0.5)[0, 0] == pytest.approx(1 / 3)


def test_theta_max_rejects_as_much_as_unanimity():
    rng = np.random.default_rng(1)
    confidence = np.where(rng.uniform(size=(20, 50)) < 0.4, 0.5, 1.0)
    margin = rng.exponential(size=(20, 50))
    theta = theta_max(confidence, margin)
    assert np.mean(margin < theta) == pytest.approx(np.mean(confidence < UNANIMOUS), abs=0.002)


def test_splits_with_nothing_left_have_no_error():
    confidence = np.array([[0.1, 0.2], [0.9, 1.0]])
    wrong = np.array([[True, True], [False, True]])
    table = curve(confidence, wrong, [0.0, 0.5, 1.0])
    assert table["splits"].tolist() == [2, 1, 1]
    assert table["error"].tolist() == [0.75, 0.5, 1.0]
    assert table["rejection"].tolist() == [0.0, 0.5, 0.75]


def test_outcomes_from_rows():
    frame = pd.DataFrame(
        {
            "split": [0, 0, 1, 1],
            "label": [1, -1, 1, -1],
            "p_plus": [1.0, 0.5, 0.2, 0.0],
            "f": [2.0, -1.0, 0.5, 0.1],
        }
    )
    o = outcomes(frame)
    assert o.wrong.tolist() == [[False, True], [True, False]]
    assert o.wrong_svm.tolist() == [[False, False], [False, True]]
    np.testing.assert_allclose(o.confidence, [[1.0, 0.0], [0.6, 1.0]])
    with pytest.raises(ValueError, match="different sizes"):
        outcomes(frame.iloc[:3])
