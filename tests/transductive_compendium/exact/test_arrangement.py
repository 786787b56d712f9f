"""Cells and posterior of an arrangement against exact cones, enumeration and Monte Carlo.

Seeds are fixed. Monte Carlo checks are at 4.5 standard errors (false alarm 7e-6 each) or at a
stated p-value; with seeds drawn anew fewer than one run in a thousand would fail by chance.
"""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from transductive_compendium.exact import arrangement
from transductive_compendium.exact.arrangement import Arrangement
from transductive_compendium.exact.labellings import cells
from transductive_compendium.exact.volumes import centroid, cone_volume, probability_positive

QUICK = settings(max_examples=20, derandomize=True)
SEEDS = st.integers(0, 2**32 - 1)
DIMENSIONS = st.sampled_from([2, 3])
NOISE = 0.05, 0.2, 0.4


def noisy_points(seed, m, d, flips=0.2):
    """Label-folded points of a linear classifier, some labels flipped; lengths vary."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, d))
    y = np.where(X @ rng.normal(size=d) > 0, 1, -1) * np.where(rng.random(m) < flips, -1, 1)
    return y[:, None] * X


def euler(m, d):
    return 2 * m if d == 2 else m * (m - 1) + 2


def likelihood(W, X, q):
    k = (W @ X.T <= 0).sum(axis=1)
    return q**k * (1 - q) ** (len(X) - k)


@pytest.mark.parametrize("d", [2, 3])
def test_quadrants_and_octants(d):
    a = Arrangement(5 * np.eye(d))
    np.testing.assert_allclose(a.areas, 2.0**-d, atol=1e-15)
    # Mean of w_1 where w_1 > 0: 2 / pi on the circle, 1 / 2 on the sphere (Archimedes).
    mean = {2: 2 / np.pi, 3: 0.5}[d]
    np.testing.assert_allclose(a.moments, 2.0**-d * mean * np.sign(a.interior), atol=1e-15)
    np.testing.assert_array_equal(a.is_mode, a.errors == 0)
    np.testing.assert_allclose(
        a.density_of_states(), [math.comb(d, k) / 2**d for k in range(d + 1)], atol=1e-15
    )
    # Independent half-spaces: the evidence is a product, the Bayes point the diagonal.
    assert a.log_evidence(0.1) == pytest.approx(d * np.log(0.5), abs=1e-14)
    np.testing.assert_allclose(a.bayes_point(0.3), np.full(d, d**-0.5), atol=1e-14)


@QUICK
@given(SEEDS, DIMENSIONS, st.integers(3, 60))
def test_cells_of_large_arrangements(seed, d, m):
    X = noisy_points(seed, m, d)
    a = Arrangement(X)
    c = euler(m, d)
    assert a.areas.shape == a.errors.shape == a.is_mode.shape == (c,)
    signs = X @ a.interior.T > 0
    assert len(np.unique(signs, axis=1).T) == c
    np.testing.assert_array_equal(a.errors, (~signs).sum(axis=0))
    assert (a.areas > 0).all()
    assert abs(a.areas.sum() - 1) < 1e-12
    np.testing.assert_allclose(np.roll(a.interior, c // 2, axis=0), -a.interior, atol=0)
    # The mean over a convex cell lies in it; in the smallest, rounding moves it further than that.
    big = a.areas > 1e-8
    np.testing.assert_array_equal(X @ a.moments[big].T > 0, signs[:, big])
    np.testing.assert_array_equal(a.cell_of(3 * a.interior), np.arange(c))


@QUICK
@given(SEEDS, DIMENSIONS, st.integers(3, 7))
def test_cells_against_exact_cones(seed, d, m):
    X = noisy_points(seed, m, d)
    a = Arrangement(X)
    signs = np.sign(a.interior @ X.T).astype(int)
    assert {tuple(s) for s in signs} == {tuple(s) for s in cells(X)}
    for i in range(len(signs) // 2, len(signs)):
        walls = signs[i][:, None] * X
        assert abs(a.areas[i] - cone_volume(walls).value) < 1e-13
        np.testing.assert_allclose(
            a.moments[i], centroid(walls).mean * cone_volume(walls).value, atol=1e-9
        )


@QUICK
@given(SEEDS, DIMENSIONS, st.integers(3, 14))
def test_modes_against_neighbours(seed, d, m):
    X = noisy_points(seed, m, d, flips=0.5)
    a = Arrangement(X)
    signs = np.sign(a.interior @ X.T)
    # In general position cells that differ in one sign only share an edge.
    neighbours = signs @ signs.T == m - 2
    lowest = np.where(neighbours, a.errors, m + 1).min(axis=1)
    np.testing.assert_array_equal(a.is_mode, a.errors < lowest)


def test_label_noise_makes_several_modes():
    assert Arrangement(noisy_points(1, 60, 3, flips=0)).errors.min() == 0
    a = Arrangement(noisy_points(1, 60, 3, flips=0.2))
    assert a.is_mode.sum() > 5
    assert a.is_mode[a.errors == a.errors.min()].all()


@pytest.mark.parametrize("width", [1e-3, 1e-5, 1e-7])
def test_small_triangles_keep_their_digits(width):
    # Over the tangent plane at the pole: 0 < x, 0 < y, x + y < width.
    a = Arrangement([[1, 0, 0], [0, 1, 0], [-1, -1, width]])
    triangle = a.errors == 0
    assert triangle.sum() == 1
    size = a.areas[triangle][0]
    assert size == pytest.approx(width**2 / 2 / (4 * np.pi), rel=2 * width**2 + 1e-8)
    assert a.log_evidence(0) == pytest.approx(np.log(size), rel=1e-12)


@pytest.mark.parametrize("d", [2, 3])
def test_weight_vectors_fall_into_cells_by_area(d):
    X = noisy_points(5, 6, d)
    a = Arrangement(X)
    W = np.random.default_rng(0).normal(size=(4, 25_000, d))
    index = a.cell_of(W)
    assert index.shape == (4, 25_000)
    np.testing.assert_array_equal(a.errors[index], (W @ X.T <= 0).sum(axis=2))
    observed = np.bincount(index.ravel(), minlength=len(a.areas))
    seen = a.areas > 1e-4
    assert observed[~seen].sum() < 50
    rest = [observed[~seen].sum()] if not seen.all() else []
    expected = [a.areas[~seen].sum()] if not seen.all() else []
    observed, expected = np.append(observed[seen], rest), np.append(a.areas[seen], expected)
    assert chisquare(observed, expected * observed.sum()).pvalue > 1e-4
    assert a.cell_of(W[0, 0]) == index[0, 0]


def test_many_weight_vectors_are_handled_in_blocks(monkeypatch):
    a = Arrangement(noisy_points(5, 6, 3))
    W = np.random.default_rng(0).normal(size=(50, 3))
    whole = a.cell_of(W)
    monkeypatch.setattr(arrangement, "BLOCK_ENTRIES", 42)
    np.testing.assert_array_equal(a.cell_of(W), whole)


@pytest.mark.parametrize("d, m, q", [*((d, 9, q) for d in (2, 3) for q in NOISE), (3, 60, 0.4)])
def test_evidence_and_bayes_point_against_monte_carlo(d, m, q):
    X = noisy_points(m, m, d)
    a = Arrangement(X)
    W = np.random.default_rng(1).normal(size=(100_000, d))
    W /= np.linalg.norm(W, axis=1, keepdims=True)
    weight = likelihood(W, X, q)
    error = weight.std() / len(W) ** 0.5 / weight.mean()
    assert error < 0.05
    assert abs(np.log(weight.mean()) - a.log_evidence(q)) < 4.5 * error / (1 - 4.5 * error)
    posterior = a.posterior(q)
    assert posterior.sum() == pytest.approx(1, abs=1e-13)
    # Estimating equations that have mean zero at the exact values.
    expected_errors = posterior @ a.errors
    direction = a.bayes_point(q)
    assert np.linalg.norm(direction) == pytest.approx(1, abs=1e-14)
    across = np.linalg.qr(direction[:, None], mode="complete")[0][:, 1:]
    k = (W @ X.T <= 0).sum(axis=1)
    for deviation in (k - expected_errors, *(W @ across).T):
        score = weight * deviation
        assert abs(score.mean()) < 4.5 * score.std() / len(W) ** 0.5
    assert (weight * (W @ direction)).mean() > 0


@QUICK
@given(SEEDS, DIMENSIONS, st.integers(3, 40))
def test_identities_of_the_evidence(seed, d, m):
    X = noisy_points(seed, m, d)
    a = Arrangement(X)
    assert a.log_evidence(0.5) == pytest.approx(m * np.log(0.5), abs=1e-11)
    np.testing.assert_allclose(a.posterior(0.5), a.areas, rtol=1e-12)
    k, q = np.arange(m + 1), 0.17
    by_errors = np.log(a.density_of_states() @ (q**k * (1 - q) ** (m - k)))
    assert a.log_evidence(q) == pytest.approx(by_errors, abs=1e-11)
    # d log E[exp(-beta k)] / d beta = -E_beta[k], by a central difference.
    beta, step = np.log((1 - q) / q), 1e-4

    def log_partition(beta):
        q = 1 / (1 + np.exp(beta))
        return a.log_evidence(q) - m * np.log(1 - q)

    slope = (log_partition(beta + step) - log_partition(beta - step)) / (2 * step)
    assert slope == pytest.approx(-a.posterior(q) @ a.errors, rel=1e-5, abs=1e-5)
    # A turn of the space turns the Bayes point and leaves the evidence.
    turn = np.linalg.qr(np.random.default_rng(seed).normal(size=(d, d)))[0]
    turned = Arrangement(X @ turn)
    assert turned.log_evidence(q) == pytest.approx(a.log_evidence(q), abs=1e-10)
    np.testing.assert_allclose(turned.bayes_point(q), a.bayes_point(q) @ turn, atol=1e-8)


@pytest.mark.parametrize("d, m", [(2, 12), (3, 12), (3, 60)])
def test_without_noise_the_posterior_is_version_space(d, m):
    X = noisy_points(3, m, d, flips=0)
    a = Arrangement(X)
    np.testing.assert_allclose(a.posterior(0), a.errors == 0, rtol=1e-12)
    assert a.log_evidence(0) == pytest.approx(np.log(cone_volume(X).value), abs=1e-9)
    np.testing.assert_allclose(a.bayes_point(0), centroid(X).direction, atol=1e-9)
    new = np.random.default_rng(0).normal(size=(5, d))
    # Points that cut version space, too.
    new = np.vstack([new, new - (new @ a.bayes_point(0))[:, None] * a.bayes_point(0)])
    exact = probability_positive(X, new).value
    assert ((exact > 0.01) & (exact < 0.99)).sum() >= 4
    np.testing.assert_allclose(a.probability_positive(0, new), exact, atol=1e-8)


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("q", NOISE)
def test_probability_positive_against_monte_carlo(d, q):
    X = noisy_points(8, 12, d)
    a = Arrangement(X)
    new = np.vstack([np.random.default_rng(2).normal(size=(3, d)), -2 * X[4]])
    p = a.probability_positive(q, new)
    np.testing.assert_allclose(p + a.probability_positive(q, -new), 1, atol=1e-12)
    W = np.random.default_rng(3).normal(size=(100_000, d))
    score = likelihood(W, X, q)[:, None] * ((W @ new.T > 0) - p)
    assert (np.abs(score.mean(axis=0)) < 4.5 * score.std(axis=0) / len(W) ** 0.5).all()
    np.testing.assert_allclose(a.probability_positive(0.5, new), 0.5, atol=1e-12)


def test_empty_version_space():
    # -x_0 - x_1 contradicts the two.
    a = Arrangement([[1, 0], [0, 1], [-1, -1]])
    assert a.errors.min() == 1 and a.log_evidence(0) == -np.inf
    for call in (a.posterior, a.bayes_point, lambda q: a.probability_positive(q, [[1, 2]])):
        with pytest.raises(ValueError, match=r"at least 1; .*q > 0"):
            call(0)
    assert a.posterior(1e-300).sum() == pytest.approx(1)


def test_noise_brings_degenerate_points_into_general_position():
    # Repeated points, and a pencil of great circles through one point.
    angles = np.linspace(0, 3, 30)
    pencil = np.column_stack([np.cos(angles), np.sin(angles), 0 * angles])
    X = np.vstack([noisy_points(0, 10, 3), np.ones((10, 3)), pencil])
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    with pytest.raises(ValueError, match=r"parallel.*noise of size 1e-6"):
        Arrangement(X)
    q, rng = 0.2, np.random.default_rng(0)
    one, other = (
        Arrangement(X + 1e-6 * rng.normal(size=X.shape)).log_evidence(q) for _ in range(2)
    )
    W = rng.normal(size=(100_000, 3))
    weight = likelihood(W, X, q)
    assert abs(one - other) < 1e-4
    assert abs(weight.mean() - np.exp(one)) < 4.5 * weight.std() / len(W) ** 0.5


def test_codes_that_agree_are_noticed(monkeypatch):
    monkeypatch.setattr(arrangement, "_keys", lambda m: np.arange(1, m + 1, dtype=np.uint64))
    with pytest.raises(ValueError, match="instead of 92 of total area 1"):
        Arrangement(noisy_points(0, 10, 3))


PLANE = Arrangement([[1, 0], [1, 2], [-1, 1]])


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: Arrangement([1.0, 2.0]), "points must"),
        (lambda: Arrangement([[1.0, np.nan], [0, 1]]), "points contains NaN"),
        (lambda: Arrangement([[1, 0], [0, 0]]), "row 1 of points"),
        (lambda: Arrangement(np.ones((4, 5))), "5 columns"),
        (lambda: Arrangement([[1], [2]]), "1 columns"),
        (lambda: Arrangement([[1, 2], [2, 4]]), "span 1 dimensions"),
        (lambda: Arrangement([[1, 0, 1], [0, 1, 0], [1, 1, 1]]), "span 2 dimensions"),
        (lambda: Arrangement([[1, 0], [0, 1], [-2, 0]]), "points 0 and 2 "),
        (lambda: Arrangement([[1, 3], [0, 1], [2, 6]]), "points 0 and 2 "),
        (lambda: Arrangement([*np.eye(3), [-1, -7, -3], [3, 21, 9]]), "points 3 and 4 "),
        (lambda: Arrangement([*np.eye(3), [0, 0.1, 0.7]]), "points 1, 2 and 3 "),
        (lambda: Arrangement([[1, 2, 3], [1, 0, 0], [3, 1, 7], [4, 3, 10]]), "points 0, 2 and 3 "),
        (lambda: PLANE.posterior(-0.1), "q must"),
        (lambda: PLANE.log_evidence(0.6), "q must"),
        (lambda: PLANE.posterior(np.nan), "q must"),
        (lambda: PLANE.bayes_point(0.5), "q = 0.5"),
        (lambda: PLANE.cell_of(np.ones((2, 3))), "W has"),
        (lambda: PLANE.cell_of([[1, np.inf]]), "W contains"),
        (lambda: PLANE.cell_of([[1, 1], [0, 0]]), "weight vector 1 "),
        (lambda: PLANE.probability_positive(0.1, [[1, 2, 3]]), "new_points"),
        (lambda: PLANE.probability_positive(0.1, [[0, 0]]), "new_points"),
    ],
)
def test_rejects_bad_arguments(call, message):
    with pytest.raises(ValueError, match=message):
        call()
