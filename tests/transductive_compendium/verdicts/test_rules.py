"""Decision rules against closed forms, numbers worked out by hand, and simulated error rates."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from transductive_compendium.verdicts import rules
from transductive_compendium.verdicts.rules import (
    FIT,
    N_DRAWS_MIN,
    NOT_REPRODUCED,
    REPRODUCED,
    SMALLER,
    UNDECIDED,
    Column,
    EvidenceError,
    Misfit,
    Repeats,
    Value,
    decide_numbers,
    decide_repeats,
    misfit,
    worst,
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
    columns = np.linalg.qr(columns)[0] * math.sqrt(n - 1)
    return mean + sd * columns


def half_of(n, sd=1.0):
    """Half of the 95 % interval of a mean, by the book."""
    return stats.t.ppf(0.975, n - 1) * sd / math.sqrt(n)


# ---- the mean and its interval ------------------------------------------------------------------


def test_interval_by_hand():
    # s^2 = 14/3, standard error sqrt(14/12) = 1.0801, t(0.975, 3) = 3.1824: 3.4374
    gaps = np.array([1.0, 2.0, 3.0, 6.0])
    assert half_of(4, math.sqrt(14 / 3)) == pytest.approx(3.4374, abs=1e-4)
    made = decide_repeats(Repeats(gaps), 4)
    assert made.reproduced == "3.0 (-0.4, 6.4) (n = 4)" and made.outcome == UNDECIDED
    assert made.effect == pytest.approx((3.0, -0.4374, 6.4374), abs=1e-4)
    assert Value(gaps).text == made.reproduced
    many = np.column_stack([gaps, gaps + 1, gaps - 2, gaps])
    assert decide_repeats(Repeats(many), 4).reproduced.startswith("smallest of 4 gaps 1.0 (")
    two = decide_repeats(Repeats(many[:, :2]), 4).reproduced
    assert two == "3.0 (-0.4, 6.4), 4.0 (0.6, 7.4) (n = 4)"
    assert decide_repeats(Repeats(gaps, shown="three"), 4).reproduced == "three"


@pytest.mark.parametrize("law", ["normal", "skewed", "counts"])
def test_intervals_contain_the_mean_in_95_of_a_hundred(law):
    rng, n, trials = np.random.default_rng(1), 100, 4000
    draws = {
        "normal": lambda: rng.normal(size=(trials, n)),
        "skewed": lambda: rng.exponential(size=(trials, n)) - 1.0,
        "counts": lambda: rng.binomial(20, 0.1, (trials, n)) - rng.binomial(20, 0.1, (trials, n)),
    }[law]()
    half = rules.half_width(draws.var(axis=1, ddof=1) / n, n)
    low, high = rate_bounds(0.95, trials)
    # of skewed draws the interval misses a little more often
    assert low - 0.01 * (law == "skewed") < (np.abs(draws.mean(axis=1)) < half).mean() < high


@pytest.mark.parametrize("n", [100, 400])
@pytest.mark.parametrize("k", [1, 3])
def test_reproduced_if_every_interval_is_above_zero(n, k):
    gaps, half = normal_draws(n, k=k), half_of(n)
    least = np.r_[np.zeros(k - 1) + 3.0, 0.0]

    def outcome(mean):
        return decide_repeats(Repeats(gaps + least + mean), 100).outcome

    assert outcome(half * 1.001) == REPRODUCED
    assert outcome(half * 0.999) == outcome(-half * 0.999) == UNDECIDED
    assert outcome(-half * 1.001) == NOT_REPRODUCED


def test_sizes_of_a_gain_at_their_borders():
    gaps, half = normal_draws(100), half_of(100)

    def outcome(mean, effect=3.0):
        return decide_repeats(Repeats(gaps + mean), 100, effect=effect).outcome

    assert half < 0.3 < 2 * half  # a tenth of the printed gain
    for mean, expected in [
        (9.0, REPRODUCED),
        (1.5 - half + 1e-9, REPRODUCED),
        (1.5 - half - 1e-9, SMALLER),
        (half + 1e-9, SMALLER),
        (half - 1e-9, UNDECIDED),
        (0.3 - half + 1e-9, UNDECIDED),
        (0.3 - half - 1e-9, NOT_REPRODUCED),
    ]:
        assert outcome(mean) == expected, mean
    # above zero and below a tenth of what is printed
    assert outcome(1.5 * half, effect=100.0) == NOT_REPRODUCED
    made = decide_repeats(Repeats(gaps + 3.0), 100, effect=4.0)
    assert made.detail.startswith("75 % of the printed gain of 4")


def test_a_gain_has_its_own_unit_and_sign():
    gaps = normal_draws(100, 5.0)
    falls = Repeats(gaps, gain=-gaps[:, 0])
    assert decide_repeats(falls, 100, effect=-4.0).outcome == REPRODUCED
    assert decide_repeats(falls, 100, effect=-40.0).outcome == SMALLER
    assert decide_repeats(falls, 100, effect=4.0).outcome == NOT_REPRODUCED
    several = normal_draws(100, 5.0, k=2)
    with pytest.raises(EvidenceError, match=r"Repeats\(gain="):
        decide_repeats(Repeats(several), 100, effect=1.0)
    own = Repeats(several, gain=several[:, 1])
    assert decide_repeats(own, 100, effect=4.0).outcome == REPRODUCED


def test_a_mean_within_the_margin_is_no_gain():
    gaps, half = normal_draws(100), half_of(100)

    def outcome(mean, margin):
        return decide_repeats(Repeats(gaps + mean), 100, margin=margin).outcome

    assert outcome(0.0, 1.0) == NOT_REPRODUCED and outcome(0.0, half * 0.9) == UNDECIDED
    # though its interval is above zero
    assert outcome(2 * half, 3.001 * half) == NOT_REPRODUCED
    assert outcome(2 * half, 2.999 * half) == REPRODUCED


def test_an_equivalence_lies_within_its_margin_on_both_sides():
    gaps, half = normal_draws(100), half_of(100)

    def made(mean):
        return decide_repeats(Repeats(gaps + mean), 100, margin=1.0, equivalence=True)

    for sign in (-1, 1):
        assert made(sign * (1.0 - 1.001 * half)).outcome == REPRODUCED
        assert made(sign * (1.0 - 0.999 * half)).outcome == UNDECIDED
        assert made(sign * (1.0 + 0.999 * half)).outcome == UNDECIDED
        assert made(sign * (1.0 + 1.001 * half)).outcome == NOT_REPRODUCED
    low, high = rate_bounds(Phi(5.0) - Phi(-15.0), rules.N_RESAMPLES)
    assert low <= made(0.5).share <= high and "margin ±1" in made(0.5).detail
    assert decide_repeats(Repeats([1.0]), 0, margin=1.0, equivalence=True).outcome == UNDECIDED


def test_undecided_says_how_many_draws_would_decide():
    # the interval's half must shrink to the mean: n (half / mean)^2
    gaps, half = normal_draws(100), half_of(100)
    made = decide_repeats(Repeats(gaps + half / 3), 100)
    assert made.outcome == UNDECIDED and "about 900 draws would decide" in made.detail
    assert "about 400 draws" in decide_repeats(Repeats(gaps - half / 2), 100).detail
    tie = Repeats(np.tile([1.0, -1.0], 50))
    assert "no number of draws decides a tie" in decide_repeats(tie, 100).detail
    near = decide_repeats(Repeats(gaps + 1.0 - half / 2), 100, margin=1.0, equivalence=True)
    assert "about 400 draws" in near.detail


@pytest.mark.parametrize(
    ("n", "m", "outcome"), [(99, 10, UNDECIDED), (100, 10, REPRODUCED), (1, 0, REPRODUCED)]
)
def test_a_verdict_needs_a_hundred_draws_where_anything_is_random(n, m, outcome):
    made = decide_repeats(Repeats(np.linspace(9.0, 10.0, n)), m)
    assert made.outcome == REPRODUCED and made.settled.outcome == outcome
    assert (f"{n} draws; {N_DRAWS_MIN} decide" in made.settled.detail) == (outcome == UNDECIDED)


def test_nothing_random_is_decided_by_the_one_result():
    assert decide_repeats(Repeats([[2.0, -0.1]]), 0).outcome == NOT_REPRODUCED
    made = decide_repeats(Repeats([1.0, 2.0]), 0)
    assert (made.outcome, made.share, made.n) == (REPRODUCED, None, 0)
    assert made.effect == (1.5, 1.5, 1.5)
    assert decide_repeats(Repeats([0.1, 0.2, -0.3]), 0).outcome == NOT_REPRODUCED  # zero, rounded


# ---- repetitions of the paper's own size --------------------------------------------------------


@pytest.mark.parametrize("m", [25, 100])
@pytest.mark.parametrize("effect", [-2.0, 0.0, 1.645, 3.0])
def test_share_of_a_normal_gap_is_phi_of_root_m_d(m, effect):
    # the mean of m draws of mean d and standard deviation 1 is positive with probability
    # Phi(sqrt(m) d); effect = sqrt(m) d
    share = decide_repeats(Repeats(normal_draws(5000, effect / math.sqrt(m))), m).share
    low, high = rate_bounds(Phi(effect), rules.N_RESAMPLES)
    assert low - 1e-9 <= share <= high + 1e-9


def test_gaps_are_judged_together():
    gaps = normal_draws(5000, 0.1, k=4)
    low, high = rate_bounds(Phi(1.0) ** 4, rules.N_RESAMPLES)
    assert low < decide_repeats(Repeats(gaps), 100).share < high
    same = np.repeat(gaps[:, :1], 4, axis=1)
    single = decide_repeats(Repeats(gaps[:, 0]), 100).share
    assert decide_repeats(Repeats(same), 100).share == single


def test_a_tie_does_not_come_out_whatever_the_rounding():
    # means of ten differences of +-0.1: zero where five are negative, exactly or by rounding
    gaps = np.tile([0.1, -0.1], 50)
    low, high = rate_bounds(stats.binom.sf(5, 10, 0.5), rules.N_RESAMPLES)
    assert low < decide_repeats(Repeats(gaps), 10).share < high


def test_the_share_is_absent_if_print_does_not_tell_the_draws():
    made = decide_repeats(Repeats(normal_draws(100, 1.0)), None)
    assert (made.outcome, made.share, made.n) == (REPRODUCED, None, 100)
    assert "repetitions" not in made.detail


@pytest.mark.parametrize("vectorized", [False, True])
def test_what_is_no_mean_is_resampled(vectorized):
    draws = normal_draws(400, 0.1)[:, 0]
    calls = []

    def gaps(pick):
        calls.append(pick.shape)
        return draws[pick].mean(axis=-1)

    made = decide_repeats(Repeats(gaps, n=400, vectorized=vectorized), 100)
    assert ((rules.N_RESAMPLES_SLOW, 100) if vectorized else (100,)) in calls
    low, high = rate_bounds(Phi(2.0 / 2), rules.N_RESAMPLES_SLOW)
    assert low < made.share < high
    # n resamples tell a variance to sqrt(2 / n)
    rel = 4.5 * math.sqrt(2 / rules.N_RESAMPLES_VARIANCE)
    assert Repeats(gaps, n=400, vectorized=vectorized).mean_variance()[0] == pytest.approx(
        1 / 400, rel=rel
    )


def test_the_same_evidence_gives_the_same_verdict_and_touches_no_other_randomness():
    gaps = np.random.default_rng(3).normal(0.1, size=(150, 2))
    np.random.seed(1)  # noqa: NPY002
    state = np.random.get_state()[1].copy()  # noqa: NPY002
    first = decide_repeats(Repeats(gaps), 100)
    decide_repeats(Repeats(-gaps), 17)
    assert decide_repeats(Repeats(gaps.copy()), 100) == first
    assert (np.random.get_state()[1] == state).all()  # noqa: NPY002


# the square of a gap below 1e-154 is 0
finite = st.floats(-100, 100).map(lambda gap: round(gap, 9))
gap_arrays = arrays(float, st.tuples(st.integers(2, 40), st.integers(1, 4)), elements=finite)
ORDER = [NOT_REPRODUCED, UNDECIDED, REPRODUCED]


@settings(max_examples=60)
@given(gap_arrays, st.floats(0, 50), st.sampled_from([1, 7, 100]))
def test_larger_gaps_come_out_at_least_as_often(gaps, more, m):
    before, after = (decide_repeats(Repeats(gaps + x), m) for x in (0.0, more))
    assert after.share >= before.share
    assert ORDER.index(after.outcome) >= ORDER.index(before.outcome)


@settings(max_examples=60)
@given(gap_arrays, st.sampled_from([1, 7, 100]))
def test_one_gap_more_never_helps_and_the_unit_is_no_matter(gaps, m):
    whole, one = decide_repeats(Repeats(gaps), m), decide_repeats(Repeats(gaps[:, :1]), m)
    assert whole.share <= one.share
    assert ORDER.index(whole.outcome) <= ORDER.index(one.outcome)
    scaled = decide_repeats(Repeats(1024.0 * gaps), m)
    assert (scaled.share, scaled.outcome) == (whole.share, whole.outcome)


# ---- misfits ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("estimate", "printed", "digits", "percentage", "expected"),
    [
        (11.0, 10.0, 1, False, (0.1, 0.095)),  # half of the last digit: 0.05 of 10
        (9.0, 10.0, 1, False, (0.1, 0.095)),
        (-11.0, -10.0, 0, False, (0.1, 0.05)),
        (97.0, 96.0, 1, True, (0.25, 0.2375)),  # of the four that err
        (97.0, 96.0, 1, False, (1 / 96, 0.95 / 96)),
        (4.0, 96.0, 0, True, (23.0, 22.875)),
        (921.0, 1000.0, -3, False, (0.079, 0.0)),  # thousands: known to 500
        (0.2, 0.0, 1, True, (4.0, 3.0)),  # relative to half a digit
        (10.0, 10.0, 1, False, (0.0, 0.0)),
    ],
)
def test_misfit_by_hand(estimate, printed, digits, percentage, expected):
    found = misfit(Value(estimate=estimate), printed, digits, percentage)
    assert (found.value, found.lower) == pytest.approx(expected)


def test_the_interval_of_a_value_is_that_of_its_misfit():
    value = Value(estimate=13.0, sd=2.0, n=25)
    assert value.half == pytest.approx(half_of(25, 2.0))
    found = misfit(value, 10.0, 1)
    assert found.value == pytest.approx(0.3)
    assert found.lower == pytest.approx((3.0 - value.half - 0.05) / 10)
    assert found.upper == pytest.approx((3.0 + value.half - 0.05) / 10)
    single = misfit(Value([13.0]), 10.0, 1)  # one draw has no spread
    assert single.lower == single.upper == pytest.approx(0.295)


reals = st.floats(-200, 200, allow_subnormal=False)


@settings(max_examples=100)
@given(
    reals,
    st.floats(0, 200),
    st.floats(0, 50),
    st.floats(0, 5),
    st.booleans(),
    st.sampled_from("+-"),
)
def test_a_misfit_grows_with_the_distance_and_its_interval_with_the_spread(
    printed, distance, more, sd, percentage, side
):
    sign = 1.0 if side == "+" else -1.0

    def at(distance, sd):
        return misfit(Value(estimate=printed + sign * distance, sd=sd, n=9), printed, 1, percentage)

    here, farther, wider = at(distance, sd), at(distance + more, sd), at(distance, sd + 1.0)
    slack = 1e-9 * max(here.value, 1.0)
    assert farther.value >= here.value - slack and farther.lower >= here.lower - slack
    assert wider.value == here.value
    assert wider.lower <= here.lower <= here.upper <= wider.upper
    assert 0.0 <= here.lower <= here.value


def test_the_worst_of_several_is_named():
    several = {"a": Misfit(0.1, 0.05, 0.9), "b": Misfit(0.4, 0.0, 0.5), "c": Misfit(0.3, 0.2, 0.4)}
    found = worst(several)
    assert found == Misfit(0.4, 0.2, 0.9, "b") and found.text == "40 % (b)"
    assert worst({"a": Misfit(0.1, 0.0, 0.2)}).text == "10 %"


def test_a_number_is_decided_by_the_whole_interval_of_its_misfit():
    def outcome(estimate, half):
        value = Value(estimate=estimate, sd=half / half_of(100, 1.0), n=100)
        made = decide_numbers(value, {"": 10.0}, 2, False)
        assert ("draws would decide" in made.detail) == (made.outcome == UNDECIDED)
        return made.outcome

    assert outcome(11.0, 0.99) == REPRODUCED
    assert outcome(11.0, 1.01) == outcome(13.0, 1.01) == UNDECIDED
    assert outcome(13.0, 0.99) == NOT_REPRODUCED


@pytest.mark.parametrize(("estimate", "outcome"), [(12.0, REPRODUCED), (12.1, NOT_REPRODUCED)])
def test_numbers_fit_below_a_fifth(estimate, outcome):
    assert FIT == 0.2
    made = decide_numbers(Value(estimate=estimate), {"": 10.0}, 1, False)
    assert made.outcome == outcome and made.n == 0
    assert made.detail == f"misfit {10 * (estimate - 10):.0f} %"
    cells = {"a": Value(estimate=10.0), "b": Value(estimate=estimate, sd=1e-9, n=50)}
    column = decide_numbers(Column(cells), {"a": 10.0, "b": 10.0}, 1, False)
    assert column.outcome == outcome and column.detail.endswith("% (b)")
    assert column.reproduced == f"a 10.0, b {estimate}"
    assert column.n == 50 and column.settled.outcome == UNDECIDED


# ---- what no rule can use -----------------------------------------------------------------------

NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Repeats([1.0, NAN]), "of which 1 finite"),
        (lambda: Repeats([]), "got 0"),
        (lambda: Repeats(np.ones((2, 2, 2))), "shape"),
        (lambda: Repeats(3.0), "shape"),
        (lambda: Repeats(lambda pick: 1.0), "need n"),
        (lambda: Repeats([1.0, 2.0], gain=[1.0, NAN]), "a gain needs finite"),
        (lambda: decide_repeats(Repeats(lambda pick: NAN, n=9), 5), "finite"),
        (lambda: decide_repeats(Value([1.0, 2.0]), 5), "by Repeats, not Value"),
        (lambda: decide_repeats(None, 5), "by Repeats, not NoneType"),
        (lambda: Value(), "values=..., or"),
        (lambda: Value([1.0, 2.0], estimate=1.0), "values=..., or"),
        (lambda: Value([1.0, NAN]), "of which 1 finite"),
        (lambda: Value(estimate=NAN), "finite numbers"),
        (lambda: Value(estimate=1.0, sd=INF), "finite numbers"),
        (lambda: Value(estimate=1.0, sd=-1.0), "not negative"),
        (lambda: Value(estimate=1.0, sd=1.0, n=0), "n >= 1"),
        (
            lambda: decide_numbers(Repeats([1.0]), {"": 1}, 0, False),
            "Value or Column, not Rep",
        ),
        (
            lambda: decide_numbers(Column({"a": Value(estimate=1.0)}), {"b": 1}, 0, False),
            "no rows for b",
        ),
    ],
)
def test_unusable_evidence_is_an_error(make, words):
    with pytest.raises(EvidenceError, match=words):
        make()


def test_every_outcome_says_whether_the_statement_comes_out():
    assert set(rules.COMES_OUT.values()) == {rules.YES, rules.PARTLY, rules.NO, rules.OPEN}
    constants = {v for k, v in vars(rules).items() if k.isupper() and isinstance(v, str)}
    assert set(rules.OUTCOMES) <= constants
