"""Active learning by the Kernel Gibbs Sampler: what its measures make of rows."""

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.papers.kernel_gibbs_sampler import queries_measures as report
from transductive_compendium.papers.kernel_gibbs_sampler.queries import WHOLE
from transductive_compendium.rejection_curves import TEST_TRAIN
from transductive_compendium.verdicts.rules import (
    INCONCLUSIVE,
    NOT_REPRODUCED,
    REPRODUCED,
    decide_equivalence,
    decide_identity,
    decide_ordering,
    decide_shape,
    ordering_p,
)

DOCUMENT = "kernel_gibbs_sampler"
LABELS = (4, 10, 20, 40)


def ordering(evidence):
    return decide_ordering(evidence, ordering_p(evidence)).outcome


def curves(random=0.02, margin=0.0, flipped=0.0, whole=0.0, spread=0.002):
    """Rows in which strategies are ahead of or behind the entropy by so much, from 10 labels on."""
    rng = np.random.default_rng(0)
    rows = []
    for problem, n in (("uniform", 30), ("beta", 30), ("heart", 20)):
        for i in range(n):
            hard = 0.05 * rng.uniform()
            for flip_rate, q in ((0.0, 0.0), (0.1, 0.1), (0.0, 0.1)):
                strategies = {"entropy": 0.0, "random": random, "margin": margin}
                if problem == "heart":
                    strategies[WHOLE] = whole
                for strategy, more in strategies.items():
                    more += flipped if flip_rate and strategy in ("random", "margin") else 0.0
                    # rows of a noise that is assumed where there is none would spoil all
                    more += 1.0 if flip_rate != q and strategy != "entropy" else 0.0
                    for labels in LABELS:
                        ahead = more + spread * rng.standard_normal() if labels > 4 else 0.0
                        error = 0.1 + hard + ahead
                        rows.append((i, problem, flip_rate, q, strategy, labels, error, 2 * error))
    names = ["replication", "problem", "flip_rate", "q", "strategy", "labels", "error", "error_svm"]
    return pd.DataFrame(rows, columns=names)


def frames(**kwargs):
    return {f"{DOCUMENT}/active_learning": curves(**kwargs)}


def test_the_area_is_a_mean_over_labels_by_trapezoids():
    frame = curves(spread=0.0)
    area = report.areas_above_entropy(frame, "random", noise=False)
    # nothing at 4 labels, 2 points from 10 on
    expected = 2.0 * (0.5 * 6 + 30) / 36
    assert set(area) == {"uniform", "beta", "heart"}
    np.testing.assert_allclose(area["uniform"], expected)
    assert area["heart"].count() == 20
    twice = report.areas_above_entropy(frame, "random", False, "error_svm")
    np.testing.assert_allclose(twice["beta"], 2 * expected)


def test_intervals_are_wider_where_splits_overlap():
    area = report.areas_above_entropy(curves(), "random", noise=False)
    reach, plain = report.reach(area), report.half_width(area)
    assert reach["uniform"] == plain["uniform"]
    assert reach["heart"] == pytest.approx(plain["heart"] * np.sqrt(1 + 20 * TEST_TRAIN))


def test_every_toy_has_to_be_ahead():
    toys = ["uniform", "beta"]
    assert ordering(report.queries_beat(frames(), "random", toys, [False])) == REPRODUCED
    assert ordering(report.queries_beat(frames(random=-0.02), "random", toys, [False])) == (
        NOT_REPRODUCED
    )
    mixed = curves()
    behind = (mixed["problem"] == "beta") & (mixed["strategy"] == "random")
    mixed.loc[behind, "error"] -= 0.05
    one = {f"{DOCUMENT}/active_learning": mixed}
    assert ordering(report.queries_beat(one, "random", toys, [False])) == NOT_REPRODUCED
    assert ordering(report.queries_beat(one, "random", ["uniform"], [False])) == REPRODUCED


def test_flipped_labels_are_judged_apart():
    toys, noisy = ["uniform", "beta"], frames(flipped=-0.05)
    assert ordering(report.queries_beat(noisy, "random", toys, [False])) == REPRODUCED
    assert ordering(report.queries_beat(noisy, "random", toys, [True])) == NOT_REPRODUCED
    both = report.queries_beat(noisy, "random", ["beta"], [False, True])
    one, other = (
        report.queries_beat(noisy, "random", ["beta"], [kind]).differences for kind in (False, True)
    )
    np.testing.assert_allclose(both.differences, (one + other) / 2)


def test_splits_of_one_data_set_weigh_less_than_draws():
    """What is clear on 30 draws is not on 20 splits."""
    close = frames(random=0.005, spread=0.01)
    assert ordering(report.queries_beat(close, "random", ["uniform"], [False])) == REPRODUCED
    heart = report.queries_beat(close, "random", ["heart"], [False])
    assert heart.test_train_ratio == TEST_TRAIN
    assert ordering(heart) == INCONCLUSIVE


@pytest.mark.parametrize(("margin", "outcome"), [(0.0, REPRODUCED), (0.01, NOT_REPRODUCED)])
def test_alike_up_to_the_tolerance(margin, outcome):
    evidence = report.queries_alike(frames(margin=margin), "margin", ["uniform", "beta"], False)
    assert decide_equivalence(evidence, 0.25).outcome == outcome


def test_the_end_of_the_curve_counts_with_flips_and_without():
    def outcome(**kwargs):
        return decide_shape(report.queries_end_below(frames(**kwargs), 40, ["heart"])).outcome

    assert outcome() == REPRODUCED
    assert outcome(flipped=-0.05) == NOT_REPRODUCED
    assert outcome(random=-0.02, flipped=0.05) == NOT_REPRODUCED
    assert outcome(whole=0.03) == NOT_REPRODUCED


# ---- information --------------------------------------------------------------------------------


def information(follow=1.0, n=25):
    """Rows in which the gain follows the entropy by so much, and the margin half of it."""
    rng = np.random.default_rng(1)
    rows = []
    for law in ("uniform", "beta"):
        for flip_rate in (0.0, 0.05):
            for i in range(n):
                p = rng.uniform(0.01, 0.5, 20)
                entropy = report.as_expected(p, 0.0)
                noise = rng.standard_normal((3, 20))
                part = pd.DataFrame(
                    {
                        "p_plus": p,
                        "entropy": entropy,
                        "entropy_sampled": entropy + 0.02 * np.sin(noise[0]),
                        "margin": 1 - entropy + noise[1],
                        "gain": follow * entropy + 0.1 * noise[2],
                        "gain_expected": report.as_expected(p, flip_rate),
                    }
                )
                rows.append(part.assign(law=law, flip_rate=flip_rate, m=10, replication=i))
    return pd.concat(rows, ignore_index=True)


def measured(frame):
    return {f"{DOCUMENT}/information": frame}


def test_what_a_label_is_expected_to_tell():
    assert report.as_expected(0.5, 0.0) == pytest.approx(1.0)
    assert report.as_expected(0.0, 0.1) == pytest.approx(0.0)
    assert report.as_expected([0.3], 0.5) == pytest.approx(0.0)
    assert np.all(np.diff(report.as_expected(np.linspace(0, 0.5, 9), 0.05)) > 0)


def test_rank_correlations_sample_by_sample():
    frame = information()
    rho = report.rank_correlations(frame, "entropy", "gain")
    assert rho.shape == (25, 4)
    one = frame[
        (frame["law"] == "beta") & (frame["flip_rate"] == 0.05) & (frame["replication"] == 3)
    ]
    assert rho.loc[3, ("beta", 0.05, 10)] == pytest.approx(
        one["entropy"].rank().corr(one["gain"].rank())
    )
    # the margin indicates by being small
    assert (report.rank_correlations(frame, "margin", "entropy").mean() > 0.1).all()
    # an outcome that never moves is not indicated, and a few candidates say nothing
    frame.loc[one.index, "gain"] = 0.0
    assert report.rank_correlations(frame, "entropy", "gain").loc[3, ("beta", 0.05, 10)] == 0.0
    fewer = report.rank_correlations(frame.drop(one.index[3:]), "entropy", "gain")
    assert np.isnan(fewer.loc[3, ("beta", 0.05, 10)])


def test_the_least_clear_setting_decides_whether_the_entropy_indicates():
    frame = information()
    assert ordering(report.entropy_indicates(measured(frame), "entropy", "gain")) == REPRODUCED
    assert ordering(report.entropy_beats_margin(measured(frame), "gain")) == REPRODUCED
    frame.loc[(frame["law"] == "beta") & (frame["flip_rate"] == 0), "gain"] *= -1
    assert ordering(report.entropy_indicates(measured(frame), "entropy", "gain")) == NOT_REPRODUCED
    assert ordering(report.entropy_beats_margin(measured(frame), "gain")) == NOT_REPRODUCED


def test_largest_deviations():
    frame = information()
    assert decide_identity(report.information_expected(measured(frame)), 1e-9).outcome == REPRODUCED
    assert decide_identity(report.entropy_estimated(measured(frame)), 0.02).outcome == REPRODUCED
    frame.loc[7, ["gain_expected", "entropy_sampled"]] += 0.05
    for evidence in (report.information_expected, report.entropy_estimated):
        assert decide_identity(evidence(measured(frame)), 0.02).outcome == NOT_REPRODUCED
