"""The SVMs' labellings and the joint and label-wise Bayes optimum."""

import numpy as np
import pytest
from paper_rooms import unit_rows

from transductive._exact.labellings import joint_posterior
from transductive.margin import TransductiveSVC
from transductive_compendium.papers.transductive_svm.joint_or_marginal import random_separable


@pytest.mark.parametrize("points", ["unit", "any length"])
def test_problems_are_separable_and_have_both_labels(points):
    for seed in range(5):
        X, y, X_working = random_separable(3, points, 4, np.random.default_rng(seed))
        assert set(y) == {-1.0, 1.0} and X_working.shape == (4, 3)
        TransductiveSVC(np.inf, kernel="linear", fit_intercept=False).fit(X, y)
        unit = np.allclose(np.linalg.norm(X, axis=1), 1.0)
        assert unit == (points == "unit")


def test_the_posterior_knows_directions_only():
    X, y, W = random_separable(3, "unit", 3, np.random.default_rng(2))
    same, _, scaled = random_separable(3, "any length", 3, np.random.default_rng(2))
    assert not np.allclose(W, scaled)
    np.testing.assert_allclose(
        joint_posterior(X, W, y).probabilities, joint_posterior(same, scaled, y).probabilities
    )


def test_in_the_plane_both_svms_are_exact():
    """Arcs: the widest margin is the longest arc, the inductive SVM the middle of all."""
    differ = 0
    for seed in range(12):
        key = {"dimension": 2, "points": "unit", "working": 5}
        rows = unit_rows("transductive_svm/joint_or_marginal", key, seed=seed).set_index("method")
        assert rows.at["exhaustive", "wrong_joint"] == 0
        assert rows.at["inductive", "wrong_marginal"] == 0
        differ += rows["differ"].iloc[0]
        assert (rows["probability"] <= rows["probability_joint"] + 1e-12).all()
        assert (rows["risk"] >= rows["risk_marginal"] - 1e-12).all()
    assert differ > 0
