"""Degenerate quadratic programmes: each ends in an answer or in an error that says why not."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from quadratic_problems import TIGHT, classifier, clouds, gaussian, regression
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from transductive.kernels import NotPositiveSemidefiniteError, gram_matrix
from transductive.margin.quadratic_programme import NotSeparableError, minimise

MOST = 100_000  # iterations: far more than any of these needs

X, Y = clouds(20, 2)
SEPARABLE = X + 2.0 * Y[:, None]


def solve(problem, tol=TIGHT):
    found = problem.solve(tol=tol, max_iter=MOST)
    assert found.converged and found.iterations < MOST
    assert problem.is_feasible(found.coefficients)
    return found


# ---- few points, no freedom ---------------------------------------------------------------------


@pytest.mark.parametrize("sign", [-1.0, 1.0])
@pytest.mark.parametrize("C", [1.0, np.inf])
def test_one_class(sign, C):
    found = solve(classifier(gaussian(X), np.full(20, sign), C))
    np.testing.assert_array_equal(found.coefficients, 0.0)
    # the intercept alone puts every point where it belongs
    assert (found.iterations, found.objective, found.gap) == (0, 0.0, 0.0)
    assert found.intercept == sign


@pytest.mark.parametrize("total", [0.0, None])
def test_no_cost_no_coefficients(total):
    found = solve(classifier(gaussian(X), Y, 0.0, total=total))
    np.testing.assert_array_equal(found.coefficients, 0.0)
    assert (found.iterations, found.objective, found.gap) == (0, 0.0, 0.0)
    assert np.isfinite(found.intercept)


def test_two_points():
    # distance 2: the widest margin needs b = 2 / 2^2
    for C, b in ((0.25, 0.25), (3.0, 0.5), (np.inf, 0.5)):
        found = solve(classifier(np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([1.0, -1.0]), C))
        np.testing.assert_allclose(found.coefficients, [b, -b])
        assert found.intercept == pytest.approx(0.0)


# ---- copies, and Gram matrices of low rank ------------------------------------------------------


def test_copies_of_a_point_are_one_point_of_twice_the_cost():
    K = gaussian(X)
    once, twice = (
        solve(classifier(K, Y, 0.6)),
        solve(classifier(np.tile(K, (2, 2)), np.r_[Y, Y], 0.3)),
    )
    assert twice.objective == pytest.approx(once.objective, rel=1e-9)
    np.testing.assert_allclose(twice.values[:20], once.values, atol=1e-6)


def test_copies_with_both_labels_cancel():
    # neither side can win: both slacks are 1 at the value 0, and every point is at its bound
    K = np.tile(gaussian(X[:10]), (2, 2))
    found = solve(classifier(K, np.repeat([1.0, -1.0], 10), 2.0))
    assert found.objective == pytest.approx(-2.0 * 20)
    np.testing.assert_allclose(found.values, 0.0, atol=1e-9)


# ---- kernels that are none ----------------------------------------------------------------------


def test_sigmoid_kernel():
    K = gram_matrix(X, kernel="sigmoid", gamma=1.0, coef0=-1.0)
    assert np.linalg.eigvalsh(K)[0] < -0.1
    # on this sample K_ii + K_jj - 2 K_ij < 0 for some pairs
    with pytest.raises(NotPositiveSemidefiniteError, match="negative squared distance"):
        classifier(K, Y, 10.0).solve(max_iter=MOST)


@pytest.mark.parametrize("total", [0.0, None])
@settings(max_examples=100)
@example(entries=[1, 0, 0, 0, -2] + [0] * 23 + [1] + [0] * 7, hard=True)
@example(entries=[1] + [0] * 6 + [1, 1, -1] + [0] * 4 + [1] + [0] * 21, hard=True)
@example(entries=[-2] + [0] * 6 + [3] + [0] * 13 + [3] + [0] * 13 + [3], hard=True)
@given(entries=st.lists(st.integers(-8, 8), min_size=36, max_size=36), hard=st.booleans())
def test_any_symmetric_matrix_ends_in_an_answer_or_an_error(total, entries, hard):
    K = np.reshape(entries, (6, 6)) / 4.0
    K = K + K.T
    problem = classifier(K, np.array([1.0, -1.0] * 3), np.inf if hard else 1.0, total=total)
    try:
        # Without a margin coefficients may grow by little at a time.
        found = problem.solve(tol=1e-6, max_iter=-1 if hard else MOST)
    except NotPositiveSemidefiniteError:
        assert np.linalg.eigvalsh(K)[0] < 0
    except NotSeparableError:
        assert hard
    else:
        assert found.converged and problem.is_feasible(found.coefficients)
        assert problem.violation(found.coefficients) < 1e-5


# ---- hard margin --------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_hard_margin(kernel):
    points = SEPARABLE if kernel == "linear" else X
    K = gram_matrix(points, kernel=kernel, gamma=0.5)
    found = solve(classifier(K, Y, np.inf), tol=1e-9)
    other = SVC(C=1e9, kernel="precomputed", tol=1e-9).fit(K, Y)
    assert np.min(Y * (found.values + found.intercept)) > 1.0 - 1e-8
    assert found.gap >= 0  # and not NaN: infinite, unless all points are at rest
    assert -2.0 * found.objective == pytest.approx(np.abs(other.dual_coef_).sum(), rel=1e-7)


def test_narrow_hard_margin():
    x = np.array([-1.0, 0.0, 1e-4, 1.0])
    found = solve(classifier(np.outer(x, x), np.array([-1.0, -1, 1, 1]), np.inf), tol=1e-6)
    assert x @ found.coefficients == pytest.approx(2e4, rel=1e-6)


def test_hard_margin_on_one_side_only():
    # errors of one class are paid for, of the other not allowed
    C = np.where(Y > 0, np.inf, 0.5)
    problem = classifier(X @ X.T, Y, C)
    found = solve(problem, tol=1e-9)
    margins = Y * (found.values + found.intercept)
    assert margins[Y > 0].min() > 1.0 - 1e-8 and margins[Y < 0].min() < 1.0


SQUARE = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
INSEPARABLE = {
    "overlap": (X @ X.T, Y),
    "exclusive or": (SQUARE @ SQUARE.T, np.array([1.0, 1.0, -1.0, -1.0])),
    "between": (np.outer([-1.0, 0, 1], [-1.0, 0, 1]), np.array([1.0, -1.0, 1.0])),
    "touching": (np.outer([0.0, 1, 1, 2], [0.0, 1, 1, 2]), np.array([-1.0, -1.0, 1.0, 1.0])),
    "copies": (np.tile(gaussian(X), (2, 2)), np.repeat([1.0, -1.0], 20)),
    "zero": (np.zeros((4, 4)), np.array([1.0, -1.0, 1.0, -1.0])),
}


@pytest.mark.parametrize("K, y", INSEPARABLE.values(), ids=INSEPARABLE)
def test_no_hard_margin(K, y):
    with pytest.raises(NotSeparableError, match="no hyperplane separates the classes"):
        classifier(K, y, np.inf).solve()
    # the ways out
    assert classifier(K, y, 10.0).solve(max_iter=MOST).converged
    assert classifier(K, y, np.inf, ridge=np.full(len(y), 0.1)).solve(max_iter=MOST).converged


def test_no_hard_margin_without_intercept():
    # on one side of the origin; a line through the origin cannot part them
    x = np.array([1.0, 2.0, 3.0, 4.0])
    y = np.array([-1.0, -1.0, 1.0, 1.0])
    assert classifier(np.outer(x, x), y, np.inf).solve().converged
    for K in (np.outer(x, x), np.zeros((4, 4))):
        with pytest.raises(NotSeparableError, match="no hyperplane"):
            classifier(K, y, np.inf, total=None).solve()


def test_no_exact_fit():
    # two values at one point, no room for errors
    with pytest.raises(NotSeparableError):
        regression(np.ones((2, 2)), np.array([0.0, 1.0]), np.inf).solve()


# ---- wrong input --------------------------------------------------------------------------------


def wrong(name, value):
    given = dict(K=np.eye(3), target=np.ones(3), lower=np.zeros(3), upper=np.ones(3), total=1.0)
    return given | {name: value}


NAN = np.array([0.0, np.nan, 0.0])


@pytest.mark.parametrize(
    "name, value, message",
    [
        ("K", np.full((3, 3), np.nan), "finite|NaN"),
        ("K", np.full((3, 3), np.inf), "finite|NaN"),
        ("K", np.ones((3, 2)), "square|shape"),
        ("K", np.ones(3), "square|shape|2D|2-d"),
        ("K", np.eye(3) + np.triu(np.full((3, 3), 1e-4)), "K is not symmetric"),
        ("K", np.eye(4), "4 variables, target has 3"),
        ("target", NAN, "target.*(finite|NaN)|(finite|NaN).*target"),
        ("target", np.full(3, np.inf), "target.*(finite|NaN)|(finite|NaN).*target"),
        ("target", np.ones(4), "target|shape|length"),
        ("lower", NAN, "lower|NaN"),
        ("upper", NAN, "upper|NaN"),
        ("lower", np.zeros(2), "lower|shape|length"),
        ("upper", np.ones((3, 1)), "upper|shape|length"),
        ("lower", np.array([0.0, 1.5, 0.0]), "lower"),
        ("lower", np.full(3, np.inf), "lower"),
        ("upper", np.full(3, -np.inf), "upper|lower"),
        ("ridge", NAN, "ridge"),
        ("ridge", -np.ones(3), "ridge"),
        ("ridge", np.ones(2), "ridge"),
        ("total", 3.5, "total"),
        ("total", -0.5, "total"),
        ("total", np.nan, "total"),
        ("doubled", 4, "doubled"),
        ("doubled", -1, "doubled"),
        ("doubled", 1, "shape|length|doubled"),
        ("start", np.ones(3), "start"),  # its sum is not 1
        ("start", np.array([2.0, -1.0, 0.0]), "start"),  # not in the box
        ("start", np.ones(1), "start"),
        ("start", NAN, "start"),
        ("tol", -1.0, "tol"),
        ("tol", np.nan, "tol"),
    ],
)
def test_refusals(name, value, message):
    with pytest.raises(ValueError, match=message):
        minimise(**wrong(name, value))


# ---- giving up ----------------------------------------------------------------------------------


@pytest.mark.parametrize("total", [0.0, None])
def test_stops_at_max_iter(total):
    problem = classifier(gaussian(X), Y, 10.0, total=total)
    for max_iter in (0, 1, 7):
        found = problem.solve(tol=1e-8, max_iter=max_iter)
        assert (found.converged, found.iterations) == (False, max_iter)
        assert found.violation > 1e-8 and problem.is_feasible(found.coefficients)
    with pytest.warns(ConvergenceWarning, match="stopped after 7 iterations"):
        minimise(problem.K, Y, problem.lower, problem.upper, total=total, max_iter=7)
    # an answer to go on from
    assert problem.solve(tol=1e-8, start=found.coefficients, max_iter=MOST).converged


def test_rounding_errors_of_many_iterations():
    points, y = clouds(200, 5)
    problem = classifier(points @ points.T, y, 1e3)
    found = problem.solve(tol=1e-8)
    assert found.iterations > 150_000 and found.converged
    # the gradient was updated as often
    exact = np.array(problem.gram, dtype=np.longdouble) @ found.coefficients
    assert np.abs(found.values - exact).max() < 1e-10


@pytest.mark.parametrize("total", [0.0, None])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_tolerance_below_rounding(total, dtype):
    problem = classifier(gaussian(X).astype(dtype), Y, 1e6, total=total)
    found = problem.solve(tol=0.0, max_iter=MOST)
    assert found.converged == (found.violation <= 0.0)
    assert found.violation < 1e-6
