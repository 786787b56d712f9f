"""Refracting billiard: walls, law, streams; the kernel against the reference."""

import numpy as np
import pytest
from planted import off
from sphere_laws import fits, noisy, posterior, sphere

from transductive.kernels import gram_matrix
from transductive.version_space import (
    EmptyVersionSpaceError,
    RefractingBilliard,
    WhitenedPoints,
)
from transductive.version_space._billiard import refract
from transductive.version_space.label_noise import error_potential
from transductive_compendium.exact.arrangement import Arrangement
from transductive_compendium.exact.refraction_reference import refracted_flight

# ---- one flight ---------------------------------------------------------------------------------


def fly(points, labels, potential, position, velocities, arcs, allowance=10**9):
    """Flights of the kernel: positions, errors, their means, shares without errors; and counts."""
    m, n = len(points), len(arcs)
    margins = points @ position
    errors = int(np.sum(np.where(margins > 0, 1.0, -1.0) != labels))
    coefficients = np.empty((n, m))
    result = np.empty(n, dtype=np.int32), np.empty(n), np.empty(n)
    wrong = np.zeros(m)
    flown, events, least = refract(
        points @ points.T,
        labels,
        np.ones(m, dtype=np.intp),
        potential,
        errors,
        margins,
        velocities @ points.T,
        arcs,
        allowance,
        coefficients,
        *result,
        wrong,
    )
    # each error is somebody's
    assert wrong.sum() == pytest.approx(arcs[:flown] @ result[1][:flown])
    positions, w = [], position
    for f in range(flown):
        w = np.cos(arcs[f]) * w + np.sin(arcs[f]) * velocities[f] + coefficients[f] @ points
        positions.append(w)
    return np.array(positions), *result, margins, flown, events, least


@pytest.mark.parametrize("q", [0.0, 0.05, 0.4, 0.5, "infer"])
def test_kernel_and_reference_meet_the_same_walls(q):
    rng = np.random.default_rng(0)
    points = sphere(rng, 40, 12)
    labels = np.where(points[:, 0] > 0, 1.0, -1.0)
    position, velocity = rng.standard_normal((2, 12))
    if q == 0.0:
        position = np.eye(12)[0]
    else:
        labels[:3] *= -1.0
    potential = error_potential(q, 40)
    signed = labels[:, None] * points
    flight = refracted_flight(
        signed @ signed.T,
        potential,
        np.linalg.lstsq(signed.T, position, rcond=None)[0],
        np.linalg.lstsq(signed.T, velocity, rcond=None)[0],
        2.0,
    )
    assert len(flight.walls) > 5
    result = fly(points, labels, potential, position, velocity[None], np.array([2.0]))
    positions, errors, expected, clear, margins, flown, events, least = result
    assert (flown, events, errors[0]) == (1, len(flight.walls), flight.errors[-1])
    np.testing.assert_allclose(positions[0], flight.position @ signed, atol=1e-11)
    np.testing.assert_allclose(margins, points @ positions[0], atol=1e-11)
    times = np.diff(np.r_[0.0, np.cumsum(flight.arcs), 2.0])
    assert expected[0] == pytest.approx(times @ flight.errors / 2.0)
    assert clear[0] == pytest.approx(times @ (flight.errors == 0) / 2.0)
    # the Hamiltonian, which for q = 0 has no potential inside
    np.testing.assert_allclose(flight.energies, flight.energies[0], rtol=1e-11)
    assert least > -1e-12


# margins, impulses, mean errors, shares without errors, and the arcs on the wrong sides
@pytest.mark.parametrize("argument", [5, 9, 11, 12, 13])
def test_an_error_of_one_percent_in_a_flight_is_found(argument, monkeypatch):
    monkeypatch.setitem(globals(), "refract", off(refract, argument=argument))
    with pytest.raises(AssertionError):
        for q in (0.0, 0.05):  # without errors all the time, and with errors
            test_kernel_and_reference_meet_the_same_walls(q)


def test_without_noise_costs_every_wall_is_crossed_and_the_flight_is_an_ellipse():
    rng = np.random.default_rng(1)
    points, (w, v) = sphere(rng, 30, 5), rng.standard_normal((2, 5))
    labels = np.ones(30)
    # half a turn: every sign changes, each once
    positions, errors, *_, events, _ = fly(
        points, labels, np.zeros(31), w, v[None], np.array([np.pi])
    )
    np.testing.assert_allclose(positions[0], -w, atol=1e-12)
    assert errors[0] == 30 - np.sum(points @ w <= 0)
    assert events in (29, 30)


def test_rounding_stays_small_over_many_flights():
    rng = np.random.default_rng(2)
    points = noisy(rng, 120, 30)
    n = 3000
    velocities, arcs = rng.standard_normal((n, 30)), rng.uniform(1.0, 2.0, n)
    result = fly(points, np.ones(120), error_potential(0.1, 120), np.ones(30), velocities, arcs)
    positions, errors, _, _, margins, flown, events, least = result
    assert flown == n and events > 100_000
    # margins were updated at every wall, and never computed anew
    np.testing.assert_allclose(margins, points @ positions[-1], atol=1e-9)
    np.testing.assert_array_equal(errors, np.sum(positions @ points.T <= 0, axis=1))
    assert -1e-10 < least <= 0.0


def test_a_flight_ends_after_too_many_walls():
    rng = np.random.default_rng(3)
    points = noisy(rng, 50, 10)
    velocities, arcs = rng.standard_normal((5, 10)), np.full(5, 1.5)
    whole = fly(points, np.ones(50), error_potential(0.1, 50), np.ones(10), velocities.copy(), arcs)
    part = fly(points, np.ones(50), error_potential(0.1, 50), np.ones(10), velocities, arcs, 60)
    assert part[6] == 60 < whole[6] and 0 < part[5] < whole[5]
    np.testing.assert_array_equal(part[0], whole[0][: part[5]])


# ---- the law ------------------------------------------------------------------------------------


def test_copies_of_a_point_are_one_wall_that_costs_more():
    rng = np.random.default_rng(12)
    points = sphere(rng, 6)
    cells = Arrangement(points)
    # the last point four times with its label, and once with the other
    copies = np.repeat(points[-1:], 4, axis=0) * np.array([[1.0], [2.0], [0.5], [-1.0]])
    samples = RefractingBilliard(np.vstack([points, copies]), 0.2, random_state=5).run(5000, thin=8)
    right = cells.interior @ points[-1] > 0
    errors = cells.errors + np.where(right, 1, 3)
    visited = cells.cell_of(samples.positions.reshape(-1, 3))
    np.testing.assert_array_equal(samples.errors.ravel(), errors[visited])
    # the copies share their fate, all but the one with the other label
    np.testing.assert_allclose(samples.wrong[:, 5:9], samples.wrong[:, [5]] * np.ones(4))
    np.testing.assert_allclose(samples.wrong[:, 9], 1.0 - samples.wrong[:, 5])
    exact = posterior(cells, 0.2, errors, 10)
    assert fits(np.bincount(visited, minlength=len(exact)), exact)


# ---- chains -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sample():
    rng = np.random.default_rng(10)
    X = rng.standard_normal((80, 3))
    y = np.where(X[:, 0] + 0.5 * rng.standard_normal(80) > 0, 1.0, -1.0)
    return gram_matrix(X, gamma=0.3), y


def test_a_given_gram_matrix_changes_only_rounding(sample):
    gram, y = sample
    points = WhitenedPoints.from_gram(gram)
    given, made = (
        RefractingBilliard(points, 0.1, signs=y, gram=g, random_state=5).run(3)
        for g in (gram, None)
    )
    np.testing.assert_allclose(given.positions, made.positions, atol=1e-8)


def test_a_run_continues_the_last_one(sample):
    gram, y = sample
    chains = RefractingBilliard(WhitenedPoints.from_gram(gram), "infer", signs=y, random_state=5)
    first = chains.run(32, burn_in=48)
    events = chains.events
    assert np.all(first.errors < 40) and np.all(events > 80)
    second = chains.run(16)
    assert np.all(chains.events > events)
    whole = first.join(second)
    assert whole.errors.shape == (4, 48)
    np.testing.assert_allclose(
        whole.wrong.sum(axis=1), whole.expected_errors.mean(axis=1), rtol=0.1
    )
    half = whole.every_second()
    np.testing.assert_array_equal(half.errors, whole.errors[:, 1::2])
    np.testing.assert_allclose(half.clear.mean(), whole.clear.mean())
    assert chains.least_margin > -1e-12


def test_a_budget_of_events_gives_all_chains_one_length(sample):
    gram, y = sample
    chains = RefractingBilliard(WhitenedPoints.from_gram(gram), 0.1, signs=y, random_state=6)
    samples = chains.run(1000, max_events=2000)
    n = samples.errors.shape[1]
    assert 0 < n < 1000 and samples.positions.shape == (4, n, chains.points.rank)
    assert np.all(chains.events <= 2000)


def test_contradictions_everywhere_leave_the_prior():
    points = np.repeat(sphere(np.random.default_rng(13), 5), 2, axis=0)
    signs = np.tile([1.0, -1.0], 5)
    samples = RefractingBilliard(points, 0.1, signs=signs, random_state=7).run(500)
    assert np.all(samples.errors == 5)
    assert np.linalg.norm(samples.mean) < 0.1
    with pytest.raises(EmptyVersionSpaceError):
        RefractingBilliard(points, 0.0, signs=signs)
