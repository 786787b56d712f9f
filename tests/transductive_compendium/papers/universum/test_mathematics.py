"""Mathematics of the poster: each marked test decides the claim that it names.

The claim on the dual is decided in ``tests/transductive/margin/test_universum_svc.py``.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from transductive import UniversumSVC
from transductive.kernels import gram_matrix
from transductive_compendium.exact.contradictions import contradictions

finite = st.floats(-1e6, 1e6, allow_nan=False)


def hinge(a, t):
    """``H_a[t] = max{0, a - t}``."""
    return np.maximum(0.0, a - t)


def insensitive(f, epsilon):
    """``U_epsilon[f] = H_-epsilon[f] + H_-epsilon[-f]``."""
    return hinge(-epsilon, f) + hinge(-epsilon, -f)


def problem(seed, l=12, u=8, d=3):
    """Labelled points of two overlapping classes, their labels, and a universum."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(l) % 2 > 0, 1.0, -1.0)
    return rng.standard_normal((l, d)) + 0.7 * y[:, None], y, rng.standard_normal((u, d))


# ---- contradictions ------------------------------------------------------------------------------


@pytest.mark.claim("un-contradictions-small-values", "holds")
@pytest.mark.parametrize("d", [2, 3, 5])
def test_points_of_smaller_value_than_the_sample_are_contradictions(d):
    """ "A small change in f will cause a contradiction on x*": all |f(x*)| < min |f(x_i)|."""
    seen = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X, U = rng.standard_normal((6, d)), rng.standard_normal((10, d))
        w, b = rng.standard_normal(d), rng.normal()
        values = X @ w + b
        certain = np.abs(U @ w + b) < np.abs(values).min()
        hit = contradictions(X, np.sign(values).astype(int), U, fit_intercept=True)
        assert hit[certain].all()
        seen += certain.sum()
    assert seen > 10


@pytest.mark.claim("un-contradictions-small-values", "holds")
@pytest.mark.parametrize("seed", range(3))
def test_the_least_change_that_flips_a_sign_is_proportional_to_the_value(seed):
    """Length of the least change of (w, b) that flips the sign at x: |f(x)| / sqrt(|x|^2 + 1)."""
    rng = np.random.default_rng(seed)
    function, x = rng.standard_normal(4), np.append(rng.standard_normal(3), 1.0)
    f, least = function @ x, abs(function @ x) / np.linalg.norm(x)
    step = -f * x / (x @ x)
    assert np.linalg.norm(step) == pytest.approx(least)
    assert np.sign((function + 1.001 * step) @ x) == -np.sign(f)
    shorter = rng.standard_normal((10_000, 4))
    shorter *= 0.999 * least / np.linalg.norm(shorter, axis=1, keepdims=True)
    assert (np.sign((function + shorter) @ x) == np.sign(f)).all()


# ---- losses --------------------------------------------------------------------------------------


@pytest.mark.claim("un-loss-identity", "holds")
@given(f=finite, epsilon=st.floats(0.0, 1e6))
def test_the_universum_loss_is_that_of_two_copies(f, epsilon):
    """``U_eps[f] = H_-eps[f] + H_-eps[-f]``: the eps-insensitive loss, for eps >= 0."""
    assert insensitive(f, epsilon) == pytest.approx(max(0.0, abs(f) - epsilon), rel=1e-12)


@pytest.mark.claim("un-loss-convex", "holds")
@pytest.mark.parametrize("loss", ["epsilon_insensitive", "squared"])
@given(ends=st.lists(finite, min_size=2, max_size=2), share=st.floats(0.0, 1.0))
def test_losses_are_convex(loss, ends, share):
    """ "All loss functions are convex": below their chords, so the sum with |w|^2 is convex."""
    losses = [lambda f: hinge(1.0, f), lambda f: hinge(1.0, -f), lambda f: insensitive(f, 0.3)]
    between = share * ends[0] + (1.0 - share) * ends[1]
    for value in losses if loss == "epsilon_insensitive" else [np.square]:
        chord = share * value(ends[0]) + (1.0 - share) * value(ends[1])
        assert value(between) <= chord * (1.0 + 1e-12) + 1e-9


@pytest.mark.claim("un-loss-convex", "holds")
@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.5])
def test_the_primal_is_convex(epsilon):
    """The primal midway between two hyperplanes is at most the mean of its values at the two."""
    X, y, U = problem(0)

    def primal(w, b):
        losses = hinge(1.0, y * (X @ w + b)).sum(), insensitive(U @ w + b, epsilon).sum()
        return 0.5 * w @ w + 10.0 * losses[0] + losses[1]

    rng = np.random.default_rng(1)
    for one, other in rng.standard_normal((200, 2, 4)):
        middle = 0.5 * (one + other)
        ends = primal(one[:3], one[3]), primal(other[:3], other[3])
        assert primal(middle[:3], middle[3]) < np.mean(ends)


@pytest.mark.claim("un-loss-general-solver", "holds")
@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.5])
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize("seed", range(2))
def test_a_general_solver_of_the_printed_dual_finds_the_u_svm(seed, kernel, epsilon):
    """``max sum rho_i a_i - 1/2 sum y_i y_j a_i a_j <x_i, x_j>``, 0 <= a_i <= C or C_U, y'a = 0."""
    X, y, U = problem(seed)
    C, C_universum, parameters = 2.0, 0.5, {"kernel": kernel, "gamma": 0.3}
    points = np.vstack([X, U, U])
    labels = np.r_[y, np.ones(len(U)), -np.ones(len(U))]
    rho = np.r_[np.ones(len(y)), np.full(2 * len(U), -epsilon)]
    upper = np.r_[np.full(len(y), C), np.full(2 * len(U), C_universum)]
    K = gram_matrix(points, **parameters)
    Q = labels[:, None] * K * labels
    found = minimize(
        lambda a: 0.5 * a @ Q @ a - rho @ a,
        np.zeros(len(rho)),
        jac=lambda a: Q @ a - rho,
        bounds=[(0.0, c) for c in upper],
        constraints={"type": "eq", "fun": lambda a: labels @ a, "jac": lambda a: labels},
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 2000},
    )
    alpha = np.clip(found.x, 0.0, upper)
    # the variable deepest inside its box determines the intercept
    inside = np.minimum(alpha, upper - alpha) / upper
    i = inside.argmax()
    assert inside[i] > 1e-3
    values = K @ (labels * alpha)
    model = UniversumSVC(C, C_universum, epsilon=epsilon, tol=1e-10, **parameters).fit(X, y, U)
    assert -found.fun == pytest.approx(model.objective_, rel=1e-7)
    intercept = labels[i] * rho[i] - values[i]
    assert intercept == pytest.approx(model.intercept_, abs=1e-5)
    np.testing.assert_allclose(values + intercept, model.decision_function(points), atol=1e-5)


# ---- regularisers --------------------------------------------------------------------------------


@pytest.mark.claim("un-reg-isotropic", "holds")
@pytest.mark.claim("un-reg-recovers", "holds")
@given(w=st.lists(finite, min_size=1, max_size=8))
def test_unit_vectors_with_the_squared_loss_give_the_squared_norm(w):
    """``sum_k U_L2[f_w(x_k*)] = sum_k w_k^2 = |w|_2^2`` for the unit vectors x_k* and b = 0."""
    f = np.eye(len(w)) @ w
    assert np.square(f).sum() == pytest.approx(np.linalg.norm(w) ** 2, rel=1e-12)


@pytest.mark.claim("un-reg-anisotropic", "holds")
@pytest.mark.claim("un-reg-recovers", "holds")
@pytest.mark.parametrize("seed", range(5))
def test_a_centred_universum_gives_its_covariance(seed):
    """``sum_j U_L2[f_wb(x_j*)] = |U| (w'Cw + b^2)``: mean 0, and covariance with divisor |U|."""
    rng = np.random.default_rng(seed)
    U = rng.standard_normal((30, 6)) @ rng.standard_normal((6, 6))
    U -= U.mean(axis=0)
    w, b = rng.standard_normal(6), rng.normal()
    right = len(U) * (w @ np.cov(U.T, bias=True) @ w + b**2)
    assert np.square(U @ w + b).sum() == pytest.approx(right, rel=1e-12)
    # the mean matters, if there is an intercept
    assert np.square((U + 1.0) @ w + b).sum() != pytest.approx(right, rel=1e-3)


@pytest.mark.claim("un-reg-l1", "holds")
@pytest.mark.claim("un-reg-recovers", "holds")
@given(w=st.lists(finite, min_size=1, max_size=8))
def test_unit_vectors_with_the_absolute_loss_give_the_one_norm(w):
    """``sum_k U_L1[f_w(x_k*)] = sum_k |w_k| = |w|_1`` for the unit vectors x_k* and b = 0."""
    f = np.eye(len(w)) @ w
    assert insensitive(f, 0.0).sum() == pytest.approx(np.linalg.norm(w, 1), rel=1e-12)


# ---- the limit of a large cost -------------------------------------------------------------------


def test_from_a_finite_cost_on_the_universum_is_projected_out():
    """The kernel ``<x - m, z - m> - k_c(x)' K_c^+ k_c(z)``, m the mean, without an intercept."""
    X, y, U = problem(3, l=40, u=6)
    kernel = {"kernel": "rbf", "gamma": 0.3}

    def centred(A, B):
        means = [gram_matrix(P, U, **kernel).mean(axis=1) for P in (A, B)]
        constant = gram_matrix(U, **kernel).mean()
        return gram_matrix(A, B, **kernel) - means[0][:, None] - means[1] + constant

    within = np.linalg.pinv(centred(U, U), rcond=1e-10)
    K = centred(X, X) - centred(X, U) @ within @ centred(U, X)
    projected = UniversumSVC(2.0, kernel="precomputed", fit_intercept=False, tol=1e-10)
    limit = projected.fit(K, y).decision_function(K)
    distance = {}
    for loss in ("epsilon_insensitive", "squared"):
        for C_universum in (0.1, 100.0, 1000.0):
            costs = {"C": 2.0, "C_universum": C_universum, "epsilon": 0.0}
            model = UniversumSVC(**costs, loss=loss, tol=1e-9, **kernel).fit(X, y, U)
            off = np.abs(model.decision_function(X) - limit).max()
            distance[loss, C_universum] = off
    assert distance["epsilon_insensitive", 0.1] > 0.1
    assert distance["epsilon_insensitive", 100.0] < 1e-6
    # the squared loss only approaches the limit, as one over the cost
    ratio = distance["squared", 100.0] / distance["squared", 1000.0]
    assert ratio == pytest.approx(10.0, rel=0.1)
