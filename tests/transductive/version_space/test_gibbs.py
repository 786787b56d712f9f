"""Kernel Gibbs sampler: arcs, law, streams; the kernel against the reference."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from joblib import Parallel, delayed
from scipy import stats
from scipy.integrate import trapezoid
from sphere_laws import FALSE_ALARM, fits, sphere
from threadpoolctl import threadpool_info

from transductive.kernels import gram_matrix
from transductive.version_space import (
    EmptyVersionSpaceError,
    FeatureSpan,
    GibbsChains,
    IllConditionedError,
    WhitenedPoints,
)
from transductive.version_space._gibbs import circle, normals

# ---- normal numbers -----------------------------------------------------------------------------
from transductive.version_space.gibbs import GibbsSamples, joint_votes
from transductive_compendium.exact.arrangement import Arrangement
from transductive_compendium.exact.gibbs_reference import (
    as_printed,
    gibbs_step,
    hit_angles,
    training_errors,
)


def test_normals_are_those_of_box_and_muller():
    uniforms = np.random.default_rng(20).random(200_001)[:200_000]
    uniforms[:4] = [0.0, 1.0 - 2.0**-53, 0.5, 2.0**-53]
    first, second = uniforms.reshape(2, -1)
    radius, angle = np.sqrt(-2.0 * np.log1p(-first)), 2.0 * np.pi * second
    expected = np.r_[radius * np.cos(angle), radius * np.sin(angle)]
    drawn = uniforms.copy()
    normals(drawn)
    np.testing.assert_allclose(drawn, expected, atol=1e-12)
    # the distribution of each, and of pairs
    assert stats.kstest(drawn, "norm").pvalue > FALSE_ALARM
    pairs = drawn.reshape(2, -1)
    assert stats.kstest(np.arctan2(*pairs) / np.pi, "uniform", (-1, 2)).pvalue > FALSE_ALARM
    assert stats.kstest(np.sum(pairs**2, axis=0), "chi2", (2,)).pvalue > FALSE_ALARM
    with pytest.raises(ValueError, match="even"):
        normals(np.zeros(3))


# ---- one circle ---------------------------------------------------------------------------------


def recount(margins, speeds, angles):
    """Errors in the middle of each arc of the first half turn, from the definition."""
    edges = np.r_[0.0, angles, np.pi]
    return training_errors(margins, speeds, (edges[1:] + edges[:-1]) / 2)


@pytest.mark.claim("kgs-fig2-errors", "corrected")
@given(
    m=st.integers(1, 400),
    seed=st.integers(0, 2**32 - 1),
    ratio=st.sampled_from([1e-9, 1e-3, 0.05, 1.0, 30.0, 1e6]),
    offset=st.sampled_from([0.0, 1.0, 1e3]),
)
@settings(max_examples=150)
def test_errors_on_every_arc_equal_a_direct_recount(m, seed, ratio, offset):
    """Step 6 of Graepel and Herbrich (2001): e_i = R_emp in the middle of arc i."""
    rng = np.random.default_rng(seed)
    margins = rng.standard_normal(m) + offset
    speeds = ratio * (rng.standard_normal(m) + offset)
    angles, errors = circle(margins, speeds)
    expected = np.sort(np.arctan2(margins, -speeds) % np.pi)
    np.testing.assert_allclose(np.sort(angles), expected, atol=1e-14)
    assert np.all(np.diff(angles) >= 0)
    # an arc shorter than the resolution of the angles has no middle to count at
    lengths = np.diff(np.r_[0.0, angles, np.pi])
    wide = lengths > 1e-13
    np.testing.assert_array_equal(errors[wide], recount(margins, speeds, angles)[wide])


def test_errors_of_tied_and_crowded_angles():
    rng = np.random.default_rng(0)
    margins = np.repeat(rng.standard_normal(20), 50)
    speeds = np.repeat(rng.standard_normal(20), 50)
    angles, errors = circle(margins, speeds)
    assert len(np.unique(angles)) == 20
    ends = np.r_[0.0, np.unique(angles), np.pi]
    middles = (ends[1:] + ends[:-1]) / 2
    np.testing.assert_array_equal(
        errors[np.searchsorted(angles, middles)], training_errors(margins, speeds, middles)
    )


# ---- the reference, and the misprints -----------------------------------------------------------


@pytest.mark.claim("kgs-fig2-errors", "corrected")
def test_step_6_as_printed_counts_at_the_wrong_angles():
    """Step 6: half the difference of neighbouring angles, where half their sum is meant."""
    rng = np.random.default_rng(4)
    s, t = rng.standard_normal((2, 20))
    angles = np.sort(hit_angles(s, t))
    after = np.r_[angles[1:], angles[0] + 2 * np.pi]
    right = training_errors(s, t, (angles + after) / 2)
    printed = training_errors(s, t, as_printed(angles))
    assert np.mean(printed != right) > 0.5


@pytest.mark.claim("kgs-sec3-stationary", "holds")
def test_kernel_and_reference_have_the_same_law():
    """Steps 1 to 9 visit the cells of the sphere as often as the posterior (2) says."""
    rng = np.random.default_rng(5)
    points = sphere(rng, 6)
    span = FeatureSpan(points @ points.T)
    cells = Arrangement(points)
    exact = cells.posterior(0.15)
    w = span.coefficients(np.array([1.0, 0.0, 0.0]))
    w /= span.norm(w)
    visits = []
    for step in range(12_000):
        w = gibbs_step(span, w, 0.15, rng).position
        if step % 6 == 5:
            visits.append(w @ points)
    counts = np.bincount(cells.cell_of(np.array(visits)), minlength=len(exact))
    assert fits(counts, exact)


def test_crowded_angles_with_one_far_away_are_sorted():
    rng = np.random.default_rng(12)
    margins = 1.0 + 1e-12 * rng.standard_normal(3000)
    speeds = 1.0 + 1e-12 * rng.standard_normal(3000)
    margins[0], speeds[0] = 1e-9, 1.0
    angles, errors = circle(margins, speeds)
    assert np.all(np.diff(angles) >= 0)
    np.testing.assert_array_equal(errors, np.arange(3001))


# ---- chains -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sample():
    rng = np.random.default_rng(10)
    X = rng.standard_normal((80, 3))
    y = np.where(X[:, 0] + 0.5 * rng.standard_normal(80) > 0, 1.0, -1.0)
    return gram_matrix(X, gamma=0.3), y


def test_a_run_continues_the_last_one(sample):
    gram, y = sample
    points = WhitenedPoints.from_gram(gram)
    chains = GibbsChains(points, 0.1, signs=y, random_state=5)
    first = chains.run(6, thin=5, burn_in=30)
    np.testing.assert_array_equal(chains.positions, first.positions[:, -1])
    second = chains.run(1)
    assert np.all(np.any(second.positions[:, 0] != first.positions[:, -1], axis=1))
    again = GibbsChains(points, 0.1, signs=y, random_state=5)
    again.run(6, thin=5, burn_in=30)
    np.testing.assert_array_equal(again.run(1).positions, second.positions)


def test_a_chain_does_not_depend_on_how_many_there_are(sample):
    gram, y = sample
    points = WhitenedPoints.from_gram(gram)
    runs = [
        GibbsChains(points, 0.1, signs=y, n_chains=n, random_state=5).run(20, thin=5)
        for n in (2, 4)
    ]
    np.testing.assert_array_equal(runs[0].positions, runs[1].positions[:2])


@pytest.mark.parametrize("rank", [None, 20, 70])
def test_margins_do_not_drift(sample, rank):
    gram, y = sample
    points = WhitenedPoints.from_gram(gram)
    if rank is not None:
        points = WhitenedPoints(points.coordinates[:, :rank])
    samples = GibbsChains(points, 0.1, signs=y, random_state=6).run(2000, thin=3)
    np.testing.assert_allclose(np.linalg.norm(samples.positions, axis=2), 1.0, atol=1e-12)
    recounted = np.sum(y * samples.outputs(points.coordinates) <= 0, axis=2)
    np.testing.assert_array_equal(recounted, samples.errors)


def test_flipping_a_label_is_flipping_a_point(sample):
    gram, y = sample
    points = WhitenedPoints.from_gram(gram)
    folded = WhitenedPoints(points.coordinates * y[:, None], triangular=True)
    apart = GibbsChains(points, 0.1, signs=y, random_state=7).run(20)
    together = GibbsChains(folded, 0.1, random_state=7).run(20)
    np.testing.assert_allclose(apart.positions, together.positions, atol=1e-10)


# ---- bad input ----------------------------------------------------------------------------------


def cone(half_width, dimension, pairs):
    """Walls of a narrow cone in any direction, and its axis.

    Its section is a box between `pairs` of parallel walls, or else a simplex.
    """
    flat = np.eye(dimension - 1)
    if pairs:
        across = np.vstack([flat, -flat])
    else:
        across = np.vstack([flat, np.full(dimension - 1, -1.0 / np.sqrt(dimension - 1))])
    turn, _ = np.linalg.qr(np.random.default_rng(dimension).standard_normal((dimension,) * 2))
    walls = np.column_stack([np.full(len(across), half_width), across])
    return walls @ turn.T, turn[:, 0]


@pytest.mark.parametrize("half_width", [1e-6, 1e-8, 1e-10, 1e-12, 1e-13, 1e-14])
@pytest.mark.parametrize("pairs", [True, False], ids=["box", "simplex"])
@pytest.mark.parametrize("dimension", [3, 10, 70])
def test_a_narrow_cone_is_sampled_or_refused(half_width, pairs, dimension):
    walls, axis = cone(half_width, dimension, pairs)
    try:
        chains = GibbsChains(walls, 0.0, start=axis, random_state=0)
        samples = chains.run(500, burn_in=10)
    except (EmptyVersionSpaceError, IllConditionedError):
        assert half_width < 1e-9
    else:
        assert half_width > 1e-11
        assert not samples.errors.any()
        wrong = np.any(samples.outputs(walls) <= 0.0, axis=2)
        assert wrong.mean() <= 1e-3
    # with noise nothing has to be refused
    GibbsChains(walls, 1e-6, start=axis, random_state=0).run(5)


def test_an_output_of_zero_counts_half_a_vote():
    samples = GibbsChains(np.eye(3), 0.2, random_state=0).run(50)
    assert samples.votes(np.zeros((1, 3)))[0] == 0.5


def test_chains_in_threads_restore_the_limits_of_blas():
    limits = [{m["num_threads"] for m in threadpool_info() if m["user_api"] == "blas"}]

    def chain(seed):
        GibbsChains(np.eye(50), 0.2, random_state=seed).run(200)

    Parallel(n_jobs=3, require="sharedmem")(delayed(chain)(seed) for seed in range(12))
    limits.append({m["num_threads"] for m in threadpool_info() if m["user_api"] == "blas"})
    assert limits[0] == limits[1]


def test_joint_votes_match_the_highest_of_independent_outputs():
    rng, means = np.random.default_rng(0), np.array([0.0, 0.5, 1.0])
    # chains of different lengths, and outputs that are the positions themselves
    samples = [
        GibbsSamples(rng.normal(mean, 1.0, (4, n, 1)), *[np.zeros((4, n))] * 3)
        for mean, n in zip(means, (5000, 10_000, 12_345), strict=True)
    ]
    result = joint_votes(samples, [np.ones((700, 1))] * 3)
    t = np.linspace(-8.0, 9.0, 20_001)
    density = stats.norm.pdf(t[:, None], means)
    below = stats.norm.cdf(t[:, None], means)
    exact = [
        trapezoid(density[:, k] * np.delete(below, k, axis=1).prod(axis=1), t) for k in range(3)
    ]
    # five standard errors of 20,000 draws
    np.testing.assert_allclose(result, np.tile(exact, (700, 1)), atol=5 * 0.5 / np.sqrt(20_000))
    np.testing.assert_array_equal(result, result[:1].repeat(700, axis=0))
    # constant chains are combined in all ways, not only with the chain of the same number
    stay = [np.repeat(np.arange(4.0) + shift, 1000).reshape(4, 1000, 1) for shift in (0.0, 0.5)]
    stay = [GibbsSamples(at, *[np.zeros((4, 1000))] * 3) for at in stay]
    (result,) = joint_votes(stay, [np.ones((1, 1))] * 2)
    np.testing.assert_allclose(result, [6 / 16, 10 / 16], atol=5 * 0.5 / np.sqrt(4000))
    # equal outputs share the vote
    np.testing.assert_allclose(joint_votes(samples, [np.zeros((2, 1))] * 3), 1 / 3)
