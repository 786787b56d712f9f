"""Replica exchange: all laws stay as they are, seeds, workers, the placement of label noises."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from sphere_laws import fits, sphere

from transductive import KernelGibbsSampler
from transductive._exact.arrangement import Arrangement
from transductive.kernels import gram_matrix
from transductive.version_space import (
    ExchangingChains,
    WhitenedPoints,
    inverse_temperature,
    noise_ladder,
)
from transductive.version_space.replica_exchange import exchange_probability

LADDER = [0.02, 0.1, 0.3]


@pytest.fixture(scope="module")
def sample():
    rng = np.random.default_rng(10)
    X = rng.standard_normal((40, 3))
    y = np.where(X[:, 0] + 0.5 * rng.standard_normal(40) > 0, 1.0, -1.0)
    return WhitenedPoints.from_gram(gram_matrix(X, gamma=0.3)), y, X


# ---- the law ------------------------------------------------------------------------------------


@given(st.floats(0.0, 20.0), st.floats(0.0, 20.0), st.integers(0, 99), st.integers(0, 99))
def test_an_exchange_is_in_detailed_balance(cold, hot, k, other):
    # logarithms of: the two posteriors at (k, other), times the probability to exchange
    there = -cold * k - hot * other
    back = -cold * other - hot * k
    with np.errstate(divide="ignore"):
        forth = there + np.log(exchange_probability((cold, hot), (k, other)))
        return_ = back + np.log(exchange_probability((cold, hot), (other, k)))
    if max(there, back) - min(there, back) < 700:  # else one of them underflows
        assert forth == pytest.approx(return_, rel=1e-9, abs=1e-9)
    assert max(
        exchange_probability((cold, hot), (k, other)), exchange_probability((cold, hot), (other, k))
    ) == pytest.approx(1.0)


@pytest.mark.parametrize("thin", [12, 25])
def test_law_of_each_replica_is_its_exact_posterior(thin):
    points = sphere(np.random.default_rng(7), 9)
    cells = Arrangement(points)
    chains = ExchangingChains(points, LADDER, random_state=0)
    replicas = chains.run(800, thin=thin, burn_in=100, replica=None)
    assert np.all(chains.exchange_rates > 0.2)
    for q, samples in zip(LADDER, replicas, strict=True):
        visited = cells.cell_of(samples.positions.reshape(-1, 3))
        np.testing.assert_array_equal(cells.errors[visited], samples.errors.ravel())
        exact = cells.posterior(q)
        assert fits(np.bincount(visited, minlength=len(exact)), exact)
        for averaged, truth in (
            (samples.expected_errors, exact @ cells.errors),
            (samples.clear, exact @ (cells.errors == 0)),
        ):
            means = averaged.mean(axis=1)
            assert abs(means.mean() - truth) < 10 * means.std(ddof=1) / 2 + 1e-9


def test_exchange_against_the_posterior_would_be_seen():
    # without the ratio of the posteriors, the coldest replica has the mixture's law
    points = sphere(np.random.default_rng(7), 9)
    cells = Arrangement(points)
    mixed = np.mean([cells.posterior(q) for q in LADDER], axis=0)
    counts = np.random.default_rng(0).multinomial(6000, mixed)
    assert not fits(counts, cells.posterior(LADDER[0]))


# ---- chains -------------------------------------------------------------------------------------


def test_workers_change_nothing(sample):
    points, y, _ = sample
    runs = []
    for jobs in (1, 2, 3):
        chains = ExchangingChains(points, LADDER, signs=y, n_chains=3, random_state=4, n_jobs=jobs)
        chains.tune(200)
        runs.append((chains.run(20, thin=25), chains.q, chains.exchange_rates))
    for samples, q, rates in runs[1:]:
        np.testing.assert_array_equal(runs[0][0].positions, samples.positions)
        np.testing.assert_array_equal(runs[0][0].errors, samples.errors)
        np.testing.assert_array_equal(runs[0][1], q)
        np.testing.assert_array_equal(runs[0][2], rates)


def test_a_chain_does_not_depend_on_how_many_there_are(sample):
    points, y, _ = sample
    runs = [
        ExchangingChains(points, LADDER, signs=y, n_chains=n, random_state=5).run(10, thin=5)
        for n in (1, 3)
    ]
    np.testing.assert_array_equal(runs[0].positions, runs[1].positions[:1])


def test_tuning_places_the_noises_so_that_rates_are_alike(sample):
    points, y, _ = sample
    # placed badly: almost all of the way between the first two
    badly = [0.05, 0.25, 0.3, 0.35, 0.4]
    chains = ExchangingChains(points, badly, signs=y, random_state=6)
    chains.run(200, thin=20)
    before = chains.exchange_rates
    for _ in range(2):
        chains.tune(2000)
    chains.run(200, thin=20)
    assert np.ptp(chains.exchange_rates) < 0.5 * np.ptp(before)
    assert chains.exchange_rates.min() > before.min() + 0.1
    assert chains.q[0] == badly[0] and chains.q[-1] == badly[-1] and np.all(np.diff(chains.q) > 0)


def test_a_start_is_that_of_all_replicas(sample):
    points, y, _ = sample
    start = np.ones(points.rank)
    chains = ExchangingChains(points, LADDER, signs=y, start=start, random_state=7)
    for replicas in chains._replicas:
        for chain in replicas._chains:
            np.testing.assert_allclose(chain.positions[0], start / np.linalg.norm(start))


def test_noise_ladder_has_equal_steps_of_the_inverse_temperature():
    steps = np.diff([inverse_temperature(q) for q in noise_ladder(0.01, 0.5, 5)])
    np.testing.assert_allclose(steps, steps[0])


# ---- the estimator ------------------------------------------------------------------------------


def test_estimator_samples_the_same_posterior():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((25, 3))
    y = np.where(X @ [1.0, -1.0, 0.5] > 0, 1, -1)
    y[:2] *= -1
    new = rng.standard_normal((12, 3))
    p = Arrangement(X * y[:, None]).probability_positive(0.05, new)
    kgs = KernelGibbsSampler(
        "linear", q=0.05, n_temperatures=3, n_samples=1000, thin=10, burn_in=400, random_state=0
    ).fit(X, y)
    # five standard errors at the measured effective sample size
    bound = 5 * np.sqrt(p * (1 - p) / kgs.ess_) + 1e-3
    assert np.all(np.abs(kgs.predict_proba(new)[:, 1] - p) < bound)
    assert len(kgs.ladder_) == 3 and kgs.ladder_[0] == pytest.approx(0.05)
    assert kgs.exchange_rates_.shape == (2,) and np.all(kgs.exchange_rates_ > 0.1)


def test_estimator_with_workers_and_seeds(sample):
    _, y, X = sample
    quick = {"n_samples": 20, "thin": 5, "burn_in": 200, "n_temperatures": 3}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        one, two, other = (
            KernelGibbsSampler(gamma=0.3, n_jobs=jobs, random_state=seed, **quick)
            .fit(X, y)
            .predict_proba(X)
            for jobs, seed in ((1, 0), (2, 0), (1, 1))
        )
    np.testing.assert_array_equal(one, two)
    assert np.any(one != other)


# ---- bad input ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("q", "message"),
    [
        ([0.1], "at least two"),
        (0.1, "at least two"),
        ([0.3, 0.1], "ascending"),
        ([0.0, 0.1], "billiard"),
        ([0.1, 0.6], "q must be in"),
        ([0.1, np.nan], "ascending"),
    ],
)
def test_bad_ladders(q, message):
    with pytest.raises(ValueError, match=message):
        ExchangingChains(np.eye(3), q)


@pytest.mark.parametrize("parameters", [{"q": 0.0}, {"q": 0.4}, {"q": 0.1, "hottest_q": 0.1}])
def test_estimator_names_noises_that_leave_no_room(parameters):
    X, y = np.random.default_rng(0).standard_normal((20, 2)), np.arange(20) % 2
    with pytest.raises(ValueError, match="0 < q < hottest_q"):
        KernelGibbsSampler(n_temperatures=3, **parameters).fit(X, y)
