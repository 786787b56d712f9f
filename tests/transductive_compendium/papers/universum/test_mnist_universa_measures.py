"""MNIST, four universa: what the measures make of rows."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mnist_rows import N_SPLITS, digits, sizes, universa
from paper_rooms import outcome_of

from transductive_compendium.papers.universum import mnist_universa_measures as report
from transductive_compendium.papers.universum.mnist_design import (
    ALL_IMAGES,
    NO_UNIVERSUM,
    TRAINING_SIZES,
    UNIVERSUM_SIZES,
)
from transductive_compendium.verdicts.rules import (
    INCONCLUSIVE,
    NOT_REPRODUCED,
    REPRODUCED,
    decide_equivalence,
    decide_value,
)


def test_splits_share_training_and_validation_images():
    assert report.overlap(3000) == pytest.approx(5000 / 6272)
    assert report.overlap(ALL_IMAGES) == 0.0
    found = report.image_gain(universa(), "Rest", [500, 3000])
    assert found.test_train_ratio == report.overlap(3000)


def test_errors_are_in_per_cent():
    found = report.image_error(universa(), NO_UNIVERSUM, 500)
    assert found.n == N_SPLITS and found.estimate == pytest.approx(2.0, abs=0.1)
    assert report.image_error(sizes(), "Mean", 10000).estimate == pytest.approx(0.5, abs=0.1)
    assert report.image_error(digits(), NO_UNIVERSUM, 200).estimate == pytest.approx(2.0, abs=0.1)


def test_with_all_images_an_error_is_a_share_of_the_test_images():
    found = report.image_error(digits(), "3", ALL_IMAGES)
    share = 4 / report.N_TEST
    assert (found.n, found.estimate) == (report.N_TEST, pytest.approx(100 * share))
    wide = 5 / (report.N_TEST + 2)
    assert found.sd == pytest.approx(100 * np.sqrt(wide * (1 - wide)))
    # one error or four among 1866: no test can decide
    assert decide_value(found, 0.05, 0.005, report.N_TEST, 0.0125).outcome == INCONCLUSIVE
    assert decide_value(found, 1.05, 0.005, report.N_TEST, 0.25).outcome == NOT_REPRODUCED
    # no error at all is not known to the last digit
    none = digits()
    none["universum/mnist_digits"]["error"] = 0.0
    found = report.image_error(none, "3", ALL_IMAGES)
    assert found.estimate == 0.0 < found.sd
    assert decide_value(found, 0.05, 0.005, report.N_TEST, 0.0125).outcome == INCONCLUSIVE


def test_gains_are_paired_and_over_sizes():
    for universum in ("Rest", "Mean"):
        found = report.image_gain(universa(), universum, list(TRAINING_SIZES))
        assert len(found.differences) == N_SPLITS
        assert np.mean(found.differences) == pytest.approx(0.4, abs=0.03)
        assert outcome_of(found) == REPRODUCED


def test_a_gain_is_wanted_at_every_size():
    assert report.image_gain_everywhere(universa(), "Rest", list(TRAINING_SIZES)).holds
    assert report.image_gain_everywhere(universa(), "Gen", [500, 1000, 2000]).holds
    found = report.image_gain_everywhere(universa(), "Gen", list(TRAINING_SIZES))
    assert not found.holds and "at 3000" in found.detail


def test_noise_is_within_the_tolerance_and_other_digits_are_not():
    noise, rest = (report.image_no_gain(universa(), kind, 1000) for kind in ("Noise", "Rest"))
    assert decide_equivalence(noise, 0.1).outcome == REPRODUCED
    assert decide_equivalence(rest, 0.1).outcome == NOT_REPRODUCED


def test_tables_have_standard_errors_and_intervals():
    frame = universa()["universum/mnist_universa"]
    mean, se = report.table(frame, TRAINING_SIZES)
    values = 100 * frame[(frame["universum"] == "Rest") & (frame["n_train"] == 500)]["error"]
    assert mean.loc["Rest", 500] == pytest.approx(values.mean())
    assert se.loc["Rest", 500] == pytest.approx(values.std() / np.sqrt(N_SPLITS))
    found = report.gains(frame, TRAINING_SIZES)
    assert found.loc[("Rest", 500), "gain"] == pytest.approx(0.4, abs=0.03)
    assert 0 < found.loc[("Rest", 500), "half"] < found.loc[("Rest", 3000), "half"] < 0.1
    assert len(report.gains(sizes()["universum/mnist_size"], UNIVERSUM_SIZES)) == 20


# ---- printed means of counts, and how many splits they need --------------------------------------


@pytest.mark.parametrize(
    "errors, n_test, splits",
    [
        ([50.0], 2, 1),
        ([25.0], 2, 2),
        ([33.33, 66.67], 1, 3),
        ([33.33, 25.0], 1, 12),
        ([0.05, 0.16, 0.21, 0.27], 1866, 1),  # one, three, four and five errors
        ([1.96], 1866, 2),  # 36 errors are 1.93, 37 are 1.98
    ],
)
def test_small_cases(errors, n_test, splits):
    assert report.fewest_splits(errors, n_test) == splits


@settings(deadline=None)
@given(
    counts=st.lists(st.lists(st.integers(0, 97), min_size=3, max_size=3), min_size=1, max_size=5)
)
def test_means_of_three_splits_never_need_more(counts):
    printed = [round(100 * np.mean(row) / 97, 2) for row in counts]
    assert report.fewest_splits(printed, 97) <= 3


def test_every_number_of_two_decimals_is_a_mean_of_enough_splits():
    assert report.fewest_splits(np.round(np.arange(0, 3, 0.01), 2), 1866) == 6
