"""The paper's mathematics, each claim against a direct computation."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from transductive.kernels import gram_matrix
from transductive.version_space import EmptyVersionSpaceError, FeatureSpan, KernelBilliard
from transductive.version_space.start import max_margin_point
from transductive_compendium.datasets import available, load
from transductive_compendium.exact.billiard_reference import reference_billiard
from transductive_compendium.exact.labellings import bayes_labelling_marginal, joint_posterior
from transductive_compendium.papers.bayesian_transduction.printed_billiard import (
    fly,
    hoeffding_bounces,
)
from transductive_compendium.papers.bayesian_transduction.splits import SIGMA, split_of

SEEDS = range(20)


class Script:
    """A generator whose uniform draws are given in advance."""

    def __init__(self, draws):
        self.draws = iter(draws)

    def uniform(self, low, high, size):
        return next(self.draws)


def quadratic_features(seed, n=12, m=3):
    """Label-signed training points and working points of unit length, under k(x, x') = <x, x'>^2.

    Their 36 explicit features are linearly independent for up to 21 points.
    """
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n + m, 6))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    features = np.array([np.outer(x, x).ravel() for x in X])
    return features[:n] * rng.choice([-1.0, 1.0], n)[:, None], features[n:], rng


def svm(walls):
    """Coefficients of the hard-margin SVM on label-signed points."""
    return max_margin_point(FeatureSpan(walls @ walls.T), len(walls))


def arc(a, b):
    """arccos(1 - |a - b|^2 / 2), in a form that stays exact for short arcs."""
    return 2.0 * np.arcsin(np.linalg.norm(a - b) / 2.0)


def play_literally(walls, point, w, directions, n_bounces):
    """Steps 1 to 3 as printed on explicit vectors: the working point, too, stops the ball.

    Returns a list of segments (w, v, tau, w', label).
    """
    directions = iter(directions / np.linalg.norm(directions, axis=1, keepdims=True))
    w, v = w / np.linalg.norm(w), next(directions)
    bounces, last, stopped, segments = 0, None, False, []
    while bounces < n_bounces:
        ahead = [(-(x @ w) / (x @ v), i) for i, x in enumerate(walls) if i != last and x @ v < 0]
        if not ahead:
            v = next(directions)
            while last is not None and walls[last] @ v <= 0:
                v = next(directions)
            stopped = False
            continue
        tau, wall = min(ahead)
        at_point = -(point @ w) / (point @ v)
        stopped = not stopped and 0 < at_point < tau
        tau = at_point if stopped else tau
        landed = (w + tau * v) / np.linalg.norm(w + tau * v)
        segments.append((w, v, tau, landed, (w + landed) @ point > 0))
        w = landed
        if not stopped:
            v = v - 2.0 * (walls[wall] @ v) * walls[wall]
            last, bounces = wall, bounces + 1
    return segments


@pytest.mark.claim("bt-sec3-one-trajectory", "holds")
@pytest.mark.claim("bt-sec3-span", "holds")
@pytest.mark.claim("bt-sec3-segment-label", "holds")
def test_one_trajectory_of_coefficients_is_the_printed_run_of_each_working_point():
    """Section 3.2: alpha and beta determine the billiard, one trajectory serves all test points.

    Step 3: y = sign <w + w', phi(x)>, the label in the middle of a segment, is that of all of it.
    """
    n_bounces, stops, escapes, seen = 40, 0, 0, set()
    for seed in SEEDS:
        walls, points, rng = quadratic_features(seed)
        w, draws = svm(walls), rng.uniform(-1.0, 1.0, (400, len(walls)))
        span = FeatureSpan(walls @ walls.T)
        cross = walls @ points.T
        flown = fly(span, cross, w, n_bounces, "as_printed", "coefficients", Script(draws))
        escapes += flown.escapes
        for point, p_plus in zip(points, flown.time_ratio(), strict=True):
            segments = play_literally(walls, point, w @ walls, draws @ walls, n_bounces)
            arcs = np.array([arc(w, landed) for w, _, _, landed, _ in segments])
            labels = np.array([label for *_, label in segments])
            assert p_plus == pytest.approx(arcs[labels].sum() / arcs.sum(), abs=1e-9)
            for begin, v, tau, _, label in segments:
                inner = begin + np.linspace(0.0, tau, 22)[1:-1, None] * v
                assert ((inner @ point > 0) == label).all()
            stops, seen = stops + len(segments) - n_bounces, seen | set(labels.tolist())
    assert stops > 50 and escapes > 50 and seen == {True, False}


@pytest.mark.claim("bt-sec3-flight-order", "holds")
def test_flight_times_order_the_walls_ahead_as_arcs_do():
    """Step 2: the smallest positive tau_j belongs to the closest wall on the hypersphere."""
    for seed in SEEDS:
        walls, _, rng = quadratic_features(seed)
        w = svm(walls) @ walls
        w /= np.linalg.norm(w)
        for v in rng.uniform(-1.0, 1.0, (50, len(walls))) @ walls:
            tau = -(walls @ w) / (walls @ v)
            tau = tau[tau > 0]
            landed = w + tau[:, None] * v
            landed /= np.linalg.norm(landed, axis=1, keepdims=True)
            arcs = [arc(w, place) for place in landed]
            np.testing.assert_array_equal(np.argsort(arcs), np.argsort(tau))


@pytest.mark.claim("bt-sec3-arc", "holds")
def test_arc_between_unit_vectors():
    """Step 3: |w - w'|_sphere = arccos(1 - |w - w'|^2 / 2)."""
    angle = np.linspace(0.0, np.pi, 100)
    w = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    squares = np.sum((w - w[0]) ** 2, axis=1)
    np.testing.assert_allclose(np.arccos(1.0 - squares / 2.0), angle, atol=1e-7)


@pytest.mark.claim("bt-sec3-reflection", "holds")
def test_reflection_mirrors_the_direction_at_points_of_unit_length():
    """Step 3: v' = v - 2 <v, phi(x)> phi(x); other lengths need a division by k(x, x)."""
    for seed in SEEDS:
        walls, _, rng = quadratic_features(seed)
        v = rng.standard_normal(walls.shape[1])
        for x in walls:
            turned = v - 2.0 * (v @ x) * x
            assert turned @ x == pytest.approx(-(v @ x), abs=1e-12)
            np.testing.assert_allclose(turned - (turned @ x) * x, v - (v @ x) * x, atol=1e-12)
            longer = 2.0 * x
            assert np.linalg.norm(v - 2.0 * (v @ longer) * longer) > np.linalg.norm(v)


class Counting(np.ndarray):
    """A matrix that counts the multiplications in its products."""

    count = 0

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        first, second, *_ = inputs = [np.asarray(x) for x in inputs]
        if ufunc is np.matmul:
            Counting.count += first.size * (second.shape[1] if second.ndim == 2 else 1)
        return getattr(ufunc, method)(*inputs, **kwargs)


@pytest.mark.claim("bt-sec3-cost", "holds")
@pytest.mark.parametrize(("n", "l", "m"), [(1, 20, 7), (9, 20, 7), (9, 80, 7), (9, 20, 300)])
def test_cost_of_n_bounces(n, l, m):
    """Section 3.2: O(n l (m + l)). Counted: 2 l^2 + 2 l m + l multiplications a bounce."""
    X = np.random.default_rng(0).standard_normal((l + m, 10))
    K = gram_matrix(X, X[:l], gamma=0.05)
    span = FeatureSpan(K[:l])
    w = max_margin_point(span, l)
    w /= span.norm(w)
    v = span.random_tangent(w, np.random.default_rng(1))
    span.gram, Counting.count = K[:l].view(Counting), 0
    reference_billiard(span, w, v, n).flight_times(K[l:].T.view(Counting))
    assert Counting.count == n * (2 * l * l + 2 * l * m + l)


@pytest.mark.claim("bt-eq8-bounces", "holds")
@pytest.mark.parametrize(("eta", "n"), [(0.01, 922), (0.005, 1060)], ids=["one side", "two sides"])
def test_equation_8_needs_approximately_1000_bounces(eta, n):
    """(8): n = ln(1 / eta) / (2 epsilon^2) for epsilon = 0.05 and eta = 0.01."""
    assert n == math.ceil(math.log(1.0 / eta) / (2.0 * 0.05**2)) == hoeffding_bounces(0.05, eta)
    assert abs(n - 1000) < 100


@pytest.mark.claim("bt-eq8-hoeffding", "holds")
@pytest.mark.parametrize("n", [10, 30, 100, 300, 1000, 2000])
def test_hoeffding_bounds_the_tail_of_a_binomial_distribution(n):
    """(8): P(mean - p >= epsilon) <= exp(-2 n epsilon^2), for fractions that are 0 or 1."""
    p, epsilon = np.meshgrid([0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95], [0.01, 0.05, 0.1, 0.2])
    tail = binom.sf(np.ceil(n * (p + epsilon) - 1e-9) - 1, n, p)
    assert (tail <= np.exp(-2.0 * n * epsilon**2) + 1e-12).all()


@pytest.mark.claim("bt-fig2-version-space", "holds")
@pytest.mark.parametrize("sigma", [0.5, 1.0, 3.0])
def test_distinct_points_have_a_version_space_under_rbf_kernels(sigma):
    """Section 4: sigma "chosen such as to insure the existence of a version space"; any will do."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 6))
    K = gram_matrix(X, gamma=1.0 / (2.0 * sigma**2))
    assert np.linalg.eigvalsh(K).min() > 0
    for _ in SEEDS:
        y = rng.choice([-1.0, 1.0], 40)
        signed = K * np.outer(y, y)
        assert (signed @ max_margin_point(FeatureSpan(signed), 40)).min() > 0.99


@pytest.mark.claim("bt-fig2-version-space", "holds")
@pytest.mark.parametrize("name", SIGMA)
def test_every_training_sample_of_the_paper_has_a_version_space(name):
    """That of all cases is not empty, and it lies in that of each training sample."""
    if not available(name):
        pytest.skip(f"the {name} data are not available")
    table = load(name)
    mean, scale = table.X.mean(axis=0), table.X.std(axis=0)
    K = gram_matrix((table.X - mean) / scale, gamma=1.0 / (2.0 * SIGMA[name] ** 2))
    signed = K * np.outer(table.y, table.y)
    assert (signed @ max_margin_point(FeatureSpan(signed), len(K))).min() > 0.99
    split = split_of(table, 0, SIGMA[name])
    train = np.setdiff1d(np.arange(len(K)), split.test)
    np.testing.assert_allclose(
        np.sort(split.gram, axis=None), np.sort(signed[np.ix_(train, train)], axis=None)
    )


@pytest.mark.claim("bt-conclusion-ridge", "holds")
@pytest.mark.parametrize("ridge", [0.0, 0.001, 0.1, 1.0, 10.0])
def test_a_ridge_lets_the_ball_penetrate_the_walls_of_a_contradiction(ridge):
    """Section 5: a constant lambda on the diagonal of the kernel matrix allows training errors."""
    X = np.random.default_rng(0).standard_normal((20, 3))
    X[-1] = X[0]
    y = np.where(X[:, 0] > 0, 1.0, -1.0)
    y[-1] = -y[0]
    plain = gram_matrix(X, gamma=0.5) * np.outer(y, y)
    gram = plain + ridge * np.eye(20)
    if not ridge:
        with pytest.raises(EmptyVersionSpaceError):
            KernelBilliard(gram, random_state=0)
        return
    billiard = KernelBilliard(gram, refresh=np.pi, random_state=0)
    positive = billiard.run(2000).flight_times(plain).probability
    # the ball is at times on the wrong side of the contradictory point, as of its copy
    assert 0.1 < positive[0] < 0.9
    assert positive[0] + positive[-1] == pytest.approx(1.0, abs=1e-9)


@pytest.mark.claim("bt-sec1-not-restricted", "holds")
def test_no_function_of_version_space_votes_as_version_space_does():
    """Section 1: transduction "is not restricted to select a single decision function"."""
    points = 1.0 - 3.0 * np.eye(3)
    posterior = joint_posterior(np.eye(3), points)
    np.testing.assert_array_equal(bayes_labelling_marginal(posterior), [1, 1, 1])
    # the points sum to zero, so no function is positive at all three
    np.testing.assert_array_equal(points.sum(axis=0), 0.0)
    assert posterior.probabilities[-1] == 0.0
