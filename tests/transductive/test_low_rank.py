"""Pivoted Cholesky: what is left, what bounds it, and what is refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from transductive.kernels import NotPositiveSemidefiniteError, gram_matrix
from transductive.low_rank import pivoted_cholesky


def rbf(A, B):
    return gram_matrix(A, B, gamma=0.5)


def linear(A, B):
    return A @ B.T


def never(left, square):
    return False


@pytest.fixture
def points():
    return np.random.default_rng(0).standard_normal((50, 3))


@pytest.mark.parametrize("rank", [1, 5, 20, 50])
def test_left_is_the_diagonal_of_a_positive_residual(points, rank):
    K = rbf(points, points)
    found = pivoted_cholesky(points, rbf, rank, done=never)
    E = K - found.factor @ found.factor.T
    assert found.factor.shape == (50, rank) and found.factor.flags.f_contiguous
    np.testing.assert_allclose(found.square, np.diag(K))
    np.testing.assert_allclose(found.left, np.diag(E), atol=1e-12)
    values = np.linalg.eigvalsh((E + E.T) / 2)
    assert values[0] > -1e-12
    assert values[-1] <= found.left.sum() + 1e-12  # the trace bounds the norm
    # a Gram matrix of residuals: no entry exceeds those of the diagonal
    bound = np.sqrt(np.multiply.outer(found.left, found.left))
    assert np.all(np.abs(E) <= bound + 1e-12)
    np.testing.assert_allclose(E[found.pivots], 0.0, atol=1e-12)


def test_rows_of_the_pivots_are_a_cholesky_factor(points):
    found = pivoted_cholesky(points, rbf, 20, done=never)
    basis = found.factor[found.pivots]
    np.testing.assert_array_equal(np.triu(basis, 1), 0.0)
    assert np.all(np.diag(basis) > 0)
    K = rbf(points[found.pivots], points[found.pivots])
    np.testing.assert_allclose(basis, np.linalg.cholesky(K), atol=1e-10)
    # each pivot was the farthest point from the span before it
    for k in range(20):
        part = found.factor[:, :k]
        left = found.square - np.sum(part**2, axis=1)
        assert left[found.pivots[k]] == pytest.approx(left.max(), abs=1e-12)


def test_stops_when_done_returns_true(points):
    asked = []

    def done(left, square):
        asked.append(left.sum())
        return left.sum() <= 1.0

    found = pivoted_cholesky(points, rbf, 50, done=done)
    assert found.left.sum() <= 1.0 < asked[-2]
    assert len(asked) == len(found.pivots) + 1
    assert np.all(np.diff(asked) < 0)


@settings(max_examples=40, derandomize=True)
@given(st.integers(0, 2**32 - 1), st.integers(1, 30), st.integers(1, 5), st.floats(-8.0, 8.0))
def test_finds_the_rank_whatever_the_scale(seed, n, d, size):
    rng = np.random.default_rng(seed)
    X = 10**size * rng.standard_normal((n, d))
    found = pivoted_cholesky(
        X, linear, n, done=lambda left, square: left.max() < 1e-9 * square.max()
    )
    assert len(found.pivots) == min(n, d)
    np.testing.assert_allclose(
        found.factor @ found.factor.T, X @ X.T, atol=1e-8 * np.square(X).sum(axis=1).max()
    )


def test_weights_change_what_is_largest():
    X = np.diag([3.0, 2.0, 1.0])
    plain = pivoted_cholesky(X, linear, 3, done=never)
    np.testing.assert_array_equal(plain.pivots, [0, 1, 2])
    weighted = pivoted_cholesky(
        X, linear, 3, done=never, weight=lambda s: np.array([100.0, 1, 0.1])
    )
    np.testing.assert_array_equal(weighted.pivots, [2, 1, 0])


def test_zero_rows_copies_and_blocks():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((70, 2))  # more than a block of the diagonal
    X[3] = 0.0
    X[10:20] = X[0]
    found = pivoted_cholesky(X, linear, 70, done=lambda left, square: left.max() <= 1e-12)
    assert len(found.pivots) == 2 and found.left[3] == 0.0
    np.testing.assert_array_equal(found.factor[3], 0.0)
    np.testing.assert_allclose(found.square, np.sum(X**2, axis=1))
    nothing = pivoted_cholesky(np.zeros((4, 2)), linear, 3, done=never)
    assert nothing.factor.shape == (4, 0) and len(nothing.pivots) == 0
    single = pivoted_cholesky(np.array([[2.0]]), linear, 5, done=never)
    np.testing.assert_array_equal(single.factor, [[2.0]])


def test_rejects_indefinite_kernels():
    X = np.arange(3.0)[:, None]

    def by_matrix(K):
        return lambda A, B: K[np.ix_(A[:, 0].astype(int), B[:, 0].astype(int))]

    with pytest.raises(NotPositiveSemidefiniteError, match=r"k\(x, x\) is -1 at training point 1"):
        pivoted_cholesky(X, by_matrix(np.diag([1.0, -1.0, 1.0])), 3, done=never)
    # two points say it, and three
    two = np.array([[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    three = np.full((3, 3), -0.9)
    np.fill_diagonal(three, 1.0)
    for K in (two, three):
        assert np.linalg.eigvalsh(K)[0] < 0
        with pytest.raises(NotPositiveSemidefiniteError, match="squared length comes out negative"):
            pivoted_cholesky(X, by_matrix(K), 3, done=never)


@pytest.mark.parametrize(
    ("kernel", "rank", "message"),
    [
        (rbf, 0, "rank"),
        (lambda A, B: np.full((len(A), len(B)), np.nan), 3, "kernel"),
        # only between different points
        (lambda A, B: np.where(A[:, :1] == B[:, 0], 1.0, np.inf), 2, "kernel"),
    ],
)
def test_rejects_ranks_and_kernels(kernel, rank, message, points):
    with pytest.raises(ValueError, match=message):
        pivoted_cholesky(points, kernel, rank, done=never)
