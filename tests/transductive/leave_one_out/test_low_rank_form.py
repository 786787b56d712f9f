"""Low rank: the same algebra without forming C or M, and the checks that guard it."""

import numpy as np
import pytest

from transductive.kernels import gram_matrix
from transductive.leave_one_out import (
    LeverageError,
    LooForm,
    LowRankLooForm,
    LowRankRidge,
    RidgeSpectrum,
)

N_TRAIN, N_WORKING, ALPHA = 30, 50, 1e-2
PENALTIES = ["coefficients", "norm"]


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1.5, 1.5, (N_TRAIN + N_WORKING, 2))
    y = np.sin(2 * X[:N_TRAIN, 0]) + 0.1 * rng.standard_normal(N_TRAIN) + 1.0
    return X, y, X[N_TRAIN:, 0] + rng.standard_normal(N_WORKING), rng.uniform(-1.5, 1.5, (20, 2))


def kernel(A, B):
    return gram_matrix(A, B, gamma=0.3)


def both(problem, penalty, rank=80, alpha=ALPHA):
    X = problem[0]
    dense = LooForm(RidgeSpectrum(kernel(X, X), penalty=penalty), alpha, N_TRAIN)
    joint = LowRankRidge(X, kernel, alpha, penalty, rank)
    return dense, LowRankLooForm(joint, N_TRAIN), joint


@pytest.mark.parametrize("penalty", PENALTIES)
def test_equal_to_the_dense_form(problem, penalty):
    _, y, y0, _ = problem
    dense, low, joint = both(problem, penalty)
    assert joint.rank < 80 and joint.truncation <= 1e-10
    values = np.r_[y, y0]
    assert low.error(values) == pytest.approx(dense.error(values), rel=1e-8)
    for alpha_star in (0.0, 1e-6, 0.1, 10.0, 1e8):
        np.testing.assert_allclose(
            low.transduce(y, y0, alpha_star),
            dense.transduce(y, y0, alpha_star),
            rtol=1e-7,
            atol=1e-7,
        )
    np.testing.assert_array_equal(low.transduce(y, y0, np.inf), y0)


@pytest.mark.parametrize("penalty", PENALTIES)
def test_any_rank_is_exact_for_its_own_matrix(problem, penalty):
    """With L of rank 7 everything is what the dense form gives for the design L L'."""
    _, y, y0, _ = problem
    _, low, joint = both(problem, penalty, rank=7)
    K = joint.factor @ joint.factor.T
    own = LooForm(RidgeSpectrum((K + K.T) / 2, penalty=penalty), ALPHA, N_TRAIN)
    values = np.r_[y, y0]
    assert low.error(values) == pytest.approx(own.error(values), rel=1e-8)
    np.testing.assert_allclose(
        low.transduce(y, y0, 0.3), own.transduce(y, y0, 0.3), rtol=1e-7, atol=1e-8
    )
    T = joint.factor @ joint.half
    spectrum = RidgeSpectrum((K + K.T) / 2, penalty=penalty)
    np.testing.assert_allclose(
        joint.coefficients(values), spectrum.coefficients(values, ALPHA), rtol=1e-7, atol=1e-9
    )
    C = spectrum.vectors * (ALPHA / (spectrum.spectrum + ALPHA)) @ spectrum.vectors.T
    np.testing.assert_allclose(np.eye(80) - T @ T.T, C, atol=1e-9)


@pytest.mark.parametrize("penalty", PENALTIES)
def test_coefficients(problem, penalty):
    X, y, y0, new = problem
    values = np.r_[y, y0]
    dense = RidgeSpectrum(kernel(X, X), penalty=penalty)
    low = LowRankRidge(X, kernel, ALPHA, penalty, 80, 1e-11)
    found = low.coefficients(values)
    # as a function they are the same, at the points and elsewhere
    np.testing.assert_allclose(
        kernel(new, X) @ found, kernel(new, X) @ dense.coefficients(values, ALPHA), atol=1e-7
    )
    np.testing.assert_allclose(found, dense.coefficients(values, ALPHA), rtol=1e-6, atol=1e-6)


def test_error_of_the_solution_falls_with_the_truncation(problem):
    _, y, y0, _ = problem
    dense = both(problem, "coefficients")[0].transduce(y, y0, 0.1)
    errors, truncations = [], []
    for rank in (3, 10, 20, 50):
        _, low, joint = both(problem, "coefficients", rank=rank)
        assert joint.rank == rank
        errors.append(np.abs(low.transduce(y, y0, 0.1) - dense).max())
        truncations.append(joint.truncation)
    assert np.all(np.diff(truncations) < 0) and np.all(np.diff(errors) < 0)
    assert errors[0] > 1e-2 and errors[-1] < 1e-6


def test_blocks_of_rows_change_nothing(problem, monkeypatch):
    from transductive.leave_one_out import low_rank_form

    _, y, y0, _ = problem
    _, low, _ = both(problem, "coefficients")
    whole = low.transduce(y, y0, 0.1), low.error(np.r_[y, y0])
    monkeypatch.setattr(low_rank_form, "BLOCK_ROWS", 7)
    _, low, _ = both(problem, "coefficients")
    np.testing.assert_allclose(low.transduce(y, y0, 0.1), whole[0], atol=1e-9)
    assert low.error(np.r_[y, y0]) == pytest.approx(whole[1], rel=1e-9)


def test_small_ridges_give_the_dense_answer_or_an_error(problem):
    """Leverages by subtraction run out of digits: an error, or the dense answer."""
    X, y, y0, _ = problem

    def narrow(A, B):
        return gram_matrix(A, B, gamma=3.0)

    refused, agreed = 0, 0
    for alpha in 10.0 ** np.arange(-2.0, -21.0, -2.0):
        for alpha_star in (0.0, 1e-4, 1.0):
            K = narrow(X, X)
            dense = LooForm(RidgeSpectrum(K), alpha, N_TRAIN)
            try:
                expected = dense.transduce(y, y0, alpha_star)
                low = LowRankLooForm(LowRankRidge(X, narrow, alpha, "coefficients", 80), N_TRAIN)
                found = low.transduce(y, y0, alpha_star)
            except (LeverageError, ArithmeticError):
                refused += 1
            else:
                size = np.abs(expected).max()
                np.testing.assert_allclose(found, expected, atol=2e-5 * size)
                agreed += 1
    assert refused >= 3 and agreed >= 6


def test_rejects_bad_arguments(problem):
    X, y, y0, _ = problem
    for arguments, name in (
        *[((bad, "coefficients", 5), "alpha") for bad in (0.0, -1.0, np.nan)],
        ((1.0, "ridge", 5), "penalty"),
        ((1.0, "coefficients", 0), "rank"),
    ):
        with pytest.raises(ValueError, match=name):
            LowRankRidge(X, kernel, *arguments)
    with pytest.raises(ValueError, match="alpha_star"):
        both(problem, "coefficients")[1].transduce(y, y0, -1.0)
    with pytest.raises(LeverageError, match="alpha"):
        # far apart and hardly any ridge: each point is fitted by itself
        LowRankLooForm(LowRankRidge(100 * X, kernel, 1e-14, "norm", 80), N_TRAIN)
