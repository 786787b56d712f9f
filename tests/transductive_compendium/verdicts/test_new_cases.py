"""The second mark, does it carry over to new cases: closed forms and simulated error rates."""

import math
import re

import numpy as np
import pytest
from scipy import stats

from transductive_compendium.verdicts.new_cases import (
    CARRIES,
    NOT_SHOWN,
    REVERSED,
    carries_over,
    carries_over_disjoint,
)
from transductive_compendium.verdicts.rules import EvidenceError, Repeats, Value


def rate_bounds(rate, n, sigmas=4.5):
    """Range of an observed frequency; one run in 150,000 falls outside when the rate is right."""
    half = sigmas * math.sqrt(rate * (1 - rate) / n)
    return rate - half, rate + half


def lower_limit(detail):
    return float(re.search(r"lower limit (\S+)", detail)[1])


def test_jackknife_of_a_mean_is_the_variance_of_its_groups():
    # Without a group the mean moves by (group mean - mean) / (G - 1): the jackknife gives the
    # variance of the mean of G groups, sum of squares / (G (G - 1)).
    groups = np.random.default_rng(5).normal(0.3, size=(20, 10))
    means = groups.mean(axis=1)
    left_out = [Repeats([np.delete(means, g).mean()]) for g in range(20)]
    mark, detail = carries_over(Repeats([means.mean()]), left_out)
    reach = stats.t.ppf(0.95, 19) * math.sqrt(means.var(ddof=1) / 20)
    assert lower_limit(detail) == pytest.approx(means.mean() - reach, rel=2e-3)
    assert mark == (CARRIES if means.mean() > reach else NOT_SHOWN)
    assert "20 groups" in detail


def test_monte_carlo_variance_is_taken_off_and_that_of_the_whole_is_added():
    rng = np.random.default_rng(6)
    G = 10
    whole = rng.normal(2.0, size=200)
    left_out = [rng.normal(2.0 + 0.3 * g, size=30) for g in range(G)]
    _, detail = carries_over(Repeats(whole), [Repeats(x) for x in left_out])
    estimates = np.array([x.mean() for x in left_out])
    own = np.mean([x.var(ddof=1) / 30 for x in left_out])
    variance = (G - 1) / G * ((estimates - estimates.mean()) ** 2).sum() - (G - 1) ** 2 / G * own
    variance += whole.var(ddof=1) / 200
    limit = whole.mean() - stats.t.ppf(0.95, G - 1) * math.sqrt(variance)
    assert lower_limit(detail) == pytest.approx(limit, rel=2e-3, abs=2e-3)
    # groups that differ by chance alone leave the variance of the whole
    alike = [Repeats([1.0, 3.0])] * G
    _, detail = carries_over(Repeats(whole), alike)
    limit = whole.mean() - stats.t.ppf(0.95, G - 1) * whole.std(ddof=1) / math.sqrt(200)
    assert lower_limit(detail) == pytest.approx(limit, rel=2e-3)


def test_marks_by_sign_of_the_worst_gap_and_by_margin():
    spread = np.array([-0.1, 0.1])

    def mark(*means, margin=None):
        left_out = [Repeats([np.array(means) + s]) for s in np.tile(spread, 10)]
        return carries_over(Repeats([means]), left_out, margin)[0]

    # jackknife variance 19/20 * 20 * 0.01 = 0.19, reach 1.729 * 0.436 = 0.754
    assert mark(1.0, 2.0) == CARRIES
    assert mark(1.0, 0.5) == NOT_SHOWN
    assert mark(1.0, -1.0) == REVERSED
    assert mark(0.2, margin=1.0) == CARRIES and mark(-0.2, margin=1.0) == CARRIES
    assert mark(0.5, margin=1.0) == NOT_SHOWN
    assert mark(-2.0, margin=1.0) == REVERSED


def test_what_does_not_carry_over_is_marked_so_in_at_most_five_of_a_hundred():
    rng = np.random.default_rng(7)
    trials, n, G, draws = 1000, 200, 20, 30
    marks = []
    for _ in range(trials):
        cases = rng.normal(size=n)  # another n cases: the gap is zero on average

        def repeats(kept, size):
            return Repeats(kept.mean() + 0.05 * rng.normal(size=size))

        left_out = [repeats(np.delete(cases, slice(g, n, G)), draws) for g in range(G)]
        marks.append(carries_over(repeats(cases, 400), left_out)[0])
    low, high = rate_bounds(0.05, trials)
    assert low < marks.count(CARRIES) / trials < high
    assert low < marks.count(REVERSED) / trials < high


def test_disjoint_sets_and_test_groups_add_their_variances():
    rng = np.random.default_rng(8)
    gaps = 1.0 + rng.normal(size=(20, 11, 2))  # groups, sets, quantities
    gaps[:, 3:, 1] = np.nan  # of the second there are three sets only
    mark, detail = carries_over_disjoint([Repeats(g, ragged=True) for g in gaps])
    limits = []
    for cells in (gaps[:, :, 0], gaps[:, :3, 1]):
        variance = np.var(cells.mean(axis=0), ddof=1) / cells.shape[1]
        variance += np.var(cells.mean(axis=1), ddof=1) / 20
        reach = stats.t.ppf(0.95, cells.shape[1] - 1) * math.sqrt(variance)
        limits.append(cells.mean() - reach)
    assert lower_limit(detail) == pytest.approx(min(limits), rel=2e-3)
    assert mark == (CARRIES if min(limits) > 0 else NOT_SHOWN)
    assert detail.startswith("3 to 11 disjoint training sets, 20 groups")
    opposite = carries_over_disjoint([Repeats(-5.0 * g, ragged=True) for g in gaps])
    assert opposite[0] == REVERSED


def test_gaps_of_sets_and_test_cases_that_are_zero_on_average_seldom_carry_over():
    rng = np.random.default_rng(9)
    trials, marks = 1000, []
    for _ in range(trials):
        gaps = rng.normal(size=11) + rng.normal(size=(20, 1)) + rng.normal(size=(20, 11))
        marks.append(carries_over_disjoint([Repeats(g) for g in gaps])[0])
    high = rate_bounds(0.05, trials)[1]  # at most: what belongs to neither is counted twice
    assert 0 < marks.count(CARRIES) / trials < high
    assert 0 < marks.count(REVERSED) / trials < high


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: carries_over(Repeats([1.0]), [Repeats([1.0])]), "two groups"),
        (lambda: carries_over(Repeats([1.0]), [Value(estimate=1.0)] * 3), "needs Repeats"),
        (lambda: carries_over(Repeats([1.0]), [Repeats([[1.0, 2.0]])] * 3), "other quantities"),
        (lambda: carries_over_disjoint([Repeats([1.0, 2.0])]), "two groups"),
        (lambda: carries_over_disjoint([Repeats([1.0])] * 2), "two disjoint"),
    ],
)
def test_unusable_evidence_is_an_error(make, words):
    with pytest.raises(EvidenceError, match=words):
        make()
