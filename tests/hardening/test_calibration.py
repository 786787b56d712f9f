"""Calibration of the Gibbs sampler by simulated truths, in more repetitions than every day."""

import numpy as np
import pytest
from calibration import p_values, ranks

# Each right sampler fails here with this probability, were the seed drawn anew: four tests.
FALSE_ALARM = 1e-5


@pytest.mark.parametrize("thin", [1, 20, 100])
@pytest.mark.parametrize(("dimension", "q"), [(30, 0.05), (30, 0.2), (80, 0.05), (80, 0.2)])
def test_the_truth_ranks_anywhere_among_posterior_samples(dimension, q, thin):
    X = np.random.default_rng(dimension).standard_normal((3 * dimension // 2, dimension))
    assert p_values(ranks(X, q, 10_000, seed=thin, thin=thin)).min() > FALSE_ALARM / 4
