"""Inner products and isotropic directions in a span known by its Gram matrix."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from transductive.version_space import FeatureSpan, NotPositiveSemidefiniteError


def rows(kind, rng):
    X = rng.standard_normal((6, 6))
    if kind == "anisotropic":
        return X * np.array([30.0, 10.0, 1.0, 1.0, 0.3, 0.1])
    if kind == "singular":
        return X[:, :3] * [5.0, 1.0, 0.2]
    if kind == "copies":
        return X[[0, 1, 2, 2, 1, 0]]
    return X


KINDS = ["regular", "anisotropic", "singular", "copies"]


@pytest.mark.parametrize("kind", KINDS)
def test_coordinates_and_coefficients(kind):
    rng = np.random.default_rng(0)
    X = rows(kind, rng)
    span = FeatureSpan(X @ X.T)
    assert span.rank == np.linalg.matrix_rank(X)
    assert span.is_regular == (span.rank == 6)
    np.testing.assert_allclose(
        span.coordinates @ span.coordinates.T, X @ X.T, atol=1e-10 * np.abs(X @ X.T).max()
    )
    z = rng.standard_normal((7, span.rank))
    a = span.coefficients(z)
    assert a.shape == (7, 6)
    # the coefficients give vectors with those coordinates: same inner products and lengths
    np.testing.assert_allclose(a @ span.coordinates, z, atol=1e-8)
    np.testing.assert_allclose(span.coefficients(z[0]), a[0], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(a @ X, axis=1), np.linalg.norm(z, axis=1), rtol=1e-7)
    assert span.norm(a[0]) == pytest.approx(np.linalg.norm(z[0]), rel=1e-7)


@pytest.mark.parametrize("kind", KINDS)
def test_smallest_coefficients_of_the_same_vector(kind):
    rng = np.random.default_rng(3)
    X = rows(kind, rng)
    span = FeatureSpan(X @ X.T)
    a = rng.standard_normal(6)
    b = span.smallest_coefficients(a)
    np.testing.assert_allclose(b @ X, a @ X, atol=1e-11 * np.abs(a @ X).max())
    np.testing.assert_allclose(span.smallest_coefficients(b), b, atol=1e-12)
    # no combination that gives the zero vector is in them: of points of unit length
    lengths = np.linalg.norm(X, axis=1)
    nothing = np.linalg.svd(X / lengths[:, None])[0][:, span.rank :]
    np.testing.assert_allclose(nothing.T @ (b * lengths), 0.0, atol=1e-11)


@given(st.integers(0, 10**6), st.floats(-8.0, 8.0), st.integers(1, 8))
@settings(max_examples=40)
def test_rounding_of_inner_products(seed, exponent, rank):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((8, rank)) * 10.0 ** rng.uniform(-3, 3, size=(8, 1))
    span = FeatureSpan(X @ X.T)
    a = rng.standard_normal(8) * 10.0**exponent
    exact = span.gram.astype(np.longdouble) @ a
    off = np.abs(span.gram @ a - exact) / span.lengths
    assert off.max() <= 2 * span.rounding(a)


@pytest.mark.parametrize("kind", KINDS)
def test_tangents_are_isotropic_in_feature_space(kind):
    """Mean zero and second moment (P - w w') / (r - 1); chi-square, false alarm 1e-4."""
    rng = np.random.default_rng(1)
    X = rows(kind, rng)
    span = FeatureSpan(X @ X.T)
    r, n = span.rank, 4000
    w = span.coefficients(rng.standard_normal(r))
    w /= span.norm(w)
    b = np.array([span.random_tangent(w, rng) for _ in range(n)]) @ X
    np.testing.assert_allclose(np.linalg.norm(b, axis=1), 1.0, atol=1e-7)
    np.testing.assert_allclose(b @ (w @ X), 0.0, atol=1e-7)
    # an orthonormal basis of the tangent space within the span
    basis = np.linalg.svd(X)[2][:r]
    basis = basis - np.outer(basis @ (w @ X), w @ X)
    basis = np.linalg.svd(basis)[2][: r - 1]
    u = b @ basis.T
    np.testing.assert_allclose(np.linalg.norm(u, axis=1), 1.0, atol=1e-7)
    k = r - 1
    moment = u.T @ u / n - np.eye(k) / k
    # tr(M^2) n k (k + 2) / 2 is chi-square (Bingham's test of isotropy)
    bingham = n * k * (k + 2) / 2 * np.sum(moment**2)
    assert stats.chi2.sf(bingham, (k - 1) * (k + 2) / 2) > 1e-4
    rayleigh = n * k * np.sum(u.mean(axis=0) ** 2)
    assert stats.chi2.sf(rayleigh, k) > 1e-4


def test_tangent_survives_an_inexact_base_point():
    span = FeatureSpan(np.eye(2))
    rng = np.random.default_rng(0)
    for _ in range(200):
        b = span.random_tangent(np.array([1.001, 0.0]), rng)
        np.testing.assert_allclose(np.abs(b), [0.0, 1.0], atol=1e-12)


@settings(max_examples=30, derandomize=True)
@given(
    st.integers(0, 2**32 - 1),
    st.lists(st.floats(-6.0, 6.0), min_size=5, max_size=5),
    st.integers(2, 5),
)
def test_rank_and_directions_do_not_depend_on_lengths(seed, exponents, rank):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((5, rank))
    length = 10.0 ** np.array(exponents)
    plain = FeatureSpan(X @ X.T)
    scaled = FeatureSpan(X @ X.T * np.outer(length, length))
    assert plain.rank == scaled.rank == rank
    assert scaled.condition == pytest.approx(plain.condition, rel=1e-6)


def test_long_and_short_points_are_both_in_the_span():
    span = FeatureSpan(np.diag([1e16, 1.0, 1e-6]))
    assert span.rank == 3
    b = span.random_tangent(np.array([1e-8, 0.0, 0.0]), np.random.default_rng(0))
    assert span.norm(b) == pytest.approx(1.0) and b[0] == pytest.approx(0.0, abs=1e-20)


def test_condition_number():
    c = 1e-3
    assert FeatureSpan(np.array([[1.0, 1 - c], [1 - c, 1.0]])).condition > 0.1 / c
    assert FeatureSpan(np.eye(4)).condition == 1.0
    X = np.random.default_rng(0).standard_normal((5, 3))
    values = np.linalg.eigvalsh(np.corrcoef(X @ X.T))  # rank deficient in any case
    assert len(values) == 5
    unit = X / np.linalg.norm(X, axis=1, keepdims=True)
    kept = np.linalg.eigvalsh(unit @ unit.T)[2:]
    assert FeatureSpan(X @ X.T).condition == pytest.approx(kept[-1] / kept[0])


def test_the_suggested_ridge_is_sufficient():
    rng = np.random.default_rng(0)
    values = np.r_[-0.3, rng.uniform(1.0, 5.0, 7)]
    vectors = np.linalg.qr(rng.standard_normal((8, 8)))[0]
    gram = vectors * values @ vectors.T
    gram = (gram + gram.T) / 2 * np.outer(np.arange(1, 9), np.arange(1, 9))
    with pytest.raises(NotPositiveSemidefiniteError) as caught:
        FeatureSpan(gram)
    ridge = float(str(caught.value).rsplit(" ", 1)[1])
    FeatureSpan(gram + 1.01 * ridge * np.eye(8))
