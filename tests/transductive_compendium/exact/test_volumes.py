"""Exact volumes and centroids against known values, brute force and each other.

Seeds are fixed. A brute-force check of one number fails by chance with probability 7e-6 (4.5
standard errors); a quasi-Monte Carlo check at 6 stated errors with 2.4e-5 (Student's t with 15
degrees of freedom, from 16 replicates). All of them together would do so in less than one run in a
hundred if the seeds were drawn anew.
"""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from transductive_compendium.exact import cones
from transductive_compendium.exact.labellings import cells
from transductive_compendium.exact.volumes import (
    centroid,
    cone_volume,
    features_from_gram,
    probability_positive,
)

QUICK = settings(max_examples=25, derandomize=True)
SEEDS = st.integers(0, 2**32 - 1)


def random_cone(rng, k, n):
    """k walls in R^n with a common interior point."""
    X = rng.normal(size=(k, n))
    return X * np.sign(X @ rng.normal(size=n))[:, None]


def weyl_a(n):
    """Differences of neighbours among n + 1 coordinates: rank n, volume 1 / (n + 1)!"""
    return np.eye(n, n + 1) - np.eye(n, n + 1, 1)


def weyl_b(n):
    """0 < w_n < ... < w_1 in R^n: volume 1 / (2^n n!)"""
    return np.eye(n) - np.eye(n, n, 1)


def solid_angle(a, b, c):
    """Fraction of the sphere in the triangle of three directions (van Oosterom and Strackee)."""
    a, b, c = (np.asarray(v) / np.linalg.norm(v) for v in (a, b, c))
    return 2 * np.arctan2(abs(np.linalg.det([a, b, c])), 1 + a @ b + b @ c + c @ a) / (4 * np.pi)


@pytest.mark.parametrize(
    ("walls", "inverse"),
    [
        *[(np.eye(n), 2**n) for n in range(13)],
        *[(np.linalg.cholesky((np.eye(n) + 1) / 2), n + 1) for n in range(1, 6)],
        *[(weyl_a(n), math.factorial(n + 1)) for n in range(2, 6)],
        *[(weyl_b(n), 2**n * math.factorial(n)) for n in range(2, 6)],
    ],
)
def test_known_cones(walls, inverse):
    volume = cone_volume(walls)
    assert volume.value == pytest.approx(1 / inverse, rel=1e-11)
    closed = len(walls) <= 3 or np.count_nonzero(walls @ walls.T) == len(walls)
    assert volume.error < (1e-14 if closed else 1e-10)
    assert volume.method == ("closed form" if closed else "quadrature")


@pytest.mark.parametrize("method", ["auto", "polar QMC"])
@pytest.mark.parametrize(
    "walls, inverse",
    [
        (weyl_a(6), math.factorial(7)),
        (weyl_b(6), 2**6 * math.factorial(6)),
        (weyl_a(8), math.factorial(9)),
        (weyl_b(8), 2**8 * math.factorial(8)),
        (np.linalg.cholesky((np.eye(9) + 1) / 2), 10),
    ],
    ids=["A6", "B6", "A8", "B8", "half"],
)
def test_small_cones_keep_relative_accuracy(walls, inverse, method):
    volume = cone_volume(walls, method=method, rng=2, tol=1e-3)
    assert "QMC" in volume.method
    assert volume.error * inverse < 0.005  # down to a volume of 1e-7
    assert abs(volume.value - 1 / inverse) < 6 * volume.error


def test_one_two_three_walls_in_any_dimension():
    rng = np.random.default_rng(0)
    for n in (3, 7, 40):
        X = rng.normal(size=(3, n))
        R = (X @ X.T) / np.outer(*2 * [np.linalg.norm(X, axis=1)])
        assert cone_volume(X[:1]).value == 0.5
        assert abs(cone_volume(X[:2]).value - (0.5 - np.arccos(R[0, 1]) / (2 * np.pi))) < 1e-14
        sheppard = 1 / 8 + np.arcsin(R[np.triu_indices(3, 1)]).sum() / (4 * np.pi)
        assert abs(cone_volume(X).value - sheppard) < 1e-14


@pytest.mark.parametrize(
    "walls, value",
    [
        ([[1, 0, 0], [2, 0, 0]], 1 / 2),  # hemisphere, twice
        ([[1, 0, 0], [0, 1, 0], [1, 1, 0]], 1 / 4),  # lune, a redundant wall
        ([[1, 0, 0], [0, 1, 0], [-1, 2, 0], [3, 1, 0]], 1 / 4 - np.arctan(0.5) / (2 * np.pi)),
        (
            [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1], [0, 1, 0]],
            1 / 8,
        ),  # triangle, redundant walls
        ([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]], 1 / 8),  # touches an edge's end
        ([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1e-13, 0]], 1 / 8),  # nearly a duplicate
        ([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, -1, 0]], 1 / 16),  # through a vertex
        ([[1, 0, 0], [-1, 0, 0]], 0),
        ([[1, 0, 0], [-3, 0, 0], [0, 1, 0], [0, 0, 1]], 0),
        ([[1, 0, 0], [0, 1, 0], [-1, -1, 0]], 0),
        ([[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, -1, -1]], 0),
        (np.vstack([np.eye(6), -np.ones(6)]), 0),
        (np.vstack([np.eye(5), np.eye(5)]), 1 / 32),
        (np.vstack([weyl_a(4), weyl_a(4)[:3] + weyl_a(4)[1:], 7 * weyl_a(4)]), 1 / 120),
    ],
)
def test_degenerate_walls(walls, value):
    walls = np.asarray(walls, dtype=float)
    volume = cone_volume(walls)
    assert abs(volume.value - value) < 5e-14
    assert volume.error < 5e-14
    # The Gram matrix is singular in nearly all of these.
    assert abs(cone_volume(gram=walls @ walls.T).value - value) < 1e-12


@pytest.mark.parametrize("width", [1e-3, 1e-6, 1e-8, 1e-11])
def test_thin_cones_stay_within_the_stated_error(width):
    # A lune of angle arctan(width), cut in half by a wall orthogonal to it.
    walls = np.array([[1, 0, 0], [-1, width, 0], [0, 0.0, 1], [0, 1, 1]])
    exact = np.arctan(width) / (2 * np.pi) / 2
    for X in (walls[:3], walls):
        volume = cone_volume(X)
        assert abs(volume.value - exact) <= volume.error
        assert volume.error < 1e-7


@QUICK
@given(SEEDS, st.integers(3, 40))
def test_polygons_against_triangulation(seed, k):
    walls = random_cone(np.random.default_rng(seed), k, 3)
    corners = np.cross(walls[:, None], walls[None]).reshape(-1, 3)
    corners = corners[np.linalg.norm(corners, axis=1) > 0]
    corners = corners[(walls @ corners.T > -1e-10).all(axis=0)]
    corners /= np.linalg.norm(corners, axis=1, keepdims=True)
    axis = corners.mean(axis=0)
    frame = np.linalg.qr(axis[:, None], mode="complete")[0][:, 1:]
    corners = corners[np.argsort(np.arctan2(*(corners @ frame).T))]
    pairs = zip(corners, np.roll(corners, -1, axis=0), strict=True)
    area = sum(solid_angle(axis, a, b) for a, b in pairs)
    volume = cone_volume(walls)
    assert abs(volume.value - area) < 1e-12
    assert volume.method == "closed form"


@pytest.mark.parametrize("n, k", [(2, 4), (3, 3), (3, 6), (4, 4), (4, 9), (5, 8), (6, 6), (7, 10)])
def test_volume_against_brute_force(n, k):
    rng = np.random.default_rng(10 * n + k)
    walls = random_cone(rng, k, n)
    draws = 400_000
    share = (rng.normal(size=(draws, n)) @ walls.T > 0).all(axis=1).mean()
    volume = cone_volume(walls)
    error = 0 if volume.method in ("closed form", "quadrature") else volume.error
    sd = np.sqrt(volume.value * (1 - volume.value) / draws)
    assert abs(share - volume.value) < 4.5 * np.hypot(sd, error)


@pytest.mark.parametrize("method", ["Genz QMC", "polar QMC"])
def test_stated_standard_error_is_that_of_the_estimates(method):
    deviations = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        n = 5 if seed % 5 == 0 else 4
        walls = random_cone(rng, n if method == "Genz QMC" else n + 4, n)
        if method == "Genz QMC":
            walls = rng.normal(size=(n, n))
        exact, estimate = cone_volume(walls), cone_volume(walls, method=method, tol=3e-3)
        assert exact.method == "quadrature" and estimate.method == method
        assert exact.error < 1e-9
        deviations.append((estimate.value - exact.value) / estimate.error)
    assert np.abs(deviations).max() < 6
    # Mean square 15/13 if normal; both an error stated too small and one too large show.
    assert 0.45 < np.mean(np.square(deviations)) < 2.3


@settings(max_examples=12, derandomize=True)
@given(SEEDS, st.integers(1, 5), st.integers(1, 7))
def test_invariances(seed, n, k):
    rng = np.random.default_rng(seed)
    walls = random_cone(rng, k, n)
    value = cone_volume(walls).value
    turn = np.linalg.qr(rng.normal(size=(n + 2, n + 2)))[0][:n]
    order = rng.permutation(k)
    scaled = walls * 10 ** rng.uniform(-6, 6, size=(k, 1))
    redundant = np.vstack([walls, rng.uniform(0, 1, size=(2, k)) @ walls])
    for same in (walls @ turn, scaled[order], redundant, np.vstack([walls, walls])):
        assert abs(cone_volume(same).value - value) < 1e-11
    assert abs(cone_volume(gram=walls @ walls.T).value - value) < 1e-8
    assert 0 < value <= 0.5


@pytest.mark.parametrize("n, k", [(2, 5), (3, 6), (4, 5)])
def test_cells_fill_the_sphere(n, k):
    points = np.random.default_rng(k).normal(size=(k, n))
    # of a cell and the one opposite, one
    half = [signs for signs in cells(points) if signs[0] > 0]
    total = sum(cone_volume(signs[:, None] * points).value for signs in half)
    assert abs(total - 0.5) < 5e-11


def test_orthant_reference():
    p = probability_positive(np.eye(3), [-5, -2, 10])
    assert abs(p.value - 0.597107) < 1e-6
    assert p.error < 1e-13
    # Independently: the part of the octant on the negative side is a quadrilateral.
    a, b = [2, 0, 1], [0, 5, 1]
    negative = solid_angle([1, 0, 0], a, b) + solid_angle([1, 0, 0], b, [0, 1, 0])
    assert abs(p.value - (1 - 8 * negative)) < 1e-14


def test_triangle_reference():
    walls = [[1, 0, 0], [0, 1, 0], [-1, -1, 3]]
    p = probability_positive(walls, [-2, 4, 1])
    assert abs(p.value - 0.856383) < 1e-6
    # The triangle (0,0,1), (3,0,1), (0,3,1) loses its corner at (3,0,1).
    whole = solid_angle([0, 0, 1], [3, 0, 1], [0, 3, 1])
    lost = solid_angle([3, 0, 1], [1, 0, 2], [13, 5, 6])
    assert abs(p.value - (1 - lost / whole)) < 1e-14


@settings(max_examples=8, derandomize=True)
@given(SEEDS, st.integers(1, 4), st.integers(0, 4))
def test_probabilities_of_opposite_labels_sum_to_one(seed, n, k):
    rng = np.random.default_rng(seed)
    X, points = rng.normal(size=(k, n)), rng.normal(size=(2, n))
    y = np.where(X @ rng.normal(size=n) > 0, 1, -1)
    plus, minus = probability_positive(X, points, y), probability_positive(X, -points, y)
    np.testing.assert_allclose(plus.value + minus.value, 1, atol=1e-14)
    single = probability_positive(y[:, None] * X, points[1])
    assert isinstance(single.value, float)
    assert abs(single.value - plus.value[1]) < 1e-11
    volume = cone_volume(y[:, None] * X)
    both = cone_volume(np.vstack([y[:, None] * X, points[:1]]))
    assert abs(plus.value[0] - both.value / volume.value) < 1e-9


def test_probability_of_known_points():
    X = random_cone(np.random.default_rng(4), 6, 4)
    p = probability_positive(X, [X[0], -X[1], X[2] + X[3], [0, 0, 0, 1]])
    np.testing.assert_allclose(p.value[:3], [1, 0, 1], atol=1e-12)
    assert 0 < p.value[3] < 1
    np.testing.assert_array_equal(
        probability_positive(np.zeros((0, 5)), np.eye(5)).value, np.full(5, 0.5)
    )


def test_probability_error_covers_the_truth_in_high_dimension():
    # By symmetry the cone w_1 > ... > w_7 is cut in half by w_1 + w_7 = w_3 + w_5.
    z = 0
    for seed in range(2):
        x = np.zeros(7)
        x[[0, 6]], x[[2, 4]] = 1, -1
        p = probability_positive(weyl_a(6), x, tol=3e-3, rng=seed)
        assert "QMC" in p.method and p.error < 0.01
        z = max(z, abs(p.value - 0.5) / p.error)
    assert z < 6


def test_same_seed_same_digits():
    walls = random_cone(np.random.default_rng(0), 9, 6)
    one, same, other = (cone_volume(walls, tol=1e-2, rng=seed) for seed in (5, 5, 6))
    assert one == same and one.value != other.value


def test_centroid_in_the_plane():
    for angle in (0.1, 1.0, 3.0):  # opening of the sector from the first axis
        c = centroid([[0, 1], [np.sin(angle), -np.cos(angle)]])
        chord = 2 * np.sin(angle / 2) / angle
        middle = np.array([np.cos(angle / 2), np.sin(angle / 2)])
        np.testing.assert_allclose(c.direction, middle, atol=1e-14)
        np.testing.assert_allclose(c.mean, chord * middle, atol=1e-14)


@pytest.mark.parametrize("n, k", [(3, 7), (4, 4), (4, 10), (5, 7), (6, 6), (7, 8)])
def test_centroid_against_brute_force(n, k):
    rng = np.random.default_rng(n + k)
    walls = random_cone(rng, k, n)
    # Points of R^(n+1) whose last coordinate no wall feels: the mean depends on the dimension.
    w = rng.normal(size=(400_000, n + 1))
    w = w[(w[:, :n] @ walls.T > 0).all(axis=1)]
    w /= np.linalg.norm(w, axis=1, keepdims=True)
    c = centroid(np.column_stack([walls, np.zeros(k)]), tol=1e-3)
    assert len(w) > 200
    error = np.hypot(w.std(axis=0) / np.sqrt(len(w)), c.mean_error)
    assert (np.abs(w.mean(axis=0) - c.mean) < 4.5 * error).all()
    assert abs(c.direction[n]) < 1e-12


def test_centroid_labels_as_the_majority_on_symmetric_cones():
    c = centroid(np.eye(6))
    np.testing.assert_allclose(c.direction, np.full(6, 6**-0.5), atol=1e-13)
    half = centroid([[0, 3, 0]])
    np.testing.assert_allclose(half.mean, [0, 0.5, 0], atol=1e-15)


def test_features_from_gram_reproduce_it():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(7, 3)) * 10 ** rng.uniform(-3, 3, size=(7, 1))
    F = features_from_gram(X @ X.T)
    assert F.shape == (7, 3)
    np.testing.assert_allclose(F @ F.T, X @ X.T, rtol=1e-9)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: cone_volume(), "X"),
        (lambda: cone_volume(np.eye(2), gram=np.eye(2)), "X"),
        (lambda: cone_volume([1.0, 2.0]), "X must"),
        (lambda: cone_volume([[1.0, np.nan]]), "X contains NaN"),
        (lambda: cone_volume([[1.0, 0], [0, 0]]), "row 1 of X"),
        (lambda: cone_volume(gram=[[1, 2], [2, 1]]), "gram"),
        (lambda: cone_volume(gram=[[1, 0.5], [0.1, 1]]), "gram"),
        (lambda: cone_volume(gram=[[1, 0], [0, 0]]), "gram"),
        (lambda: cone_volume(gram=np.ones((2, 3))), "gram"),
        (lambda: cone_volume(gram=[[np.inf]]), "infs or NaNs"),
        (lambda: cone_volume(np.eye(3), method="Simpson"), "method"),
        (lambda: cone_volume(np.vstack([weyl_b(6), np.ones(6) - 3 * np.eye(6)[2]]),
                             method="quadrature"), "method"),
        (lambda: probability_positive(np.eye(2), np.eye(3)), "X_working"),
        (lambda: probability_positive(np.eye(2), [[0, 0]]), "X_working"),
        (lambda: probability_positive(np.eye(2), [1, 1], y=[1, 2]), "y must"),
        (lambda: probability_positive(np.eye(2), [1, 1], y=[1]), "y must"),
        (lambda: probability_positive([[1, 0], [1, 0]], [1, 1], y=[1, -1]), "empty"),
        (lambda: centroid([[1, 0], [-1, 0]]), "empty"),
        (lambda: centroid(np.zeros((0, 2))), "at least one"),
    ],
)  # fmt: skip
def test_rejects_bad_arguments(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_volume_below_the_inscribed_cap_is_not_believed(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((7, 7))
    X *= np.where(X @ np.ones(7) > 0, 1.0, -1.0)[:, None]
    right = cone_volume(X)
    monkeypatch.setattr(cones, "genz_integrand", lambda walls: lambda u: np.zeros(len(u)))
    other = cone_volume(X)
    assert other.method == "polar QMC"
    assert abs(other.value - right.value) < 5 * np.hypot(other.error, right.error) + 1e-12


def test_error_of_a_ratio():
    x, step = np.array([1.0, -1, -1, -1, 0, 0]), 1e-6
    rng = np.random.default_rng(3)
    plus, minus = (
        cone_volume(np.vstack([weyl_b(6), sign * x]), tol=1e-2, rng=rng) for sign in (1, -1)
    )

    def ratio(a, b):
        return a / (a + b)

    slopes = [
        (ratio(plus.value * (1 + step), minus.value) - ratio(plus.value, minus.value))
        / (step * plus.value),
        (ratio(plus.value, minus.value * (1 + step)) - ratio(plus.value, minus.value))
        / (step * minus.value),
    ]
    p = probability_positive(weyl_b(6), x, tol=1e-2, rng=3)
    assert p.value == pytest.approx(ratio(plus.value, minus.value), rel=1e-12)
    assert p.error == pytest.approx(
        np.hypot(slopes[0] * plus.error, slopes[1] * minus.error), rel=1e-4
    )
