"""Factors of a Gram matrix: exact, pivoted, from columns on demand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from transductive.kernels import gram_matrix
from transductive.version_space import WhitenedPoints


def rbf(gamma):
    return lambda A, B: gram_matrix(A, B, gamma=gamma)


@given(m=st.integers(2, 40), rank=st.integers(1, 45), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=60)
def test_a_factor_gives_back_the_inner_products(m, rank, seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((m, rank)) * np.exp(rng.normal(size=rank))
    gram = X @ X.T
    points = WhitenedPoints.from_gram(gram)
    # four times in ten thousand, after a small pivot, rounding is longer than the tolerance
    assert points.rank in (min(m, rank), min(m, rank + 1))
    assert (points.coordinates[:, rank:] ** 2).sum() <= 1e-9 * np.trace(gram)
    np.testing.assert_allclose(
        points.coordinates @ points.coordinates.T, gram, atol=1e-9 * np.abs(gram).max()
    )


def test_regular_is_triangular_and_in_order():
    rng = np.random.default_rng(0)
    points = WhitenedPoints.from_gram(gram_matrix(rng.standard_normal((30, 3)), gamma=1.0))
    assert points.triangular and points.truncation == 0.0
    np.testing.assert_array_equal(points.pivots, np.arange(30))
    np.testing.assert_array_equal(np.triu(points.coordinates, 1), 0.0)


@pytest.mark.parametrize("gamma", [1.0, 1e-3])
def test_factor_in_place_is_the_same(gamma):
    # the wide kernel is singular to double precision: the factor in place has to be given up
    rng = np.random.default_rng(1)
    gram = gram_matrix(rng.standard_normal((700, 2)), gamma=gamma)
    kept = gram.copy()
    apart = WhitenedPoints.from_gram(gram)
    np.testing.assert_array_equal(gram, kept)
    in_place = WhitenedPoints.from_gram(gram, overwrite=True)
    np.testing.assert_array_equal(apart.coordinates, in_place.coordinates)
    np.testing.assert_array_equal(apart.pivots, in_place.pivots)
    assert apart.triangular == (apart.rank == 700)


def test_columns_on_demand_find_the_same_span():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((60, 4))
    points = WhitenedPoints.from_kernel(X, lambda A, B: A @ B.T, 20)
    assert points.rank == 4 and points.truncation < 1e-12
    np.testing.assert_allclose(points.coordinates @ points.coordinates.T, X @ X.T, atol=1e-12)


def test_truncation_bounds_every_inner_product():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((80, 2))
    gram = gram_matrix(X, gamma=0.5)
    previous = 1.0
    for rank in (5, 20, 60):
        points = WhitenedPoints.from_kernel(X, rbf(0.5), rank)
        # Cauchy and Schwarz: what two points have outside the span
        missed = np.abs(gram - points.coordinates @ points.coordinates.T).max()
        assert missed <= points.truncation + 1e-12
        assert points.truncation < previous
        previous = points.truncation
        np.testing.assert_allclose(
            np.tril(points.coordinates[points.pivots]), points.coordinates[points.pivots]
        )


@pytest.mark.parametrize("rank", [None, 15])
def test_coefficients_and_coordinates_are_inverse(rank):
    rng = np.random.default_rng(4)
    X, new = rng.standard_normal((40, 3)), rng.standard_normal((7, 3))
    if rank is None:
        points = WhitenedPoints.from_gram(gram_matrix(X, gamma=0.5))
    else:
        points = WhitenedPoints.from_kernel(X, rbf(0.5), rank)
    w = rng.standard_normal((2, 3, points.rank))
    a = points.coefficients(w)
    assert a.shape == w.shape
    basis = X[points.pivots]
    cross = gram_matrix(new, basis, gamma=0.5)
    np.testing.assert_allclose(w @ points.transform(cross).T, a @ cross.T, atol=1e-8)
    # the length of w in feature space is its length in coordinates
    inner = gram_matrix(basis, gamma=0.5)
    np.testing.assert_allclose(
        np.einsum("...i,ij,...j", a, inner, a), np.sum(w**2, axis=-1), rtol=1e-8
    )
