"""The tridiagonal form gives what the eigenvectors give."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from transductive.kernels import NotPositiveSemidefiniteError, gram_matrix
from transductive.leave_one_out import LeverageError, RidgeSpectrum, RidgeTridiagonal
from transductive.leave_one_out._loo import tridiagonal
from transductive_compendium.exact.loo_reference import loo_residuals

ALPHAS = np.geomspace(1e-3, 1e2, 5)


def sample(n, seed=0, gamma=0.3):
    rng = np.random.default_rng(seed)
    return gram_matrix(rng.standard_normal((n, 3)), gamma=gamma), rng.standard_normal(n)


def test_it_is_tridiagonal_by_an_orthogonal_matrix():
    K, _ = sample(50)
    basis = np.array(K, order="F")
    diagonal, beside = tridiagonal(basis)
    T = np.diag(diagonal) + np.diag(beside, 1) + np.diag(beside, -1)
    np.testing.assert_allclose(basis.T @ basis, np.eye(50), atol=1e-13)
    np.testing.assert_allclose(basis @ T @ basis.T, K, atol=1e-13)


# odd, even, and on both sides of a block of points and of a block of the reduction
@pytest.mark.parametrize("n", [1, 2, 3, 16, 17, 18, 32, 33, 64, 97])
def test_residuals_are_those_of_the_reference(n):
    K, y = sample(n)
    residuals = RidgeTridiagonal(K).loo_residuals(y, ALPHAS)
    expected = np.transpose([loo_residuals(K, y, alpha) for alpha in ALPHAS])
    np.testing.assert_allclose(residuals, expected, rtol=1e-8, atol=1e-9)


@settings(max_examples=40)
@given(
    n=st.integers(1, 70),
    seed=st.integers(0, 99),
    gamma=st.floats(1e-6, 1e4),
    exponent=st.floats(-22.0, 6.0),
    penalty=st.sampled_from(["coefficients", "norm"]),
)
def test_errors_are_those_of_the_eigenvectors(n, seed, gamma, exponent, penalty):
    K, y = sample(n, seed, gamma)
    spectrum = RidgeSpectrum(K, penalty=penalty)
    alpha = 10.0**exponent
    resolution = RidgeTridiagonal(K, penalty=penalty).resolution(alpha)
    if resolution > 0.01:
        return
    residuals = RidgeTridiagonal(K, penalty=penalty).loo_residuals(y, alpha)
    expected = spectrum.loo_residuals(y, alpha)
    # the size that a residual has at a point of this leverage
    size = np.abs(expected) + np.abs(expected).max()
    assert (np.abs(residuals - expected) <= (20.0 * resolution + 1e-13) * size).all()


@pytest.mark.parametrize("penalty", ["coefficients", "norm"])
@pytest.mark.parametrize("shape", [(), (3,)])
def test_coefficients_are_those_of_the_eigenvectors(penalty, shape):
    K, _ = sample(45)
    y = np.random.default_rng(1).standard_normal((45, *shape))
    expected = RidgeSpectrum(K, penalty=penalty).coefficients(y, 0.01)
    found = RidgeTridiagonal(K, penalty=penalty).coefficients(y, 0.01)
    np.testing.assert_allclose(found, expected, atol=1e-10 * np.abs(expected).max())


@pytest.mark.parametrize("K", [np.eye(20), np.zeros((20, 20)), np.ones((20, 20))])
def test_matrices_with_nothing_beside_the_diagonal(K):
    y = np.arange(20.0)
    expected = RidgeSpectrum(K).loo_errors(y, ALPHAS)
    np.testing.assert_allclose(RidgeTridiagonal(K).loo_errors(y, ALPHAS), expected, rtol=1e-10)


def test_the_callers_matrix_is_overwritten_on_request_only():
    K, _ = sample(30)
    kept = K.copy()
    RidgeTridiagonal(K)
    np.testing.assert_array_equal(K, kept)
    RidgeTridiagonal(K, overwrite=True)
    assert not np.array_equal(K, kept)


def test_scale_bounds_the_largest_eigenvalue():
    K, _ = sample(60, gamma=0.02)
    largest = np.linalg.eigvalsh(K)[-1]
    assert largest <= RidgeTridiagonal(K).scale <= np.sqrt(3.0) * largest


def test_rejects_negative_eigenvalues_unless_the_ridge_is_larger():
    K, y = sample(30, gamma=0.02)
    least = np.linalg.eigvalsh(K)[0]
    with pytest.raises(NotPositiveSemidefiniteError, match=r"eigenvalue -0\.1"):
        RidgeTridiagonal(K - (least + 0.1) * np.eye(30))
    slightly = K - (least + 1e-8) * np.eye(30)
    ridge = RidgeTridiagonal(slightly, penalty="norm")
    with pytest.raises(LeverageError, match="alpha above 1e-08"):
        ridge.loo_errors(y, 0.9e-8)
    inverse = np.linalg.inv(slightly + 1e-7 * np.eye(30))
    expected = inverse @ y / np.diag(inverse)
    np.testing.assert_allclose(ridge.loo_residuals(y, 1e-7)[:, 0], expected, rtol=1e-5)
