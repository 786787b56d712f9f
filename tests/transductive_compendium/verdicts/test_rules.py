"""Decision rules against closed forms, numbers worked out by hand, and simulated error rates."""

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from transductive_compendium.verdicts import rules
from transductive_compendium.verdicts.rules import (
    COMES_AND_GOES,
    COMPATIBLE,
    DEPENDS,
    DIFFERENT,
    FAILS,
    HOLDS,
    IN_DIRECTION,
    NEAR,
    NOT_REPRODUCED,
    REPRODUCED,
    SAME,
    UNDECIDED,
    Column,
    EvidenceError,
    Mathematics,
    Repeats,
    Value,
    carries_over,
    carries_over_disjoint,
    decide_column,
    decide_mathematics,
    decide_repeats,
    decide_value,
    tolerance_of,
)

Phi = stats.norm.cdf


def rate_bounds(rate, n, sigmas=4.5):
    """Range of an observed frequency; one run in 150,000 falls outside when the rate is right."""
    half = sigmas * math.sqrt(rate * (1 - rate) / n)
    return rate - half, rate + half


def normal_draws(n, mean=0.0, sd=1.0, k=1, seed=0):
    """Draws whose sample means and standard deviations are exact, and correlations zero."""
    columns = np.random.default_rng(seed).normal(size=(n, k))
    columns -= columns.mean(axis=0)
    columns = np.linalg.qr(columns)[0] * math.sqrt(n)
    return mean + sd * columns


# ---- statements that are repeated ---------------------------------------------------------------


@pytest.mark.parametrize("m", [25, 100])
@pytest.mark.parametrize("effect", [-2.0, -0.5, 0.0, 1.0, 1.645, 3.0])
def test_share_of_a_normal_gap_is_phi_of_root_m_d(m, effect):
    # the mean of m draws of mean d and standard deviation 1 is positive with probability
    # Phi(sqrt(m) d); effect = sqrt(m) d
    gaps = normal_draws(5000, effect / math.sqrt(m))
    share = decide_repeats(Repeats(gaps), m).share
    low, high = rate_bounds(Phi(effect), rules.N_RESAMPLES)
    assert low - 1e-9 <= share <= high + 1e-9


@pytest.mark.parametrize("k", [2, 5])
def test_gaps_are_judged_together(k):
    gaps = normal_draws(5000, 0.1, k=k)
    share = decide_repeats(Repeats(gaps), 100).share
    low, high = rate_bounds(Phi(1.0) ** k, rules.N_RESAMPLES)
    assert low < share < high
    same = np.repeat(gaps[:, :1], k, axis=1)
    assert (
        decide_repeats(Repeats(same), 100).share == decide_repeats(Repeats(gaps[:, 0]), 100).share
    )


def test_share_of_a_majority_is_binomial():
    # six of ten draws are +1: the mean of eleven is positive with P(Bin(11, 0.6) > 5) = 0.753
    gaps = np.tile([1.0] * 6 + [-1.0] * 4, 50)
    expected = stats.binom.sf(5, 11, 0.6)
    low, high = rate_bounds(expected, rules.N_RESAMPLES)
    assert low < decide_repeats(Repeats(gaps), 11).share < high


def test_a_tie_does_not_come_out_whatever_the_rounding():
    # means of ten differences of +-0.1: zero where five are negative, exactly or by rounding
    gaps = np.tile([0.1, -0.1], 50)
    expected = stats.binom.sf(5, 10, 0.5)
    low, high = rate_bounds(expected, rules.N_RESAMPLES)
    assert low < decide_repeats(Repeats(gaps), 10).share < high
    picked = Repeats(gaps).repetitions(10)
    # the grid of the means is 0.02: what is smaller must be zero itself
    assert set(np.unique(picked[np.abs(picked) < 0.01])) == {0.0}
    assert decide_repeats(Repeats([0.1, 0.2, -0.3]), 0).outcome == NOT_REPRODUCED


def test_share_of_an_equivalence_is_that_within_the_margin():
    gaps = normal_draws(5000, 0.05)  # standard error of a repetition of 100: 0.1
    made = decide_repeats(Repeats(gaps), 100, margin=0.15)
    low, high = rate_bounds(Phi(1.0) - Phi(-2.0), rules.N_RESAMPLES)
    assert low < made.share < high and made.rises and "margin ±0.15" in made.detail
    assert not decide_repeats(Repeats(gaps), 100, margin=0.04).rises
    assert decide_repeats(Repeats(gaps), 100, margin=1.0).outcome == REPRODUCED
    assert decide_repeats(Repeats(gaps + 2), 100, margin=1.0).outcome == NOT_REPRODUCED
    assert decide_repeats(Repeats(-gaps), 100, margin=0.15).share == made.share


def test_a_function_of_the_draws_is_resampled_too():
    draws = normal_draws(400, 0.1)[:, 0]
    calls = []

    def gaps(pick):
        calls.append(len(pick))
        return draws[pick].mean()

    made = decide_repeats(Repeats(gaps, n=400, shown="a tenth"), 100)
    assert calls == [400] + [100] * rules.N_RESAMPLES_SLOW and made.reproduced == "a tenth"
    low, high = rate_bounds(Phi(1.0), rules.N_RESAMPLES_SLOW)
    assert low < made.share < high
    # n resamples tell a variance to sqrt(2 / n)
    rel = 4.5 * math.sqrt(2 / rules.N_RESAMPLES_VARIANCE)
    assert Repeats(gaps, n=400).mean_variance()[0] == pytest.approx(1 / 400, rel=rel)


@pytest.mark.parametrize(
    ("share", "n", "m", "outcome"),
    [
        (0.95, 100, 100, REPRODUCED),
        (0.9495, 100, 100, COMES_AND_GOES),
        (0.05, 100, 100, NOT_REPRODUCED),
        (0.0505, 100, 100, COMES_AND_GOES),
        (0.95, 100, 1, REPRODUCED),
        # fewer draws than 100, or than the paper's: only what is all but unanimous decides
        (0.9945, 99, 10, UNDECIDED),
        (0.995, 99, 10, REPRODUCED),
        (0.005, 99, 10, NOT_REPRODUCED),
        (0.0055, 99, 10, UNDECIDED),
        (0.97, 150, 151, UNDECIDED),
        # of nineteen the mean would be taken for the truth
        (1.0, 20, 10, REPRODUCED),
        (1.0, 19, 10, UNDECIDED),
        (0.0, 19, 10, UNDECIDED),
        (0.97, 151, 151, REPRODUCED),
    ],
)
def test_borders_of_a_share(monkeypatch, share, n, m, outcome):
    # repetitions of which just this share comes out
    found = np.where(np.arange(2000) < round(2000 * share), 1.0, -1.0)[:, None]
    monkeypatch.setattr(Repeats, "repetitions", lambda self, size, few: found)
    made = decide_repeats(Repeats(np.ones(n)), m)
    assert (made.outcome, made.share) == (outcome, pytest.approx(share))
    words = f"{max(100, m)} draws would decide it"
    assert (words in made.detail) == (outcome == UNDECIDED)


def test_nothing_random_is_decided_by_the_one_result():
    assert decide_repeats(Repeats([2.0]), 0).outcome == REPRODUCED
    made = decide_repeats(Repeats([[2.0, -0.1]]), 0)
    assert made.outcome == NOT_REPRODUCED and "nothing is drawn anew" in made.detail
    assert (made.share, made.rises) == (0.0, False)
    assert decide_repeats(Repeats([0.5]), 0, margin=0.6).outcome == REPRODUCED
    assert decide_repeats(Repeats([-0.5]), 0, margin=0.4).outcome == NOT_REPRODUCED


def test_where_the_number_of_draws_is_open_both_must_agree():
    gaps = normal_draws(400, 0.4)  # of single draws 66 of 100, of a hundred all
    made = decide_repeats(Repeats(gaps), (1, 100))
    assert made.outcome == DEPENDS
    low, high = rate_bounds(Phi(0.4), rules.N_RESAMPLES, 6)
    found = re.findall(r"in (\d+) of 100 repetitions of (\d+) draws?,", made.detail)
    assert [draws for _, draws in found] == ["1", "100"]
    assert 100 * low - 1 < int(found[0][0]) < 100 * high + 1 and found[1][0] == "100"
    assert decide_repeats(Repeats(gaps + 5), (1, 100)).outcome == REPRODUCED
    assert decide_repeats(Repeats(gaps - 5), (1, 100)).outcome == NOT_REPRODUCED
    assert decide_repeats(Repeats(gaps[:50]), (1, 100)).outcome == UNDECIDED


def test_a_gain_whose_interval_lies_below_half_is_in_direction_only():
    # 100 draws of mean x and standard deviation 1 (n - 1 in its denominator): t s / 10
    gaps = normal_draws(100, sd=math.sqrt(99 / 100))
    reach = stats.t.ppf(0.975, 99) / 10
    for mean, outcome in (
        (0.5 * 4 - reach - 1e-6, IN_DIRECTION),
        (0.5 * 4 - reach + 1e-6, REPRODUCED),
        (4.0, REPRODUCED),
        (9.0, REPRODUCED),
    ):
        assert decide_repeats(Repeats(gaps + mean), 100, gain=4.0).outcome == outcome
    assert decide_repeats(Repeats(gaps + 4), 100, gain=4.0).tolerance_matters is False
    assert decide_repeats(Repeats(gaps + 3), 100, gain=4.0).tolerance_matters  # double: half is 4
    # not above zero by its own interval: what comes and goes is not even in direction
    assert decide_repeats(Repeats(gaps + 0.9 * reach), 100, gain=4.0).outcome == NOT_REPRODUCED
    assert decide_repeats(Repeats(gaps + 1.1 * reach), 100, gain=4.0).outcome == IN_DIRECTION
    assert decide_repeats(Repeats(gaps - 4), 100, gain=4.0).outcome == NOT_REPRODUCED


def test_a_gain_has_its_own_unit_and_sign():
    gaps = normal_draws(100, 5.0)
    falls = Repeats(gaps, gain=-gaps[:, 0])
    assert decide_repeats(falls, 100, gain=-4.0).outcome == REPRODUCED
    assert decide_repeats(falls, 100, gain=-40.0).outcome == IN_DIRECTION
    assert decide_repeats(falls, 100, gain=4.0).outcome == NOT_REPRODUCED
    several = normal_draws(100, 5.0, k=2)
    with pytest.raises(EvidenceError, match=r"Repeats\(gain="):
        decide_repeats(Repeats(several), 100, gain=1.0)
    assert decide_repeats(Repeats(several, gain=several[:, 1]), 100, gain=4.0).outcome == REPRODUCED


def test_reproduced_numbers_are_means_with_their_errors():
    gaps = np.array([1.0, 2.0, 3.0, 6.0])  # s^2 = 14/3, standard error sqrt(14/12) = 1.080
    assert decide_repeats(Repeats(gaps), 4).reproduced == "3.0 ± 1.1 (n = 4)"
    many = np.column_stack([gaps, gaps + 1, gaps - 2, gaps])
    assert decide_repeats(Repeats(many), 4).reproduced == "smallest of 4 gaps 1.0 ± 1.1 (n = 4)"


def test_the_same_evidence_gives_the_same_verdict_and_touches_no_other_randomness():
    gaps = np.random.default_rng(3).normal(0.1, size=(150, 2))
    np.random.seed(1)  # noqa: NPY002
    state = np.random.get_state()[1].copy()  # noqa: NPY002
    first = decide_repeats(Repeats(gaps), (10, 100), gain=None)
    decide_repeats(Repeats(-gaps), 17)
    assert decide_repeats(Repeats(gaps.copy()), (10, 100)) == first
    assert (np.random.get_state()[1] == state).all()  # noqa: NPY002


finite = st.floats(-100, 100, allow_subnormal=False)
gap_arrays = arrays(float, st.tuples(st.integers(2, 40), st.integers(1, 4)), elements=finite)


@settings(deadline=None, max_examples=60)
@given(gap_arrays, st.floats(0, 50), st.sampled_from([1, 7, 100]))
def test_larger_gaps_come_out_at_least_as_often(gaps, more, m):
    before = decide_repeats(Repeats(gaps), m)
    after = decide_repeats(Repeats(gaps + more), m)
    assert after.share >= before.share
    if before.outcome == REPRODUCED:
        assert after.outcome == REPRODUCED


@settings(deadline=None, max_examples=60)
@given(gap_arrays, st.sampled_from([1, 7, 100]))
def test_one_gap_more_never_helps_and_the_unit_is_no_matter(gaps, m):
    whole = decide_repeats(Repeats(gaps), m)
    assert whole.share <= decide_repeats(Repeats(gaps[:, :1]), m).share
    assert decide_repeats(Repeats(1024.0 * gaps), m).share == whole.share


@settings(deadline=None, max_examples=60)
@given(gap_arrays, st.floats(0.01, 50), st.sampled_from([1, 7, 100]))
def test_a_wider_margin_holds_at_least_as_often(gaps, margin, m):
    narrow = decide_repeats(Repeats(gaps), m, margin=margin)
    assert decide_repeats(Repeats(gaps), m, margin=2 * margin).share >= narrow.share


# ---- values and columns -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "digits", "percentage", "tau"),
    [
        (16.4, 1, True, 1.64),
        (96.0, 1, True, 0.4),  # a tenth of the four that err
        (96.0, 0, True, 1.0),  # no less than a digit
        (0.0, 1, True, 0.1),
        (96.0, 1, False, 9.6),
        (-3.0, 1, False, 0.3),
        (921000.0, -3, False, 92100.0),
        (4000.0, -3, False, 1000.0),
    ],
)
def test_tolerance_is_a_last_digit_or_a_tenth(value, digits, percentage, tau):
    assert tolerance_of(value, digits, percentage) == pytest.approx(tau)


def half_width(sd, n, m, digits, cells=1):
    """h = t s sqrt(1/n + 1/m) and half a digit, at Šidák's level for several cells."""
    level = 1 - 0.95 ** (1 / cells)
    spread = math.sqrt(1 / n + (1 / m if m else 0))
    return stats.t.ppf(1 - level / 2, n - 1) * sd * spread + 0.5 * 10.0**-digits


def test_half_width_by_hand():
    # s = 1, n = 4 and 16: sqrt(1/4 + 1/16) = 0.559017; t(0.975, 3) = 3.182446; half a digit 0.05
    evidence = Value(estimate=10.0, sd=1.0, n=4)
    half = 3.182446 * 0.559017 + 0.05
    assert half == pytest.approx(half_width(1.0, 4, 16, 1), abs=1e-5)
    made = decide_value(evidence, 10.0, 1, 16, tau=2.0)
    assert "half-width 1.829" in made.detail and made.reproduced == "10.00 ± 0.50 (n = 4)"


@pytest.mark.parametrize(("n", "m", "digits"), [(4, 16, 1), (100, 1, 0), (30, 100, 2), (30, 0, 1)])
def test_same_compatible_near_different_at_their_borders(n, m, digits):
    evidence = Value(estimate=10.0, sd=1.0, n=n)
    h = half_width(1.0, n, m, digits)

    def outcome(gap, tau):
        found = {decide_value(evidence, 10.0 + s * gap, digits, m, tau).outcome for s in (-1, 1)}
        (single,) = found  # the same on either side
        return single

    inside, outside = h - 1e-6, h + 1e-6
    assert outcome(inside, tau=h + 1e-5) == SAME
    assert outcome(inside, tau=h - 1e-5) == COMPATIBLE  # print says no more than h
    assert outcome(outside, tau=h + 1e-5) == NEAR
    assert outcome(outside, tau=h) == DIFFERENT
    assert outcome(3 * h, tau=3 * h + 1e-6) == NEAR
    assert outcome(3 * h, tau=3 * h - 1e-6) == DIFFERENT
    assert outcome(0.0, tau=h) == SAME


def test_exact_numbers_have_only_the_last_digit():
    # Hoeffding's 921 against "about 1000": right to the last published digit of thousands only
    ours = Value(estimate=math.log(100) / (2 * 0.05**2))
    assert decide_value(ours, 1000, -3, 0, 1000).outcome == SAME
    assert decide_value(ours, 1000, -2, 0, 100).outcome == NEAR
    assert decide_value(ours, 1000, -1, 0, 10).outcome == DIFFERENT
    # decimal numbers on the border: 2.155 - 2.15 is 0.005 but for rounding
    assert decide_value(Value(estimate=2.155), 2.15, 2, 0, 0.01).outcome == SAME
    assert decide_value(Value(estimate=2.1551), 2.15, 2, 0, 0.01).outcome == NEAR


def test_a_value_is_the_mean_of_its_draws_with_their_spread():
    evidence = Value([1.0, 2.0, 3.0, 6.0])
    assert (evidence.estimate, evidence.n) == (3.0, 4)
    assert evidence.sd == pytest.approx(math.sqrt(14 / 3))
    assert evidence.text == "3.0 ± 1.1 (n = 4)" and Value(estimate=0.25).text == "0.25"


def test_one_draw_has_no_spread_unless_nothing_is_random():
    assert decide_value(Value([3.0]), 3.0, 0, 0, 1.0).outcome == SAME
    with pytest.raises(EvidenceError, match="one draw has no spread"):
        decide_value(Value([3.0]), 3.0, 0, 100, 1.0)


def test_tolerance_that_matters_is_marked():
    ours = Value(estimate=10.0)

    def matters(gap, tau):
        return decide_value(ours, 10.0 + gap, 1, 0, tau).tolerance_matters

    assert not matters(0.0, 0.2)
    assert matters(0.0, 0.09)  # h = 0.05: with half of it compatible
    assert matters(0.15, 0.2) and not matters(0.15, 0.4)  # near; half: different
    assert matters(0.15, 0.1) and not matters(0.15, 0.07)  # different; double: near


@pytest.mark.parametrize("tau", [0.05, 1.0])
def test_as_close_to_the_rival_supports_nothing(tau):
    ours = Value(estimate=10.0, sd=1.0, n=100)
    h = half_width(1.0, 100, 100, 1)
    inside = decide_value(ours, 10.0, 1, 100, tau, rival=10.0 + h - 1e-6)
    assert inside.outcome == UNDECIDED and "supports nothing" in inside.detail
    assert inside.reproduced != "-"  # there is a number: not a missing result
    beyond = decide_value(ours, 10.0, 1, 100, tau, rival=10.0 + h + 1e-6)
    assert beyond.outcome == decide_value(ours, 10.0, 1, 100, tau).outcome
    far = decide_value(ours, 19.0, 1, 100, tau, rival=10.0)
    assert far.outcome == DIFFERENT  # a contradiction stays one


def test_a_column_whose_rivals_are_all_as_close_supports_nothing():
    ours = Column({c: Value(estimate=10.0, sd=1.0, n=100) for c in "ab"})
    cells, taus = {"a": 10.0, "b": 10.0}, {"a": 1.0, "b": 1.0}

    def outcome(**rivals):
        return decide_column(ours, cells, 1, 100, taus, rivals).outcome

    assert outcome(a=10.1, b=10.1) == UNDECIDED
    assert outcome(a=10.1, b=12.0) == outcome() != UNDECIDED


def test_the_share_shown_is_the_smallest_where_the_number_of_draws_is_open():
    gaps = 0.5 + np.random.default_rng(0).normal(size=200)
    single, many = (decide_repeats(Repeats(gaps), m).share for m in (1, 100))
    assert single < many and decide_repeats(Repeats(gaps), (1, 100)).share == single


def test_a_column_is_judged_at_a_level_of_all_its_cells():
    k, m, n = 7, 100, 50
    h = half_width(1.0, n, m, 1, cells=k)
    assert h > half_width(1.0, n, m, 1) + 0.05
    cells = {str(c): Value(estimate=10.0, sd=1.0, n=n) for c in range(k)}

    def outcome(gap, tau):
        printed = {c: 10.0 for c in cells} | {"3": 10.0 + gap}
        return decide_column(Column(cells), printed, 1, m, dict.fromkeys(cells, tau))

    assert outcome(h - 1e-6, tau=1.0).outcome == SAME
    beyond = outcome(h + 1e-6, tau=1.0)
    assert beyond.outcome == NEAR and "6 of 7 cells" in beyond.detail
    assert "beyond: 3; farthest: 3" in beyond.detail
    assert outcome(h + 1e-6, tau=0.1).outcome == DIFFERENT
    assert outcome(h - 1e-6, tau=0.1).outcome == COMPATIBLE


def test_a_column_errs_in_five_of_a_hundred_when_all_its_cells_are_right():
    rng = np.random.default_rng(1)
    trials, k, n, m = 1500, 5, 20, 40
    wrong = 0
    for _ in range(trials):
        ours = {str(c): Value(rng.normal(size=n)) for c in range(k)}
        printed = dict(zip(ours, rng.normal(size=k) / math.sqrt(m), strict=True))
        made = decide_column(Column(ours), printed, 9, m, dict.fromkeys(ours, 1e-9))
        wrong += made.outcome == DIFFERENT
    low, high = rate_bounds(0.05, trials)
    assert low < wrong / trials < high


def test_rivals_of_a_column_are_told():
    cells = {"a": Value(estimate=10.0, sd=1.0, n=100), "b": Value(estimate=20.0, sd=1.0, n=100)}
    made = decide_column(
        Column(cells), {"a": 10.0, "b": 20.0}, 1, 100, {"a": 1.0, "b": 1.0}, {"a": 10.1, "b": 30.0}
    )
    assert made.outcome == SAME and made.detail.endswith("within the half-width, too: a")


cell_values = st.tuples(
    st.floats(0, 40), st.floats(0, 5, allow_subnormal=False), st.integers(2, 200), st.floats(0, 40)
)


@settings(deadline=None, max_examples=150)
@given(st.lists(cell_values, min_size=1, max_size=6), st.sampled_from([0, 1, 100]))
def test_a_column_is_as_its_worst_cell(cells, m):
    digits, order = 1, [SAME, COMPATIBLE, NEAR, DIFFERENT]
    ours, printed, taus, levels = {}, {}, {}, []
    for number, (estimate, sd, n, value) in enumerate(cells):
        name, value = str(number), round(value, digits)
        sd = sd if sd > 1e-3 else 0.0
        ours[name] = Value(estimate=estimate, sd=sd, n=n)
        printed[name], taus[name] = value, tolerance_of(value, digits, True)
        h = half_width(sd, n, m, digits, len(cells)) if sd else 0.05
        gap, tau = abs(estimate - value), taus[name]
        if min(abs(gap - h), abs(gap - tau), abs(h - tau)) < 1e-6:
            return  # on a border rounding decides
        levels.append((0 if h <= tau else 1) if gap <= h else (2 if gap <= tau else 3))
    made = decide_column(Column(ours), printed, digits, m, taus)
    assert made.outcome == order[max(levels)]


# ---- mathematics --------------------------------------------------------------------------------


def test_an_identity_is_relative_to_its_scale():
    assert decide_mathematics(Mathematics(error=1e-9, scale=100.0), 1e-10).outcome == HOLDS
    made = decide_mathematics(Mathematics(error=1e-9, scale=1.0), 1e-10)
    assert made.outcome == FAILS and "1e-09 over scale 1 > 1e-10" in made.detail
    assert decide_mathematics(Mathematics(error=0.5, scale=1.0), 0.5).outcome == HOLDS


def test_a_proposition_is_false_by_one_case():
    assert decide_mathematics(Mathematics(true=20, cases=20)).outcome == HOLDS
    made = decide_mathematics(Mathematics(true=19, cases=20))
    assert made.outcome == FAILS and made.reproduced == "19 of 20 cases"


# ---- what no rule can use -----------------------------------------------------------------------

NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Repeats([1.0, NAN]), "of which 1 finite"),
        (lambda: Repeats([]), "got 0"),
        (lambda: Repeats([1.0, INF]), "finite"),
        (lambda: Repeats(np.ones((2, 2, 2))), "shape"),
        (lambda: Repeats(3.0), "shape"),
        (lambda: Repeats(lambda pick: 1.0), "need n"),
        (lambda: Repeats([1.0, 2.0], gain=[1.0, NAN]), "a gain needs finite"),
        (lambda: decide_repeats(Repeats(lambda pick: NAN, n=9), 5), "finite"),
        (lambda: decide_repeats(Repeats(lambda p: 1.0 if p[0] == 0 else NAN, n=9), 5), "repetit"),
        (lambda: decide_repeats(Value([1.0, 2.0]), 5), "by Repeats, not Value"),
        (lambda: decide_repeats(None, 5), "by Repeats, not NoneType"),
        (lambda: Value(), "values=..., or"),
        (lambda: Value([1.0, 2.0], estimate=1.0), "values=..., or"),
        (lambda: Value([1.0, NAN]), "of which 1 finite"),
        (lambda: Value([]), "got 0"),
        (lambda: Value(estimate=NAN), "finite numbers"),
        (lambda: Value(estimate=1.0, sd=INF), "finite numbers"),
        (lambda: Value(estimate=1.0, sd=-1.0), "not negative"),
        (lambda: Value(estimate=1.0, sd=1.0, n=0), "n >= 1"),
        (lambda: decide_value(Repeats([1.0]), 1, 0, 1, 1), "Value or Column, not Repeats"),
        (lambda: decide_column(Repeats([1.0]), {"a": 1}, 0, 1, {"a": 1}), "not Repeats"),
        (
            lambda: decide_column(Column({"a": Value(estimate=1.0)}), {"b": 1}, 0, 1, {"b": 1}),
            "no rows for b",
        ),
        (lambda: decide_column(Column({"a": 1.0}), {"a": 1}, 0, 1, {"a": 1}), "not float"),
        (lambda: decide_mathematics(Value(estimate=1.0), 1.0), "by Mathematics, not Value"),
        (lambda: decide_mathematics(Mathematics(error=1.0)), "tolerance"),
        (lambda: decide_mathematics(Mathematics(error=NAN), 1.0), "finite error"),
        (lambda: decide_mathematics(Mathematics(error=-1.0), 1.0), "finite error"),
        (lambda: decide_mathematics(Mathematics(error=1.0, scale=0.0), 1.0), "scale > 0"),
        (lambda: decide_mathematics(Mathematics(), 1.0), "0 <= true <= cases"),
        (lambda: decide_mathematics(Mathematics(true=3, cases=2)), "0 <= true <= cases"),
        (lambda: decide_mathematics(Mathematics(true=0, cases=0)), "cases > 0"),
        (lambda: carries_over(Repeats([1.0]), [Repeats([1.0])]), "two groups"),
        (lambda: carries_over(Repeats([1.0]), [Value(estimate=1.0)] * 3), "needs Repeats"),
        (lambda: carries_over(Repeats([1.0]), [Repeats([[1.0, 2.0]])] * 3), "other quantities"),
        (lambda: carries_over_disjoint([Repeats([1.0, 2.0])]), "two groups"),
        (lambda: carries_over_disjoint([Repeats([1.0])] * 2), "two disjoint"),
        (lambda: decide_repeats(Repeats([1.0, np.nan], ragged=True), 1), "decided by Repeats"),
    ],
)
def test_unusable_evidence_is_an_error(make, words):
    with pytest.raises(EvidenceError, match=words):
        make()


def test_every_outcome_says_whether_the_statement_comes_out():
    assert set(rules.COMES_OUT.values()) == {rules.YES, rules.PARTLY, rules.NO, rules.OPEN}
    constants = {v for k, v in vars(rules).items() if k.isupper() and isinstance(v, str)}
    assert set(rules.OUTCOMES) <= constants


# ---- the second mark ----------------------------------------------------------------------------


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
    assert mark == (rules.CARRIES if means.mean() > reach else rules.NOT_SHOWN)
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
    assert mark(1.0, 2.0) == rules.CARRIES
    assert mark(1.0, 0.5) == rules.NOT_SHOWN
    assert mark(1.0, -1.0) == rules.REVERSED
    assert mark(0.2, margin=1.0) == rules.CARRIES and mark(-0.2, margin=1.0) == rules.CARRIES
    assert mark(0.5, margin=1.0) == rules.NOT_SHOWN
    assert mark(-2.0, margin=1.0) == rules.REVERSED


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
    assert low < marks.count(rules.CARRIES) / trials < high
    assert low < marks.count(rules.REVERSED) / trials < high


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
    assert mark == (rules.CARRIES if min(limits) > 0 else rules.NOT_SHOWN)
    assert detail.startswith("3 to 11 disjoint training sets, 20 groups")
    opposite = carries_over_disjoint([Repeats(-5.0 * g, ragged=True) for g in gaps])
    assert opposite[0] == rules.REVERSED


def test_gaps_of_sets_and_test_cases_that_are_zero_on_average_seldom_carry_over():
    rng = np.random.default_rng(9)
    trials, marks = 1000, []
    for _ in range(trials):
        gaps = rng.normal(size=11) + rng.normal(size=(20, 1)) + rng.normal(size=(20, 11))
        marks.append(carries_over_disjoint([Repeats(g) for g in gaps])[0])
    high = rate_bounds(0.05, trials)[1]  # at most: what belongs to neither is counted twice
    assert 0 < marks.count(rules.CARRIES) / trials < high
    assert 0 < marks.count(rules.REVERSED) / trials < high
