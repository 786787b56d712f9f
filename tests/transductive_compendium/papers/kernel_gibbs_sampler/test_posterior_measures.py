"""The Kernel Gibbs Sampler: modes, steps, diversity, votes, rejection; measures on made-up rows."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.papers.kernel_gibbs_sampler import posterior_measures as report
from transductive_compendium.rejection_curves import TEST_TRAIN
from transductive_compendium.verdicts.rules import (
    NOT_REPRODUCED,
    REPRODUCED,
    decide_equivalence,
    decide_identity,
    decide_ordering,
    half_width,
    ordering_p,
)

concat = partial(pd.concat, ignore_index=True)


def frames(item, rows):
    return {f"kernel_gibbs_sampler/{item}": rows}


def ordering(evidence):
    return decide_ordering(evidence, ordering_p(evidence)).outcome


# ---- modes --------------------------------------------------------------------------------------


def modes(beta, uniform, flip_rate=0.2, m=10, **columns):
    parts = [
        pd.DataFrame({"modes": n, "points": points})
        for points, n in (("beta", beta), ("uniform", uniform))
    ]
    rest = {"modes_visible": 1, "pieces": 1, "top_angle": 0.0, "mean_angle": 0.0} | columns
    return concat(parts).assign(flip_rate=flip_rate, m=m, **rest)


def test_several_modes_counts_draws_of_the_worse_kind_at_the_size_asked_for():
    rows = concat(
        [
            modes([2] * 18 + [1] * 2, [3] * 12 + [1] * 8),
            modes([1] * 20, [1] * 20, flip_rate=0.0),
            modes([1] * 20, [1] * 20, m=1000),
        ]
    )
    evidence = report.several_modes(frames("modes", rows), m=10)
    assert (evidence.wins, evidence.losses) == (12, 8)
    # of 20 draws 18 are most, 12 may be luck
    assert ordering(evidence) != REPRODUCED
    good = report.several_modes(frames("modes", modes([2] * 18 + [1] * 2, [2] * 20)), m=10)
    assert (good.wins, good.losses) == (18, 2)
    assert ordering(good) == REPRODUCED


def test_one_second_mode_without_noise_is_too_many():
    def holds(*without):
        rows = concat([modes([2, 3], [2, 3]), modes([1, 1], without, flip_rate=0.0)])
        return report.one_mode_without_noise(frames("modes", rows)).holds

    assert holds(1, 1)
    assert not holds(1, 2)
    assert not report.one_mode_without_noise(frames("modes", modes([1], [1]))).holds


def test_one_mode_of_many_points_by_either_count():
    rows = concat([modes([4], [4], modes_visible=4), modes([99], [99], m=1000)])

    def holds(column):
        return report.one_mode_of_many_points(frames("modes", rows), column, m=1000).holds

    assert holds("modes_visible")
    assert not holds("modes")
    rows.loc[(rows["m"] == 1000) & (rows["points"] == "uniform"), "modes_visible"] = 2
    assert not holds("modes_visible")


def test_teacher_at_highest_mode_is_by_the_median_of_each_kind():
    rows = modes([1] * 3, [1] * 3, m=1000)

    def holds(*angles):
        put = rows.assign(top_angle=np.radians(angles))
        return report.teacher_at_highest_mode(frames("modes", put), m=1000, degrees=4.0).holds

    assert holds(1, 2, 50, 0, 3, 4)
    assert not holds(1, 5, 50, 0, 3, 4)
    assert not holds(1, 2, 50, 5, 3, 5)


def test_mode_table_is_per_setting_in_degrees():
    rows = concat([modes([1, 4, 5], [2, 2, 2], top_angle=np.pi / 6), modes([1], [1], m=30)])
    table = report.mode_table(rows)
    assert table["draws"].to_dict() == {
        (0.2, "beta", 10): 3, (0.2, "beta", 30): 1, (0.2, "uniform", 10): 3, (0.2, "uniform", 30): 1
    }  # fmt: skip
    row = table.loc[(0.2, "beta", 10)]
    assert row["modes"] == 4
    assert row["several_modes"] == pytest.approx(2 / 3)
    assert row["several_pieces"] == 0
    assert row["top_degrees"] == pytest.approx(30.0)


# ---- steps --------------------------------------------------------------------------------------


def test_one_wrong_count_is_found_and_a_printed_formula_must_be_right_everywhere():
    rows = pd.DataFrame(
        {
            "m": [10, 10, 100],
            "largest_difference": [0, 0, 0],
            "printed_wrong": [0.0, 0.0, 0.0],
            "printed_difference": [0.0, 0.0, 0.0],
            "printed_turns": [0.9, 1.0, 0.99],
        }
    )

    def identity(rows):
        return decide_identity(report.errors_by_increments(frames("steps", rows)), 1e-9).outcome

    assert identity(rows) == REPRODUCED
    assert identity(rows.assign(largest_difference=[0, 1, 0])) == NOT_REPRODUCED
    assert report.step_6_as_printed(frames("steps", rows)).holds
    assert not report.step_6_as_printed(
        frames("steps", rows.assign(printed_wrong=[0, 0, 0.01]))
    ).holds
    assert report.step_4_as_printed(frames("steps", rows)).holds
    assert not report.step_4_as_printed(
        frames("steps", rows.assign(printed_turns=[0.9, 0.9, 1.4]))
    ).holds


# ---- diversity ----------------------------------------------------------------------------------


def test_diversity_has_to_grow_at_each_step():
    def rows(levels):
        rng = np.random.default_rng(0)
        return pd.DataFrame(
            {"draw": draw, "q": q, "disagreement_plane": level + 0.001 * rng.standard_normal()}
            for draw in range(15)
            for q, level in zip((0.0, 0.1, 0.2), levels, strict=True)
        )

    def outcome(*levels):
        return ordering(report.diversity_grows(frames("diversity", rows(levels)), "plane"))

    assert outcome(0.10, 0.12, 0.14) == REPRODUCED
    assert outcome(0.10, 0.14, 0.12) == NOT_REPRODUCED
    assert outcome(0.10, 0.14, 0.14) != REPRODUCED
    assert report.disagreement(rows((0.1, 0.2, 0.3)), "plane")[0.1].mean() == pytest.approx(
        20, abs=0.1
    )


# ---- votes --------------------------------------------------------------------------------------


def votes(apart):
    """Five splits; `apart` maps (dataset, flip rate, q) to a mean share of decisions."""
    rows = []
    for (dataset, flip_rate, q), share in apart.items():
        for split, factor in enumerate((0.8, 0.9, 1.0, 1.1, 1.2)):
            empty = share is None
            rows.append(
                {
                    "dataset": dataset,
                    "flip_rate": flip_rate,
                    "q": q,
                    "split": split,
                    "empty": empty,
                    "agreement": np.nan if empty else 1.0 - factor * share,
                    "vote_error": np.nan if empty else 0.2,
                    "point_error": np.nan if empty else 0.17,
                }
            )
    return pd.DataFrame(rows)


def test_bayes_point_is_judged_at_the_true_flip_rate_or_at_all():
    rows = votes(
        {
            ("crescents", 0.0, 0.0): 0.001,
            ("crescents", 0.1, 0.0): 0.05,
            ("crescents", 0.1, 0.1): 0.01,
            ("heart", 0.0, 0.0): None,
            ("heart", 0.1, 0.1): 0.002,
        }
    )

    def outcome(every_q):
        evidence = report.vote_as_bayes_point(frames("vote", rows), every_q)
        return evidence, decide_equivalence(evidence, 2.0).outcome

    evidence, made = outcome(every_q=False)
    assert evidence.differences.mean() == pytest.approx(1.0)
    assert evidence.test_train_ratio == 0.0
    assert made == REPRODUCED
    evidence, made = outcome(every_q=True)
    assert evidence.differences.mean() == pytest.approx(5.0)
    assert made == NOT_REPRODUCED


def test_overlapping_splits_widen_the_interval_that_decides():
    shares = {("crescents", 0.1, 0.1): 0.0105, ("thyroid", 0.1, 0.1): 0.01}
    evidence = report.vote_as_bayes_point(frames("vote", votes(shares)), every_q=False)
    assert evidence.test_train_ratio == TEST_TRAIN
    assert evidence.differences.mean() == pytest.approx(1.0)
    reach = half_width(evidence.differences, TEST_TRAIN)
    assert reach > 2 * half_width(evidence.differences)


def test_gain_of_the_bayes_point_leaves_out_what_is_empty():
    table = report.vote_table(
        votes({("heart", 0.0, 0.0): None, ("heart", 0.0, 0.1): 0.01}), "heart", "gain"
    )
    assert list(table.columns) == [(0.0, 0.1)]
    np.testing.assert_allclose(table, 3.0)


# ---- rejection ----------------------------------------------------------------------------------


def rejection(closest_are_wrong, svm_errors=2, n=20, splits=6, errors=4):
    """Splits with `errors` wrong votes, the closest or the clearest; the last split has none."""
    rows = []
    for split in range(splits):
        confidence = np.linspace(0.1, 0.9, n)
        wrong = np.zeros(n, dtype=bool)
        if split < splits - 1:
            few = errors - split % 2
            wrong[:few] = True
            if not closest_are_wrong:
                wrong = wrong[::-1]
        label = np.where(np.arange(n) % 2, -1, 1)
        svm = np.where(np.arange(n) < svm_errors + split % 3, -1.0, 1.0) * label
        for i in range(n):
            vote = label[i] * (-1 if wrong[i] else 1)
            rows.append(
                {
                    "dataset": "heart",
                    "split": split,
                    "q": 0.1,
                    "empty": True,
                    "label": label[i],
                    "p_plus": 0.5 + 0.5 * vote * confidence[i],
                    "f": svm[i] * (1.0 + 0.01 * i),
                    "bayes_point": vote * 0.1,
                }
            )
    return pd.DataFrame(rows)


def test_rejection_reduces_only_if_the_closest_votes_err():
    def evidence(closest):
        return report.rejection_reduces(frames("rejection", rejection(closest)), "heart", 0.3)

    good = evidence(True)
    np.testing.assert_allclose(good.differences, 100.0)  # the split without errors is left out
    assert len(good.differences) == 5
    assert good.test_train_ratio == TEST_TRAIN
    bad = evidence(False)
    np.testing.assert_allclose(bad.differences, 100 * (1 - 1 / 0.7))
    assert ordering(bad) == NOT_REPRODUCED


def test_rejection_takes_the_rows_of_its_q_and_data():
    rows = rejection(True)
    other = concat([rows, rejection(False).assign(q=0.2), rejection(False).assign(dataset="x")])
    ours = report.rejection_reduces(frames("rejection", other), "heart", 0.3)
    np.testing.assert_allclose(ours.differences, 100.0)


def test_a_single_version_space_is_noticed():
    rows = rejection(True)
    assert report.no_version_space(frames("rejection", rows)).holds
    rows.loc[rows["split"] == 2, "empty"] = False
    assert not report.no_version_space(frames("rejection", rows)).holds


def test_svm_is_compared_at_equal_rejection():
    many = report.votes_against_margins(
        frames("rejection", rejection(True, svm_errors=12)), "heart"
    )
    assert (np.asarray(many.differences) > 0).all()
    none = report.votes_against_margins(
        frames("rejection", rejection(False, svm_errors=-3)), "heart"
    )
    assert np.mean(none.differences) < 0


def test_bayes_point_outcomes_are_its_own():
    o = report.bayes_point_outcomes(rejection(True))
    np.testing.assert_array_equal(o.wrong, o.wrong_svm)
    np.testing.assert_allclose(o.margin, 0.1)
