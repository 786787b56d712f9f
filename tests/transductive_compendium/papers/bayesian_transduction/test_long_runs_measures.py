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
    rows = [
        {"split": split, "dataset": dataset}
        | {column: values[dataset] for column, values in columns.items()}
        for split in range(3)
        for dataset in ("thyroid", "heart")
    ]
    return pd.DataFrame(rows)


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
    names = ("farthest", "farthest_fraction", "farthest_circles", "farthest_fraction_circles")
    columns = {
        name: {"thyroid": x, "heart": 2 * x}
        for name, x in zip(names, (0.1, 0.2, 0.3, 0.4), strict=True)
    }
    evidence = long_run_deviation(made_up(**columns), **options)
    assert evidence.estimate == pytest.approx([expected, 2 * expected])


def test_escapes_are_compared_with_great_circles():
    made = made_up(
        mean={"thyroid": 0.03, "heart": 0.01},
        mean_circles={"thyroid": 0.01, "heart": 0.02},
    )
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
    columns = {
        "missed_ratio_1000": 0.01,
        "too_high_ratio_1000": 0.001,
        "missed_fraction_1000": 0.002,
        "missed_ratio_922": 0.003,
    }
    both = {name: {"thyroid": x, "heart": x} for name, x in columns.items()}
    evidence = coverage_in_setting(made_up(**both), 0.01, **options)
    assert evidence.estimate == pytest.approx([expected] * 2)
