"""Both methods on one split."""

import numpy as np
import pytest

from transductive_compendium.papers.bayesian_transduction.split_comparison import (
    Interpretation,
    compare_on_split,
)


def test_one_split_gives_both_methods_the_same_points():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((60, 3))
    y = np.where(X[:, 0] > 0, 1, -1)
    train, test, p_plus, f, centre = compare_on_split(
        X, y, 0, Interpretation(sigma=1.0, n_bounces=2000), rng
    )
    assert len(test) == len(p_plus) == len(f) == len(centre) == 24
    assert ((p_plus >= 0) & (p_plus <= 1)).all()
    # separable with room: both label nearly everything as the teacher does
    assert np.mean((p_plus >= 0.5) == (y[test] > 0)) > 0.8
    assert np.mean((f >= 0) == (y[test] > 0)) > 0.8
    assert np.mean((centre >= 0) == (p_plus >= 0.5)) > 0.9
    # a training point on the test side would be unanimous; the test points are not all
    assert len(set(train) & set(test)) == 0


def test_soft_margin_without_a_threshold_meets_its_conditions():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((80, 2))
    y = np.where(X[:, 0] + 0.3 * rng.standard_normal(80) > 0, 1, -1)
    hard, soft = (
        compare_on_split(X, y, 0, Interpretation(sigma=0.5, svm=svm, n_bounces=10), rng).f
        for svm in ("hard margin, no bias", "no bias, C = 1000")
    )
    # narrow kernel: no coefficient reaches 1000, and the two are one
    np.testing.assert_allclose(soft, hard, atol=1e-5)


def test_a_refreshed_velocity_needs_the_library_s_billiard():
    X, y = np.random.default_rng(0).standard_normal((20, 2)), np.tile([1, -1], 10)
    with pytest.raises(ValueError, match="geodesic"):
        compare_on_split(X, y, 0, Interpretation(refresh=1.0), np.random.default_rng(0))
