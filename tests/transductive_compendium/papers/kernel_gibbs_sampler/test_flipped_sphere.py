"""Points of the sphere and of the plane, and the two methods of figure 4 on one set of them."""

import numpy as np
import pytest
from sklearn.svm import LinearSVC

from transductive.version_space import KernelGibbsSampler
from transductive_compendium.datasets.generators import ANGLE_LAWS
from transductive_compendium.papers.kernel_gibbs_sampler import first_states, flipped_sphere
from transductive_compendium.papers.kernel_gibbs_sampler.first_states import AS_PRINTED
from transductive_compendium.papers.kernel_gibbs_sampler.flipped_sphere import FlippedSphere
from transductive_compendium.papers.kernel_gibbs_sampler.queries import START_PENALTY, _start
from transductive_compendium.papers.kernel_gibbs_sampler.sphere_points import (
    LAWS,
    signed_points,
    teacher_of,
)
from transductive_compendium.papers.kernel_gibbs_sampler.surrogates import crescents


def _angle(a, b):
    cosine = a @ b / (np.linalg.norm(a) * np.linalg.norm(b))
    return np.arccos(np.clip(cosine, -1, 1))


def test_points_of_figure_4_crowd_across_from_the_teacher():
    """Their azimuth is near 0 or 2 pi."""
    drawn = (signed_points(x, 4000, 0.0, np.random.default_rng(0), "middle") for x in LAWS)
    near = dict(zip(LAWS, (np.abs(X @ teacher_of("middle")).mean() for X in drawn), strict=True))
    assert near["beta"] > near["uniform"]


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("angles", ["pole", "reversed", "middle", "half"])
def test_signed_points_are_on_the_teachers_side_unless_flipped(law, angles):
    clean, noisy = (
        signed_points(law, 2000, rate, np.random.default_rng(1), angles) for rate in (0.0, 0.2)
    )
    teacher = teacher_of(angles)
    assert (clean @ teacher > 0).mean() > 0.995  # some lie on the border to rounding
    assert 0.15 < np.mean(noisy @ teacher < 0) < 0.25
    np.testing.assert_allclose(np.linalg.norm(noisy, axis=1), 1.0)


def test_crescents():
    X, y = crescents(76, np.random.default_rng(0))
    assert X.shape == (76, 2) and np.sum(y == 1) == 38
    # a version space for q = 0 to sample
    gibbs = KernelGibbsSampler(
        gamma=0.5, sampler="hit_and_run", q=0.0, n_samples=50, thin=1, random_state=0
    )
    with pytest.warns(UserWarning, match="mixed"):
        gibbs.fit(X, y)
    assert gibbs.samples_.errors.max() == 0


def test_points_of_figure_4_are_distinct_and_none_is_on_a_boundary():
    teacher = np.array(ANGLE_LAWS["pole"].teacher)
    for seed in range(20):
        sphere = FlippedSphere("pole", 0.05, np.random.default_rng(seed))
        points = np.vstack([sphere.X, sphere.X_test])
        assert len(np.unique(points, axis=0)) == len(points)
        chain = sphere.bayes_point(0.05, AS_PRINTED | {"n_samples": 100}, np.random.default_rng(1))
        for w in (teacher, chain, sphere.soft_margin(0.18)):
            assert np.abs(points @ w).min() > 1e-9 * np.linalg.norm(w)


def test_exactly_a_share_of_the_labels_is_flipped():
    s = FlippedSphere("pole", 0.05, np.random.default_rng(0), "exact")
    assert ((s.y != s.truth).sum(), (s.y_test != s.truth_test).sum()) == (5, 50)


def linear_svc(X, y, penalty):
    """|w|^2 + sum(slack^2) / lambda: LinearSVC minimises half of it, with C = 1 / (2 lambda)."""
    options = {"loss": "squared_hinge", "dual": False, "fit_intercept": False}
    return LinearSVC(**options, C=0.5 / penalty, tol=1e-10, max_iter=10_000).fit(X, y).coef_[0]


@pytest.mark.parametrize("penalty", [0.01, 0.3, 10.0, 1000.0])
def test_soft_margin_is_the_squared_hinge_without_bias(penalty):
    sphere = FlippedSphere("middle", 0.05, np.random.default_rng(4))
    other = linear_svc(sphere.X, sphere.y, penalty)
    # length and direction
    np.testing.assert_allclose(sphere.soft_margin(penalty), other, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("n", [4, 44])
def test_queries_start_at_the_quadratic_soft_margin(n):
    X = np.random.default_rng(0).standard_normal((n, 3))
    y = np.where(np.arange(n) % 2, 1, -1)
    other = linear_svc(X, y, START_PENALTY)
    np.testing.assert_allclose(_start(X, y), other / np.linalg.norm(other), atol=1e-6)


def test_labels_of_one_class_have_a_start_too():
    X = np.eye(3) + 0.1
    assert (X @ _start(X, np.ones(3)) > 0).all()


def test_vanishing_penalty_is_the_hard_margin():
    sphere = FlippedSphere("middle", 0.0, np.random.default_rng(1))
    w = sphere.soft_margin(0.0)
    assert (sphere.y * (sphere.X @ w)).min() == pytest.approx(1)
    assert _angle(w, sphere.soft_margin(1e-9)) < 1e-4


@pytest.mark.parametrize("q, bound", [(0.05, 0.01), (0.3, 0.03)])
def test_a_long_chain_finds_the_exact_bayes_point(q, bound):
    sphere = FlippedSphere("middle", 0.05, np.random.default_rng(8))
    exact = sphere.arrangement(np.random.default_rng(0)).bayes_point(q)
    chain = AS_PRINTED | {"n_samples": 20_000, "thin": 10, "burn_in": 100}
    rng = np.random.default_rng(5)
    assert _angle(sphere.bayes_point(q, chain, rng), exact) < bound
    # and is closer to it than to that of another noise level
    assert _angle(sphere.arrangement(rng).bayes_point(0.001), exact) > bound


def test_with_lambda_in_its_kernel_too_the_chain_starts_at_the_svm(monkeypatch):
    sphere = FlippedSphere("middle", 0.05, np.random.default_rng(8))
    chains = []

    def states(points, signs, q, n, rng, params, svm):
        chains.append((points.coordinates, svm))
        return first_states.states(points, signs, q, n, rng, params, svm)

    monkeypatch.setattr(flipped_sphere, "states", states)
    for start in ("svm", "random"):
        chain = AS_PRINTED | {"n_samples": 100, "start": start}
        w = sphere.penalised_bayes_point(0.1, chain, np.random.default_rng(5))
        assert sphere.errors(w)[1] < 0.2
    (coordinates, svm), (_, nothing) = chains
    assert nothing is None
    # a hard margin of 1 in the space of k + lambda 1[x = x'], where w has the SVM's outputs
    margins = sphere.y * (coordinates @ svm)
    assert margins.min() == pytest.approx(1)
    w = sphere.soft_margin(0.1)
    slacks = 1 - sphere.y * (sphere.X @ w)
    np.testing.assert_allclose(margins, np.maximum(1, 1 - slacks), rtol=1e-5)


def test_errors_are_those_of_both_labellings():
    sphere = FlippedSphere("middle", 0.25, np.random.default_rng(0))
    flipped = (sphere.y_test != sphere.truth_test).mean()
    assert 0.2 < flipped < 0.3
    teacher = np.array(ANGLE_LAWS["middle"].teacher)
    assert sphere.errors(teacher) == (pytest.approx(flipped), 0.0)
    assert sphere.errors(-teacher) == (pytest.approx(1 - flipped), 1.0)
    assert np.isnan(sphere.errors(None)).all()
