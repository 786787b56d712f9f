"""Claims on figure 1: what their measures make of rows."""

import re

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of

from transductive_compendium.datasets import available, load
from transductive_compendium.papers.transductive_regression import figure_1_measures as report
from transductive_compendium.papers.transductive_regression.figure_1 import LOG_SIGMAS, SIZES
from transductive_compendium.papers.transductive_regression.figure_1_measures import SHARED, overlap
from transductive_compendium.papers.transductive_regression.regression_setting import (
    PUBLISHED,
    settings,
)
from transductive_compendium.papers.transductive_regression.working_sets import (
    direction,
    shifted_split,
)
from transductive_compendium.papers.transductive_regression.working_sets_design import SHIFTS
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED


def sigmas(name="boston", gain=1.0, at=None, readings=None):
    """Rows over log sigma: ridge best at the published one, `gain` (or `at[log sigma]`) below."""
    rng, rows = np.random.default_rng(0), []
    published = PUBLISHED[name][2]
    for i in range(40):
        hard = rng.uniform(0, 5)  # moves both alike
        for reading, source, *_ in settings(name):
            for log_sigma in LOG_SIGMAS[name].round(2):
                ridge = 10 + hard + (log_sigma - published) ** 2
                here = (readings or {}).get((reading, source), (at or {}).get(log_sigma, gain))
                row = {"split": i, "reading": reading, "source": source, "log_sigma": log_sigma}
                below = ridge - here + 0.1 * rng.standard_normal()
                rows.append({**row, "ridge": ridge, "transductive": below})
    return pd.DataFrame(rows)


def sizes(slope=0.1, fixed=0.0):
    """Rows over the number of test points: gains proportional to its logarithm."""
    rng, rows = np.random.default_rng(0), []
    for i in range(40):
        ridge = rng.uniform(5, 15)
        for reading, source, *_ in settings("boston"):
            for size in SIZES["boston"]:
                row = {"split": i, "reading": reading, "source": source, "size": size}
                noise = 0.05 * rng.standard_normal(2)
                row["transductive"] = ridge - slope * np.log(size) + noise[0]
                row["transductive_fixed"] = ridge - 1.0 - fixed * np.log(size) + noise[1]
                rows.append({**row, "ridge": ridge})
    return {"transductive_regression/figure_1b": pd.DataFrame(rows)}


def over_sigma(**kwargs):
    return {"transductive_regression/figure_1a": sigmas(**kwargs)}


def test_gains_are_paired_and_of_one_interpretation():
    frame = sigmas(readings={("norm", "published"): 1.0, ("written", "published"): -2.0})
    gain = report.gains(frame)
    assert gain.shape == (40, len(LOG_SIGMAS["boston"]))
    # the hardness of a split, 5 at most, is in neither
    np.testing.assert_allclose(gain, 1.0, atol=0.5)
    np.testing.assert_allclose(report.gains(frame, "written"), -2.0, atol=0.5)
    ridge = report.gains(frame, column="")
    assert ridge.mean().idxmin() == 0.7 and ridge.std().min() > 1


def test_best_below_best_compares_lowest_points():
    # far ahead where ridge regression is bad, level where it is good
    frames = over_sigma(gain=-0.2, at={1.4: 0.2})
    assert outcome_of(report.best_below_best(frames, "figure_1a")) == NOT_REPRODUCED
    frames = over_sigma(gain=0.0, at={1.4: 2.0})
    best = report.best_below_best(frames, "figure_1a")
    assert outcome_of(best) == REPRODUCED
    assert re.fullmatch(r"lowest MSE \d+\.\d\d, ridge regression \d+\.\d\d", best.shown)
    assert outcome_of(report.lowest_at(frames, "figure_1a", 1.4)) == REPRODUCED
    assert outcome_of(report.lowest_at(frames, "figure_1a", 0.7)) == NOT_REPRODUCED


def test_falls_with_size_is_the_slope_on_the_logarithm():
    evidence = report.falls_with_size(sizes(), "figure_1b")
    assert evidence.estimate[0] == pytest.approx(0.1, abs=0.01)
    assert outcome_of(evidence) == REPRODUCED
    assert outcome_of(report.falls_with_size(sizes(slope=-0.1), "figure_1b")) == NOT_REPRODUCED
    rising = report.falls_with_size(sizes(fixed=0.1), "figure_1b", "transductive_fixed")
    assert outcome_of(rising) == REPRODUCED


def test_one_interpretation_behind_is_seen():
    def outcome(frames, item):
        return outcome_of(report.ahead_in_every_reading(frames, item))

    assert outcome(over_sigma(), "figure_1a") == REPRODUCED
    behind = over_sigma(readings={("rescaled", "leave-one-out"): -1.0})
    assert outcome(behind, "figure_1a") == NOT_REPRODUCED
    # of sizes, the largest
    assert outcome(sizes(), "figure_1b") == REPRODUCED
    assert outcome(sizes(slope=-0.1), "figure_1b") == NOT_REPRODUCED


def test_the_table_over_sigma_shows_where_each_is_best():
    table = report.table_over_sigma(sigmas(gain=0.0, at={1.4: 2.0}), "figure_1a", 2)
    assert list(table.index) == [(reading, source) for reading, source, *_ in settings("boston")]
    row = table.loc["norm", "published"]
    assert row["ridge: best log sigma"] == 0.7 and row["transductive: best log sigma"] == 1.4
    gain, half = map(float, row["gain there (90 %)"].split(" ± "))
    assert abs(gain) < 0.1 and 0 < half < 0.1


def test_the_table_over_sizes_has_both_gammas_and_the_first_points():
    rows = sizes()["transductive_regression/figure_1b"]
    rows["ridge_first"], rows["transductive_first"] = 7.0, rows["size"] / 100.0
    table = report.table_over_sizes(rows, "figure_1b", "l / 2m", 2)
    assert list(table.index) == list(SIZES["boston"])
    gains = table.filter(like="gain").map(lambda text: float(text.split()[0]))
    assert list(gains) == [
        f"gain, gamma* = {name}"
        for name in ("l / 2m", "10", "own search, l / 2m", "own search, 10")
    ]
    assert gains["gain, gamma* = l / 2m"][25] == pytest.approx(0.1 * np.log(25), abs=0.03)
    assert gains["gain, gamma* = 10"][1] == pytest.approx(1.0, abs=0.03)
    assert table["first m: ridge"][1] == "7.00" and table["first m: transductive"][25] == "0.25"


def test_splits_of_few_rows_out_of_many_hardly_overlap():
    assert overlap("boston") == pytest.approx(25 / 481)
    share = 320 / 8192
    assert overlap("kin32fh") == pytest.approx(share / (1 - share))


def test_overlap_of_splits():
    assert overlap("boston") == pytest.approx(25 / 481)
    assert overlap("diabetes") == pytest.approx(142 / 300)
    # a part of a large table: its share f gives f / (1 - f), whatever is judged
    assert overlap("usps") == pytest.approx(800 / 8498)
    assert overlap("kin32fh") == overlap("kin32fh", 256)
    assert overlap("kin32fh", 1) == pytest.approx(128 / 8064)
    assert overlap("kin32fh", 1024) == pytest.approx(1088 / 7104)
    assert overlap("sine, outside") == 0.0
    assert overlap("kin32fh", 256, "none") == overlap("kin32fh")
    assert overlap("kin32fh", 256, "strong") == pytest.approx(0.205 / 0.795)


@pytest.mark.skipif(not available("kin32fh"), reason="kin-32fh is not at hand")
@pytest.mark.parametrize("shift", list(SHARED))
def test_shifted_splits_share_as_many_rows_as_the_ratio_says(shift):
    table, rng = load("kin32fh"), np.random.default_rng(0)
    which, strength = SHIFTS[shift]
    z = direction(table.X, table.y, which)
    splits = [set(shifted_split(z, 64, 256, strength, rng).tolist()) for _ in range(24)]
    shares = [len(a & b) / 320 for i, a in enumerate(splits) for b in splits[:i]]
    assert np.mean(shares) == pytest.approx(SHARED[shift], abs=0.012)
