"""The quadratic programme's solver: optimal, the same as others find, and it proves it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quadratic_problems import (
    TIGHT,
    Problem,
    classifier,
    clouds,
    exact_optimum,
    gaussian,
    regression,
)

from transductive.margin.quadratic_programme import minimise
from transductive_compendium.exact import smo_reference as reference


@st.composite
def problems(draw, most_points=4):
    """Few variables, exact binary fractions, Gram matrices of any rank."""

    def quarters(size, low, high):
        return np.array(draw(st.lists(st.integers(low, high), min_size=size, max_size=size))) / 4

    n = draw(st.integers(1, most_points))
    doubled = draw(st.integers(0, min(n, 5 - n)))
    size, rank = n + doubled, draw(st.integers(1, n))
    A = quarters(n * rank, -6, 6).reshape(n, rank)
    lower = quarters(size, -8, 4)
    width = quarters(size, 0, 8)
    ridge = quarters(size, 0, 4) if draw(st.booleans()) else None
    part = draw(st.integers(0, 8)) / 8
    total = lower.sum() + part * width.sum() if draw(st.booleans()) else None
    target = quarters(size, -8, 8)
    return Problem(A @ A.T, target, lower, lower + width, ridge, total, doubled)


def random_problem(seed, n=24, doubled=6, constrained=True):
    rng = np.random.default_rng(seed)
    size = n + doubled
    A = rng.standard_normal((n, n // 2))
    lower = rng.uniform(-2.0, 0.5, size)
    upper = lower + rng.uniform(0.0, 2.0, size) * (rng.random(size) < 0.9)
    total = rng.uniform(0.3, 0.7) * (upper - lower).sum() + lower.sum()
    return Problem(
        A @ A.T / n,
        rng.standard_normal(size),
        lower,
        upper,
        rng.uniform(0.0, 0.5, size) * (rng.random(size) < 0.5),
        total if constrained else None,
        doubled,
    )


RANDOM = [random_problem(seed, constrained=seed % 2 == 0) for seed in range(6)]
X, Y = clouds()
CLASSIFIERS = [classifier(gaussian(X), Y, C) for C in (0.1, 1.0, 100.0)]
EXAMPLES = [
    *CLASSIFIERS,
    regression(gaussian(X), X[:, 0] + np.sin(3 * X[:, 1])),
    classifier(gaussian(X), Y, 1.0, total=None),
    classifier(gaussian(X), Y, 1.0, ridge=np.linspace(0.0, 1.0, len(Y))),
    *RANDOM,
]


# ---- optimal ------------------------------------------------------------------------------------


@settings(max_examples=120)
@given(problems())
def test_least_of_all_assignments_to_bounds(problem):
    found = problem.solve(tol=TIGHT)
    assert found.converged and problem.is_feasible(found.coefficients)
    assert found.objective == pytest.approx(exact_optimum(problem), abs=1e-8)


@pytest.mark.parametrize("tol", [1e-1, 1e-3, 1e-8])
@pytest.mark.parametrize("problem", EXAMPLES)
def test_optimality_conditions(problem, tol):
    found = problem.solve(tol=tol)
    b = found.coefficients
    assert found.converged and problem.is_feasible(b)
    # what it says of its answer is true of it
    assert found.violation == pytest.approx(problem.violation(b), abs=1e-10)
    assert found.violation <= tol
    np.testing.assert_allclose(found.values, (problem.gram @ b)[: len(problem.K)], atol=1e-10)
    assert found.objective == pytest.approx(problem.objective(b), rel=1e-12, abs=1e-12)
    if problem.total is None:
        assert found.intercept == 0.0
    # slope + intercept: positive at the lower bound, negative at the upper, zero between
    g = problem.slopes(b) + found.intercept
    assert np.all(g[b < problem.upper] >= -tol - 1e-10)
    assert np.all(g[b > problem.lower] <= tol + 1e-10)


# ---- the gap ------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(problems(), st.integers(0, 6))
def test_gap_bounds_the_distance_to_the_optimum(problem, max_iter):
    found = problem.solve(tol=TIGHT, max_iter=max_iter)
    left = found.objective - exact_optimum(problem)
    assert -1e-8 <= left <= found.gap + 1e-8
    assert problem.is_feasible(found.coefficients)


@pytest.mark.parametrize("max_iter", [0, 3, 30, -1])
@pytest.mark.parametrize("problem", EXAMPLES)
def test_gap_is_primal_minus_dual(problem, max_iter):
    found = problem.solve(tol=1e-9, max_iter=max_iter)
    primal = problem.primal(found.coefficients, found.intercept)
    assert found.gap == pytest.approx(primal + found.objective, rel=1e-9, abs=1e-10)
    assert found.gap >= -1e-12
    if max_iter < 0:
        assert found.gap < 1e-5


# ---- the same as others find --------------------------------------------------------------------


@pytest.mark.parametrize("problem", [EXAMPLES[1], EXAMPLES[3], EXAMPLES[4], EXAMPLES[5]])
def test_same_path_as_the_reference(problem):
    for max_iter in (1, 2, 5, 20):
        found = problem.solve(tol=1e-9, max_iter=max_iter)
        other = problem.solve(reference.minimise, tol=1e-9, max_iter=max_iter)
        np.testing.assert_allclose(found.coefficients, other.coefficients, atol=1e-10)
        assert found.intercept == pytest.approx(other.intercept, abs=1e-10)
        assert found.gap == pytest.approx(other.gap, rel=1e-9)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_more_points_than_one_block(dtype):
    # the solver looks for indices in blocks of 256
    points, y = clouds(700, 4, seed=3)
    K = gaussian(points, 0.2).astype(dtype)
    noise = points[:, 0] + np.random.default_rng(0).standard_normal(700)
    for problem in (
        classifier(K, y, 1.0),
        classifier(K, y, 1.0, total=None),
        regression(K, noise, 0.5),
        regression(K, noise, 0.5, total=None),
    ):
        found = problem.solve(tol=1e-6)
        assert found.violation == pytest.approx(problem.violation(found.coefficients), abs=1e-9)
        assert found.violation <= 1e-6 and problem.is_feasible(found.coefficients)
        assert 0 <= found.gap < 1e-5 * abs(found.objective)


# ---- whatever the way in ------------------------------------------------------------------------


@pytest.mark.parametrize("problem", EXAMPLES)
def test_from_any_start(problem):
    cold = problem.solve(tol=1e-9)
    again = problem.solve(tol=1e-8, start=cold.coefficients)
    assert again.iterations == 0
    np.testing.assert_array_equal(again.coefficients, cold.coefficients)
    rng = np.random.default_rng(0)
    for _ in range(3):
        start = problem.random_start(rng)
        kept = start.copy()
        warm = problem.solve(tol=1e-9, start=start)
        np.testing.assert_array_equal(start, kept)
        assert warm.objective == pytest.approx(cold.objective, rel=1e-8, abs=1e-8)


@pytest.mark.parametrize("problem", EXAMPLES)
def test_objective_never_rises(problem):
    found = [problem.solve(tol=1e-9, max_iter=k).objective for k in range(0, 40, 3)]
    assert np.all(np.diff(found) <= 1e-12)


def test_layouts_and_dtypes():
    problem = CLASSIFIERS[1]
    wide = np.kron(problem.K, np.eye(2))[::2, ::2]
    for K in (np.asfortranarray(problem.K), wide, problem.K.tolist()):
        again = minimise(K, problem.target, problem.lower, problem.upper)
        np.testing.assert_array_equal(again.coefficients, problem.solve().coefficients)
    integers = minimise(np.eye(4, dtype=int), [1, 1, -1, -1], [0, 0, -1, -1], [1, 1, 0, 0])
    np.testing.assert_allclose(integers.coefficients, [1, 1, -1, -1])


@pytest.mark.parametrize("problem", EXAMPLES)
def test_single_precision_gram(problem):
    single = Problem(problem.K.astype(np.float32), *list(vars(problem).values())[1:])
    double = Problem(single.K.astype(np.float64), *list(vars(problem).values())[1:])
    found, other = single.solve(tol=1e-8), double.solve(tol=1e-8)
    # the sums are in double precision: only the Gram matrix is rounded
    assert found.objective == pytest.approx(other.objective, rel=1e-9, abs=1e-9)
    np.testing.assert_allclose(
        found.values, (double.gram @ found.coefficients)[: len(problem.K)], atol=1e-9
    )
    at_home = problem.objective(found.coefficients)
    assert at_home == pytest.approx(problem.solve(tol=1e-8).objective, rel=1e-6, abs=1e-8)
