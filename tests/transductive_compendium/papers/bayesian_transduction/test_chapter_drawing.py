"""What the chapter's pictures rest on: true areas, rays, loops, and uniform states."""

import numpy as np
import pytest

from transductive_compendium.exact.volumes import probability_positive
from transductive_compendium.papers.bayesian_transduction import chapter_drawing as drawing


def test_areas_are_true_on_the_map():
    rng, size = np.random.default_rng(0), 1e-5
    view = drawing.Map(rng.standard_normal(3))
    for centre in drawing.unit(rng.standard_normal((20, 3))):
        local = drawing.Map(centre)
        corners = centre + size * np.array([0 * centre, local.east, local.north])
        a, b, c = view(drawing.unit(corners)).T
        area = np.linalg.det(np.array([b - a, c - a]))
        assert area == pytest.approx(size**2, rel=1e-3)


def test_a_printed_path_unfolds_into_one_ray_shorter_than_a_quarter_turn():
    for seed in range(20):
        flight = drawing.fly(drawing.NARROW, 40, "flat", seed)
        mirrors, arcs = drawing.unfolded(flight, drawing.NARROW)
        assert len(flight.escapes) and arcs[-1] < np.pi / 2
        w, v = flight.positions[0] @ drawing.NARROW, flight.velocities[0] @ drawing.NARROW
        for mirror, position, arc in zip(mirrors[1:], flight.positions[1:], arcs, strict=False):
            ray = np.cos(arc) * w + np.sin(arc) * v
            np.testing.assert_allclose(mirror @ (position @ drawing.NARROW), ray, atol=1e-6)


def test_a_ball_in_the_eighth_runs_where_the_reference_flies():
    flight = drawing.fly(drawing.EIGHTH, 30, seed=2)
    w, v = flight.positions[0], flight.velocities[0]
    arcs = np.r_[0.0, flight.arcs.cumsum()]
    at = drawing.eighth_at(w, v, arcs[:, None])
    np.testing.assert_allclose(at, flight.positions, atol=1e-9)
    # a loop of half a turn with three bounces
    assert arcs[4:] - arcs[1:-3] == pytest.approx(np.pi)


def test_states_are_uniform():
    # false alarm: 6e-5
    n, rng = 40_000, np.random.default_rng(1)
    w, _ = drawing.states(drawing.TRIANGLE, n, rng)
    exact = probability_positive(drawing.TRIANGLE, drawing.TRIANGLE_POINT).value
    share = np.mean(w @ drawing.TRIANGLE_POINT > 0)
    assert abs(share - exact) < 4 * np.sqrt(exact * (1 - exact) / n)


def test_only_refreshed_balls_forget_their_corner():
    # false alarm: 6e-5
    n, point = 4000, drawing.WORKING[0]
    exact = probability_positive(drawing.EIGHTH, point).value
    arcs = np.linspace(0.0, 6 * np.pi, 601)
    rng = np.random.default_rng(0)
    loops = drawing.refreshed(np.inf, n, arcs, rng)
    np.testing.assert_allclose(loops[100], loops[0], atol=1e-9)
    last = np.mean(drawing.refreshed(np.pi / 2, n, arcs, rng)[-1] @ point > 0)
    assert abs(last - exact) < 4 * np.sqrt(exact * (1 - exact) / n)
