"""LD and TLD under other options, by refits and least squares."""

import numpy as np
import pytest

from transductive import TransductiveRidge
from transductive_compendium.papers.transductive_regression import table_1_discriminants
from transductive_compendium.papers.transductive_regression.table_1_discriminants import (
    Discriminants,
)


@pytest.fixture
def sample():
    rng = np.random.default_rng(5)
    X, X_working = rng.standard_normal((18, 2)), rng.standard_normal((7, 2))
    return X, np.sign(X[:, 0] + 0.5 * rng.standard_normal(18)), X_working


def gram(A, B, sigma=1.5):
    return np.exp(-((A[:, None] - B) ** 2).sum(axis=2) / (2.0 * sigma**2))


def fitted(K, gamma):
    """What turns targets into coefficients: a minimum of |K a - y|^2 + gamma |a|^2."""
    return np.linalg.solve(K.T @ K + gamma * np.eye(K.shape[1]), K.T)


def transduced(K, y, y0, gamma, gamma_star):
    """Y* by leaving each of the l + m pairs out, with the design K of all of them."""
    residuals = np.eye(len(K))
    for i in range(len(K)):
        rest = np.delete(np.arange(len(K)), i)
        residuals[i, rest] -= K[i] @ fitted(K[rest], gamma)
    known, free = residuals[:, : len(y)], residuals[:, len(y) :]
    system = np.vstack([free, np.sqrt(gamma_star) * np.eye(len(y0))])
    return np.linalg.lstsq(system, np.r_[-known @ y, np.sqrt(gamma_star) * y0], rcond=None)[0]


def test_the_defaults_are_transductive_ridge(sample):
    one = TransductiveRidge(0.3, 0.7, gamma=1 / (2 * 1.5**2)).fit(*sample)
    both = Discriminants(*sample, 1.5)
    np.testing.assert_allclose(both.start(0.3), one.inductive_)
    np.testing.assert_allclose(both.transduced(0.3, [0.7])[0], one.transduction_)


def test_linear_functions_are_the_inputs_and_a_constant(sample):
    X, y, X_working = sample
    design, other = (np.c_[points, np.ones(len(points))] for points in (X, X_working))
    both = Discriminants(*sample, np.nan, tld_basis="linear", y0_basis="all")
    start = other @ fitted(design, 0.3) @ y
    np.testing.assert_allclose(both.start(0.3), start)
    np.testing.assert_allclose(both.ridge(0.3), start)
    expected = transduced(np.vstack([design, other]), y, start, 0.3, 0.7)
    np.testing.assert_allclose(both.transduced(0.3, [0.7])[0], expected)


def test_the_start_on_the_functions_of_all_points(sample):
    X, y, X_working = sample
    everything = np.vstack([X, X_working])
    both = Discriminants(*sample, 1.5, y0_basis="all")
    start = gram(X_working, everything) @ fitted(gram(X, everything), 0.3) @ y
    np.testing.assert_allclose(both.start(0.3), start)
    np.testing.assert_allclose(both.ridge(0.3), Discriminants(*sample, 1.5).start(0.3))
    expected = transduced(gram(everything, everything), y, start, 0.3, 0.7)
    np.testing.assert_allclose(both.transduced(0.3, [0.7])[0], expected)


def test_gamma_times_the_points(sample):
    X, y, X_working = sample
    everything = np.vstack([X, X_working])
    both = Discriminants(*sample, 1.5, gamma_scale="functional")
    start = gram(X_working, X) @ fitted(gram(X, X), 18 * 0.01) @ y
    np.testing.assert_allclose(both.start(0.01), start)
    expected = transduced(gram(everything, everything), y, start, 25 * 0.01, 0.7)
    np.testing.assert_allclose(both.transduced(0.01, [0.7])[0], expected)
    errors = Discriminants(*sample, 1.5).loo_errors([0.18])
    np.testing.assert_allclose(both.loo_errors([0.01]), errors)


@pytest.mark.parametrize("tld_basis", ["rbf", "linear"])
def test_low_rank_loses_nothing(sample, monkeypatch, tld_basis):
    sample = (*sample[:2], np.random.default_rng(2).standard_normal((80, 2)))
    both = Discriminants(*sample, 30.0, tld_basis=tld_basis)
    full = both.transduced(1.0, [0.5])[0]
    monkeypatch.setattr(table_1_discriminants, "MIN_LOW_RANK", 1)
    assert isinstance(both._form(1.0), table_1_discriminants.LowRankLooForm)
    np.testing.assert_allclose(both.transduced(1.0, [0.5])[0], full, rtol=1e-6, atol=1e-9)
