"""Calibration of both samplers by simulated truths, in more repetitions than every day."""

from functools import partial

import numpy as np
import pytest
from calibration import flights, p_values, ranks, reversible_chain

PART = "calibration"
# Each right sampler fails here with this probability, were the seed drawn anew: five tests.
FALSE_ALARM = 1e-5


def points(dimension):
    return np.random.default_rng(dimension).standard_normal((3 * dimension // 2, dimension))


@pytest.mark.parametrize("thin", [1, 20, 100])
@pytest.mark.parametrize(("dimension", "q"), [(30, 0.05), (30, 0.2), (80, 0.05), (80, 0.2)])
def test_the_truth_ranks_anywhere_among_posterior_samples(dimension, q, thin, tally):
    others = partial(reversible_chain, q=q, thin=thin)
    found = ranks(points(dimension), q, 10_000, thin, others)
    assert p_values(found).min() > FALSE_ALARM / 5
    tally("truths ranked by hit-and-run", len(found))


@pytest.mark.parametrize(("dimension", "q"), [(10, 0.1), (30, 0.05), (30, "infer")])
def test_the_truth_ranks_anywhere_among_flights(dimension, q, tally):
    found = ranks(points(dimension), q, 2_000, 3, partial(flights, q=q))
    assert p_values(found).min() > FALSE_ALARM / 5
    tally("truths ranked by the refracting billiard", len(found))
