"""Margin and volume of version space: rows of one unit, and known bounds between them."""

import numpy as np
import pytest
from scipy.special import betainc

from transductive_compendium.papers.kernel_gibbs_sampler.margin_evidence import (
    KERNELS,
    _unit_length_gram,
    margins_and_volumes,
)


def test_largest_ball_is_no_larger_than_version_space():
    key, params = {"sample": 7, "dataset": "crescents"}, {"n_samples": 150, "thin": 20}
    rows = margins_and_volumes(key, params, {}, np.random.default_rng(0))
    assert len(rows) == len(KERNELS)
    linear = next(row for row in rows if (row["kernel"], row["value"]) == ("poly", 1.0))
    assert not linear["separable"] and np.isnan(linear["margin"])
    some = [row for row in rows if row["separable"]]
    assert len(some) >= 8
    for row in some:
        assert 0.0 < row["margin"] <= 1.0
        cap = 0.5 * betainc((row["rank"] - 1) / 2, 0.5, row["margin"] ** 2)
        assert row["log_volume"] > np.log(cap)
        # half the sphere for each of independent points at most
        assert row["log_volume"] < np.log(0.5)
        assert np.isnan(row["log_evidence"])


@pytest.mark.parametrize("kernel, value", [("rbf", 0.5), ("poly", 1.0), ("poly", 3.0)])
def test_features_have_unit_length(kernel, value):
    X = np.random.default_rng(0).standard_normal((12, 4)) * 3
    gram = _unit_length_gram(X, kernel, value)
    np.testing.assert_allclose(np.diag(gram), 1.0)
    if kernel == "poly":
        plain = (X @ X.T / 4 + 1) ** value
        np.testing.assert_allclose(gram**2, plain**2 / np.outer(np.diag(plain), np.diag(plain)))
