"""Mathematics of Chapelle, Vapnik and Weston: each test decides a claim of ``claims.yml``.

The tests of (15), (22) and (34) are among those of the library, in ``leave_one_out/``.
"""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize

from transductive_compendium.exact import loo_reference as reference

N_TRAIN, N_WORKING = 14, 6
GAMMAS = (1e-3, 0.1, 10.0)
CASES = list(product(range(3), GAMMAS))


class Problem:
    """Noisy values at random training points, working points, and Gaussians at all points."""

    def __init__(self, seed, gamma):
        self.rng = np.random.default_rng(seed)
        self.X = self.rng.standard_normal((N_TRAIN + N_WORKING, 3))
        noise = 0.3 * self.rng.standard_normal(N_TRAIN)
        self.y = np.sin(self.X[:N_TRAIN].sum(axis=1)) + noise
        squares = ((self.X[:, None] - self.X) ** 2).sum(axis=2)
        self.K = np.exp(-squares / (2 * 1.5**2))
        self.train, self.cross = self.K[:N_TRAIN, :N_TRAIN], self.K[N_TRAIN:, :N_TRAIN]
        self.y0 = reference.inductive_values(self.train, self.cross, self.y, gamma)
        self.M = reference.loo_matrix(reference.complement(self.K, gamma))

    def transduced(self, gamma_star):
        return reference.transduce(self.M, self.y, self.y0, gamma_star)

    def criterion(self, working):
        """(28) without its factor."""
        values = np.r_[self.y, working]
        return values @ self.M @ values


@pytest.fixture(params=CASES, ids=str)
def problem(request):
    return Problem(*request.param)


@pytest.mark.claim("tr-eq9-minimum", "corrected")
@pytest.mark.parametrize("gamma", GAMMAS)
def test_the_coefficients_minimise_the_sum_and_not_the_mean(gamma):
    """(9) minimises |Y - K a|^2 + gamma |a|^2; (8) prints the mean in place of the sum."""
    problem = Problem(0, gamma)
    K, y, n = problem.train, problem.y, N_TRAIN
    coefficients = reference.coefficients(K, y, gamma)
    root = np.sqrt(gamma) * np.eye(n)
    solved = np.linalg.lstsq(np.vstack([K, root]), np.r_[y, np.zeros(n)], rcond=None)[0]
    np.testing.assert_allclose(coefficients, solved, rtol=1e-7, atol=1e-9)

    def printed(a):
        return np.mean((y - K @ a) ** 2) + gamma * a @ a

    assert printed(coefficients) > 1.01 * printed(reference.coefficients(K, y, n * gamma))


@pytest.mark.claim("tr-eq33-convex", "corrected")
def test_the_derivative_has_the_transpose_and_the_form_is_convex(problem):
    """(33): 2 M1' Y + 2 M2 Y* - 2 gamma* Y0 + 2 gamma* Y* is the derivative of (31)."""
    M1, M2, gamma_star = problem.M[:N_TRAIN, N_TRAIN:], problem.M[N_TRAIN:, N_TRAIN:], 0.1
    point = problem.y0 + problem.rng.standard_normal(N_WORKING)

    def objective(v):
        return problem.criterion(v) + gamma_star * np.sum((v - problem.y0) ** 2)

    # central differences of a quadratic function are exact but for rounding
    steps = np.eye(N_WORKING)
    quotient = [(objective(point + e) - objective(point - e)) / 2 for e in steps]
    gradient = 2 * M1.T @ problem.y + 2 * M2 @ point + 2 * gamma_star * (point - problem.y0)
    np.testing.assert_allclose(quotient, gradient, rtol=1e-8, atol=1e-8 * np.abs(gradient).max())
    with pytest.raises(ValueError, match="mismatch"):
        M1 @ problem.y  # as printed
    assert np.linalg.eigvalsh(M2)[0] > 0


@pytest.mark.claim("tr-eq30-constraint", "holds")
def test_each_radius_is_one_weight(problem):
    """(29), (30): the minimum within R of Y0 is (34) at one gamma*, which falls as R grows."""
    scale = np.abs(problem.M).max()
    weights = np.geomspace(1e2, 1e-3, 6) * scale
    solutions = [problem.transduced(weight) for weight in weights]
    radii = [np.linalg.norm(values - problem.y0) for values in solutions]
    assert (np.diff(radii) > 0).all()
    gradient = 2 * problem.M[N_TRAIN:] / scale
    start = -gradient @ np.r_[problem.y, problem.y0]
    start = start / np.linalg.norm(start)
    for radius, expected in list(zip(radii, solutions, strict=True))[1:-1]:
        inside = {
            "type": "ineq",
            "fun": lambda v, r=radius: r**2 - np.sum((v - problem.y0) ** 2),
            "jac": lambda v: -2 * (v - problem.y0),
        }
        found = minimize(
            lambda v: problem.criterion(v) / scale,
            problem.y0 + 0.5 * radius * start,
            jac=lambda v: gradient @ np.r_[problem.y, v],
            constraints=[inside],
            method="SLSQP",
            options={"maxiter": 1000, "ftol": 1e-16},
        ).x
        assert np.abs(found - expected).max() < 1e-6 * radius


@pytest.mark.claim("tr-fig1b-flat", "holds")
def test_other_test_points_do_not_move_the_values_of_ridge_regression(problem):
    """(17): one row of K* for each test point, and the same coefficients for all."""
    coefficients = reference.coefficients(problem.train, problem.y, 0.1)
    one_by_one = [(row[None] @ coefficients)[0] for row in problem.cross]
    together = reference.inductive_values(problem.train, problem.cross, problem.y, 0.1)
    np.testing.assert_allclose(one_by_one, together, rtol=1e-9, atol=1e-12)


@pytest.mark.claim("tr-abs-without-function", "fails")
def test_the_values_move_with_those_of_the_estimated_function(problem):
    """(34): M2 + gamma* I maps the move of Y* to gamma* times the move of Y0, so it is not 0."""
    shifted = reference.transduce(problem.M, problem.y, problem.y0 + 1.0, 0.1)
    moved = shifted - problem.transduced(0.1)
    assert np.abs(moved).max() > 1e-3
    M2 = problem.M[N_TRAIN:, N_TRAIN:]
    np.testing.assert_allclose((M2 + 0.1 * np.eye(N_WORKING)) @ moved, 0.1, rtol=1e-6)


def expectations(seed, gamma, n_points=5, n_pairs=3):
    """Expected (13) on n pairs, and expected loss (12) after n - 1 and after n pairs.

    All samples of a distribution on five pairs are enumerated; three basis functions are fixed.
    """
    rng = np.random.default_rng(seed)
    phi, y = rng.standard_normal((n_points, 3)), rng.standard_normal(n_points)

    def fitted(sample):
        return reference.coefficients(phi[list(sample)], y[list(sample)], gamma)

    def loss(size):
        samples = product(range(n_points), repeat=size)
        return np.mean([np.mean((y - phi @ fitted(sample)) ** 2) for sample in samples])

    loo = [
        (y[left] - phi[left] @ fitted(sample[:i] + sample[i + 1 :])) ** 2
        for sample in product(range(n_points), repeat=n_pairs)
        for i, left in enumerate(sample)
    ]
    return np.mean(loo), loss(n_pairs - 1), loss(n_pairs)


@pytest.mark.claim("tr-eq13-almost-unbiased", "holds")
@pytest.mark.parametrize(("seed", "gamma"), CASES)
def test_the_expected_leave_one_out_error_is_the_loss_after_one_pair_less(seed, gamma):
    """(13) is almost unbiased: its expectation is (12) with l - 1 for l."""
    loo, less, _ = expectations(seed, gamma)
    assert loo == pytest.approx(less, rel=1e-9)


@pytest.mark.claim("tr-eq13-coincides", "fails")
@pytest.mark.parametrize(("seed", "gamma"), CASES)
def test_the_expected_leave_one_out_error_is_not_the_loss_after_all_pairs(seed, gamma):
    """ "the expectation of (13) coincides with (12)": not for the same number of pairs."""
    loo, _, same = expectations(seed, gamma)
    assert abs(loo / same - 1) > 1e-3


@pytest.mark.claim("tr-ld-fisher", "holds")
@pytest.mark.parametrize("seed", range(5))
def test_least_squares_on_labels_has_fishers_direction(seed):
    """At gamma = 0, with a constant, (9) on labels of +-1 is parallel to S_w^-1 (m_+ - m_-)."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((30, 3)) @ rng.standard_normal((3, 3))
    labels = np.where(X @ rng.standard_normal(3) + rng.standard_normal(30) > 0, 1.0, -1.0)
    weights = reference.coefficients(np.column_stack([X, np.ones(30)]), labels, 0.0)[:3]
    classes = [X[labels == sign] for sign in (-1, 1)]
    within = sum((part - part.mean(axis=0)).T @ (part - part.mean(axis=0)) for part in classes)
    direction = np.linalg.solve(within, classes[1].mean(axis=0) - classes[0].mean(axis=0))
    cosine = weights @ direction / (np.linalg.norm(weights) * np.linalg.norm(direction))
    assert cosine == pytest.approx(1.0, abs=1e-12)
