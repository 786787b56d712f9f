"""Claims on gamma* and tuned ridge regression: what their measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of

from transductive_compendium.papers.transductive_regression import (
    tuned_transduction_measures as report,
)
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED, UNDECIDED

NOISE = 0.02 * np.random.default_rng(0).standard_normal((6, 40))


def grid(
    dataset="boston",
    item="alpha_star",
    test=(0.9, 1.0, 1.0),
    loo=(0.8, 0.95, 1.0),
    joint=1.0,
    own=1.0,
):
    """Rows of two settings at gamma* 0.1, 10, infinity; those of "written" are nonsense."""
    rows = []
    for split in range(40):
        both = 0.02 * NOISE[0, split]
        for j, alpha_star in enumerate((0.1, 10.0, np.inf)):
            row = {
                "dataset": dataset,
                "split": split,
                "alpha_star": alpha_star,
                "mse": 50.0 * (test[j] + both + 0.02 * NOISE[1 + j, split]),
                "loo": 50.0 * (loo[j] + 0.02 * NOISE[4, split]),
                "rr_joint_mse": 50.0 * (joint + 0.02 * NOISE[5, split]),
                "rr_own_mse": 50.0 * (own + 0.02 * NOISE[5, split]),
            }
            rows += [{"setting": "norm", **row}, {"setting": "written", **row, "mse": j, "loo": j}]
    rows += [{**rows[0], "dataset": "other", "mse": 1e6, "loo": 0.0}]
    return {f"transductive_regression/{item}": pd.DataFrame(rows)}


def test_the_summary_has_each_methods_mean():
    first, second = (
        grid(test=(0.8, 0.9, 1.0), loo=(0.97, 0.95, 1.0), joint=0.7, own=0.6),
        grid("usps"),
    )
    rows = pd.concat(f["transductive_regression/alpha_star"] for f in (first, second))
    rows = rows[rows["dataset"] != "other"].assign(rr_retuned_mse=40.0)
    found = report.summary(rows)
    assert list(found.index) == [(d, r) for d in ("boston", "usps") for r in ("norm", "written")]
    row = found.loc["boston", "norm"]
    expected = {"ridge": 50, "own": 30, "joint": 35, "retuned": 40, "chosen": 45, "hindsight": 40}
    expected |= {"ridge_loo": 50, "chosen_loo": 47.5, "least_test": 0.1, "least_loo": 10}
    for name, value in expected.items():
        assert row[name] == pytest.approx(value, rel=2e-3), name


WHERE = {"item": "alpha_star", "dataset": "boston", "setting": "norm"}


def test_the_choice_is_each_splits_own():
    frame = grid()["transductive_regression/alpha_star"]
    frame = frame[(frame["dataset"] == "boston") & (frame["setting"] == "norm")].copy()
    frame.loc[(frame["split"] == 3) & np.isinf(frame["alpha_star"]), "loo"] = 0.0
    chosen = report.choice(frame)
    assert list(chosen.index) == list(range(40))
    assert np.isinf(chosen.loc[3, "alpha_star"])
    assert (chosen["alpha_star"].drop(3) == 0.1).all()


def test_a_fixed_value_is_the_nearest_of_the_grid():
    frame = pd.DataFrame({"alpha_star": [0.1, 9.999, np.inf], "split": 0, "mse": [1.0, 2.0, 3.0]})
    assert [report.at(frame, a)["mse"].item() for a in (0.1, 10.0, np.inf)] == [1.0, 2.0, 3.0]
    assert report.ridge(frame)["mse"].item() == 3.0


def test_the_choice_is_compared_with_ridge_or_a_fixed_value():
    def outcome(test, **than):
        found = report.choice_no_worse(grid(test=test), **WHERE, **than)
        return outcome_of(found, margin=5.0)

    assert outcome((1.01, 1.0, 1.0)) == REPRODUCED
    assert outcome((0.9, 1.0, 1.0)) == NOT_REPRODUCED
    assert outcome((0.9, 0.9, 1.0), than=10.0) == REPRODUCED
    assert outcome((1.0, 0.9, 1.0), than=10.0) == NOT_REPRODUCED


def test_the_choice_must_gain_on_ridge():
    assert outcome_of(report.choice_better(grid(), **WHERE)) == REPRODUCED
    assert outcome_of(report.choice_better(grid(test=(1.1, 1.0, 1.0)), **WHERE)) == NOT_REPRODUCED
    # a choice of ridge regression itself gains nothing
    same = grid(test=(0.9, 1.0, 1.0), loo=(1.1, 1.1, 1.0))
    assert outcome_of(report.choice_better(same, **WHERE)) in (UNDECIDED, NOT_REPRODUCED)


def test_a_promise_is_broken_when_less_is_kept():
    # 20 % promised, 10 % kept; then 5 % promised
    assert outcome_of(report.promise_broken(grid(), **WHERE)) == REPRODUCED
    assert outcome_of(report.promise_broken(grid(loo=(0.95, 1.0, 1.0)), **WHERE)) == NOT_REPRODUCED


def test_ridge_regressions_own_leave_one_out_error_against_its_test_error():
    where = {"item": "inductive", "dataset": "usps", "setting": "norm"}

    def frames(ridge, own):
        return grid("usps", "inductive", test=(1.0, 1.0, ridge), own=own)

    assert outcome_of(report.own_basis_optimism(frames(1.3, 1.0), **where)) == REPRODUCED
    assert outcome_of(report.own_basis_optimism(frames(0.8, 1.0), **where)) == NOT_REPRODUCED
    assert outcome_of(report.own_basis_helps(frames(1.3, 1.0), **where)) == REPRODUCED
    assert outcome_of(report.own_basis_helps(frames(1.0, 1.3), **where)) == NOT_REPRODUCED

    def restored(column, ridge, own):
        found = report.own_basis_restored(frames(ridge, own), **where, column=column)
        return outcome_of(found, margin=10.0)

    assert restored("rr_own_mse", ridge=1.3, own=1.03) == REPRODUCED
    assert restored("rr_own_mse", ridge=1.0, own=1.3) == NOT_REPRODUCED
    assert restored("mse", ridge=1.03, own=1.3) == REPRODUCED


def test_own_basis_functions_share_of_a_fixed_values_gain():
    def outcome(own):
        frames = grid(test=(0.9, 0.8, 1.0), own=own)
        return outcome_of(report.own_basis_share(frames, **WHERE, than=10.0, share=0.5))

    assert outcome(0.85) == REPRODUCED  # 0.15 against half of 0.2
    assert outcome(0.95) == NOT_REPRODUCED


def test_overlap_of_splits():
    assert report.overlap("boston") == pytest.approx(25 / 481)
    assert report.overlap("diabetes") == pytest.approx(142 / 300)
    # a part of a large table: its share f gives f / (1 - f), whatever is judged
    assert report.overlap("usps") == pytest.approx(800 / 8498)
    assert report.overlap("kin32fh") == pytest.approx(320 / 7872)
    assert report.overlap("sine, outside") == 0.0
