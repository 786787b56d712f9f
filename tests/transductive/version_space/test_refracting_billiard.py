"""Refracting billiard: walls, law, streams; the kernel against the reference."""

import numpy as np
import pytest
from planted import off
from scipy import stats
from scipy.special import betainc

from transductive._exact.arrangement import Arrangement
from transductive.kernels import gram_matrix
from transductive.version_space import (
    EmptyVersionSpaceError,
    GibbsChains,
    RefractingBilliard,
    WhitenedPoints,
)
from transductive.version_space._billiard import refract
from transductive.version_space._refraction_reference import refracted_flight
from transductive.version_space.label_noise import error_potential
from transductive.version_space.mixing import mixing

# Each test of a law fails a right sampler with this probability, were its seed drawn anew.
FALSE_ALARM = 1e-5


def sphere(rng, n, dimension=3):
    points = rng.standard_normal((n, dimension))
    return points / np.linalg.norm(points, axis=1, keepdims=True)


def noisy(rng, m, dimension, flips=0.15):
    """Label-signed points of which a linear teacher contradicts some."""
    points = sphere(rng, m, dimension)
    points *= np.where(points[:, 0] > 0, 1.0, -1.0)[:, None]
    points[: int(flips * m)] *= -1.0
    return points


# ---- one flight ---------------------------------------------------------------------------------


def fly(points, labels, potential, position, velocities, arcs, allowance=10**9):
    """Flights of the kernel: positions, errors, their means, shares without errors; and counts."""
    m, n = len(points), len(arcs)
    margins = points @ position
    errors = int(np.sum(np.where(margins > 0, 1.0, -1.0) != labels))
    coefficients = np.empty((n, m))
    found = np.empty(n, dtype=np.int32), np.empty(n), np.empty(n)
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
        *found,
        wrong,
    )
    # each error is somebody's
    assert wrong.sum() == pytest.approx(arcs[:flown] @ found[1][:flown])
    positions, w = [], position
    for f in range(flown):
        w = np.cos(arcs[f]) * w + np.sin(arcs[f]) * velocities[f] + coefficients[f] @ points
        positions.append(w)
    return np.array(positions), *found, margins, flown, events, least


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
    found = fly(points, labels, potential, position, velocity[None], np.array([2.0]))
    positions, errors, expected, clear, margins, flown, events, least = found
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
    found = fly(points, np.ones(120), error_potential(0.1, 120), np.ones(30), velocities, arcs)
    positions, errors, _, _, margins, flown, events, least = found
    assert flown == n and events > 100_000
    # margins were updated at every wall, and never computed anew
    np.testing.assert_allclose(margins, points @ positions[-1], atol=1e-9)
    np.testing.assert_array_equal(errors, np.sum(positions @ points.T <= 0, axis=1))
    assert -1e-10 < least <= 0.0


def test_a_flight_that_meets_too_many_walls_is_given_up():
    rng = np.random.default_rng(3)
    points = noisy(rng, 50, 10)
    velocities, arcs = rng.standard_normal((5, 10)), np.full(5, 1.5)
    whole = fly(points, np.ones(50), error_potential(0.1, 50), np.ones(10), velocities.copy(), arcs)
    part = fly(points, np.ones(50), error_potential(0.1, 50), np.ones(10), velocities, arcs, 60)
    assert part[6] == 60 < whole[6] and 0 < part[5] < whole[5]
    np.testing.assert_array_equal(part[0], whole[0][: part[5]])


# ---- the law ------------------------------------------------------------------------------------


def _fits(counts, probabilities):
    """Chi-square test of independent draws, rare cells put together."""
    order = np.argsort(probabilities)
    expected = probabilities[order] * counts.sum()
    rare = np.cumsum(expected) < 10.0
    if rare.any():
        rare[np.argmin(rare)] = True
        expected = np.r_[expected[rare].sum(), expected[~rare]]
        counts = np.r_[counts[order][rare].sum(), counts[order][~rare]]
    else:
        counts = counts[order]
    return stats.chisquare(counts, expected).pvalue > FALSE_ALARM


def posterior(cells, q, prior=(1.0, 9.0)):
    mass = cells.areas * np.exp(-error_potential(q, len(cells.points), prior)[cells.errors])
    return mass / mass.sum()


@pytest.mark.parametrize("q", [0.02, 0.2, 0.45, "infer"])
@pytest.mark.parametrize("dimension", [2, 3])
def test_law_over_the_cells_is_the_exact_posterior(dimension, q):
    rng = np.random.default_rng([dimension, 7])
    points = noisy(rng, 9, dimension, 0.23)
    cells = Arrangement(points)
    chains = RefractingBilliard(points, q, random_state=0)
    samples = chains.run(2500, thin=4 if dimension == 2 else 12, burn_in=100)
    visited = cells.cell_of(samples.positions.reshape(-1, dimension))
    np.testing.assert_array_equal(cells.errors[visited], samples.errors.ravel())
    assert _fits(np.bincount(visited, minlength=len(cells.areas)), posterior(cells, q))


@pytest.mark.parametrize("q", [0.0, 0.1])
def test_within_a_cell_the_law_is_uniform(q):
    walls = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, -1.0, 3.0]])
    planes = np.vstack([[-2.0, 4.0, 1.0], sphere(np.random.default_rng(3), 12)])
    samples = RefractingBilliard(walls, q, random_state=1).run(5000, thin=8, burn_in=100)
    cut = Arrangement(np.vstack([walls, planes]))
    inside = np.all(cut.moments @ walls.T > 0, axis=1)
    counts = np.bincount(cut.cell_of(samples.positions.reshape(-1, 3)), minlength=len(inside))
    if q == 0:
        assert counts[inside].sum() == 20_000
    assert _fits(counts[inside], cut.areas[inside] / cut.areas[inside].sum())


def test_uniform_at_one_half_on_an_anisotropic_kernel():
    rng = np.random.default_rng(8)
    points = sphere(rng, 40, 4) * [100.0, 10.0, 1.0, 1.0]
    whitened = WhitenedPoints.from_gram(points @ points.T)
    signs = np.where(rng.random(40) < 0.5, -1.0, 1.0)
    chains = RefractingBilliard(whitened, 0.5, signs=signs, random_state=2)
    samples = chains.run(5000, thin=3, burn_in=50)
    directions = points / np.linalg.norm(points, axis=1, keepdims=True)
    outputs = samples.outputs(whitened.coordinates).reshape(-1, 40)
    outputs /= np.linalg.norm(points, axis=1)
    for j in np.argsort(np.abs(directions[:, 0]))[[0, -1]]:
        x = outputs[:, j]
        uniform = 0.5 + 0.5 * np.sign(x) * betainc(0.5, 1.5, x**2)
        assert stats.kstest(uniform, "uniform").pvalue > FALSE_ALARM


@pytest.mark.parametrize("q", [0.2, "infer"])
def test_means_over_flights_estimate_the_same(q):
    rng = np.random.default_rng(9)
    points = noisy(rng, 12, 3)
    cells = Arrangement(points)
    exact = posterior(cells, q)
    samples = RefractingBilliard(points, q, n_chains=8, random_state=3).run(4000, burn_in=100)
    for averaged, truth in (
        (samples.expected_errors, exact @ cells.errors),
        (samples.clear, exact @ (cells.errors == 0)),
    ):
        means = averaged.mean(axis=1)
        error = means.std(ddof=1) / np.sqrt(len(means))
        assert abs(means.mean() - truth) < 7 * max(error, 1e-9)


@pytest.mark.parametrize(("n", "q"), [(1, 0.05), (10, 0.01), (300, 0.01), (10, "infer")])
def test_contradictions_only_add_to_the_errors(n, q):
    # n copies of a point with both labels: n errors more for everybody
    rng = np.random.default_rng(11)
    points = sphere(rng, 8)
    lengths = rng.uniform(0.1, 10.0, (2 * n, 1))
    contradiction = sphere(rng, 1)[0]
    pairs = np.repeat([contradiction, -contradiction], n, axis=0) * lengths
    cells = Arrangement(points)
    samples = RefractingBilliard(np.vstack([points, pairs]), q, random_state=4).run(2000, thin=8)
    visited = cells.cell_of(samples.positions.reshape(-1, 3))
    np.testing.assert_array_equal(samples.errors.ravel(), cells.errors[visited] + n)
    mass = cells.areas * np.exp(
        -np.diff(error_potential(q, 8 + 2 * n), prepend=0.0).cumsum()[cells.errors + n]
        + error_potential(q, 8 + 2 * n)[n]
    )
    assert _fits(np.bincount(visited, minlength=len(mass)), mass / mass.sum())


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
    mass = cells.areas * np.exp(-error_potential(0.2, 10)[errors])
    assert _fits(np.bincount(visited, minlength=len(mass)), mass / mass.sum())


@pytest.mark.parametrize(("m", "dimension"), [(15, 10), (60, 40), (120, 80)])
def test_gibbs_sampler_agrees_in_many_dimensions(m, dimension):
    rng = np.random.default_rng(dimension)
    points = noisy(rng, m, dimension)
    probes = rng.standard_normal((10, dimension))
    flown = RefractingBilliard(points, 0.1, random_state=6).run(1000, burn_in=200)
    stepped = GibbsChains(points, 0.1, random_state=7).run(1000, thin=2 * dimension, burn_in=10_000)
    followed = []
    for samples in (flown, stepped):
        positive = samples.outputs(probes) > 0
        draws = np.concatenate([samples.errors[:, :, None], positive], axis=2).astype(float)
        ess = mixing(draws).ess_bulk
        followed.append((draws.mean(axis=(0, 1)), draws.var(axis=(0, 1)) / ess))
    (mean, variance), (other, other_variance) = followed
    z = (mean - other) / np.sqrt(variance + other_variance)
    assert np.abs(z).max() < stats.norm.isf(FALSE_ALARM / 22)


# ---- calibration by simulated truths ------------------------------------------------------------


def ranks(X, q, n_repetitions, seed, *, assumed_prior=(1.0, 9.0), prior=(1.0, 9.0)):
    """Ranks of errors, margins, a coordinate and q of the truth among nine posterior samples."""
    m, r = X.shape
    rng = np.random.default_rng(seed)
    points, gram = WhitenedPoints(X), X @ X.T
    found = np.empty((n_repetitions, 5), dtype=int)
    for row in found:
        noise = q
        while noise == "infer" or noise > 0.5:
            noise = rng.beta(*prior)
        w = rng.standard_normal(r)
        w /= np.linalg.norm(w)
        y = np.where((X @ w > 0) ^ (rng.random(m) < noise), 1.0, -1.0)
        samples = RefractingBilliard(
            points, q, signs=y, gram=gram, q_prior=assumed_prior, n_chains=1,
            random_state=int(rng.integers(2**63)),
        ).run(9, thin=6, burn_in=64)  # fmt: skip
        positions = np.vstack([samples.positions[0], w])
        margins = y * (positions @ X.T)
        values = np.array(
            [
                np.sum(margins <= 0.0, axis=1),
                margins.mean(axis=1),
                margins[:, 0],
                positions[:, 0],
                np.r_[samples.noise[0], noise],
            ]
        )
        others, own = values[:, :-1], values[:, -1:]
        row[:] = np.sum(others < own, axis=1) + rng.integers(np.sum(others == own, axis=1) + 1)
    return found


def p_values(found):
    return np.array([stats.chisquare(np.bincount(c, minlength=10)).pvalue for c in found.T])


@pytest.mark.parametrize(("dimension", "q"), [(10, 0.1), (30, "infer"), (80, "infer")])
def test_the_truth_ranks_anywhere_among_posterior_samples(dimension, q):
    X = np.random.default_rng(dimension).standard_normal((3 * dimension // 2, dimension))
    assert p_values(ranks(X, q, 300, seed=1)).min() > FALSE_ALARM / 5


def test_ranks_show_a_wrong_prior_of_the_noise():
    X = np.random.default_rng(30).standard_normal((45, 30))
    found = ranks(X, "infer", 300, seed=2, prior=(6.0, 9.0))
    assert p_values(found)[4] < FALSE_ALARM / 5


# ---- chains -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sample():
    rng = np.random.default_rng(10)
    X = rng.standard_normal((80, 3))
    y = np.where(X[:, 0] + 0.5 * rng.standard_normal(80) > 0, 1.0, -1.0)
    return gram_matrix(X, gamma=0.3), y


@pytest.mark.parametrize("q", [0.1, "infer"])
def test_workers_change_nothing(sample, q):
    gram, y = sample
    points = WhitenedPoints.from_gram(gram)
    runs = [
        RefractingBilliard(
            points, q, signs=y, gram=gram, n_chains=5, random_state=4, n_jobs=jobs
        ).run(30, thin=3)
        for jobs in (1, 2, 3)
    ]
    for other in runs[1:]:
        np.testing.assert_array_equal(runs[0].positions, other.positions)
        np.testing.assert_array_equal(runs[0].noise, other.noise)


def test_a_gram_matrix_at_hand_changes_nothing_but_roundings(sample):
    gram, y = sample
    points = WhitenedPoints.from_gram(gram)
    given, made = (
        RefractingBilliard(points, 0.1, signs=y, gram=g, random_state=5).run(3)
        for g in (gram, None)
    )
    np.testing.assert_allclose(given.positions, made.positions, atol=1e-8)
    with pytest.raises(ValueError, match="gram must have shape"):
        RefractingBilliard(points, 0.1, signs=y, gram=gram[:5, :5])


def test_a_run_goes_on_where_the_last_one_stopped(sample):
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


def test_a_budget_of_events_ends_all_chains_alike(sample):
    gram, y = sample
    chains = RefractingBilliard(WhitenedPoints.from_gram(gram), 0.1, signs=y, random_state=6)
    samples = chains.run(1000, max_events=2000)
    n = samples.errors.shape[1]
    assert 0 < n < 1000 and samples.positions.shape == (4, n, chains.points.rank)
    assert np.all(chains.events <= 2000)


def test_labels_that_contradict_each_other_everywhere_leave_the_prior():
    points = np.repeat(sphere(np.random.default_rng(13), 5), 2, axis=0)
    signs = np.tile([1.0, -1.0], 5)
    samples = RefractingBilliard(points, 0.1, signs=signs, random_state=7).run(500)
    assert np.all(samples.errors == 5)
    assert np.linalg.norm(samples.mean) < 0.1
    with pytest.raises(EmptyVersionSpaceError):
        RefractingBilliard(points, 0.0, signs=signs)


@pytest.mark.parametrize("prior", [(0.0, 1.0), (1.0,), (1.0, np.inf)])
def test_bad_priors(prior):
    with pytest.raises(ValueError, match="q_prior"):
        RefractingBilliard(np.eye(3), "infer", q_prior=prior)
