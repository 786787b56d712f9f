"""LooForm: equations (22) and (28), the minimum (34), and leaving pairs out of the transduction."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from transductive.kernels import gram_matrix
from transductive.leave_one_out import LeverageError, LooForm, RidgeSpectrum
from transductive_compendium.exact import loo_reference as reference

N_TRAIN, N_WORKING = 8, 5


class Problem:
    """Eight training and five working points; K of the joint set, Y0 from the training set."""

    def __init__(self, seed=0, *, penalty="coefficients", alpha=0.05, gamma=0.4, m=N_WORKING):
        rng = np.random.default_rng(seed)
        self.X = rng.standard_normal((N_TRAIN + m, 2))
        self.y = rng.standard_normal(N_TRAIN) + 1.0
        self.alpha, self.penalty = alpha, penalty
        self.K = gram_matrix(self.X, gamma=gamma)
        self.joint = RidgeSpectrum(self.K, penalty=penalty)
        self.form = LooForm(self.joint, alpha, N_TRAIN)
        self.sample = RidgeSpectrum(self.K[:N_TRAIN, :N_TRAIN], penalty=penalty)
        self.cross = self.K[N_TRAIN:, :N_TRAIN]
        self.y0 = self.cross @ self.sample.coefficients(self.y, alpha)

    def functional(self, working, alpha_star):
        """Equation (30), from refitted leave-one-out residuals rather than from M."""
        values = np.r_[self.y, working]
        if self.penalty == "coefficients":
            residuals = reference.refitted_residuals(self.K, values, self.alpha)
        else:
            residuals = dual_refits(self.K, values, self.alpha)
        return residuals @ residuals + alpha_star * np.sum((working - self.y0) ** 2)


def dual_refits(K, y, alpha):
    out = []
    for i in range(len(y)):
        k = np.arange(len(y)) != i
        part = K[np.ix_(k, k)] + alpha * np.eye(len(y) - 1)
        out.append(y[i] - K[i, k] @ np.linalg.solve(part, y[k]))
    return np.array(out)


PENALTIES = ["coefficients", "norm"]


# ---- (26) to (28) -------------------------------------------------------------------------------


@pytest.mark.claim("tr-eq22-forms", "holds")
@pytest.mark.parametrize("kind", ["square", "wide", "tall", "deficient"])
def test_the_two_forms_of_the_joint_error_agree(kind):
    rng = np.random.default_rng(0)
    K = {
        "square": gram_matrix(rng.standard_normal((13, 2))),
        "wide": rng.standard_normal((13, 20)),
        "tall": rng.standard_normal((13, 4)),
        "deficient": rng.standard_normal((13, 2)) @ rng.standard_normal((2, 6)),
    }[kind]
    for alpha in (0.01, 1.0, 50.0):
        M = reference.loo_matrix(reference.complement(K, alpha))
        for values in (rng.standard_normal(13), np.ones(13), np.arange(13.0)):
            error = reference.loo_error_joint(M, values)  # (28)
            refits = reference.refitted_residuals(K, values, alpha)
            assert error == pytest.approx(np.mean(refits**2), rel=1e-8)  # (22)
            assert error == pytest.approx(reference.loo_error(K, values, alpha), rel=1e-8)
            if kind == "square":
                form = LooForm(RidgeSpectrum(K), alpha, N_TRAIN)
                assert form.error(values) == pytest.approx(error, rel=1e-8)


def test_each_leave_one_out_residual_is_at_least_its_fitted_residual():
    """0 < C_kk <= 1: what is left out is not fitted better."""
    problem = Problem(3)
    C = reference.complement(problem.K, problem.alpha)
    assert np.all((np.diag(C) > 0) & (np.diag(C) <= 1))
    values = np.r_[problem.y, problem.y0]
    loo = problem.joint.loo_residuals(values, problem.alpha)[:, 0]
    assert np.all(np.abs(loo) >= np.abs(C @ values))


# ---- (30) to (34) -------------------------------------------------------------------------------


@pytest.mark.claim("tr-eq34-minimum", "corrected")
@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("alpha_star", [0.0, 0.1, 10.0])
def test_the_solution_minimises_the_functional(penalty, alpha_star):
    problem = Problem(4, penalty=penalty)
    found = problem.form.transduce(problem.y, problem.y0, alpha_star)

    def functional(working):
        return problem.functional(working, alpha_star)

    # a quadratic form takes its minimum where steps to both sides cost the same
    for direction in np.eye(N_WORKING):
        up, down = functional(found + direction), functional(found - direction)
        assert up == pytest.approx(down, rel=1e-8) and up > functional(found)


@pytest.mark.claim("tr-eq34-minimum", "corrected")
def test_printed_equation_34_lacks_a_transpose():
    """M1 is l x m: without the transpose it conforms with Y only if l = m, and is wrong then."""
    problem = Problem(6)
    M1 = problem.form.matrix[:N_TRAIN, N_TRAIN:]
    with pytest.raises(ValueError, match="mismatch"):
        M1 @ problem.y
    problem = Problem(6, m=N_TRAIN)
    M1, M2 = problem.form.matrix[:N_TRAIN, N_TRAIN:], problem.form.matrix[N_TRAIN:, N_TRAIN:]
    printed = np.linalg.solve(M2 + np.eye(N_TRAIN), -M1 @ problem.y + problem.y0)
    right = problem.form.transduce(problem.y, problem.y0, 1.0)
    assert problem.functional(printed, 1.0) > 1.05 * problem.functional(right, 1.0)


def test_limits_in_alpha_star():
    problem = Problem(7)
    y, y0, form = problem.y, problem.y0, problem.form
    np.testing.assert_array_equal(form.transduce(y, y0, np.inf), y0)
    np.testing.assert_allclose(form.transduce(y, y0, 1e15), y0, rtol=1e-12)
    np.testing.assert_array_equal(form.transduce(y, 100 * y0, 1e308), 100 * y0)
    # with no weight Y0 says nothing
    free = form.transduce(y, y0, 0.0)
    np.testing.assert_allclose(form.transduce(y, y0 + 7.0, 0.0), free, atol=1e-9)
    # the leave-one-out error falls, and the distance to Y0 grows, as alpha_star falls
    weights = [1e4, 10.0, 0.1, 1e-3, 0.0]
    solutions = [form.transduce(y, y0, weight) for weight in weights]
    errors = [form.error(np.r_[y, values]) for values in solutions]
    distances = [np.linalg.norm(values - y0) for values in solutions]
    assert np.all(np.diff(errors) < 0) and np.all(np.diff(distances) > 0)


@settings(max_examples=30, derandomize=True)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(1, 9),
    st.floats(-12.0, 2.0),
    st.floats(-4.0, 4.0),
    st.sampled_from(PENALTIES),
)
def test_the_gradient_vanishes(seed, m, log_alpha, log_alpha_star, penalty):
    """Also for small ridges, where K'K, formed, would have lost every digit."""
    problem = Problem(seed, m=m, alpha=10**log_alpha, penalty=penalty)
    alpha_star = 10**log_alpha_star
    found = problem.form.transduce(problem.y, problem.y0, alpha_star)
    residuals = problem.joint.loo_residuals(np.r_[problem.y, found], problem.alpha)[:, 0]
    # of the sum of squared leave-one-out residuals, by their linearity in the working values
    units = np.vstack([np.zeros((N_TRAIN, m)), np.eye(m)])
    slopes = [problem.joint.loo_residuals(unit, problem.alpha)[:, 0] for unit in units.T]
    gradient = np.array(slopes) @ residuals + alpha_star * (found - problem.y0)
    size = np.linalg.norm(slopes) * np.linalg.norm(residuals) + alpha_star * np.abs(found).max()
    assert np.abs(gradient).max() <= 1e-9 * size


# ---- leaving a pair out of the transduction -----------------------------------------------------


def transduction_without(problem, i, alpha_star):
    """The value of point i when it is one more working point, from the definitions."""
    keep = np.arange(N_TRAIN) != i
    K_train = problem.K[:N_TRAIN, :N_TRAIN]
    if problem.penalty == "coefficients":
        # refit without pair i, on all l basis functions
        weights = reference.coefficients(K_train[keep], problem.y[keep], problem.alpha)
    else:
        part = K_train[np.ix_(keep, keep)] + problem.alpha * np.eye(N_TRAIN - 1)
        weights = np.zeros(N_TRAIN)
        weights[keep] = np.linalg.solve(part, problem.y[keep])
    order = np.r_[np.flatnonzero(keep), N_TRAIN : len(problem.K), i]
    y0 = problem.K[order[N_TRAIN - 1 :], :N_TRAIN] @ weights
    joint = RidgeSpectrum(problem.K[np.ix_(order, order)], penalty=problem.penalty)
    form = LooForm(joint, problem.alpha, N_TRAIN - 1)
    return form.transduce(problem.y[keep], y0, alpha_star)[-1]


@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("m", [1, N_WORKING, 3 * N_TRAIN])
def test_leave_one_out_of_the_transduction_is_the_refits(penalty, m):
    problem = Problem(9, penalty=penalty, m=m)
    grid = np.array([1e-3, 0.1, 10.0, 1e6])
    loo_values = problem.y - problem.sample.loo_residuals(problem.y, problem.alpha)[:, 0]
    influence = problem.cross @ problem.sample.coefficients(np.eye(N_TRAIN), problem.alpha)
    np.testing.assert_allclose(influence @ problem.y, problem.y0, atol=1e-9)
    matrix = problem.form.matrix.copy()
    values = problem.form.transductive_loo(problem.y, problem.y0, loo_values, influence, grid)
    assert values.shape == (N_TRAIN, 4)
    for j, alpha_star in enumerate(grid):
        refits = [transduction_without(problem, i, alpha_star) for i in range(N_TRAIN)]
        np.testing.assert_allclose(values[:, j], refits, rtol=1e-8, atol=1e-8)
    # a large alpha_star is ridge regression's own leave-one-out
    np.testing.assert_allclose(values[:, 3], loo_values, atol=1e-4)
    np.testing.assert_array_equal(problem.form.matrix, matrix)


# ---- rounding and bad input ---------------------------------------------------------------------


def test_rejects_bad_arguments():
    problem = Problem(11)
    y, y0, form = problem.y, problem.y0, problem.form
    with pytest.raises(LeverageError):
        LooForm(RidgeSpectrum(np.ones((13, 13))), 1e-40, N_TRAIN)
    for n_train in (0, -1, 13, 20):
        with pytest.raises(ValueError, match="n_train"):
            LooForm(problem.joint, 1.0, n_train)
    for alpha_star in (-1e-3, -np.inf, np.nan):
        with pytest.raises(ValueError, match="alpha_star"):
            form.transduce(y, y0, alpha_star)
    for y_bad, y0_bad in ((y[:-1], y0), (y, y0[:-1]), (y, y0[0])):
        with pytest.raises(ValueError, match="y and y0"):
            form.transduce(y_bad, y0_bad, 1.0)
    assert form.transduce(list(y), list(y0), 1).shape == (N_WORKING,)
