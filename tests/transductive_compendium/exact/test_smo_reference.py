"""Sequential minimal optimisation in the NumPy reference: optimal, and with a true gap."""

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
