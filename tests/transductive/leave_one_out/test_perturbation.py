"""The stated bounds: what an error in the kernel matrix does to C and to leave-one-out residuals.

With ``C^-1 = I + K K' / alpha`` an error E of K, ``|E| = eta sqrt(alpha)``, shears (|v|, |K'v|):
C changes, as a quadratic form, by at most the factor ``lambda = ((eta + sqrt(eta^2 + 4)) / 2)^2``.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import eigh

from transductive.leave_one_out import LowRankRidge, RidgeSpectrum
from transductive_compendium.exact import loo_reference as reference


def largest_factor(eta):
    return ((eta + np.sqrt(eta**2 + 4.0)) / 2.0) ** 2


def change(C, other):
    """Smallest and largest ratio of the quadratic forms."""
    ratios = eigh(other, C, eigvals_only=True)
    return ratios[0], ratios[-1]


def perturbed(seed, n, p, size, log_eta, alpha):
    rng = np.random.default_rng(seed)
    K = 10**size * rng.standard_normal((n, p))
    E = np.outer(rng.standard_normal(n), rng.standard_normal(p))
    if seed % 2:
        E = rng.standard_normal((n, p))
    eta = 10**log_eta
    return K, K + eta * np.sqrt(alpha) * E / np.linalg.norm(E, 2), eta, rng.standard_normal(n)


arguments = (
    st.integers(0, 2**32 - 1),
    st.integers(2, 6),
    st.integers(1, 6),
    st.floats(-1.0, 1.0),
    st.floats(-3.0, 0.5),
    st.floats(0.1, 10.0),
)


@settings(max_examples=200, derandomize=True)
@given(*arguments)
def test_bound_on_the_complement(seed, n, p, size, log_eta, alpha):
    K, other, eta, _ = perturbed(seed, n, p, size, log_eta, alpha)
    low, high = change(reference.complement(K, alpha), reference.complement(other, alpha))
    factor = largest_factor(eta)
    assert 1 / factor * (1 - 1e-9) <= low <= high <= factor * (1 + 1e-9)
    # the handier forms of it
    assert factor <= 1 + eta + eta**2 and 1 / factor >= 1 - eta


@settings(max_examples=200, derandomize=True)
@given(*arguments)
def test_bound_on_leave_one_out_residuals(seed, n, p, size, log_eta, alpha):
    """(lambda^2 - 1) / 2, about eta, times sqrt(y'Cy / C_kk - r_k^2)."""
    K, other, eta, y = perturbed(seed, n, p, size, log_eta, alpha)
    C = reference.complement(K, alpha)
    exact = reference.loo_residuals(K, y, alpha)
    found = reference.loo_residuals(other, y, alpha)
    room = np.sqrt(np.maximum(y @ C @ y / np.diag(C) - exact**2, 0.0))
    bound = (largest_factor(eta) ** 2 - 1) / 2 * room
    assert np.all(np.abs(found - exact) <= bound + 1e-9 * np.sqrt(y @ C @ y / np.diag(C)))
    if eta <= 0.1:  # in round numbers
        assert np.all(bound <= 1.2 * eta * np.sqrt(y @ C @ y / np.diag(C)))


def test_both_bounds_are_attained():
    alpha, eta = 1.0, 0.1
    # one point, one basis function: the shear's own direction
    K = np.array([[np.exp(-np.arcsinh(eta / 2))]])
    ratio = reference.complement(K + eta, alpha) / reference.complement(K, alpha)
    assert ratio[0, 0] == pytest.approx(1 / largest_factor(eta), rel=1e-12)
    ratio = reference.complement(K, alpha) / reference.complement(K + eta, alpha)
    assert ratio[0, 0] == pytest.approx(largest_factor(eta), rel=1e-12)
    # the residual's constant is 1: a small rotation of C against e_k
    best = 0.0
    rng = np.random.default_rng(0)
    for _ in range(2000):
        K, y, E = rng.standard_normal((2, 2)), rng.standard_normal(2), rng.standard_normal((2, 2))
        E *= 1e-4 / np.linalg.norm(E, 2)
        C = reference.complement(K, alpha)
        exact = reference.loo_residuals(K, y, alpha)
        moved = np.abs(reference.loo_residuals(K + E, y, alpha) - exact)
        room = np.sqrt(y @ C @ y / np.diag(C) - exact**2)
        best = max(best, (moved / (1e-4 * room))[room > 0.1].max(initial=0.0))
    assert 0.9 < best <= 1.001


@settings(max_examples=100, derandomize=True)
@given(st.integers(0, 2**32 - 1), st.integers(2, 6), st.floats(-3.0, -0.1))
def test_bound_of_the_norm_penalty(seed, n, log_eta):
    rng = np.random.default_rng(seed)
    L, F = rng.standard_normal((2, n, n))
    K, E, alpha, eta = L @ L.T, F + F.T, 0.7, 10**log_eta
    E *= eta * alpha / np.linalg.norm(E, 2)
    C = alpha * np.linalg.inv(K + alpha * np.eye(n))
    low, high = change(C, alpha * np.linalg.inv(K + E + alpha * np.eye(n)))
    assert (1 - 1e-9) / (1 + eta) <= low <= high <= (1 + 1e-9) / (1 - eta)


@pytest.mark.parametrize("penalty", ["coefficients", "norm"])
def test_bound_on_what_low_rank_leaves_out(penalty):
    """`truncation` bounds the relative change of C, for every rank."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-1.5, 1.5, (40, 2))

    def kernel(A, B):
        return np.exp(-0.5 * np.sum((A[:, None] - B[None]) ** 2, axis=2))

    alpha = 0.3
    whole = RidgeSpectrum(kernel(X, X), penalty=penalty)
    U, w = whole.vectors, alpha / (whole.spectrum + alpha)
    etas = []
    for rank in (2, 5, 10, 20, 36):
        ridge = LowRankRidge(X, kernel, alpha, penalty, rank)
        T = ridge.factor @ ridge.half
        low, high = change(np.eye(40) - T @ T.T, U * w @ U.T)
        eta = ridge.truncation
        etas.append(eta)
        if penalty == "coefficients":
            factor = largest_factor(eta)
        else:
            factor = 1 + eta
            # what is left out is positive semi-definite: C only shrinks
            assert high <= 1 + 1e-9
        assert (1 - 1e-9) / factor - 1e-12 <= low <= high <= (1 + 1e-9) * factor
        assert low >= 1 - eta - 1e-9 and high <= 1 + eta + eta**2 + 1e-9
    assert np.all(np.diff(etas) < 0) and etas[0] > 1 and etas[-1] < 1e-3
