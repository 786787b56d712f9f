"""Contradictions of an equivalence class, against enumerations that know no linear programme."""

import numpy as np
import pytest

from transductive.margin import NotSeparableError, UniversumSVC
from transductive_compendium.exact.arrangement import Arrangement
from transductive_compendium.exact.contradictions import contradictions
from transductive_compendium.exact.labellings import cells


def draw(seed, d, n=5, u=7):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, d)), rng.standard_normal((u, d)), rng


def by_class(signs, n):
    """Classes on the first n points and what each contradicts, from signs of all cells."""
    for labels in np.unique(signs[:, :n], axis=0):
        inside = signs[(signs[:, :n] == labels).all(axis=1), n:]
        yield labels, (inside > 0).any(axis=0) & (inside < 0).any(axis=0)


def homogeneous(X):
    return np.column_stack([X, np.ones(len(X))])


# ---- enumerations -------------------------------------------------------------------------------


@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_cells_with_intercept(d, seed):
    X, U, _ = draw(seed, d, n=5, u=5)
    signs = cells(homogeneous(np.vstack([X, U])))
    counts = []
    for labels, expected in by_class(signs, len(X)):
        found = contradictions(X, labels, U, fit_intercept=True)
        np.testing.assert_array_equal(found, expected)
        counts.append(expected.sum())
    assert min(counts) < max(counts)


@pytest.mark.parametrize("seed", range(3))
def test_polygons_of_the_sphere(seed):
    X, U, _ = draw(seed, 3, n=6, u=10)
    Z = np.vstack([X, U])
    signs = np.where(Arrangement(Z).interior @ Z.T > 0, 1, -1)
    for labels, expected in by_class(signs, len(X)):
        found = contradictions(X, labels, U, fit_intercept=False)
        np.testing.assert_array_equal(found, expected)


def test_an_interval():
    """In one dimension: thresholds between the two points nearest to each other."""
    X, U = np.array([[-3.0], [-1.0], [2.0], [5.0]]), np.array([[-2.0], [-0.9], [0.0], [1.9], [3.0]])
    found = contradictions(X, [-1, -1, 1, 1], U, fit_intercept=True)
    np.testing.assert_array_equal(found, [False, True, True, True, False])
    # with one sign the threshold may be beyond either end
    found = contradictions(X, [1, 1, 1, 1], [[-4.0], [0.0], [6.0]], fit_intercept=True)
    np.testing.assert_array_equal(found, [True, False, True])


# ---- what must be so ----------------------------------------------------------------------------


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_points_on_a_member_are_contradicted_and_the_sample_is_not(fit_intercept):
    for seed in range(5):
        X, U, rng = draw(seed, 4, n=6)
        w, b = rng.standard_normal(4), rng.standard_normal() * fit_intercept
        y = np.where(X @ w + b > 0, 1, -1)
        on = U - np.outer((U @ w + b) / (w @ w), w)
        assert contradictions(X, y, on, fit_intercept=fit_intercept).all()
        assert not contradictions(X, y, X, fit_intercept=fit_intercept).any()
        # nor any mean of points of one sign
        positive = X[y > 0]
        if len(positive):
            weights = rng.dirichlet(np.ones(len(positive)), 3)
            assert not contradictions(X, y, weights @ positive, fit_intercept=fit_intercept).any()
        # the other way round it is the same class
        np.testing.assert_array_equal(
            contradictions(X, -y, U, fit_intercept=fit_intercept),
            contradictions(X, y, U, fit_intercept=fit_intercept),
        )


def test_more_points_split_more():
    X, U, rng = draw(3, 3, n=10, u=30)
    y = np.where(X @ rng.standard_normal(3) > 0.2, 1, -1)
    before = np.ones(30, dtype=bool)
    for n in range(1, 11):
        now = contradictions(X[:n], y[:n], U, fit_intercept=True)
        assert not (now & ~before).any()
        before = now


def test_lengths_do_not_matter_without_intercept():
    X, U, rng = draw(4, 3)
    y = np.where(X @ rng.standard_normal(3) > 0, 1, -1)
    one = contradictions(X, y, U, fit_intercept=False)
    # lengths that the solver of linear programmes would take for zero or infinity
    scaled = contradictions(
        X * 10.0 ** rng.uniform(-30, 30, (5, 1)),
        y,
        U * 10.0 ** rng.uniform(-30, 30, (7, 1)),
        fit_intercept=False,
    )
    np.testing.assert_array_equal(one, scaled)


def test_degenerate_points():
    X, y = np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 1.0]]), [1, 1, -1]
    U = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [-1.0, 0.0], [1.0, -1.0]]
    # the origin is 0 for all lines through it; the rest is on one side, but for (1, 1)
    found = contradictions(X, y, U, fit_intercept=False)
    np.testing.assert_array_equal(found, [False, False, True, False, False])


@pytest.mark.parametrize("width", [1e-2, 1e-4, 1e-6])
def test_narrow_classes(width):
    """Thresholds between 0 and `width`, seen from far away."""
    X, U = (
        np.array([[-5.0], [0.0], [width], [7.0]]),
        width * np.array([[-0.1], [0.3], [0.9], [1.1]]),
    )
    found = contradictions(X, [-1, -1, 1, 1], U, fit_intercept=True)
    np.testing.assert_array_equal(found, [False, True, True, False])


def test_an_svm_with_the_universum_on_its_hyperplane_contradicts_all_of_it():
    X, _, rng = draw(7, 6, n=4)
    y = np.array([1, -1, 1, -1])
    U = rng.standard_normal((3, 6))
    model = UniversumSVC(np.inf, 1e3, epsilon=0.0, kernel="linear", tol=1e-8).fit(X, y, U)
    assert np.abs(model.universum_values_).max() < 1e-6
    assert contradictions(X, y, U, fit_intercept=True).all()


# ---- errors -------------------------------------------------------------------------------------


def test_rejects_empty_classes():
    X = np.array([[-1.0], [0.0], [1.0]])
    with pytest.raises(ValueError, match="class is empty, or too narrow to be found"):
        contradictions(X, [1, -1, 1], X, fit_intercept=True)
    with pytest.raises(NotSeparableError):
        UniversumSVC(np.inf, kernel="linear").fit(X, [1, -1, 1])
    with pytest.raises(ValueError, match="through the origin"):
        contradictions(X, [-1, -1, 1], X, fit_intercept=False)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"y": [0, 1, 1]}, "one sign -1 or"),
        ({"y": [1, -1]}, "one sign -1 or"),
        ({"X_universum": np.zeros((2, 3))}, "X_universum has 3 features, the sample has 2"),
        ({"X_universum": [[0.0, np.nan]]}, "infs or NaNs"),
        ({"X": np.full((3, 2), np.inf)}, "infs or NaNs"),
    ],
)
def test_rejects_bad_arguments(change, message):
    arguments = {"X": np.eye(3)[:, :2], "y": [1, 1, -1], "X_universum": np.eye(2)} | change
    with pytest.raises(ValueError, match=message):
        contradictions(**arguments, fit_intercept=True)
