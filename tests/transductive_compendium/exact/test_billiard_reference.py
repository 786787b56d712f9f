"""The NumPy billiard and its rules: which of them sample version space evenly."""

import numpy as np
import pytest
from scipy import stats

from transductive.version_space import FeatureSpan
from transductive_compendium.exact.billiard_reference import reference_billiard
from transductive_compendium.exact.volumes import probability_positive

TRIANGLE = np.array([[-1.0, 2.0, 3.0], [2.0, -2.0, -3.0], [3.0, 2.0, 2.0]])
TRIANGLE_POINT = np.array([2.0, 3.0, 0.0])
ORTHANT, ORTHANT_POINT = np.eye(3), np.array([1.0, -0.35, -0.35])


def start(X, rng):
    """A point that is uniform on version space, by rejection, and a direction."""
    draws = rng.standard_normal((4000, X.shape[1]))
    w = draws[(draws @ X.T > 0).all(axis=1).argmax()]
    w = np.linalg.solve(X.T, w / np.linalg.norm(w))
    return w, FeatureSpan(X @ X.T).random_tangent(w, rng)


def z_score(X, point, rule, n_starts, n_events):
    """Of the time ratio against the exact p+, from independent starts; also the ratio."""
    exact = probability_positive(X, point).value
    span = FeatureSpan(X @ X.T)
    sums = []
    for seed in range(n_starts):
        rng = np.random.default_rng([seed, 7])
        run = reference_billiard(span, *start(X, rng), n_events, rule, rng)
        positive, total = run.flight_times((X @ point)[:, None])
        sums.append((positive.sum(), total.sum()))
    positive, total = np.transpose(sums)
    residual = positive - exact * total
    t = residual.mean() / (residual.std(ddof=1) / np.sqrt(n_starts))
    return stats.norm.isf(stats.t.sf(t, n_starts - 1)), positive.sum() / total.sum()


def test_isotropic_refresh_at_the_wall_is_biased():
    z, ratio = z_score(TRIANGLE, TRIANGLE_POINT, "isotropic at wall", 20, 500)
    assert 2 * stats.norm.sf(abs(z)) < 1e-6
    assert ratio < 0.80  # exact: 0.856


def test_cosine_law_at_the_wall_is_not():
    z = [
        z_score(TRIANGLE, TRIANGLE_POINT, "cosine at wall", 20, 500)[0],
        z_score(ORTHANT, ORTHANT_POINT, "cosine at wall", 20, 500)[0],
        # four dimensions: the law over a disc, not over a segment
        z_score(np.eye(4), np.array([1.0, -0.5, -0.2, 0.0]), "cosine at wall", 20, 500)[0],
    ]
    assert stats.chi2.sf(np.sum(np.square(z)), len(z)) > 1e-4


@pytest.mark.claim("bt-sec3-in-general", "fails")
def test_escape_rule_is_biased():
    z, ratio = z_score(ORTHANT, ORTHANT_POINT, "flat", 20, 1000)
    assert 2 * stats.norm.sf(abs(z)) < 1e-6
    assert ratio < 0.58  # exact: 0.594


@pytest.mark.parametrize("rule", ["geodesic", "flat", "isotropic at wall", "cosine at wall"])
def test_every_rule_stays_on_the_sphere_and_inside(rule):
    rng = np.random.default_rng(1)
    X = rng.standard_normal((5, 5))
    span = FeatureSpan(X @ X.T)
    run = reference_billiard(span, *start(X, rng), 400, rule, rng)
    w, v = run.positions @ X, run.velocities @ X
    np.testing.assert_allclose(np.linalg.norm(w, axis=1), 1.0, atol=1e-11)
    np.testing.assert_allclose(np.linalg.norm(v, axis=1), 1.0, atol=1e-11)
    np.testing.assert_allclose(np.sum(w[:-1] * v, axis=1), 0.0, atol=1e-8)
    assert (w @ X.T).min() > -1e-10
    # each arc ends at its wall
    end = np.cos(run.arcs)[:, None] * w[:-1] + np.sin(run.arcs)[:, None] * v
    np.testing.assert_allclose(end, w[1:], atol=1e-8)
    np.testing.assert_allclose(np.sum(w[1:] * X[run.walls], axis=1), 0.0, atol=1e-9)


def test_flat_rule_measures_arcs_as_the_document_does():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((4, 4))
    span = FeatureSpan(X @ X.T)
    run = reference_billiard(span, *start(X, rng), 100, "flat", rng)
    w = run.positions @ X
    chord = np.sum((w[1:] - w[:-1]) ** 2, axis=1)
    np.testing.assert_allclose(run.arcs, np.arccos(1.0 - chord / 2.0), atol=1e-7)
    assert len(run.escapes) > 5


def test_cosine_law_and_isotropic_law_of_the_angle_to_the_wall():
    # in three dimensions the inward half of the tangent space is a half circle
    X, rng = np.eye(3), np.random.default_rng(0)
    span = FeatureSpan(X @ X.T)
    heights = {}
    for rule in ("isotropic at wall", "cosine at wall"):
        run = reference_billiard(span, *start(X, rng), 3000, rule, rng)
        heights[rule] = np.array(
            [v[wall] for v, wall in zip(run.velocities[1:], run.walls[:-1], strict=True)]
        )
        assert heights[rule].min() > 0
    # sine of the angle to the wall: even angle, or angle weighted by its sine
    angle = 2 * np.arcsin(heights["isotropic at wall"]) / np.pi
    assert stats.kstest(angle, "uniform").pvalue > 1e-4
    along = np.sqrt(1 - heights["cosine at wall"] ** 2)
    assert stats.kstest(along, "uniform").pvalue > 1e-4
