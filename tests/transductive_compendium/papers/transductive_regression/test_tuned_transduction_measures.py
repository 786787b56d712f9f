"""Tuned ridge regression and transduction: what their measures make of rows."""

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.papers.transductive_regression import (
    tuned_transduction_measures as report,
)

NOISE = 0.02 * np.random.default_rng(0).standard_normal((6, 40))


def grid(
    dataset="boston",
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
    return pd.DataFrame(rows)


def test_the_summary_has_each_methods_mean():
    first = grid(test=(0.8, 0.9, 1.0), loo=(0.97, 0.95, 1.0), joint=0.7, own=0.6)
    rows = pd.concat([first, grid("usps")])
    rows = rows[rows["dataset"] != "other"].assign(rr_retuned_mse=40.0)
    found = report.summary(rows)
    assert list(found.index) == [(d, r) for d in ("boston", "usps") for r in ("norm", "written")]
    row = found.loc["boston", "norm"]
    expected = {"ridge": 50, "own": 30, "joint": 35, "chosen": 45, "hindsight": 40}
    expected |= {"ridge_loo": 50, "least_test": 0.1, "least_loo": 10}
    for name, value in expected.items():
        assert row[name] == pytest.approx(value, rel=2e-3), name


def test_each_split_has_its_own_choice():
    frame = grid()
    frame = frame[(frame["dataset"] == "boston") & (frame["setting"] == "norm")].copy()
    frame.loc[(frame["split"] == 3) & np.isinf(frame["alpha_star"]), "loo"] = 0.0
    chosen = report.choice(frame)
    assert list(chosen.index) == list(range(40))
    assert np.isinf(chosen.loc[3, "alpha_star"])
    assert (chosen["alpha_star"].drop(3) == 0.1).all()


def test_overlap_of_splits():
    assert report.overlap("boston") == pytest.approx(25 / 481)
    assert report.overlap("diabetes") == pytest.approx(142 / 300)
    # a part of a large table: its share f gives f / (1 - f), whatever is judged
    assert report.overlap("usps") == pytest.approx(800 / 8498)
    assert report.overlap("kin32fh") == pytest.approx(320 / 7872)
    assert report.overlap("sine, outside") == 0.0
