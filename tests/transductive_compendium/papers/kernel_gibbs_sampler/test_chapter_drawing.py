"""The chapter's flight: energy is kept, and many flights have the posterior's law."""

import numpy as np
import pytest
from scipy.stats import chi2

from transductive_compendium.papers.kernel_gibbs_sampler import chapter_drawing


def test_the_flight_loses_energy_of_motion_at_walls_and_gets_it_back():
    arcs, positions, motion, potential, walls, crossed = chapter_drawing.flown()
    np.testing.assert_allclose(motion + potential, motion[0] + potential[0], rtol=1e-12)
    cost = np.log((1 - chapter_drawing.Q) / chapter_drawing.Q)
    at = np.searchsorted(arcs, walls)
    steps = motion[at + 1] - motion[at - 1]
    # up twice, off a wall, down twice
    assert crossed.tolist() == [True, True, False, True, True]
    np.testing.assert_allclose(steps, [-cost, -cost, 0.0, cost, cost], atol=1e-9)
    # it meets the walls where it says so, and does not jump
    margins = positions[at] @ chapter_drawing.signed_points().T
    np.testing.assert_allclose(np.abs(margins).min(axis=1), 0.0, atol=1e-9)
    assert np.linalg.norm(np.diff(positions, axis=0), axis=1).max() < 0.1


def test_many_flights_have_the_law_of_the_posterior():
    # every tenth, nearly independent
    errors = chapter_drawing.law(chapter_drawing.many_flights(10_000, seed=1)[::10])[1]
    fine = np.arange(0.005, 360.0, 0.01)
    density, exact_errors = chapter_drawing.law(fine)
    assert density.sum() * 0.01 == pytest.approx(1.0)
    exact = np.bincount(exact_errors, density)[1:] * 0.01
    found = np.bincount(errors, minlength=5)[1:] / len(errors)
    assert len(errors) * np.sum((found - exact) ** 2 / exact) < chi2.isf(1e-3, 3)
