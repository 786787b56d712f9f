"""The universum's axes projected out, against U-SVMs at large costs."""

import numpy as np
import pytest
from universum_points import labelled_and_universum

from transductive.kernels import gram_matrix
from transductive.margin.universum_solver import UniversumSolver
from transductive_compendium.papers.universum.universum_axes import UniversumAxes, train_svm


@pytest.mark.parametrize("rank", [1, 2, None])
def test_projected_kernel_is_the_kernel_of_projected_points(rank):
    X, _, U, _ = labelled_and_universum(flat=True)
    axes = UniversumAxes(U @ U.T)
    assert axes.rank == 2
    (found,) = axes.project(X @ X.T, X @ U.T, (rank,))
    centre = U.mean(axis=0)
    basis = np.linalg.svd(U - centre)[2][: rank or 2]
    left = (X - centre) - (X - centre) @ basis.T @ basis
    np.testing.assert_allclose(found, left @ left.T, atol=1e-10)


def _both(kernel, flat, loss, costs):
    """Values at new points of the projected-kernel SVM, and of U-SVMs at costs in units of its."""
    X, signs, U, new = labelled_and_universum(flat)
    joint, C = np.concatenate([X, U]), 2.0
    K, K_new = gram_matrix(joint, **kernel), gram_matrix(new, joint, **kernel)
    axes, cross = UniversumAxes(K[40:, 40:]), K[:40, 40:]
    (projected,) = axes.project(K[:40, :40], cross)
    b, intercept = train_svm(projected, signs, C, tol=1e-10)
    assert intercept == 0.0
    duals, intercept = axes.extend(cross, b)
    threshold = np.abs(duals).max()
    solver = UniversumSolver(K, np.diagonal(K).copy(), signs, loss=loss, tol=1e-10)
    found = []
    for cost in costs:
        solver.solve(C, cost * threshold)
        found.append((K_new @ solver.coefficients + solver.intercept, solver.values[40:]))
    # the same values without f's representation by the kernel itself
    means = K_new[:, 40:].mean(axis=1)
    centred = K_new[:, :40] - means[:, None] - cross.mean(axis=1) + K[40:, 40:].mean()
    limit = (centred - axes.coordinates(K_new[:, 40:]) @ axes.coordinates(cross).T) @ b
    np.testing.assert_allclose(K_new @ np.r_[b, duals] + intercept, limit, atol=1e-7)
    return limit, found


@pytest.mark.parametrize("flat", [False, True])
def test_usvm_is_the_projected_svm_from_a_finite_cost_on(flat):
    """Absolute loss: an exact penalty. The universum then lies on the hyperplane."""
    kernel = {"kernel": "linear"} if flat else {"kernel": "rbf", "gamma": 0.1}
    costs = (0.5, 1.01, 50.0)
    limit, found = _both(kernel, flat, "epsilon_insensitive", costs)
    (below, _), (at, on_plane), (far, _) = found
    np.testing.assert_allclose(at, limit, atol=1e-6)
    np.testing.assert_allclose(far, limit, atol=1e-6)
    assert np.abs(on_plane).max() < 1e-6
    if not flat:  # multipliers are unique
        assert np.abs(below - limit).max() > 1e-2


def test_squared_loss_only_approaches_the_projected_svm():
    kernel = {"kernel": "rbf", "gamma": 0.1}
    limit, found = _both(kernel, False, "squared", (10.0, 100.0, 1000.0))
    gaps = [np.abs(values - limit).max() for values, _ in found]
    assert gaps[0] / gaps[1] == pytest.approx(10.0, rel=0.1)
    assert gaps[1] / gaps[2] == pytest.approx(10.0, rel=0.02)
    # f = dual / (2 C_universum), and the largest dual is the threshold
    assert np.abs(found[2][1]).max() == pytest.approx(0.5 / 1000.0, rel=0.01)


def test_an_intercept_would_leave_the_universum_off_the_hyperplane():
    """f = 0 at the universum fixes the intercept, so the projected kernel must have none."""
    X, signs, U, _ = labelled_and_universum(flat=True)
    U = U + 2.0 * X[signs > 0].mean(axis=0)
    axes, cross = UniversumAxes(U @ U.T), X @ U.T
    (projected,) = axes.project(X @ X.T, cross)
    _, free = train_svm(projected, signs, 2.0, fit_intercept=True)
    assert abs(free) > 0.1
