"""Evidence on long runs and on their first 1000 bounces."""

import pandas as pd
import pytest

from transductive_compendium.papers.bayesian_transduction.long_runs import N_LONG, farthest
from transductive_compendium.papers.bayesian_transduction.long_runs_measures import (
    coverage_in_setting,
    long_run_deviation,
    long_run_escapes,
)


def made_up(**changes):
    """Rows of three splits of both sets: a value, doubled on heart, by the run that has it."""
    runs = {"flight": "as_printed", "bounces": N_LONG, "estimator": "time_ratio"}
    found = [
        runs | run | {"split": split, "dataset": dataset, column: value * times}
        for column, cells in changes.items()
        for run, value in cells
        for split in range(3)
        for dataset, times in (("thyroid", 1), ("heart", 2))
    ]
    return pd.DataFrame(found)


def test_farthest_leaves_out_one_in_a_hundred():
    deviation = [0.1] * 85 + [0.9]
    assert farthest(deviation) == 0.9  # 86 points: one is more than one in a hundred
    assert farthest([0.1] * 107 + [0.9]) == 0.1


CIRCLES, FRACTIONS = {"flight": "great_circles"}, {"estimator": "mean_of_fractions"}


@pytest.mark.parametrize(
    ("options", "expected"),
    [({}, 0.1), (FRACTIONS, 0.2), (CIRCLES, 0.3), (CIRCLES | FRACTIONS, 0.4)],
)
def test_long_runs_read_the_rows_that_are_meant(options, expected):
    cells = [({}, 0.1), (FRACTIONS, 0.2), (CIRCLES, 0.3), (CIRCLES | FRACTIONS, 0.4)]
    rows = made_up(farthest=[*cells, ({"bounces": 1000}, 0.9)])
    evidence = long_run_deviation(rows, **options)
    assert evidence.estimate == pytest.approx([expected, 2 * expected])


def test_escapes_are_compared_with_great_circles():
    made = made_up(mean=[({}, 0.03), (CIRCLES, 0.01)])
    assert long_run_escapes(made).estimate == pytest.approx([0.02, 0.04])


@pytest.mark.parametrize(
    ("options", "missed"),
    [
        ({}, 0.01),
        ({"sidedness": "one_sided"}, 0.001),
        (FRACTIONS, 0.002),
        ({"n_bounces": 922}, 0.003),
        (CIRCLES, 0.004),
    ],
)
def test_coverage_reads_the_rows_that_are_meant(options, missed):
    few = {"bounces": 1000}
    cells = [(few, 0.01), (few | FRACTIONS, 0.002), ({"bounces": 922}, 0.003)]
    rows = made_up(missed=[*cells, (few | CIRCLES, 0.004)], too_high=[(few, 0.001)])
    rows = rows.groupby(["flight", "bounces", "estimator", "split", "dataset"]).max().reset_index()
    evidence = coverage_in_setting(rows, 0.01, **options)
    assert evidence.estimate == pytest.approx([0.01 - missed, 0.01 - 2 * missed])
