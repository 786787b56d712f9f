"""Evidence by thermodynamic integration: against exact posteriors, volumes and cumulants.

Seeds are fixed. A z-score beyond 5 comes by chance once in a million (the errors of the estimates
are themselves estimated, from some hundred effective samples, which the margin allows for); the
root mean square of the z-scores of 24 independent problems leaves [0.6, 1.5] once in a thousand.
"""

import numpy as np
import pytest
from scipy.special import expit, logsumexp
from sklearn.exceptions import ConvergenceWarning

from transductive.kernels import gram_matrix
from transductive.version_space.evidence import _area, _prior_variance, estimate_evidence
from transductive.version_space.gibbs import GibbsChains
from transductive.version_space.whitening import WhitenedPoints
from transductive_compendium.exact.arrangement import Arrangement
from transductive_compendium.exact.volumes import cone_volume

QUICK = {"n_samples": 100, "thin": 5}


def draw(seed, m, d, flipped=0.0):
    """Label-folded normal points with a teacher's labels, some of them flipped."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((m, d))
    y = np.sign(X @ rng.standard_normal(d))
    return X * np.where(rng.random(m) < flipped, -y, y)[:, None]


def exact_cumulants(states, beta):
    """ln Z, mean, variance and third cumulant of k from its prior law."""
    k = np.arange(len(states))
    with np.errstate(divide="ignore"):
        weights = np.log(states) - beta * k
    p = np.exp(weights - logsumexp(weights))
    centred = k - p @ k
    return logsumexp(weights), p @ k, p @ centred**2, p @ centred**3


def spaced(states, top):
    """A ladder of one standard deviation of k from rung to rung, and its exact cumulants."""
    beta = [0.0]
    while beta[-1] < top:
        _, _, variance, _ = exact_cumulants(states, beta[-1])
        beta.append(min(top, beta[-1] + min(2.0, 1 / np.sqrt(variance))))
    return np.array(beta), np.array([exact_cumulants(states, b)[1:] for b in beta])


# ---- against exact values -----------------------------------------------------------------------

LEVELS = np.array([0.01, 0.05, 0.2, 0.4])


@pytest.fixture(scope="module")
def on_arrangements():
    """Pairs of estimate and exact arrangement: 16 separable and 8 noisy samples."""
    pairs = []
    for seed in range(24):
        points = draw(seed, m=12 + seed, d=3, flipped=0.15 * (seed % 3 == 0))
        estimate = estimate_evidence(points, np.r_[0.0, LEVELS], random_state=seed, **QUICK)
        pairs.append((estimate, Arrangement(points)))
    return pairs


def test_agrees_with_arrangements_within_the_stated_error(on_arrangements):
    for column, q in enumerate(LEVELS, start=1):
        z = np.array(
            [
                (result.log_evidence[column] - exact.log_evidence(q)) / result.error[column]
                for result, exact in on_arrangements
            ]
        )
        assert np.abs(z).max() < 5
        assert 0.6 < np.sqrt(np.mean(z**2)) < 1.5
    assert max(result.error.max() for result, _ in on_arrangements) < 0.2


def test_volume_of_version_space_is_on_the_same_path(on_arrangements):
    z = []
    for result, exact in on_arrangements:
        log_volume = exact.log_evidence(0.0)
        if exact.errors.min() > 0:
            assert result.log_evidence[0] == log_volume == -np.inf
            assert result.error[0] == 0.0
        else:
            z.append((result.log_evidence[0] - log_volume) / result.error[0])
    assert len(z) >= 16
    assert np.abs(z).max() < 5
    assert 0.5 < np.sqrt(np.mean(np.square(z))) < 1.6


def test_rungs_have_the_laws_of_their_temperatures(on_arrangements):
    """Exchanges of positions leave the law of every rung as it is."""
    z = []
    for result, exact in on_arrangements:
        ladder, states = result.ladder, exact.density_of_states()
        assert ladder.mean_errors[0] == len(states) / 2 - 0.5
        for j in range(1, len(ladder.beta)):
            _, mean, variance, _ = exact_cumulants(states, ladder.beta[j])
            # no sample tells the spread of errors that it is too short to see
            if variance > 0.1:
                z.append((ladder.mean_errors[j] - mean) / ladder.standard_error[j])
    assert len(z) > 100
    assert np.abs(z).max() < 5
    assert 0.8 < np.sqrt(np.mean(np.square(z))) < 1.25


def test_in_the_plane_one_circle_is_all():
    points = draw(2, 15, 2, flipped=0.1)
    result = estimate_evidence(points, 0.05, random_state=0, **QUICK)
    states = Arrangement(points).density_of_states()
    exact = [exact_cumulants(states, beta)[1] for beta in result.ladder.beta]
    np.testing.assert_allclose(result.ladder.mean_errors, exact, rtol=1e-9)


@pytest.mark.parametrize("m, d", [(10, 5), (15, 5), (12, 8)])
def test_volumes_in_more_dimensions(m, d):
    points = draw(m * d, m, d)
    exact = cone_volume(points, tol=1e-3)
    result = estimate_evidence(points, 0.0, random_state=1, n_samples=200, thin=10)
    assert result.error < 0.15
    assert abs(result.log_evidence - np.log(exact.value)) < 5 * result.error


def test_volume_with_a_kernel():
    rng = np.random.default_rng(4)
    X = rng.standard_normal((20, 2))
    y = np.sign(X[:, 0])
    gram = gram_matrix(X, gamma=1.0)
    exact = cone_volume(gram=gram * np.outer(y, y), tol=0.01)
    result = estimate_evidence(
        WhitenedPoints.from_gram(gram), 0.0, signs=y, random_state=0, n_samples=200, thin=20
    )
    assert result.error < 0.2
    assert abs(result.log_evidence - np.log(exact.value)) < 5 * np.hypot(
        result.error, exact.error / exact.value
    )


# ---- what is known without sampling -------------------------------------------------------------


def test_the_prior_needs_no_samples():
    points = draw(0, 9, 4)
    result = estimate_evidence(points, 0.5)
    assert result.log_evidence == pytest.approx(9 * np.log(0.5), abs=1e-14)
    assert result.error == result.discretisation == 0.0
    assert len(result.ladder.beta) == 1


@pytest.mark.parametrize("d", [2, 3])
def test_variance_over_the_prior(d):
    points = draw(3, 25, d, flipped=0.2)
    exact = Arrangement(points)
    folded = WhitenedPoints(points)
    assert _prior_variance(folded, np.ones(25)) == pytest.approx(
        exact.areas @ (exact.errors - 12.5) ** 2, rel=1e-7
    )


# ---- integration between the rungs --------------------------------------------------------------


def test_discretisation_of_exact_cumulants():
    """With no sampling error the integral is off by less than stated, and by less than 0.005."""
    for seed in range(12):
        exact = Arrangement(draw(seed, (20, 60)[seed % 2], 3, flipped=0.1 * (seed % 3)))
        states = exact.density_of_states()
        beta, cumulants = spaced(states, top=5.0)
        for at in (0.01, 1.0, 3.3, 5.0):
            area, error = _area(beta, cumulants, at)
            miss = abs(area + exact_cumulants(states, at)[0])
            assert miss <= error + 1e-12
            assert miss < 0.005


def test_discretisation_of_rough_densities_of_states():
    """Also for laws of k that no points have, with gaps: the error covers all but one in a hundred.

    Only the antipodes are kept.
    """
    rng, missed = np.random.default_rng(0), 0
    for _ in range(300):
        n = rng.integers(2, 41)
        half = np.exp(rng.uniform(np.log(1e-3), 0.0, n)) * (rng.random(n) > rng.random())
        half[rng.integers(n)] = 1.0
        states = np.r_[half, half[::-1]] / (2.0 * half.sum())
        top = rng.uniform(0.1, 6.0)
        beta, cumulants = spaced(states, top)
        area, error = _area(beta, cumulants, top)
        missed += abs(area + exact_cumulants(states, top)[0]) >= max(error, 0.06)
    # at a rate of 1 in 100, more than 9 of 300 have a probability of 0.001
    assert missed <= 9


# ---- the run ------------------------------------------------------------------------------------


def test_reproducible_for_any_number_of_threads():
    points = draw(5, 20, 6)
    runs = [
        estimate_evidence(points, [0.0, 0.05], random_state=3, n_jobs=n, **QUICK) for n in (1, 1, 2)
    ]
    for other in runs[1:]:
        np.testing.assert_array_equal(runs[0].log_evidence, other.log_evidence)
        np.testing.assert_array_equal(runs[0].ladder.mean_errors, other.ladder.mean_errors)


def test_signs_multiply_the_points():
    folded = draw(6, 15, 4)
    signs = np.where(np.arange(15) % 2, 1.0, -1.0)
    a = estimate_evidence(folded, 0.1, random_state=0, **QUICK)
    b = estimate_evidence(folded * signs[:, None], 0.1, signs=signs, random_state=0, **QUICK)
    assert a.log_evidence == pytest.approx(b.log_evidence, abs=1e-6)


def test_warns_where_two_kinds_of_starts_disagree():
    """A version space too thin to be met: ladders that began there stay, the others never come."""
    points = draw(8, 40, 40)
    points[1:] = points[0] + 1e-4 * points[1:]
    points[20:] *= -1
    start = GibbsChains(points, 0.0, n_chains=1).positions[0]
    assert (points @ start).min() > 0
    with pytest.warns(ConvergenceWarning, match="thin"):
        result = estimate_evidence(points, 0.0, random_state=0, n_samples=30, thin=2)
    assert not (result.error < 1.0)


def test_smallest_q():
    """An error less likely than double precision can tell: the volume of version space."""
    points = draw(9, 8, 3)
    result = estimate_evidence(points, [0.0, 1e-30], random_state=0, **QUICK)
    assert result.log_evidence[1] == pytest.approx(result.log_evidence[0], abs=4 * result.error[0])
    assert result.ladder.beta[-1] == pytest.approx(np.log(1e30))
    assert len(result.ladder.beta) < 25
    assert expit(-result.ladder.beta[-1]) == pytest.approx(1e-30)


def test_each_contradiction_costs_a_constant():
    # n pairs of a point with both labels cost n ln(q (1 - q)), whatever the rest says
    rng = np.random.default_rng(21)
    points = rng.standard_normal((8, 3))
    pair = rng.standard_normal(3)
    n, q = 10, 0.01
    result = estimate_evidence(np.vstack([points, [pair] * n, [-pair] * n]), q, random_state=0)
    truth = Arrangement(points).log_evidence(q) + n * np.log(q * (1.0 - q))
    assert abs(result.log_evidence - truth) < 5 * result.error
    assert result.error < 0.2


def test_evidence_is_nan_if_rounding_hides_version_space():
    points = np.array([[1.0, 0.0, 1e-11], [-1.0, 0.0, 1e-11], [0.1, 1.0, 1.0]])
    with pytest.warns(ConvergenceWarning):
        result = estimate_evidence(points, 0.0, n_samples=50, random_state=0)
    assert np.isnan(result.log_evidence) and result.error == np.inf
