"""Hit-and-run and the refracting billiard have the same law: exact posteriors, and each other."""

from functools import partial

import numpy as np
import pytest
from calibration import flights, p_values, ranks, reversible_chain
from scipy import stats
from scipy.special import betainc
from sphere_laws import FALSE_ALARM, fits, noisy, posterior, sphere

from transductive.kernels import gram_matrix
from transductive.version_space import GibbsChains, RefractingBilliard, WhitenedPoints
from transductive.version_space.mixing import mixing
from transductive_compendium.exact.arrangement import Arrangement

both = pytest.mark.parametrize("sampler", [GibbsChains, RefractingBilliard])


def with_inferred_noise(*noises):
    """Both samplers with these label noises, and the billiard that infers it."""
    cases = [(sampler, q) for sampler in (GibbsChains, RefractingBilliard) for q in noises]
    return pytest.mark.parametrize(("sampler", "q"), [*cases, (RefractingBilliard, "infer")])


# ---- exact laws ---------------------------------------------------------------------------------


@with_inferred_noise(0.02, 0.2, 0.45)
@pytest.mark.parametrize("dimension", [2, 3])
def test_law_over_the_cells_is_the_exact_posterior(dimension, sampler, q):
    points = noisy(np.random.default_rng([dimension, 7]), 9, dimension, 0.23)
    cells = Arrangement(points)
    thin = {2: 4, 3: 12}[dimension]
    samples = sampler(points, q, random_state=0).run(1500, thin=thin, burn_in=100)
    visited = cells.cell_of(samples.positions.reshape(-1, dimension))
    np.testing.assert_array_equal(cells.errors[visited], samples.errors.ravel())
    assert fits(np.bincount(visited, minlength=len(cells.areas)), posterior(cells, q))


@both
@pytest.mark.parametrize("q", [0.0, 0.1])
def test_within_a_cell_the_law_is_uniform(q, sampler):
    walls = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, -1.0, 3.0]])
    planes = np.vstack([[-2.0, 4.0, 1.0], sphere(np.random.default_rng(3), 12)])
    thin = {GibbsChains: 20, RefractingBilliard: 8}[sampler]
    samples = sampler(walls, q, random_state=1).run(5000, thin=thin, burn_in=100)
    # planes that the sampler does not know cut version space into small cells
    cut = Arrangement(np.vstack([walls, planes]))
    inside = np.all(cut.moments @ walls.T > 0, axis=1)
    assert inside.sum() >= 8
    counts = np.bincount(cut.cell_of(samples.positions.reshape(-1, 3)), minlength=len(inside))
    if q == 0:
        assert counts[inside].sum() == 20_000
    assert fits(counts[inside], cut.areas[inside] / cut.areas[inside].sum())


def anisotropic(rng):
    """Points whose coefficients N(0, I) would follow one eigenvalue, 10^4 times the least."""
    return sphere(rng, 40, 4) * [100.0, 10.0, 1.0, 1.0]


def uniform_coordinate(x):
    """Distribution function of a coordinate of a uniform unit vector in R^4."""
    return 0.5 + 0.5 * np.sign(x) * betainc(0.5, 1.5, x**2)


@both
def test_uniform_at_one_half_on_an_anisotropic_kernel(sampler):
    rng = np.random.default_rng(8)
    points = anisotropic(rng)
    whitened = WhitenedPoints.from_gram(points @ points.T)
    assert whitened.rank == 4
    signs = np.where(rng.random(40) < 0.5, -1.0, 1.0)
    thin = {GibbsChains: 8, RefractingBilliard: 3}[sampler]
    samples = sampler(whitened, 0.5, signs=signs, random_state=2).run(5000, thin=thin, burn_in=50)
    # by any direction of feature space
    lengths = np.linalg.norm(points, axis=1)
    outputs = samples.outputs(whitened.coordinates).reshape(-1, 40) / lengths
    for j in np.argsort(np.abs(points[:, 0] / lengths))[[0, -1]]:
        assert stats.kstest(uniform_coordinate(outputs[:, j]), "uniform").pvalue > FALSE_ALARM


@with_inferred_noise(0.2)
def test_means_over_steps_and_flights_have_the_same_expectation(sampler, q):
    points = noisy(np.random.default_rng(9), 12, 3, flips=0.0)
    cells = Arrangement(points)
    exact = posterior(cells, q)
    thin = {GibbsChains: 3, RefractingBilliard: 1}[sampler]
    samples = sampler(points, q, n_chains=16, random_state=3).run(2000, thin=thin, burn_in=100)
    for sampled, averaged, truth in (
        (samples.errors, samples.expected_errors, exact @ cells.errors),
        (samples.errors == 0, samples.clear, exact @ (cells.errors == 0)),
    ):
        means = averaged.mean(axis=1)
        assert stats.ttest_1samp(means, truth).pvalue > FALSE_ALARM
        # Rao and Blackwell's, over great circles
        if sampler is GibbsChains:
            assert means.std() <= sampled.mean(axis=1).std() + 1e-12


# the likelihood of 170 errors is zero in floating point
@pytest.mark.parametrize("n", [1, 10, 170])
@with_inferred_noise(0.01)
def test_contradictions_only_add_to_the_errors(n, sampler, q):
    # n copies of a point with both labels: n errors more for everybody
    rng = np.random.default_rng(11)
    points, contradiction = sphere(rng, 8), sphere(rng, 1)[0]
    lengths = rng.uniform(0.1, 10.0, (2 * n, 1))
    pairs = np.repeat([contradiction, -contradiction], n, axis=0) * lengths
    cells = Arrangement(points)
    thin = {GibbsChains: 20, RefractingBilliard: 8}[sampler]
    chains = sampler(np.vstack([points, pairs]), q, n_chains=16, random_state=4)
    samples = chains.run(250, thin=thin, burn_in=100)
    visited = cells.cell_of(samples.positions.reshape(-1, 3))
    np.testing.assert_array_equal(samples.errors.ravel(), cells.errors[visited] + n)
    exact = posterior(cells, q, cells.errors + n, 8 + 2 * n)
    assert fits(np.bincount(visited, minlength=len(exact)), exact)
    means = samples.expected_errors.mean(axis=1)
    assert stats.ttest_1samp(means, exact @ cells.errors + n).pvalue > FALSE_ALARM


# ---- laws in more dimensions --------------------------------------------------------------------


@pytest.mark.parametrize(("m", "dimension"), [(15, 10), (60, 40), (120, 80)])
def test_samplers_agree_in_many_dimensions(m, dimension):
    rng = np.random.default_rng(dimension)
    points = noisy(rng, m, dimension)
    probes = rng.standard_normal((10, dimension))
    flown = RefractingBilliard(points, 0.1, random_state=6).run(1000, burn_in=200)
    stepped = GibbsChains(points, 0.1, random_state=7).run(1000, thin=dimension, burn_in=5000)
    followed = []
    for samples in (flown, stepped):
        positive = samples.outputs(probes) > 0
        draws = np.concatenate([samples.errors[:, :, None], positive], axis=2).astype(float)
        ess = mixing(draws).ess_bulk
        followed.append((draws.mean(axis=(0, 1)), draws.var(axis=(0, 1)) / ess))
    (mean, variance), (other, other_variance) = followed
    z = (mean - other) / np.sqrt(variance + other_variance)
    assert np.abs(z).max() < stats.norm.isf(FALSE_ALARM / 22)


def more_points_than_dimensions(dimension):
    return np.random.default_rng(dimension).standard_normal((3 * dimension // 2, dimension))


@pytest.mark.parametrize(
    ("others", "dimension", "q"),
    [
        *[(reversible_chain, r, q) for r in (30, 80) for q in (0.05, 0.2)],
        *[(flights, 10, 0.1), (flights, 30, "infer"), (flights, 80, "infer")],
    ],
)
def test_ranks_of_the_truth_are_uniform(others, dimension, q):
    result = ranks(more_points_than_dimensions(dimension), q, 300, 1, partial(others, q=q))
    assert p_values(result).min() > FALSE_ALARM / 5


def test_ranks_show_a_wrong_law():
    result = ranks(more_points_than_dimensions(30), 0.2, 300, 2, partial(reversible_chain, q=0.1))
    assert p_values(result)[0] < FALSE_ALARM / 5


def test_ranks_show_a_wrong_prior_of_the_noise():
    X, others = more_points_than_dimensions(30), partial(flights, q="infer")
    result = ranks(X, "infer", 300, 2, others, prior=(6.0, 9.0))
    assert p_values(result)[4] < FALSE_ALARM / 5


# ---- chains -------------------------------------------------------------------------------------


@with_inferred_noise(0.1)
def test_threads_change_no_number(sampler, q):
    rng = np.random.default_rng(10)
    X = rng.standard_normal((80, 3))
    y = np.where(X[:, 0] + 0.5 * rng.standard_normal(80) > 0, 1.0, -1.0)
    points = WhitenedPoints.from_gram(gram_matrix(X, gamma=0.3))
    one, *more = (
        sampler(points, q, signs=y, n_chains=5, random_state=4, n_jobs=jobs).run(30, thin=7)
        for jobs in (1, 2, 3)
    )
    for other in more:
        for name, values in vars(one).items():
            np.testing.assert_array_equal(values, getattr(other, name))
