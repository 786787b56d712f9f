"""A programme whose labels and costs change between solutions; rows that are made when needed."""

import numpy as np
import pytest
from quadratic_problems import classifier, clouds, gaussian, regression
from scipy.sparse import csr_array

from transductive.kernels import gram_matrix
from transductive.margin.gram import GramBlocks, solver_gram
from transductive.margin.quadratic_programme import QuadraticProgramme

X, Y = clouds(60, 3)
K = gaussian(X)
TIGHT = 1e-9


def programme(problem, K=None, **given):
    return QuadraticProgramme(
        problem.K if K is None else K,
        problem.target,
        problem.lower,
        problem.upper,
        doubled=problem.doubled,
        total=problem.total,
        **given,
    )


def boxes(y, C):
    return np.minimum(y * C, 0.0), np.maximum(y * C, 0.0)


@pytest.mark.parametrize("total", [0.0, None])
def test_larger_boxes(total):
    solver = programme(classifier(K, Y, 0.1, total=total))
    solver.solve(TIGHT)
    for C in (0.2, 0.4, 5.0):
        solver.set_boxes(*boxes(Y, C))
        warm, cold = solver.solve(TIGHT), classifier(K, Y, C, total=total).solve(tol=TIGHT)
        assert warm.objective == pytest.approx(cold.objective, rel=1e-9)
        assert warm.gap < 1e-6
    with pytest.raises(ValueError, match="not in the new boxes"):
        solver.set_boxes(*boxes(Y, 0.1))


@pytest.mark.parametrize("total", [0.0, None])
def test_switched_labels(total):
    y = Y.copy()
    solver = programme(classifier(K, y, 1.0, total=total))
    solver.solve(TIGHT)
    rng = np.random.default_rng(0)
    for _ in range(5):
        pair = np.array([rng.choice(np.flatnonzero(y == sign)) for sign in (1, -1)])
        y[pair] = y[pair[::-1]]
        problem = classifier(K, y, 1.0, total=total)
        moved = solver.coefficients[pair[::-1]].copy()
        solver.replace(pair, y[pair], problem.lower[pair], problem.upper[pair], moved)
        # before it is solved again the state is that of the new problem
        b = solver.coefficients
        assert problem.is_feasible(b)
        assert solver.objective() == pytest.approx(problem.objective(b))
        np.testing.assert_allclose(solver.values, K @ b, atol=1e-12)
        warm, cold = solver.solve(TIGHT), problem.solve(tol=TIGHT)
        assert warm.objective == pytest.approx(cold.objective, rel=1e-9)


def test_stops_at_a_given_objective():
    # the objective is looked at every 2000 iterations, and the minimum takes many more
    points, y = clouds(200, 5)
    problem = classifier(points @ points.T, y, 100.0)
    full = programme(problem).solve(TIGHT)
    least, goal = full.objective, 0.99 * full.objective
    found = programme(problem).solve(TIGHT, stop_objective=goal)
    assert found.converged and found.violation > TIGHT
    assert found.iterations < 0.7 * full.iterations
    assert least - 1e-9 * abs(least) <= found.objective <= goal
    # one that is never reached changes nothing
    found = programme(problem).solve(TIGHT, stop_objective=1.1 * least)
    assert found.converged and found.objective == pytest.approx(least, rel=1e-9)


def blocks(points, single=True, kernel="rbf"):
    parameters = {"kernel": kernel, "gamma": 0.5, "degree": 3, "coef0": 1.0}
    return GramBlocks(points, parameters, single)


@pytest.mark.parametrize("single", [True, False])
@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly", "sigmoid", "laplacian", "cosine"])
@pytest.mark.parametrize("form", [np.asarray, csr_array])
def test_blocks_agree_with_the_whole_matrix(single, kernel, form):
    points, _ = clouds(300, 3)
    whole = gram_matrix(points, kernel=kernel, gamma=0.5, coef0=1.0)
    part = blocks(form(points), single, kernel)
    some, others = np.array([7, 3, 299, 3]), np.arange(20, 290)
    atol = 1e-5 if single else 1e-12
    assert part.diagonal.dtype == part.between(some, others).dtype
    np.testing.assert_allclose(part.diagonal, np.diagonal(whole), rtol=atol)
    np.testing.assert_allclose(
        part.between(some, others), whole[np.ix_(some, others)], rtol=atol, atol=atol
    )
    b = np.linspace(-1.0, 2.0, 270)
    size = np.abs(whole[:, others]) @ np.abs(b)
    np.testing.assert_allclose(part.times(others, b) / size, whole[:, others] @ b / size, atol=atol)


@pytest.mark.parametrize("single", [True, False])
@pytest.mark.parametrize("most", [20, 60, 10**6])
@pytest.mark.parametrize(
    "problem",
    [
        classifier(K, Y),
        classifier(K, Y, total=None),
        classifier(K, Y, 10.0, ridge=np.linspace(0.0, 0.2, 60)),
        regression(K, X[:, 0]),
    ],
    ids=["pairs", "alone", "ridge", "doubled"],
)
def test_active_sets_find_the_same_optimum(single, most, problem, monkeypatch):
    # room for a third of the variables, for the points, for all
    monkeypatch.setattr("transductive.margin.active_sets.ACTIVE_SET_MAX_VARIABLES", most)
    part, tol = blocks(X, single), 1e-5 if single else TIGHT
    found = programme(problem, part, diagonal=part.diagonal, ridge=problem.ridge).solve(tol)
    other = problem.solve(tol=TIGHT)
    assert found.converged and problem.is_feasible(found.coefficients)
    assert problem.violation(found.coefficients) <= tol + (1e-5 if single else 1e-9)
    assert found.objective == pytest.approx(other.objective, rel=1e-5 if single else 1e-9)


@pytest.mark.parametrize("first, most", [(20, 240), (60, 240), (60, 60)])
def test_active_sets_grow_with_the_free_variables(first, most, monkeypatch):
    # classes that overlap at a large cost: about 80 variables are free
    monkeypatch.setattr("transductive.margin.active_sets.ACTIVE_SET_VARIABLES", first)
    monkeypatch.setattr("transductive.margin.active_sets.ACTIVE_SET_MAX_VARIABLES", most)
    rng = np.random.default_rng(1)
    points = rng.standard_normal((300, 3))
    y = np.where(points[:, 0] + 0.7 * rng.standard_normal(300) > 0, 1.0, -1.0)
    part = blocks(points, single=False)
    problem = classifier(part.between(np.arange(300), np.arange(300)), y, 1e3)
    whole = problem.solve(tol=1e-3)
    found = programme(problem, part, diagonal=part.diagonal).solve(1e-3)
    free = (problem.lower < found.coefficients) & (found.coefficients < problem.upper)
    assert free.sum() > 60 and problem.violation(found.coefficients) <= 1e-3 + 1e-9
    assert abs(found.objective - whole.objective) <= max(found.gap, whole.gap)
    # room that cannot grow is taken in turns
    assert found.iterations < (2 if most == 240 else 4) * whole.iterations


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("factor", [2.0, 0.3, None])
def test_coefficients_that_grow_with_their_boxes(whole, factor):
    # all by one factor but for some, the sum restored; None: by factors that have nothing in common
    part = blocks(X, single=False)
    given = (None, {}) if whole else (part, {"diagonal": part.diagonal})
    solver = programme(classifier(K, Y, 0.5), given[0], growing=np.arange(60) >= 9, **given[1])
    solver.solve(TIGHT)
    growth = np.random.default_rng(0).uniform(0.5, 2.0, 60) if factor is None else factor
    growth = growth * np.where(np.arange(60) % 7 == 0, 1.5, 1.0)
    growth[:9] = 1.0
    problem = classifier(K, Y, 0.5 * growth)
    solver.set_boxes(problem.lower, problem.upper, solver.coefficients * growth)
    assert problem.is_feasible(solver.coefficients)
    np.testing.assert_allclose(solver.values, K @ solver.coefficients, atol=1e-10)
    assert solver.objective() == pytest.approx(problem.objective(solver.coefficients))
    assert solver.solve(TIGHT).objective == pytest.approx(
        problem.solve(tol=TIGHT).objective, rel=1e-9
    )


def test_many_doublings_lose_no_digits():
    # of the variables that do not grow the rounding errors of single precision must not, either
    growing, part = np.arange(60) >= 9, blocks(X)
    cost = np.where(growing, 1e-5, 1.0)
    solver = programme(classifier(K, Y, cost), part, diagonal=part.diagonal, growing=growing)
    while cost[-1] < 0.5:
        solver.solve(1e-3)
        cost[growing] *= 2.0
        box = Y * cost
        grown = np.where(growing, 2.0, 1.0) * solver.coefficients
        solver.set_boxes(np.minimum(box, 0.0), np.maximum(box, 0.0), grown)
    np.testing.assert_allclose(solver.values, K @ solver.coefficients, atol=1e-5)


@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly", "sigmoid"])
@pytest.mark.parametrize("shift", [0.0, 1e4])
@pytest.mark.parametrize("gamma", [0.01, 0.5, 20.0])
def test_single_precision_kernels(kernel, shift, gamma):
    # points far from the origin need more digits, for their distances
    parameters = {"kernel": kernel, "gamma": gamma, "degree": 2, "coef0": 1.0}
    exact = gram_matrix(X + shift, **parameters)
    for single in (True, False):
        found, diagonal = solver_gram(X + shift, **parameters, single=single)
        far = shift and kernel != "rbf"
        assert found.dtype == (np.float32 if single and not far else np.float64)
        # an rbf value is as exact as its exponent; 3e-6 of the value 1
        np.testing.assert_allclose(found, exact, rtol=2e-7 if kernel != "rbf" else 0, atol=3e-6)
        np.testing.assert_array_equal(diagonal, np.diagonal(found))


@pytest.mark.parametrize("n", [63, 64, 65, 200])
def test_products_of_sparse_rows_are_the_same_to_the_last_bit(n, monkeypatch):
    rng = np.random.default_rng(n)
    rows = csr_array((rng.random((n, 300)) * (rng.random((n, 300)) < 0.05)).astype(np.float32))
    dense_blocks, _ = solver_gram(rows, "linear")
    assert dense_blocks.dtype == np.float32
    monkeypatch.setattr("transductive.margin.gram.DENSE_BLOCK_MAX_FEATURES", 0)
    np.testing.assert_array_equal(dense_blocks, solver_gram(rows, "linear")[0])
    some, b = np.arange(0, n, 2), np.linspace(-1.0, 1.0, n)[::2]
    sparse = blocks(rows, kernel="poly").times(some, b)
    monkeypatch.undo()
    np.testing.assert_allclose(blocks(rows, kernel="poly").times(some, b), sparse, rtol=1e-5)


@pytest.mark.parametrize("gamma", [0.1, 10.0, 100.0, 1000.0])
def test_copies_of_points_far_from_the_mean(gamma):
    # the rounding of squared norms does not make squared distances negative
    copies = np.vstack([X, X])
    gram, _ = solver_gram(copies, "rbf", gamma=gamma)
    assert np.max(gram - 1.0) < 5e-6
    found = classifier(gram, np.repeat([1.0, -1.0], 60), 10.0).solve()
    assert found.objective == pytest.approx(-10.0 * 120, rel=1e-4)
