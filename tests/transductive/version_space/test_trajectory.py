"""What is read off a trajectory: flight times, their errors, the centre of mass."""

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad_vec

from transductive.kernels import gram_matrix
from transductive.version_space import KernelBilliard, Trajectory
from transductive.version_space.trajectory import FlightTimes, concatenate
from transductive_compendium.exact.volumes import centroid

TRIANGLE = np.array([[-1.0, 2.0, 3.0], [2.0, -2.0, -3.0], [3.0, 2.0, 2.0]])


def sample(n_walls=6, n_points=70, d=6, seed=0):
    """Walls and points as rows; more than 64 points, the block of the kernel."""
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n_walls, d)), rng.standard_normal((n_points, d))


def states(trajectory, X):
    """Position and velocity (features) at the start of every event, in explicit coordinates."""
    w_all, v_all = [], []
    for flight in range(len(trajectory.chains)):
        w, v = trajectory.positions[flight] @ X, trajectory.velocities[flight] @ X
        for k in range(trajectory.flights[flight], trajectory.flights[flight + 1]):
            w_all.append(w)
            v_all.append(v)
            c, s = np.cos(trajectory.arcs[k]), np.sin(trajectory.arcs[k])
            w, v = c * w + s * v, c * v - s * w
            v = v + trajectory.impulses[k] * X[trajectory.walls[k]]
    return np.array(w_all), np.array(v_all)


def brute_force_times(w, v, arcs, points, n_grid=2000):
    """Time on the positive side by the midpoint rule on a dense grid, per event."""
    middle = (np.arange(n_grid) + 0.5) / n_grid
    angle = arcs[:, None] * middle
    s, t = w @ points.T, v @ points.T
    positive = [
        np.mean(np.cos(a)[:, None] * s_k + np.sin(a)[:, None] * t_k > 0, axis=0) * arc
        for a, s_k, t_k, arc in zip(angle, s, t, arcs, strict=True)
    ]
    return np.array(positive)


@pytest.mark.parametrize("refresh, n_walls", [(None, 6), (0.4, 6), (None, 1), (1.0, 1), (3.0, 2)])
def test_flight_times_by_brute_force(refresh, n_walls):
    X, points = sample()
    billiard = KernelBilliard(X @ X.T, n_walls, refresh=refresh, n_chains=2, random_state=3)
    trajectory = billiard.run(20)
    w, v = states(trajectory, X)
    expected = brute_force_times(w, v, trajectory.arcs, points)
    times = trajectory.flight_times(X @ points.T, n_batches=20)
    np.testing.assert_array_equal(times.total, trajectory.arcs)
    # a boundary is off by at most half a step of the grid
    np.testing.assert_allclose(times.positive, expected, atol=0.51 * np.pi / 2000)
    one = trajectory.flight_times(X @ points.T, n_batches=1)
    np.testing.assert_allclose(one.positive, expected.reshape(2, 20, -1).sum(1), atol=0.03)


@pytest.mark.parametrize("n_batches", [1, 3, 7, 50, 80])
def test_batches_add_up(n_batches):
    X, points = sample()
    trajectory = KernelBilliard(X @ X.T, refresh=0.5, n_chains=3, random_state=1).run(50)
    whole = trajectory.flight_times(X @ points.T)
    times = trajectory.flight_times(X @ points.T, n_batches)
    assert times.positive.shape == (3 * n_batches, 70)
    np.testing.assert_array_equal(times.chain, np.repeat([0, 1, 2], n_batches))
    for c in range(3):
        mine = times.chain == c
        np.testing.assert_allclose(times.positive[mine].sum(0), whole.positive[c], rtol=1e-12)
        np.testing.assert_allclose(times.total[mine].sum(), whole.total[c], rtol=1e-12)
    np.testing.assert_allclose(times.probability, whole.probability, rtol=1e-12)


def test_opposite_points_share_the_time():
    X, points = sample()
    trajectory = KernelBilliard(X @ X.T, refresh=1.0, random_state=0).run(500)
    plus = trajectory.flight_times(X @ points.T).probability
    minus = trajectory.flight_times(-X @ points.T).probability
    np.testing.assert_allclose(plus + minus, 1.0, rtol=1e-12)
    # and the length of a point has no part in its label
    long = trajectory.flight_times(1e6 * X @ points.T).probability
    np.testing.assert_allclose(long, plus, rtol=1e-12)


@pytest.mark.parametrize(
    "size, d, sigma", [(20, 2, 3.0), (60, 2, 1.0), (60, 2, 3.0), (100, 5, 2.0), (100, 13, 60.0)]
)
def test_walls_are_unanimous_to_the_last_bit(size, d, sigma):
    """The ball touches a wall without crossing it, also where rounding is large."""
    rng = np.random.default_rng(size)
    X = rng.standard_normal((size, d))
    y = np.where(X[:, 0] + 0.3 * rng.standard_normal(size) > 0, 1.0, -1.0)
    gram = gram_matrix(X, gamma=0.5 / sigma**2) * np.outer(y, y)
    trajectory = KernelBilliard(gram, refresh=2.0, n_chains=2, random_state=0).run(1000)
    for sign, p in ((1.0, 1.0), (-1.0, 0.0)):
        times = trajectory.flight_times(sign * gram, n_batches=20)
        np.testing.assert_array_equal(times.probability, p)
        np.testing.assert_array_equal(times.standard_error(), 0.0)


def test_standard_error_is_the_spread_of_repeats():
    """Of a ratio of sums: against the deviation of p+ over independent repeats."""
    rng = np.random.default_rng(0)
    repeats, groups = 4000, 12
    total = rng.gamma(4.0, size=(repeats, groups))
    share = rng.beta(2.0, 1.0, size=(repeats, groups))
    result, errors = [], []
    for t, b in zip(total, share, strict=True):
        times = FlightTimes((t * b)[:, None], t, np.arange(groups))
        result.append(times.probability[0])
        errors.append(times.standard_error("chain")[0] ** 2)
        assert times.standard_error("batch")[0] == pytest.approx(times.standard_error("chain")[0])
    # the linearised variance of a ratio is low by a few per cent at twelve groups
    assert np.sqrt(np.mean(errors)) == pytest.approx(np.std(result), rel=0.05)


def test_standard_error_between_chains_sees_what_batches_miss():
    positive = np.repeat([0.2, 0.4, 0.6, 0.8], 10)[:, None]
    times = FlightTimes(positive, np.ones(40), np.repeat(np.arange(4), 10))
    between = np.std([0.2, 0.4, 0.6, 0.8], ddof=1) / 2
    assert times.standard_error("chain")[0] == pytest.approx(between)
    assert times.standard_error("chain")[0] > 3 * times.standard_error("batch")[0]
    # chains that come in several parts count once
    parts = FlightTimes(np.r_[positive, positive], np.ones(80), np.tile(times.chain, 2))
    assert parts.standard_error("chain")[0] == pytest.approx(times.standard_error("chain")[0])


def test_concatenated_parts_are_one_trajectory():
    X, points = sample()
    billiard = KernelBilliard(X @ X.T, refresh=0.8, n_chains=2, random_state=0)
    parts = [billiard.run(30), billiard.run(50)]
    whole = concatenate(parts)
    cross = X @ points.T
    times = whole.flight_times(cross, 3)
    apart = [part.flight_times(cross, 3) for part in parts]
    np.testing.assert_allclose(times.positive, np.vstack([a.positive for a in apart]), rtol=1e-12)
    np.testing.assert_array_equal(times.chain, np.concatenate([a.chain for a in apart]))
    assert whole.n_bounces == sum(part.n_bounces for part in parts)
    assert whole.length == pytest.approx(sum(part.length for part in parts))
    mean = sum(part.length * part.centre_of_mass() for part in parts) / whole.length
    np.testing.assert_allclose(whole.centre_of_mass() @ X, mean @ X, atol=1e-12)


@pytest.mark.parametrize("refresh, n_walls", [(None, 6), (0.5, 6), (None, 1), (2.0, 3)])
def test_centre_of_mass_is_the_integral_along_the_arcs(refresh, n_walls):
    X, _ = sample()
    trajectory = KernelBilliard(X @ X.T, n_walls, refresh=refresh, n_chains=2, random_state=4).run(
        20
    )
    total = np.zeros(6)
    for w, v, arc in zip(*states(trajectory, X), trajectory.arcs, strict=True):
        total += quad_vec(lambda a, w=w, v=v: np.cos(a) * w + np.sin(a) * v, 0.0, arc)[0]
    np.testing.assert_allclose(
        trajectory.centre_of_mass() @ X, total / trajectory.arcs.sum(), atol=1e-8
    )


@pytest.mark.parametrize(
    "X",
    [TRIANGLE, np.eye(3), np.random.default_rng(5).standard_normal((4, 4)) * [9.0, 1.0, 1.0, 0.2]],
    ids=["thin triangle", "orthant", "anisotropic K"],
)
def test_centre_of_mass_of_long_runs_is_exact(X):
    """Hotelling's test over independent starts; false alarm 1e-4."""
    exact = centroid(X)
    assert exact.mean_error < 1e-4
    n_chains, d = 40, X.shape[1]
    billiard = KernelBilliard(X @ X.T, refresh=2.0, n_chains=n_chains, random_state=0)
    trajectory = billiard.run(800)
    sums, lengths = [], []
    for chain in range(n_chains):
        mine = np.flatnonzero(trajectory.chains == chain)
        events = slice(trajectory.flights[mine[0]], trajectory.flights[mine[-1] + 1])
        part = Trajectory(
            trajectory.positions[mine],
            trajectory.velocities[mine],
            trajectory.flights[mine[0] : mine[-1] + 2] - events.start,
            trajectory.chains[mine],
            trajectory.arcs[events],
            trajectory.walls[events],
            trajectory.impulses[events],
        )
        lengths.append(part.length)
        sums.append(part.centre_of_mass() @ X * part.length)
    residual = np.array(sums) - np.array(lengths)[:, None] * exact.mean
    mean, covariance = residual.mean(axis=0), np.cov(residual.T)
    square = n_chains * mean @ np.linalg.solve(covariance, mean)
    f = square * (n_chains - d) / (d * (n_chains - 1))
    assert stats.f.sf(f, d, n_chains - d) > 1e-4
    # and the test would have seen a deviation of a few hundredths
    assert np.sqrt(np.trace(covariance) / n_chains) / np.mean(lengths) < 0.03
