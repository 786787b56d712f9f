"""The grid of U-SVMs that the universum experiments choose from."""

from itertools import product

import numpy as np
import pytest
from scipy import sparse

from transductive import UniversumSVC
from transductive.kernels import gram_matrix
from transductive.margin.universum_solver import UniversumSolver
from transductive_compendium.datasets import available
from transductive_compendium.papers.universum import grid_search, mnist_data
from transductive_compendium.papers.universum.grid_search import Fit, best, error, grid

C, COSTS, EPSILONS, GAMMAS = (0.5, 5.0), (0.05, 1.0), (0.5, 0.0), (0.1, 1.0)


@pytest.fixture
def drawn():
    rng = np.random.default_rng(0)
    y = np.where(np.arange(24) % 2, 1.0, -1.0)
    X = rng.standard_normal((24, 3)) + 0.7 * y[:, None]
    points = {name: rng.standard_normal((n, 3)) for name, n in (("validation", 7), ("test", 9))}
    return X, y, 0.7 * rng.standard_normal((15, 3)), points


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("kernel", ["rbf", "poly"])
def test_every_fit_is_the_estimator_s(drawn, kernel, fit_intercept):
    X, y, U, points = drawn
    given = {"kernel": kernel, "degree": 2, "coef0": 0.5, "fit_intercept": fit_intercept}
    fits = grid(
        X, y, U, points, gammas=GAMMAS, costs=C, universum_costs=COSTS, epsilons=EPSILONS,
        tol=1e-6, **given,
    )  # fmt: skip
    keys = [(fit.gamma, fit.C, fit.C_universum, fit.epsilon) for fit in fits]
    assert keys == list(product(GAMMAS, C, COSTS, EPSILONS))
    for fit in fits:
        exact = UniversumSVC(
            fit.C, fit.C_universum, epsilon=fit.epsilon, gamma=fit.gamma, tol=1e-10, **given
        ).fit(X, y, U)
        assert fit.values.keys() == points.keys()
        for name, where in points.items():
            np.testing.assert_allclose(fit.values[name], exact.decision_function(where), atol=1e-4)
    # no parameter is without effect
    tests = np.reshape([fit.values["test"] for fit in fits], (2, 2, 2, 2, -1))
    for axis in range(4):
        assert np.abs(np.diff(tests, axis=axis)).max() > 0.05


@pytest.mark.parametrize("kernel, gammas", [("rbf", GAMMAS), ("linear", (np.nan,))])
def test_without_a_universum_it_is_the_svm(drawn, kernel, gammas):
    X, y, _, points = drawn
    fits = grid(X, y, None, points, kernel=kernel, gammas=gammas, costs=C, tol=1e-6)
    assert len(fits) == len(gammas) * len(C)
    for fit, (gamma, cost) in zip(fits, product(gammas, C), strict=True):
        exact = UniversumSVC(cost, kernel=kernel, gamma=gamma if kernel == "rbf" else "scale")
        f = exact.set_params(tol=1e-10).fit(X, y).decision_function(points["test"])
        np.testing.assert_allclose(fit.values["test"], f, atol=1e-4)
        assert np.isnan([fit.C_universum, fit.epsilon]).all() and fit.C == cost


def test_a_matrix_in_blocks_gives_the_same_fits(drawn, monkeypatch):
    X, y, U, points = drawn
    wanted = grid(X, y, U, points, gammas=GAMMAS, tol=1e-6)
    monkeypatch.setattr("transductive.margin.gram.MAX_GRAM_POINTS", 10)
    for most in (10, 39):
        monkeypatch.setattr(grid_search, "MOST_WHOLE", most)
        for fit, other in zip(grid(X, y, U, points, gammas=GAMMAS, tol=1e-6), wanted, strict=True):
            # what is held whole whatever the solver's own limit is has the very same bits
            tolerance = 0.0 if most == 39 else 1e-4
            np.testing.assert_allclose(
                fit.values["test"], other.values["test"], rtol=0, atol=tolerance
            )


def test_sparse_points(drawn):
    X, y, U, points = drawn
    thin = {name: sparse.csr_array(where) for name, where in points.items()}
    given = {"kernel": "linear", "costs": C, "universum_costs": COSTS, "tol": 1e-6}
    fits = grid(sparse.csr_array(X), y, sparse.csr_array(U), thin, **given)
    for one, other in zip(fits, grid(X, y, U, points, **given), strict=True):
        np.testing.assert_allclose(one.values["test"], other.values["test"], atol=1e-4)


@pytest.mark.parametrize("universum", [False, True])
def test_a_sharper_tolerance_in_double_precision_changes_no_label(universum):
    """Nor does another order of the images: a split of the first table, 1000 means."""
    if not available("mnist"):
        pytest.skip("needs MNIST")
    seed, order = (0, 1), np.random.default_rng(0).permutation(500)
    (train, _), (_, test) = mnist_data.split("mnist", seed, 500), mnist_data.classes("mnist")
    points = mnist_data.universum("mnist", "Mean", train, 1000, seed) if universum else None
    given = {"gammas": (0.025,), "costs": (10.0,), "universum_costs": (1.0,), "epsilons": (0.05,)}
    (fit,) = grid(train.X, train.y, points, {"test": test.X}, **given)
    joint = np.vstack([train.X[order], points]) if universum else train.X[order]
    K = gram_matrix(joint, gamma=0.025)
    solver = UniversumSolver(K, np.ones(len(K)), train.y[order], fit_intercept=True, tol=1e-6)
    solver.solve(10.0, *((1.0, 0.05) if universum else (0.0,)))
    values = gram_matrix(test.X, joint, gamma=0.025) @ solver.coefficients + solver.intercept
    np.testing.assert_array_equal(np.sign(fit.values["test"]), np.sign(values))


def test_the_first_of_the_fits_with_fewest_errors_is_best():
    y = np.array([-1, -1, 1, 1])
    values = {"three": [1, 1, -1, 1], "zero": [-1, 0, 1, 1], "none": [-2, -1, 1, 2]}
    fits = [
        Fit(k, 1.0, 1.0, 0.0, {"validation": np.array(f)}) for k, f in enumerate(values.values())
    ]
    assert [error(fit.values["validation"], y) for fit in fits] == [0.75, 0.0, 0.0]
    assert best(fits, y) is fits[1]
