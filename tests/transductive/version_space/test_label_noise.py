"""Likelihood of errors under a known noise and under a prior; draws of the noise."""

import numpy as np
import pytest
from scipy import integrate, stats

from transductive.version_space.label_noise import draw_noise, error_potential

PRIORS = [(1.0, 9.0), (1.0, 1.0), (0.5, 40.0), (30.0, 2.0)]


def test_a_known_noise_makes_each_error_cost_the_same():
    np.testing.assert_allclose(error_potential(0.1, 4), np.log(9.0) * np.arange(5))
    np.testing.assert_array_equal(error_potential(0.5, 4), np.zeros(5))
    np.testing.assert_array_equal(error_potential(0.0, 2), [0.0, np.inf, np.inf])


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("n", [1, 10, 60])
def test_an_unknown_noise_is_integrated_over_its_prior(n, prior):
    a, b = prior

    def integral(k):
        # q = t / 2, without the common factor 2^(1 - a - b - n)
        def density(t):
            return t ** (a + k - 1.0) * (2.0 - t) ** (b + n - k - 1.0)

        return integrate.quad(density, 0.0, 1.0, epsabs=0.0, epsrel=1e-11)[0]

    logs = np.log([integral(k) for k in range(n + 1)])
    np.testing.assert_allclose(error_potential("infer", n, prior), logs[0] - logs, atol=1e-8)


@pytest.mark.parametrize("prior", PRIORS)
def test_every_error_has_a_cost(prior):
    costs = np.diff(error_potential("infer", 3000, prior))
    # q is at most 1/2, so that a right label is never less likely than a wrong one
    assert np.all(np.isfinite(costs)) and np.all(costs > 0.0)


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize(("n", "k"), [(20, 0), (20, 5), (20, 19), (1000, 30), (1000, 480)])
def test_draws_follow_the_beta_law_below_one_half(prior, n, k):
    a, b = prior[0] + k, prior[1] + n - k
    u = np.linspace(0.01, 0.99, 33)
    q = draw_noise(u, np.full(33, k), n, prior)
    np.testing.assert_allclose(stats.beta(a, b).cdf(q) / stats.beta(a, b).cdf(0.5), u, atol=1e-9)


@pytest.mark.parametrize(("n", "k"), [(400, 400), (10_000, 9_000), (3_000, 3_000)])
def test_draws_are_exact_where_most_labels_are_wrong(n, k):
    # rejection would wait for a law whose share below one half is less than 1e-100
    u = np.array([0.01, 0.3, 0.9])
    q = draw_noise(u, np.full(3, k), n)
    assert np.all(q < 0.5) and np.all(q > 0.4)
    # near one half the density is an exponential: its rate is that of the logarithm there
    rate = 2.0 * (k - (9.0 + n - k - 1.0))
    np.testing.assert_allclose(np.exp(-rate * (0.5 - q)), u, rtol=0.05)
    # one number as well as an array of them
    assert draw_noise(0.3, k, n) == q[1]


@pytest.mark.filterwarnings("error")
def test_a_prior_below_rounding_is_that_of_zero():
    a = 0.5
    expected = error_potential("infer", 12, (a, 1e-9))
    np.testing.assert_allclose(error_potential("infer", 12, (a, 1e-300)), expected, atol=1e-6)
