"""Posterior over labellings, its risks, and cells, against brute force and counting formulas."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from transductive_compendium.exact.labellings import (
    LabellingPosterior,
    bayes_labelling_joint,
    bayes_labelling_marginal,
    cells,
    cover_number,
    exact_loss,
    joint_posterior,
    labelwise_loss,
    marginals,
    risk,
)
from transductive_compendium.exact.volumes import probability_positive

QUICK = settings(max_examples=30, derandomize=True)
SEEDS = st.integers(0, 2**32 - 1)


def arrangement(seed, n, k, m):
    """Separable training sample of k points with labels, and m working points, in R^n."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(k, n))
    return X, np.where(X @ rng.normal(size=n) > 0, 1, -1), rng.normal(size=(m, n))


def braid(n):
    """Differences of all pairs of coordinates."""
    return np.array([np.eye(n)[i] - np.eye(n)[j] for i in range(n) for j in range(i)])


def type_b(n):
    """Coordinates, and differences and sums of all pairs of them."""
    sums = [np.eye(n)[i] + np.eye(n)[j] for i in range(n) for j in range(i)]
    return np.vstack([np.eye(n), braid(n), sums])


@pytest.mark.claim("bt-sec2-labelwise", "holds")
@pytest.mark.claim("bt-eq5-risk", "holds")
@QUICK
@given(SEEDS, st.integers(1, 3), st.integers(0, 4), st.integers(1, 4))
def test_labelwise_loss_gains_nothing_from_more_working_points(seed, n, k, m):
    X, y, W = arrangement(seed, n, k, m)
    posterior = joint_posterior(X, W, y)
    assert posterior.labellings.shape == (2**m, m)
    assert abs(posterior.probabilities.sum() - 1) < 1e-14
    # (1) for one point at a time: what the joint posterior says about it is no more.
    alone = probability_positive(X, W, y).value
    np.testing.assert_allclose(marginals(posterior), alone, atol=1e-9)
    # (5), summed over all labellings, is the mean of the marginal error probabilities ...
    risks = risk(posterior, labelwise_loss)
    means = np.where(posterior.labellings == 1, 1 - alone, alone).mean(axis=1)
    np.testing.assert_allclose(risks, means, atol=1e-9)
    # ... and the least of all 2^m risks is reached by the majority label of each point alone.
    majority = np.where(alone >= 0.5, 1, -1)
    at_majority = risks[(posterior.labellings == majority).all(axis=1)]
    assert at_majority == pytest.approx(risks.min(), abs=1e-9)
    if np.abs(alone - 0.5).min() > 1e-6:
        np.testing.assert_array_equal(bayes_labelling_marginal(posterior), majority)
        np.testing.assert_array_equal(posterior.labellings[np.argmin(risks)], majority)


@pytest.mark.claim("bt-eq4-risk", "holds")
@QUICK
@given(SEEDS, st.integers(1, 3), st.integers(1, 4))
def test_exact_loss_chooses_the_most_probable_labelling(seed, k, m):
    X, y, W = arrangement(seed, 3, k, m)
    posterior = joint_posterior(X, W, y)
    risks = risk(posterior, exact_loss)
    np.testing.assert_allclose(risks, 1.0 - posterior.probabilities, atol=1e-12)
    joint, marginal = bayes_labelling_joint(posterior), bayes_labelling_marginal(posterior)
    rows = posterior.labellings.tolist()
    assert risks[rows.index(joint.tolist())] == pytest.approx(risks.min(), abs=1e-12)
    assert risks[rows.index(joint.tolist())] <= risks[rows.index(marginal.tolist())] + 1e-12
    if m == 1 and abs(marginals(posterior)[0] - 0.5) > 1e-9:
        np.testing.assert_array_equal(joint, marginal)


@pytest.mark.claim("bt-sec2-exact-loss", "holds")
def test_zip_code_example():
    """The most probable pair of labels is not the pair of most probable labels.

    Version space is the positive octant. Each working point cuts off one corner, and what is left
    between the corners, where both labels are +1, is the smallest of the three parts.
    """
    posterior = joint_posterior(np.eye(3), [[-4, 4, 1], [4, -4, 2]])
    # The corners are triangles: (1,0,0), (1,1,0), (1,0,4) and (0,1,0), (1,1,0), (0,1,2).
    first, second = (
        2
        * np.arctan2(abs(np.linalg.det(t)), 1 + t[0] @ t[1] + t[1] @ t[2] + t[2] @ t[0])
        / (np.pi / 2)
        for t in (
            np.array([[1, 0, 0], [2**-0.5, 2**-0.5, 0], [17**-0.5, 0, 4 * 17**-0.5]]),
            np.array([[0, 1, 0], [2**-0.5, 2**-0.5, 0], [0, 5**-0.5, 2 * 5**-0.5]]),
        )
    )
    np.testing.assert_allclose(
        posterior.probabilities, [0, first, second, 1 - first - second], atol=1e-13
    )
    np.testing.assert_allclose(
        posterior.probabilities, [0, 0.39825848, 0.31909405, 0.28264747], atol=1e-8
    )
    np.testing.assert_array_equal(bayes_labelling_marginal(posterior), [1, 1])
    np.testing.assert_array_equal(bayes_labelling_joint(posterior), [-1, 1])
    by_joint, by_marginal = 1, 3  # rows of the two labellings
    exact, labelwise = risk(posterior, exact_loss), risk(posterior, labelwise_loss)
    assert exact[by_joint] < exact[by_marginal] - 0.11
    assert labelwise[by_marginal] < labelwise[by_joint] - 0.10


@pytest.mark.claim("bt-sec3-volume-ratio", "holds")
@pytest.mark.parametrize("n, m", [(3, 4), (4, 3), (6, 2)])
def test_posterior_against_brute_force(n, m):
    X, y, W = arrangement(n, n, n + 1, m)
    posterior = joint_posterior(X, W, y, tol=1e-3)
    w = np.random.default_rng(0).normal(size=(400_000, n))
    w = w[(w @ (y[:, None] * X).T > 0).all(axis=1)]
    assert len(w) > 1000
    code = (w @ W.T > 0) @ 2 ** np.arange(m)[::-1]
    share = np.bincount(code, minlength=2**m) / len(w)
    p = posterior.probabilities
    sd = np.hypot(np.sqrt(p * (1 - p) / len(w)), posterior.errors)
    # 28 numbers at 4.5 standard errors: a false alarm in 1 of 5,000 draws of the seed.
    assert (np.abs(share - p) <= 4.5 * sd).all()
    assert (posterior.errors < 2e-3).all()


def test_stated_errors_are_the_spread_over_seeds():
    X, y, W = arrangement(6, 6, 6, 2)
    found = [joint_posterior(X, W, y, tol=1e-2, rng=seed) for seed in range(20)]
    values = np.array([f.probabilities for f in found])
    errors = np.array([f.errors for f in found])
    assert (errors > 0).all()
    # 20 seeds: 0.6 and 1.7 are more than three standard deviations of the ratio away from 1.
    ratio = values.std(axis=0, ddof=1) / np.sqrt((errors**2).mean(axis=0))
    assert (ratio > 0.6).all() and (ratio < 1.7).all()


def test_ties_and_small_cases():
    tie = joint_posterior(np.zeros((0, 2)), np.eye(2))
    np.testing.assert_allclose(tie.probabilities, 0.25, atol=1e-15)
    np.testing.assert_array_equal(
        bayes_labelling_marginal(LabellingPosterior(tie.labellings, np.full(4, 0.25), np.zeros(4))),
        [1, 1],
    )
    nothing = joint_posterior(np.eye(2), np.zeros((0, 2)))
    np.testing.assert_allclose(nothing.probabilities, [1])
    twice = joint_posterior(np.eye(2), [[1, -1], [2, -2], [-1, 1]])
    np.testing.assert_allclose(
        twice.probabilities, np.where(np.isin(np.arange(8), [1, 6]), 0.5, 0), atol=1e-14
    )


def test_loss_of_one_pair():
    assert exact_loss([1, -1, 1], [1, 1, 1]) == 1 and exact_loss([1, -1], [1, -1]) == 0
    assert labelwise_loss([1, -1, 1], [1, 1, -1]) == pytest.approx(2 / 3)


def test_asymmetric_loss_is_weighed_by_the_posterior():
    posterior = joint_posterior(np.eye(3), [[-4, 4, 1], [4, -4, 2]])
    cost = risk(posterior, lambda b, b_true: 3.0 * ((b == 1) & (b_true == -1)).sum(axis=-1))
    p = marginals(posterior)
    expected = [3 * ((1 - p) * (b == 1)).sum() for b in posterior.labellings]
    np.testing.assert_allclose(cost, expected, atol=1e-13)


@QUICK
@given(SEEDS, st.integers(1, 4), st.integers(0, 8))
def test_cells_in_general_position_reach_covers_number(seed, n, N):
    X = np.random.default_rng(seed).normal(size=(N, n))
    found = cells(X)
    assert len(found) == cover_number(N, n)
    assert len(np.unique(found, axis=0)) == len(found)
    draws = np.random.default_rng(1).normal(size=(500, n)) @ X.T
    seen = {tuple(s) for s in np.sign(draws).astype(int)}
    assert seen <= {tuple(s) for s in found.tolist()}


@pytest.mark.parametrize(
    "points, count",
    [
        (braid(3), 6),
        (braid(4), 24),
        (braid(5), 120),  # n!
        (type_b(3), 48),
        (type_b(4), 384),  # 2^n n!
        (np.vstack([np.eye(3), 2 * np.eye(3), -np.eye(3)]), 8),  # multiples
        (np.column_stack([np.cos(np.arange(5)), np.sin(np.arange(5)), np.zeros(5)]), 10),  # a plane
        (np.ones((4, 2)), 2),
    ],
)
def test_degenerate_points_have_fewer_cells(points, count):
    assert len(cells(points)) == count
    assert count < cover_number(len(points), points.shape[1])


@pytest.mark.claim("bt-sec2-growth", "holds")
def test_cover_number_is_the_growth_function():
    for n in range(1, 7):
        for N in range(1, 12):
            if N <= n:
                assert cover_number(N, n) == 2**N  # shattered
            else:
                assert cover_number(N, n) < 2**N
            if N > 1 and n > 1:  # Cover's recursion
                assert cover_number(N, n) == cover_number(N - 1, n) + cover_number(N - 1, n - 1)
    assert cover_number(0, 3) == 1
    assert cover_number(10, 3) == 92 == 2 * (1 + 9 + math.comb(9, 2))


@pytest.mark.claim("bt-sec2-growth", "holds")
@QUICK
@given(SEEDS, st.integers(1, 3), st.integers(0, 4), st.integers(1, 4), st.booleans())
def test_labellings_in_version_space_are_bounded_by_the_growth_function(seed, n, k, m, degenerate):
    X, y, W = arrangement(seed, n, k, m)
    if degenerate:
        W[-1] = -2 * W[0]
    signs = cells(np.vstack([y[:, None] * X, W]))
    inside = len(np.unique(signs[(signs[:, :k] == 1).all(axis=1), k:], axis=0))
    assert 1 <= inside <= len(cells(W)) <= cover_number(m, n)
    assert inside == np.count_nonzero(joint_posterior(X, W, y).probabilities)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: joint_posterior(np.eye(2), np.ones((17, 2))), "17 working points"),
        (lambda: joint_posterior([[1, 0], [-1, 0]], np.eye(2)), "empty"),
        (lambda: joint_posterior(np.eye(2), np.eye(3)), "3 features"),
        (lambda: joint_posterior(np.eye(2), [1.0, 2.0]), "X_working"),
        (lambda: joint_posterior(np.eye(2), [[np.nan, 1]]), "X_working"),
        (lambda: cells([[0.0, 0.0]]), "row 0 of X is zero"),
        (lambda: cover_number(3, 0), "n >= 1"),
    ],
)
def test_rejects_bad_arguments(call, message):
    with pytest.raises(ValueError, match=message):
        call()
