"""Sequential minimal optimisation, rule by rule, in the NumPy reference."""

import numpy as np
import pytest
from quadratic_problems import TIGHT, classifier, clouds, exact_optimum, gaussian, regression

from transductive_compendium.exact import smo_reference as reference

X, Y = clouds(5, 2)
SMALL = [
    classifier(gaussian(X), Y, 0.8),
    classifier(X @ X.T, Y, np.array([0.5, 3.0, 0.0, 1.0, 1.0])),
    classifier(gaussian(X), Y, 0.8, total=None),
    classifier(gaussian(X), Y, 0.8, ridge=np.full(5, 0.7)),
    regression(gaussian(X[:3]), np.array([0.3, -0.2, 1.0]), 0.6),
]


@pytest.mark.parametrize("problem", SMALL)
def test_least_of_all_assignments_to_bounds(problem):
    found = problem.solve(reference.minimise, tol=TIGHT)
    assert found.converged and problem.is_feasible(found.coefficients)
    assert found.objective == pytest.approx(exact_optimum(problem), rel=1e-9)
    assert found.violation == pytest.approx(problem.violation(found.coefficients), abs=1e-14)
    assert found.gap == pytest.approx(0.0, abs=1e-8)


@pytest.mark.parametrize("problem", SMALL)
def test_gap_at_any_feasible_point(problem):
    rng = np.random.default_rng(0)
    for _ in range(5):
        b = problem.random_start(rng)
        g = reference.gradient(problem.gram, b, problem.target, problem.ridges)
        level = rng.standard_normal() if problem.total is not None else 0.0
        gap = reference.duality_gap(g, b, problem.lower, problem.upper, problem.ridges, level)
        # for every intercept, not only for the best
        assert gap == pytest.approx(problem.primal(b, level) + problem.objective(b))
        assert gap >= problem.objective(b) - exact_optimum(problem)


def test_gap_by_hand():
    # one point at its lower bound with slope -1 before a bound at 2, one at rest
    gap = reference.duality_gap(
        np.array([-1.5, -0.5]), np.zeros(2), np.zeros(2), np.array([2.0, 2.0]), np.zeros(2), 0.5
    )
    assert gap == 2.0
    # with a ridge it rests at z = 1/4, before the bound: phi = 2 z^2 - z
    gap = reference.duality_gap(
        np.array([-1.0]), np.zeros(1), np.zeros(1), np.array([2.0]), np.array([4.0]), 0.0
    )
    assert gap == 0.125
    unbounded = np.array([np.inf])
    rest = reference.duality_gap(np.zeros(1), np.ones(1), -unbounded, unbounded, np.zeros(1), 0.0)
    slope = reference.duality_gap(np.ones(1), np.ones(1), -unbounded, unbounded, np.zeros(1), 0.0)
    assert (rest, slope) == (0.0, np.inf)


def working_pair(K, g, b, lower=None, upper=None):
    n = len(g)
    lower = np.zeros(n) if lower is None else lower
    upper = np.ones(n) if upper is None else upper
    return reference.working_pair(K, np.asarray(g), np.asarray(b), lower, upper, np.zeros(n))


def test_second_order_pair():
    # j = 1 violates most, but is far away: a small step; j = 2 promises (1/2)^2 / 0.2 > 1 / 2
    K = np.array([[1.0, 0.0, 0.9], [0.0, 1.0, 0.0], [0.9, 0.0, 1.0]])
    i, j, curvature = working_pair(K, [-1.0, 0.0, -0.5], [0.5, 0.5, 0.5])
    assert (i, j) == (0, 2) and curvature == pytest.approx(0.2)
    # unless it cannot fall
    assert working_pair(K, [-1.0, 0.0, -0.5], [0.5, 0.5, 0.0])[:2] == (0, 1)
    # a variable at its upper bound cannot grow
    assert working_pair(K, [-1.0, 0.0, -0.5], [1.0, 0.5, 0.5])[0] == 2


def test_ties_go_to_the_first():
    assert working_pair(np.eye(4), [0.0, 0.0, 1.0, 1.0], np.full(4, 0.5))[:2] == (0, 2)


def test_curvature_of_copies_and_of_impossible_distances():
    assert working_pair(np.ones((2, 2)), [0.0, 1.0], [0.5, 0.5])[2] == 1e-12
    with pytest.raises(ValueError, match="not positive semidefinite"):
        working_pair(np.array([[1.0, 2.0], [2.0, 1.0]]), [0.0, 1.0], [0.5, 0.5])


def test_intercept():
    zero, one = np.zeros(3), np.ones(3)
    g = np.array([0.2, -0.4, 1.0])
    # the slope of the free; else between the bounds on it that the others give
    assert reference.intercept(g, np.array([0.0, 0.5, 0.0]), zero, one, 0.0) == 0.4
    assert reference.intercept(g, np.array([0.0, 1.0, 0.0]), zero, one, 0.0) == pytest.approx(0.1)
    assert reference.intercept(g, zero, zero, one, 0.0) == 0.4
    assert reference.intercept(g, zero, zero, zero, 0.0) == 0.0
    assert reference.intercept(g, np.array([0.0, 0.5, 0.0]), zero, one, None) == 0.0


def test_feasible_point():
    lower, upper = np.array([-1.0, 0.5, -2.0]), np.array([1.0, 2.0, -1.0])
    for total in (-2.5, 0.0, 1.7, 2.0):
        b = reference.feasible_point(lower, upper, total)
        assert np.all((lower <= b) & (b <= upper)) and b.sum() == pytest.approx(total)
    np.testing.assert_array_equal(reference.feasible_point(lower, upper, None), [0.0, 0.5, -1.0])
