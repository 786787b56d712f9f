"""The stated error of low rank against solutions with all of the Gram matrix."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from transductive.kernels import gram_matrix
from transductive.leave_one_out import LooForm, LowRankLooForm, LowRankRidge, RidgeSpectrum
from transductive.leave_one_out import values_bound as module
from transductive.leave_one_out.values_bound import values_bound

PENALTIES = ["coefficients", "norm"]


def problem(seed, d=3, n=150, n_train=50):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    y = np.sin(2 * X[:n_train, 0]) + 0.3 * rng.standard_normal(n_train) + 1.0
    return X, y, rng.standard_normal(n - n_train)


def error_and_bound(points, kernel, penalty, alpha, alpha_star, rank):
    X, y, y0 = points
    whole = RidgeSpectrum(kernel(X, X), penalty=penalty)
    exact = LooForm(whole, alpha, len(y)).transduce(y, y0, alpha_star)
    form = LowRankLooForm(LowRankRidge(X, kernel, alpha, penalty, rank), len(y))
    found = form.transduce(y, y0, alpha_star)
    bound = values_bound(form, X, kernel, np.r_[y, found], alpha_star)
    return np.sqrt(np.mean((found - exact) ** 2)), bound


@settings(max_examples=150, derandomize=True)
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(PENALTIES),
    st.integers(1, 8),
    st.floats(-2.5, 0.5),
    st.floats(-1.0, 2.0),
    st.floats(-2.0, 2.0),
    st.integers(1, 120),
)
def test_no_error_exceeds_its_bound(seed, penalty, d, log_gamma, log_alpha, log_star, rank):
    kernel = partial(gram_matrix, gamma=10**log_gamma)
    settings = penalty, 10**log_alpha, 10**log_star, rank
    error, bound = error_and_bound(problem(seed, d), kernel, *settings)
    assert error <= bound + 1e-8


@pytest.mark.parametrize("penalty", PENALTIES)
def test_the_bound_falls_with_the_error(penalty):
    """It says something: at most 300 times the error, and falls with it."""
    kernel = partial(gram_matrix, gamma=0.05)
    found = np.array([
        error_and_bound(problem(0), kernel, penalty, 1.0, 1.0, rank) for rank in (10, 20, 40, 80)
    ])  # fmt: skip
    error, bound = found.T
    assert np.all(np.diff(bound) < 0) and error[0] > 1e-3 and bound[-1] < 1e-4
    assert np.all(bound[:3] / error[:3] < 300)
    # what the trace alone says, without a product with E
    X, y, y0 = problem(0)
    form = LowRankLooForm(LowRankRidge(X, kernel, 1.0, penalty, 20), len(y))
    values = np.r_[y, form.transduce(y, y0, 1.0)]
    with pytest.MonkeyPatch.context() as context:
        context.setattr(module, "ENOUGH", np.inf)
        assert values_bound(form, X, kernel, values, 1.0) > 10 * bound[1]


@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("rank", [3, 20, 60])
def test_bounds_of_every_leverage(penalty, rank):
    for seed in range(5):
        X, y, _ = problem(seed)
        kernel, alpha = partial(gram_matrix, gamma=0.1), 0.5
        form = LowRankLooForm(LowRankRidge(X, kernel, alpha, penalty, rank), len(y))
        E = kernel(X, X) - form.joint.factor @ form.joint.factor.T
        probes = np.random.default_rng(seed).standard_normal((len(X), module.N_PROBES))
        below, above = module._diagonal(form, form.delta**-0.5, E @ probes)
        whole = RidgeSpectrum(kernel(X, X), penalty=penalty)
        C = np.diag(whole.complement(alpha))
        assert np.all(below <= C * (1 + 1e-9)) and np.all(C <= above * (1 + 1e-9))
        if rank == 60:
            assert np.all(below > 0.99 * C) and np.all(above < 1.01 * C)


def test_products_by_blocks(monkeypatch):
    X, _, _ = problem(1)
    kernel, V = partial(gram_matrix, gamma=0.3), problem(2)[0]
    factor = LowRankRidge(X, kernel, 1.0, "norm", 10).factor
    monkeypatch.setattr(module, "BLOCK_ENTRIES", 1000)
    np.testing.assert_allclose(
        module._left_out(X, kernel, factor, V), (kernel(X, X) - factor @ factor.T) @ V, atol=1e-12
    )


def test_limits_in_alpha_star():
    X, y, y0 = problem(3)
    kernel = partial(gram_matrix, gamma=0.3)
    form = LowRankLooForm(LowRankRidge(X, kernel, 1.0, "norm", 10), len(y))
    values = np.r_[y, y0]
    assert values_bound(form, X, kernel, values, np.inf) == 0.0
    assert values_bound(form, X, kernel, values, 0.0) == np.inf
