"""What draws that share a pool add to the variance of their mean, against simulation."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import stdtrit

from transductive_compendium.verdicts.overlapping_splits import (
    gain_table,
    half_width,
    overlap,
)


def test_ratio_is_that_of_sums_of_effects(n=30, n_pool=100, n_draws=8, n_worlds=4000):
    """A point's effect is standard normal; a draw's error is the mean of its points' effects."""
    rng = np.random.default_rng(0)
    pool = rng.standard_normal((n_worlds, n_pool))
    picks = [rng.permutation(n_pool)[:n] for _ in range(n_draws)]
    means = np.column_stack([pool[:, pick].mean(axis=1) for pick in picks])
    variance, spread = means.mean(axis=1).var(), means.var(axis=1, ddof=1).mean()
    assert variance == pytest.approx(spread * (1 / n_draws + overlap(n, n_pool)), rel=0.1)


def test_half_width_by_hand():
    # t(0.975, 3) = 3.182446; 1/4 + 3/4 = 1
    gaps = np.array([1.0, 2.0, 3.0, 4.0])
    width = half_width(gaps)
    assert width == pytest.approx(3.182446 * gaps.std(ddof=1) / 2)
    assert half_width(gaps, 0.75) == pytest.approx(2 * width)


def test_half_width_is_that_of_each_columns_own_number_of_rows():
    values = np.random.default_rng(2).standard_normal((12, 2))
    table = pd.DataFrame(values, columns=["all", "some"])
    table.loc[5:, "some"] = np.nan
    for name, n in (("all", 12), ("some", 5)):
        expected = stdtrit(n - 1, 0.975) * np.std(values[:n, ("all", "some").index(name)], ddof=1)
        assert half_width(table)[name] == pytest.approx(expected / np.sqrt(n))
        assert half_width(table[name]) == pytest.approx(expected / np.sqrt(n))
    assert np.isnan(half_width(table.iloc[:1])).all()


def test_a_table_of_gains_has_a_row_for_each_key():
    gains = {("a", 1): (pd.Series([1.0, 2.0, 3.0, 4.0]), 0.75), ("b", 2): (pd.Series([5.0]), 0.0)}
    table = gain_table(gains, ["method", "size"])
    assert table.index.names == ["method", "size"] and list(table["gain"]) == [2.5, 5.0]
    assert table.loc[("a", 1), "half"] == pytest.approx(half_width([1.0, 2.0, 3.0, 4.0], 0.75))
    assert np.isnan(table.loc[("b", 2), "half"])


def test_interval_of_splits_that_share_a_pool_misses_as_often_as_it_says():
    # a split's error is the pool's part plus its own, of variances 0.4 and 1
    rng = np.random.default_rng(1)
    trials = 2000
    splits = np.sqrt(0.4) * rng.normal(size=(trials, 1)) + rng.normal(size=(trials, 10))
    missed = np.mean([abs(row.mean()) > half_width(row, 0.4) for row in splits])
    assert abs(missed - 0.05) < 4.5 * np.sqrt(0.05 * 0.95 / trials)
    assert np.mean([abs(row.mean()) > half_width(row) for row in splits]) > 0.2
