"""Iterations on the variables that still move: the same answers, the same promises."""

import numpy as np
import pytest
from quadratic_problems import classifier, clouds, gaussian, regression

from transductive.margin import quadratic_programme as module
from transductive.margin.quadratic_programme import QuadraticProgramme

X, Y = clouds(200, 3)
K = gaussian(X)
PROBLEMS = [
    classifier(K, Y, 0.1),
    classifier(K, Y, 10.0),
    classifier(K.astype(np.float32), Y, 10.0),
    classifier(K, Y, np.where(Y > 0, 5.0, 0.5), ridge=np.linspace(0.0, 0.2, 200)),
    regression(K, X[:, 0] + np.sin(3 * X[:, 1]), 2.0),
]


def programme(problem):
    names = ("K", "target", "lower", "upper", "ridge", "total", "doubled")
    return QuadraticProgramme(**{name: getattr(problem, name) for name in names})


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(module, "SHRINKING_MIN_VARIABLES", 0)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_same_optimum(problem, monkeypatch):
    whole = problem.solve(tol=1e-8)
    monkeypatch.setattr(module, "SHRINKING_MIN_VARIABLES", 0)
    solver = programme(problem)
    found = solver.solve(1e-8)
    assert solver._shrunk_iterations > 0
    assert found.converged and found.violation <= 1e-8
    assert found.violation == pytest.approx(problem.violation(found.coefficients), abs=1e-9)
    assert problem.is_feasible(found.coefficients)
    assert found.objective == pytest.approx(whole.objective, rel=1e-9)
    np.testing.assert_allclose(found.values, whole.values, atol=1e-6)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_variables_left_out_stay_up_to_date(problem, small):
    for max_iter in (*range(95, 400, 45), 1000):
        found = problem.solve(tol=1e-9, max_iter=max_iter)
        b = found.coefficients
        assert found.iterations <= max_iter and problem.is_feasible(b)
        np.testing.assert_allclose(found.values, (problem.gram @ b)[:200], atol=1e-9)
        assert found.objective == pytest.approx(problem.objective(b), rel=1e-10)
        assert found.gap == pytest.approx(problem.primal(b, found.intercept) + found.objective)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("C", [10.0, 100.0])
def test_many_points(dtype, C):
    points, y = clouds(1500, 5, seed=4)
    gram = gaussian(points, 0.1).astype(dtype)
    problem = classifier(gram, y, C)
    solver = programme(problem)
    found = solver.solve(1e-3)
    assert solver._shrunk_iterations > 0 and found.converged
    assert problem.violation(found.coefficients) <= 1e-3 + 1e-6
    # a better solution, whose gap, computed anew, bounds its distance to the optimum
    best = solver.solve(1e-7)
    gap = problem.primal(best.coefficients, best.intercept) + best.objective
    assert gap <= 1e-5 * abs(best.objective)
    assert found.objective == pytest.approx(best.objective, rel=1e-5)
