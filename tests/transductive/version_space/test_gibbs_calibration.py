"""The Gibbs sampler's law in dimensions that have no exact posterior, by simulated truths."""

import numpy as np
import pytest
from calibration import p_values, ranks

# Each right sampler fails here with this probability, were the seed drawn anew: four tests.
FALSE_ALARM = 1e-5


def points(dimension):
    """Half as many points again as dimensions."""
    return np.random.default_rng(dimension).standard_normal((3 * dimension // 2, dimension))


@pytest.mark.parametrize(("dimension", "q"), [(30, 0.05), (30, 0.2), (80, 0.05), (80, 0.2)])
def test_the_truth_ranks_anywhere_among_posterior_samples(dimension, q):
    found = ranks(points(dimension), q, 400, seed=1)
    assert p_values(found).min() > FALSE_ALARM / 4


def test_ranks_show_a_wrong_law():
    found = ranks(points(30), 0.2, 400, seed=2, assumed_q=0.1)
    assert p_values(found)[0] < FALSE_ALARM / 4
