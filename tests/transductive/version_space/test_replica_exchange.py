"""Replica exchange, on which the evidence rests: the law of each replica stays as it is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sphere_laws import fits, sphere

from transductive.version_space import WhitenedPoints, inverse_temperature
from transductive.version_space.replica_exchange import Replicas, exchange_probability
from transductive_compendium.exact.arrangement import Arrangement

LADDER = [0.02, 0.1, 0.3]


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
    beta = np.array([inverse_temperature(q) for q in LADDER])
    start = np.random.default_rng(0).standard_normal((3, 3))
    replicas = Replicas(WhitenedPoints(points), np.ones(9), beta, start, np.random.SeedSequence(0))
    positions, expected, clear, exchanged = [], [], [], []
    for _ in range(3200):
        moved = replicas.move(1, thin)
        positions.append([w[0] for w, *_ in moved])
        expected.append([mean[0] for _, _, mean, _ in moved])
        clear.append([share[0] for *_, share in moved])
        exchanged.append(replicas.exchange(np.array([k[0] for _, k, _, _ in moved])))
    assert np.all(np.nanmean(exchanged, axis=0) > 0.2)
    # the first 200 are burn-in
    positions, expected, clear = (np.array(part)[200:] for part in (positions, expected, clear))
    for i, q in enumerate(LADDER):
        exact = cells.posterior(q)
        visited = cells.cell_of(positions[:, i])
        assert fits(np.bincount(visited, minlength=len(exact)), exact)
        for averaged, truth in (
            (expected[:, i], exact @ cells.errors),
            (clear[:, i], exact @ (cells.errors == 0)),
        ):
            means = averaged.reshape(4, -1).mean(axis=1)
            assert abs(means.mean() - truth) < 10 * means.std(ddof=1) / 2 + 1e-9


def test_detects_an_exchange_with_the_wrong_law():
    # without the ratio of the posteriors, the coldest replica has the mixture's law
    points = sphere(np.random.default_rng(7), 9)
    cells = Arrangement(points)
    mixed = np.mean([cells.posterior(q) for q in LADDER], axis=0)
    counts = np.random.default_rng(0).multinomial(6000, mixed)
    assert not fits(counts, cells.posterior(LADDER[0]))
