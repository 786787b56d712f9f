"""Calibration of the Gibbs sampler by simulated truths, in more repetitions than every day."""

from functools import partial

import numpy as np
import pytest
from calibration import p_values, ranks, reversible_chain

# Each right sampler fails here with this probability, were the seed drawn anew: five tests.
FALSE_ALARM = 1e-5


@pytest.mark.parametrize("thin", [1, 20, 100])
@pytest.mark.parametrize(("dimension", "q"), [(30, 0.05), (30, 0.2), (80, 0.05), (80, 0.2)])
def test_the_truth_ranks_anywhere_among_posterior_samples(dimension, q, thin):
    X = np.random.default_rng(dimension).standard_normal((3 * dimension // 2, dimension))
    found = ranks(X, q, 10_000, thin, partial(reversible_chain, q=q, thin=thin))
    assert p_values(found).min() > FALSE_ALARM / 5
