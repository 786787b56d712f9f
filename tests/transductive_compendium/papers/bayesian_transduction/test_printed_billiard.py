"""The printed billiard against reference and kernel; its steps are in `test_mathematics.py`."""

import numpy as np
import pytest

from transductive.kernels import gram_matrix
from transductive.version_space import FeatureSpan, KernelBilliard
from transductive.version_space.start import max_margin_point
from transductive_compendium.datasets import available, load
from transductive_compendium.exact.billiard_reference import reference_billiard
from transductive_compendium.papers.bayesian_transduction.printed_billiard import (
    draw_direction,
    fly,
    perceptron_point,
)
from transductive_compendium.papers.bayesian_transduction.splits import SIGMA, split_of

LAWS = ("coefficients", "isotropic")


@pytest.fixture(scope="module")
def case():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((50, 3))
    y = np.where(X[:40, 0] + X[:40, 1] ** 2 > 0.7, 1.0, -1.0)
    K = gram_matrix(X, gamma=0.3)
    gram, cross = K[:40, :40] * np.outer(y, y), K[:40, 40:] * y[:, None]
    span = FeatureSpan(gram)
    w = max_margin_point(span, 40)
    return span, cross, w / span.norm(w)


def test_great_circles_are_those_of_the_kernel(case):
    span, cross, w = case
    flown = fly(span, cross, w, 60, "great_circles", "isotropic", np.random.default_rng(4))
    billiard = KernelBilliard(span.gram, random_state=0)
    billiard.place(w, draw_direction(span, "isotropic", np.random.default_rng(4)))
    run = billiard.run(60)
    np.testing.assert_allclose(flown.arcs, run.arcs, atol=1e-7)
    np.testing.assert_allclose(flown.time_ratio(), run.flight_times(cross).probability, atol=1e-7)
    direction = cross.T @ run.centre_of_mass() * flown.arcs.sum()
    centre = flown.centre_of_mass()
    np.testing.assert_allclose(centre / np.abs(centre).max(), direction / np.abs(direction).max())


@pytest.mark.parametrize("law", LAWS)
def test_a_ball_stays_in_version_space_and_escapes_inwards(case, law):
    span, _, w = case
    # the walls themselves as points: they are never on the negative side
    flown = fly(span, span.gram, w, 3000, "as_printed", law, np.random.default_rng(5))
    assert flown.escapes > 3
    assert flown.time_ratio().min() > 1 - 1e-9
    assert flown.mean_of_fractions().min() > 1 - 1e-9


def test_directions_are_of_unit_length_and_laws_differ(case):
    span = case[0]
    drawn = {law: draw_direction(span, law, np.random.default_rng(6)) for law in LAWS}
    assert all(span.norm(v) == pytest.approx(1.0) for v in drawn.values())
    assert len({tuple(v.round(9)) for v in drawn.values()}) == len(LAWS)


def test_a_perceptron_has_no_training_error(case):
    span = case[0]
    assert (span.gram @ perceptron_point(span.gram)).min() > 0


@pytest.fixture(scope="module")
def thyroid():
    """The first training sample of thyroid, and what refreshed balls of the kernel find there."""
    if not available("thyroid"):
        pytest.skip("the thyroid data are not at hand")
    split = split_of(load("thyroid"), 0, SIGMA["thyroid"])
    balls = KernelBilliard(split.gram, refresh=4 * np.pi, n_chains=4, random_state=1).run(40_000)
    start = max_margin_point(FeatureSpan(split.gram), len(split.gram))
    return split.gram, split.cross, start, balls.flight_times(split.cross)


def test_another_implementation_is_as_far_from_the_uniform_law_on_thyroid(thyroid):
    """The library's plain reference of the flat flight, against refreshed balls of the kernel."""
    gram, cross, w, times = thyroid
    span, rng = FeatureSpan(gram), np.random.default_rng(0)
    v = draw_direction(span, "coefficients", rng)
    run = reference_billiard(span, w / span.norm(w), v, 20_000, "flat", rng)
    positive, total = run.flight_times(cross)
    assert times.standard_error("chain").mean() < 0.003
    deviation = np.abs(positive.sum(axis=0) / total.sum() - times.probability)
    assert np.mean(deviation > 0.025) > 0.01


def _normal_above_walls(walls, x, n, rng):
    """Draws of a standard normal vector cut by walls: exact Hamiltonian Monte Carlo, plainly."""
    drawn = []
    for _ in range(n):
        v, left, last = rng.standard_normal(len(x)), np.pi / 2, -1
        while left > 0.0:
            s, t = np.maximum(walls @ x, 1e-300), walls @ v
            if last >= 0:
                t[last] = np.inf
            wall = int(np.argmax(-t / s))
            arc = min(np.arctan2(s[wall], -t[wall]), left)
            x, v = np.cos(arc) * x + np.sin(arc) * v, np.cos(arc) * v - np.sin(arc) * x
            left -= arc
            if left > 0.0:
                v, last = v - 2.0 * (walls[wall] @ v) * walls[wall], wall
        drawn.append(x)
    return np.array(drawn)


def test_another_sampler_confirms_the_uniform_law_on_thyroid(thyroid):
    """Refreshed balls of the kernel, the truth of `long_runs`, against another method."""
    gram, cross, start, times = thyroid
    walls = np.linalg.cholesky(gram)
    x = walls.T @ start
    x *= np.sqrt(len(x)) / np.linalg.norm(x)
    drawn = _normal_above_walls(walls, x, 1000, np.random.default_rng(0))[50:]
    share = np.mean(drawn @ np.linalg.solve(walls, cross) > 0, axis=0)
    deviation = np.abs(share - times.probability)
    assert deviation.mean() < 0.012 and deviation.max() < 0.1
