"""Claims on figure 1: what their measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of

from transductive_compendium.papers.transductive_regression import figure_1_measures as report
from transductive_compendium.papers.transductive_regression.figure_1 import LOG_SIGMAS, SIZES
from transductive_compendium.papers.transductive_regression.regression_setting import (
    PUBLISHED,
    settings,
)
from transductive_compendium.verdicts.rules import (
    INCONCLUSIVE,
    NOT_REPRODUCED,
    REPRODUCED,
    OrderingEvidence,
    ordering_p,
)


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


def test_intervals_are_those_of_the_test():
    """A gain whose 90 % interval just excludes zero has a two-sided p of 10 %."""
    gain = report.gains(sigmas())[[0.7]]
    found = report.mean_gain("figure_1a", gain).loc[0.7]
    evidence = report.below_at(over_sigma(), "figure_1a", 0.7)
    moved = OrderingEvidence(
        differences=evidence.differences - found["mean"] + found["half"],
        test_train_ratio=evidence.test_train_ratio,
    )
    assert ordering_p(moved) == pytest.approx(0.1)


def test_below_at_one_log_sigma():
    assert outcome_of(report.below_at(over_sigma(), "figure_1a", 0.7)) == REPRODUCED
    worse = over_sigma(at={0.7: -1.0})
    assert outcome_of(report.below_at(worse, "figure_1a", 0.7)) == NOT_REPRODUCED
    assert outcome_of(report.below_at(worse, "figure_1a", 1.05)) == REPRODUCED
    # by default where ridge regression is best
    assert outcome_of(report.below_at(worse, "figure_1a")) == NOT_REPRODUCED
    assert report.below_at(worse, "figure_1a").test_train_ratio == pytest.approx(25 / 481)


def test_below_over_sigma_counts_the_range_only():
    far = over_sigma(at={-1.05: -50.0, 2.1: -50.0})
    assert outcome_of(report.below_over_sigma(far, "figure_1a")) == REPRODUCED
    assert outcome_of(report.below_over_sigma(far, "figure_1a", each=True)) == REPRODUCED
    # one log sigma of five against it
    one = over_sigma(at={0.0: -1.0})
    assert outcome_of(report.below_over_sigma(one, "figure_1a")) == REPRODUCED
    assert outcome_of(report.below_over_sigma(one, "figure_1a", each=True)) == NOT_REPRODUCED
    level = over_sigma(at={0.0: 0.0})
    assert outcome_of(report.below_over_sigma(level, "figure_1a", each=True)) == INCONCLUSIVE


def test_most_at_minimum():
    assert outcome_of(report.most_at_minimum(over_sigma(at={0.7: 2.0}), "figure_1a")) == REPRODUCED
    assert (
        outcome_of(report.most_at_minimum(over_sigma(at={0.7: 0.5}), "figure_1a")) == NOT_REPRODUCED
    )
    # more on one side, less on the other: no more at the minimum
    tilted = over_sigma(at={0.0: 0.0, 0.35: 0.5, 1.05: 1.5, 1.4: 2.0})
    assert outcome_of(report.most_at_minimum(tilted, "figure_1a")) == INCONCLUSIVE


def test_best_below_best_compares_lowest_points():
    # far ahead where ridge regression is bad, level where it is good
    frames = over_sigma(gain=0.0, at={1.4: 0.49})
    assert outcome_of(report.below_at(frames, "figure_1a", 1.4)) == REPRODUCED
    assert outcome_of(report.best_below_best(frames, "figure_1a"), 0.1) == NOT_REPRODUCED
    frames = over_sigma(gain=0.0, at={1.4: 2.0})
    assert outcome_of(report.best_below_best(frames, "figure_1a"), 0.1) == REPRODUCED
    assert report.lowest_at(frames, "figure_1a", 1.4).holds
    assert not report.lowest_at(frames, "figure_1a", 0.7).holds


def test_falls_with_size_is_the_slope_on_the_logarithm():
    evidence = report.falls_with_size(sizes(), "figure_1b")
    assert np.mean(evidence.differences) == pytest.approx(0.1, abs=0.01)
    assert outcome_of(evidence) == REPRODUCED
    assert outcome_of(report.falls_with_size(sizes(slope=-0.1), "figure_1b")) == NOT_REPRODUCED
    # ahead at every size, but by the same
    level = report.falls_with_size(sizes(), "figure_1b", "transductive_fixed")
    assert outcome_of(level, 0.03) == NOT_REPRODUCED
    rising = report.falls_with_size(sizes(fixed=0.1), "figure_1b", "transductive_fixed")
    assert outcome_of(rising, 0.03) == REPRODUCED


def test_one_interpretation_behind_is_seen():
    assert report.ahead_in_every_reading(over_sigma(), "figure_1a").holds
    behind = over_sigma(readings={("rescaled", "leave-one-out"): -1.0})
    found = report.ahead_in_every_reading(behind, "figure_1a")
    assert not found.holds and "rescaled, leave-one-out: -0.98" in found.detail
    # of sizes, the largest
    assert report.ahead_in_every_reading(sizes(), "figure_1b").holds
    assert not report.ahead_in_every_reading(sizes(slope=-0.1), "figure_1b").holds


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
