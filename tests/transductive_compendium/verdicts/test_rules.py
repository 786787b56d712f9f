"""Decision rules against numbers worked out by hand, and by simulation at stated error rates."""

import math

import numpy as np
import pytest
from scipy import stats

from transductive_compendium.verdicts.rules import (
    IN_DIRECTION,
    INCONCLUSIVE,
    NOT_REPRODUCED,
    REPRODUCED,
    EquivalenceEvidence,
    EvidenceError,
    IdentityEvidence,
    OrderingEvidence,
    ShapeEvidence,
    ValueEvidence,
    corrected_t,
    decide_equivalence,
    decide_identity,
    decide_ordering,
    decide_shape,
    decide_value,
    half_width,
    holm,
    ordering_p,
    sign_test,
)


def rate_bounds(rate, n, sigmas=4.5):
    """Range of an observed frequency; one run in 150,000 falls outside when the rate is right."""
    half = sigmas * math.sqrt(rate * (1 - rate) / n)
    return rate - half, rate + half


# --- value -------------------------------------------------------------------------------------


def test_value_half_width_by_hand():
    # s = 1, n = 4 and 16: sqrt(1/4 + 1/16) = 0.559017; t(0.975, 3) = 3.182446; half a digit 0.05.
    evidence = ValueEvidence(estimate=10.0, sd=1.0, n=4)
    half = 3.182446 * 0.559017 + 0.05
    inside = decide_value(evidence, 10.0 + half - 1e-3, 0.05, 16, tolerance=2.0)
    outside = decide_value(evidence, 10.0 + half + 1e-3, 0.05, 16, tolerance=2.0)
    assert inside.outcome == REPRODUCED and outside.outcome == NOT_REPRODUCED
    assert "half-width 1.829" in inside.detail and inside.reproduced == "10 ± 0.5 (n = 4)"


def test_value_from_values_is_their_mean_and_spread():
    evidence = ValueEvidence(values=[1.0, 2.0, 3.0, 6.0])
    assert (evidence.estimate, evidence.n) == (3.0, 4)
    assert evidence.sd == pytest.approx(math.sqrt(14 / 3))


def test_a_small_run_cannot_pass_for_agreement_but_can_contradict():
    small = ValueEvidence(estimate=10.0, sd=1.0, n=4)
    assert decide_value(small, 10.0, 0.05, 16, tolerance=0.3).outcome == INCONCLUSIVE
    assert decide_value(small, 13.0, 0.05, 16, tolerance=0.3).outcome == NOT_REPRODUCED


def test_value_of_other_data_has_the_overlap_on_both_sides():
    one = decide_value(ValueEvidence(estimate=0.0, sd=1.0, n=100), 1.0, 0.0, 100, 5.0)
    two = decide_value(
        ValueEvidence(estimate=0.0, sd=1.0, n=100, test_train_ratio=2 / 3), 1.0, 0.0, 100, 5.0
    )
    assert one.outcome == NOT_REPRODUCED and two.outcome == REPRODUCED
    half = stats.t.ppf(0.975, 99) * math.sqrt(2 / 100 + 4 / 3)
    assert f"half-width {half:.4g}" in two.detail


def test_exact_numbers_have_only_the_last_digit():
    # Hoeffding's 921 against "about 1000": right to the last published digit of thousands only.
    ours = ValueEvidence(estimate=math.log(100) / (2 * 0.05**2))
    assert decide_value(ours, 1000, 500, None, tolerance=500).outcome == REPRODUCED
    assert decide_value(ours, 1000, 50, None, tolerance=500).outcome == NOT_REPRODUCED
    assert decide_value(ValueEvidence(estimate=2.155), 2.15, 0.005, None, 1).outcome == REPRODUCED
    assert (
        decide_value(ValueEvidence(estimate=2.1551), 2.15, 0.005, None, 1).outcome == NOT_REPRODUCED
    )


@pytest.mark.parametrize(
    ("estimate", "reference", "outcome"),
    [
        (2.0, 0.0, IN_DIRECTION),
        (0.1, 0.0, NOT_REPRODUCED),
        (-2.0, 0.0, NOT_REPRODUCED),
        (2.0, None, NOT_REPRODUCED),
        (2.0, 8.0, IN_DIRECTION),
        (9.0, 8.0, NOT_REPRODUCED),
    ],
)
def test_direction_needs_a_reference_and_more_than_chance(estimate, reference, outcome):
    evidence = ValueEvidence(estimate=estimate, sd=1.0, n=100)  # standard error 0.1
    assert decide_value(evidence, 4.0, 0.05, 100, 1.0, reference).outcome == outcome


def test_value_rule_false_alarms_at_five_per_cent_and_finds_real_differences():
    rng = np.random.default_rng(1)
    trials, found = 4000, 0
    ours, theirs = rng.normal(size=(trials, 30)), rng.normal(size=(trials, 100)).mean(axis=1)
    evidence = [ValueEvidence(values=v) for v in ours]
    alarms = sum(
        decide_value(e, t, 0.0, 100, 10.0).outcome != REPRODUCED
        for e, t in zip(evidence, theirs, strict=True)
    )
    low, high = rate_bounds(0.05, trials)
    assert low < alarms / trials < high
    found = sum(
        decide_value(e, t + 1.0, 0.0, 100, 10.0).outcome == NOT_REPRODUCED
        for e, t in zip(evidence, theirs, strict=True)
    )
    assert found / trials > 0.98  # power of this test at one standard deviation is 0.996


# --- ordering ----------------------------------------------------------------------------------


def test_corrected_t_by_hand():
    # mean 3, s^2 = 14/3, n = 4, 40:60 splits: se = sqrt(14/3 (1/4 + 2/3)) = 2.0683
    mean, se, df = corrected_t([1.0, 2.0, 3.0, 6.0], 2 / 3)
    assert (mean, df) == (3.0, 3) and se == pytest.approx(2.068279, abs=1e-6)
    p = ordering_p(OrderingEvidence(differences=[1.0, 2.0, 3.0, 6.0], test_train_ratio=2 / 3))
    assert p == pytest.approx(2 * stats.t.sf(3 / 2.068279, 3), abs=1e-6)


def exchangeable_splits(rng, n=60, splits=15, train=36):
    """Difference in test error of two equally good rules over random splits of one sample."""
    y = rng.choice([-1.0, 1.0], size=n)
    x = 0.5 * y[:, None] + rng.normal(size=(n, 2))
    differences = []
    for _ in range(splits):
        order = rng.permutation(n)
        inside, outside = order[:train], order[train:]
        cut = (x[inside][y[inside] > 0].mean(axis=0) + x[inside][y[inside] < 0].mean(axis=0)) / 2
        wrong = np.sign(x[outside] - cut) != y[outside, None]
        differences.append(wrong[:, 0].mean() - wrong[:, 1].mean())
    return differences


def test_overlapping_splits_need_the_correction():
    rng = np.random.default_rng(2)
    trials = 500
    samples = [exchangeable_splits(rng) for _ in range(trials)]

    def size(ratio):
        return np.mean([ordering_p(OrderingEvidence(d, ratio)) < 0.05 for d in samples])

    assert size(24 / 36) < rate_bounds(0.05, trials)[1]
    assert size(0.0) > 0.2  # what the plain paired t test would have done


def test_corrected_test_has_its_size_under_its_own_model():
    rng = np.random.default_rng(3)
    trials, ratio = 4000, 2 / 3
    rho = ratio / (1 + ratio)  # correlation of two splits: n_test / n
    d = math.sqrt(rho) * rng.normal(size=(trials, 1)) + math.sqrt(1 - rho) * rng.normal(
        size=(trials, 20)
    )
    size = np.mean([ordering_p(OrderingEvidence(row, ratio)) < 0.05 for row in d])
    low, high = rate_bounds(0.05, trials)
    assert low < size < high


@pytest.mark.parametrize(
    ("differences", "tolerance", "outcome"),
    [
        ([1.0, 1.1, 0.9, 1.0], None, REPRODUCED),
        ([-1.0, -1.1, -0.9, -1.0], None, NOT_REPRODUCED),
        ([0.1, -0.1, 0.11, -0.1], None, INCONCLUSIVE),
        ([0.1, -0.1, 0.11, -0.1], 0.5, NOT_REPRODUCED),
        ([0.1, -0.1, 0.11, -0.1], 0.01, INCONCLUSIVE),
        ([0.0, 0.0, 0.0, 0.0], None, NOT_REPRODUCED),
        ([1.0, 1.0, 1.0, 1.0], None, REPRODUCED),
    ],
)
def test_outcomes_of_an_ordering(differences, tolerance, outcome):
    evidence = OrderingEvidence(differences)
    assert decide_ordering(evidence, ordering_p(evidence), tolerance).outcome == outcome


def test_the_adjusted_p_decides():
    evidence = OrderingEvidence([1.0, 1.1, 0.9, 1.0])
    made = decide_ordering(evidence, 0.06)
    assert made.outcome == INCONCLUSIVE and made.p_adjusted == 0.06 and made.p < 0.001


@pytest.mark.parametrize(
    ("wins", "losses", "p"),
    [(10, 2, 0.03857421875), (5, 5, 1.0), (6, 0, 0.03125), (5, 0, 0.0625), (0, 0, 1.0)],
)
def test_mcnemar_exact_by_hand(wins, losses, p):
    # 10 against 2: 2 (1 + 12 + 66) / 4096
    assert sign_test(wins, losses) == pytest.approx(p, abs=1e-12) == sign_test(losses, wins)
    if wins + losses:
        assert p == pytest.approx(stats.binomtest(wins, wins + losses).pvalue, abs=1e-12)


def test_outcomes_on_a_fixed_test_set():
    def outcome(wins, losses):
        evidence = OrderingEvidence(wins=wins, losses=losses)
        return decide_ordering(evidence, ordering_p(evidence)).outcome

    assert [outcome(6, 0), outcome(0, 6), outcome(5, 0)] == [
        REPRODUCED,
        NOT_REPRODUCED,
        INCONCLUSIVE,
    ]


def test_holm_by_hand():
    # sorted 0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1: 0.02, 0.03, 0.06, then not below 0.06
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([0.02]) == [0.02] and holm([]) == []


# --- equivalence, identity, shape --------------------------------------------------------------


def test_two_one_sided_tests_by_hand():
    # mean 0.1, s = 0.2, n = 16: se 0.05; t(0.95, 15) = 1.753: interval 0.0123 to 0.1877
    d = np.tile([0.1 - 0.2 * math.sqrt(15 / 16), 0.1 + 0.2 * math.sqrt(15 / 16)], 8)
    assert decide_equivalence(EquivalenceEvidence(d), 0.188).outcome == REPRODUCED
    wide = decide_equivalence(EquivalenceEvidence(d), 0.187)
    assert wide.outcome == INCONCLUSIVE and "0.01235 to 0.1877" in wide.detail
    assert wide.p == pytest.approx(stats.t.sf((0.187 - 0.1) / 0.05, 15), abs=1e-9)
    assert decide_equivalence(EquivalenceEvidence(d), 0.0123).outcome == NOT_REPRODUCED
    assert decide_equivalence(EquivalenceEvidence(d), 0.0124).outcome == INCONCLUSIVE
    assert decide_equivalence(EquivalenceEvidence(d, 2 / 3), 0.188).outcome == INCONCLUSIVE
    assert decide_equivalence(EquivalenceEvidence([0.0] * 5), 0.1).outcome == REPRODUCED
    assert decide_equivalence(EquivalenceEvidence([0.2] * 5), 0.1).outcome == NOT_REPRODUCED


@pytest.mark.parametrize("sign", [-1, 1])
def test_equivalence_has_its_size_at_the_edge_of_the_zone(sign):
    rng = np.random.default_rng(4)
    trials = 4000
    d = rng.normal(sign * 1.0, 1.0, size=(trials, 40))
    passed = np.mean(
        [decide_equivalence(EquivalenceEvidence(row), 1.0).outcome == REPRODUCED for row in d]
    )
    low, high = rate_bounds(0.05, trials)
    assert low < passed < high


def test_identity_is_relative_to_its_scale():
    assert decide_identity(IdentityEvidence(1e-9, 100.0), 1e-10).outcome == REPRODUCED
    assert decide_identity(IdentityEvidence(1e-9, 1.0), 1e-10).outcome == NOT_REPRODUCED


def test_shape():
    assert decide_shape(ShapeEvidence(True, "falls by 3")).outcome == REPRODUCED
    made = decide_shape(ShapeEvidence(np.False_, "rises by 3"))
    assert made.outcome == NOT_REPRODUCED and made.detail == "rises by 3"


@pytest.mark.parametrize(
    "make",
    [
        lambda: ValueEvidence(),
        lambda: ValueEvidence(values=[1.0, 2.0], estimate=1.0),
        lambda: ValueEvidence(values=[1.0]),
        lambda: ValueEvidence(values=[1.0, float("nan")]),
        lambda: ValueEvidence(estimate=float("nan")),
        lambda: ValueEvidence(estimate=1.0, sd=1.0),
        lambda: OrderingEvidence(),
        lambda: OrderingEvidence(wins=1),
        lambda: OrderingEvidence(wins=-1, losses=0),
        lambda: ordering_p(OrderingEvidence(differences=[1.0, float("inf")])),
        lambda: decide_identity(IdentityEvidence(float("nan")), 1.0),
        lambda: decide_identity(IdentityEvidence(1.0, 0.0), 1.0),
        lambda: decide_equivalence(EquivalenceEvidence([1.0]), 1.0),
    ],
)
def test_unusable_evidence_is_an_error(make):
    with pytest.raises(EvidenceError):
        make()


def test_half_a_90_percent_interval():
    gaps = np.array([1.0, 2.0, 3.0, 4.0])
    width = half_width(gaps)
    assert width == pytest.approx(2.353363 * gaps.std(ddof=1) / 2)
    assert half_width(gaps, 0.75) == pytest.approx(2 * width)
