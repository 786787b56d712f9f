"""R-hat and effective sample sizes on chains made good and bad on purpose."""

import numpy as np
import pytest

from transductive.version_space.mixing import mixing


def autoregressive(rng, coefficient, shape):
    noise = rng.standard_normal(shape)
    x = np.empty(shape)
    x[:, 0] = noise[:, 0]
    for t in range(1, shape[1]):
        x[:, t] = coefficient * x[:, t - 1] + np.sqrt(1 - coefficient**2) * noise[:, t]
    return x


def test_independent_draws_are_mixed():
    result = mixing(np.random.default_rng(0).standard_normal((4, 1000, 3)))
    assert result.ok
    assert result.r_hat.shape == result.ess_bulk.shape == result.ess_tail.shape == (3,)
    assert result.worst_r_hat < 1.01 and 3000 < result.least_ess <= 5000


def test_effective_size_of_an_autoregressive_chain():
    rng = np.random.default_rng(1)
    draws = autoregressive(rng, 0.9, (4, 20_000))[:, :, None]
    # (1 - a) / (1 + a) of the draws
    assert mixing(draws).ess_bulk[0] == pytest.approx(80_000 * 0.1 / 1.9, rel=0.15)


def test_chains_in_different_places_are_not_mixed():
    draws = np.random.default_rng(2).standard_normal((4, 1000, 2))
    draws[0, :, 1] += 1.0
    result = mixing(draws)
    assert not result.ok and result.r_hat[1] > 1.01 > result.r_hat[0]


def test_a_trend_in_a_single_chain_shows():
    trend = np.linspace(0.0, 5.0, 1000) + np.random.default_rng(3).standard_normal(1000)
    assert not mixing(trend[None, :, None]).ok


def test_constant_chains():
    same = np.full((4, 100, 1), 3.0)
    assert mixing(same).worst_r_hat == 1.0 and mixing(same).least_ess == 400
    apart = np.broadcast_to(np.arange(4.0)[:, None, None], (4, 100, 1))
    assert not mixing(apart).ok
