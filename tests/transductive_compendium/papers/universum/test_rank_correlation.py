"""Rank correlations over universa, and their tests by permutation."""

from itertools import permutations

import numpy as np
import pytest
from scipy.stats import spearmanr

from transductive_compendium.papers.universum import rank_correlation
from transductive_compendium.papers.universum.rank_correlation import (
    mean_correlation,
    permutation_p,
    swap_p,
)


def _sample(universa, splits=10, seed=0, noise=0.3):
    """A predictor and gains that have nothing to do with it; splits differ by noise alone."""
    rng = np.random.default_rng(seed)
    one, other = rng.standard_normal((2, universa))
    return (x + noise * rng.standard_normal((splits, universa)) for x in (one, other))


def test_correlation_is_spearmans_and_that_of_a_constant_0():
    left, right = _sample(9)
    right[:, 3] = right[:, 4]  # ties
    expected = np.mean([spearmanr(a, b).statistic for a, b in zip(left, right, strict=True)])
    assert mean_correlation(left, right) == pytest.approx(expected)
    right[:] = 1.0
    assert mean_correlation(left, right) == 0.0 and permutation_p(left, right) == 1.0


def test_p_is_the_share_of_all_permutations():
    left, right = _sample(5, splits=3, seed=1)
    at = mean_correlation(left, right)
    found = [mean_correlation(left, right[:, p]) for p in map(list, permutations(range(5)))]
    exact = np.mean(np.array(found) >= at - 1e-12)
    assert permutation_p(left, right) == pytest.approx(exact, abs=0.01)


def test_what_universa_have_by_chance_is_not_significant_however_many_splits_there_are(monkeypatch):
    """A t test over these splits rejects far more often: each has the same chance correlation."""
    monkeypatch.setattr(rank_correlation, "N_PERMUTATIONS", 400)
    p = [permutation_p(*_sample(8, splits=30, seed=k)) for k in range(200)]
    assert np.mean(np.array(p) < 0.05) < 0.09
    swapped = []
    for k in range(200):
        gain, first = _sample(8, splits=30, seed=k)
        _, second = _sample(8, splits=30, seed=1000 + k)
        swapped.append(swap_p(gain, first, second))
    assert np.mean(np.array(swapped) < 0.05) < 0.09


def test_what_is_told_is_significant():
    gain, other = _sample(14, noise=0.1)
    told = gain + 0.1 * np.random.default_rng(5).standard_normal(gain.shape)
    assert permutation_p(gain, told) < 0.001 < 0.99 < permutation_p(gain, -told)
    assert swap_p(gain, told, other) < 0.05 < 0.9 < swap_p(gain, other, told)
    assert swap_p(gain, told, told) == 1.0
