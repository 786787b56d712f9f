"""Both methods on one split."""

import numpy as np

from transductive_compendium.papers.bayesian_transduction.split_comparison import (
    Interpretation,
    compare_on_split,
)


def test_one_split_gives_both_methods_the_same_points():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((60, 3))
    y = np.where(X[:, 0] > 0, 1, -1)
    train, test, p_plus, f = compare_on_split(
        X, y, 0, Interpretation(sigma=1.0, n_bounces=2000), rng
    )
    assert len(test) == len(p_plus) == len(f) == 24
    assert ((p_plus >= 0) & (p_plus <= 1)).all()
    # separable with room: both label nearly everything as the teacher does
    assert np.mean((p_plus >= 0.5) == (y[test] > 0)) > 0.8
    assert np.mean((f >= 0) == (y[test] > 0)) > 0.8
    # a training point on the test side would be unanimous; the test points are not all
    assert len(set(train) & set(test)) == 0
