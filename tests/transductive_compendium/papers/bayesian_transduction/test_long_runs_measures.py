"""Evidence on long runs and on runs of 1000 bounces."""

import pandas as pd
import pytest

from transductive_compendium.papers.bayesian_transduction.long_runs import farthest
from transductive_compendium.papers.bayesian_transduction.long_runs_measures import (
    coverage_in_setting,
    long_run_deviation,
    long_run_escapes,
)


def made_up(**columns):
    """Three splits of both sets, with the pair of values that is given for each column."""
    key = {"split": [0, 0, 1, 1, 2, 2], "dataset": ["thyroid", "heart"] * 3}
    return pd.DataFrame(key | {name: [*pair] * 3 for name, pair in columns.items()})


def test_farthest_leaves_out_one_in_a_hundred():
    deviation = [0.1] * 85 + [0.9]
    assert farthest(deviation) == 0.9  # 86 points: one is more than one in a hundred
    assert farthest([0.1] * 107 + [0.9]) == 0.1


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, 0.1),
        ({"estimator": "mean_of_fractions"}, 0.2),
        ({"flight": "great_circles"}, 0.3),
        ({"flight": "great_circles", "estimator": "mean_of_fractions"}, 0.4),
    ],
)
def test_long_runs_read_the_column_that_is_meant(options, expected):
    rows = made_up(
        farthest=(0.1, 0.2),
        farthest_fraction=(0.2, 0.4),
        farthest_circles=(0.3, 0.6),
        farthest_fraction_circles=(0.4, 0.8),
    )
    evidence = long_run_deviation(rows, **options)
    assert evidence.estimate == pytest.approx([expected, 2 * expected])


def test_escapes_are_compared_with_great_circles():
    made = made_up(mean=(0.03, 0.01), mean_circles=(0.01, 0.02))
    assert long_run_escapes(made).estimate == pytest.approx([0.02, -0.01])


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, 0.0),
        ({"sidedness": "one_sided"}, 0.009),
        ({"estimator": "mean_of_fractions"}, 0.008),
        ({"n_bounces": 922}, 0.007),
    ],
)
def test_coverage_reads_the_column_that_is_meant(options, expected):
    rows = made_up(
        missed_ratio_1000=(0.01, 0.01),
        too_high_ratio_1000=(0.001, 0.001),
        missed_fraction_1000=(0.002, 0.002),
        missed_ratio_922=(0.003, 0.003),
    )
    evidence = coverage_in_setting(rows, 0.01, **options)
    assert evidence.estimate == pytest.approx([expected] * 2)
