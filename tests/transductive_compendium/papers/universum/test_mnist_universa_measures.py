"""MNIST, four universa: what the measures make of rows."""

import re

import numpy as np
import pytest
from mnist_rows import N_SPLITS, digits, sizes, universa
from paper_rooms import outcome_of

from transductive_compendium.papers.universum import mnist_universa_measures as report
from transductive_compendium.papers.universum.mnist_data import (
    ALL_IMAGES,
    NO_UNIVERSUM,
    TRAINING_SIZES,
    UNIVERSA,
    UNIVERSUM_SIZES,
)
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED

ALL = [["Rest", NO_UNIVERSUM], ["Mean", NO_UNIVERSUM]]


def test_splits_share_training_and_validation_images():
    assert report.overlap(3000) == pytest.approx(5000 / 6272)
    assert report.overlap(ALL_IMAGES) == 0.0


def test_pairs_are_compared_split_by_split_at_every_size():
    found = report.image_pairs({"": universa()}, ALL, list(TRAINING_SIZES))
    assert found.gaps.shape == (N_SPLITS, 8) and outcome_of(found, 6) == REPRODUCED
    np.testing.assert_allclose(found.gaps.mean(axis=0), 0.4, atol=0.03)
    assert found.gain.mean() == pytest.approx(0.4, abs=0.02)
    assert re.match(
        r"at 500, 1000(, \d+)*: 1\.6\d, .*\(other digits\); 1\.6\d, .*\(means\); 2\.0", found.shown
    )
    assert found.shown.endswith(" (SVM) %")
    gen, frames = [["Gen", NO_UNIVERSUM]], {"": universa()}
    assert outcome_of(report.image_pairs(frames, gen, [500, 1000, 2000]), 6) == REPRODUCED
    assert outcome_of(report.image_pairs(frames, gen, TRAINING_SIZES), 6) == NOT_REPRODUCED
    last = [["Rest", "Gen"], ["Mean", "Gen"]]
    assert outcome_of(report.image_pairs({"": universa()}, last, [500]), 6) == REPRODUCED
    assert outcome_of(report.image_pairs({"": universa()}, [["Gen", "Rest"]], [500]), 6) == (
        NOT_REPRODUCED
    )
    assert outcome_of(report.image_pairs({"": digits()}, [["none", "7"]], [200]), 6) == REPRODUCED


def test_noise_is_within_the_margin_and_other_digits_are_not():
    noise, rest = (
        report.image_differences({"": universa()}, kind, [500, 1000]) for kind in ("Noise", "Rest")
    )
    assert outcome_of(noise, 6, margin=0.1) == REPRODUCED
    assert outcome_of(rest, 6, margin=0.1) == NOT_REPRODUCED
    np.testing.assert_allclose(rest.estimate, -0.4, atol=0.03)
    assert re.match(r"percentage points: -0\.\d{3} at 500, -0\.\d{3} at 1000$", rest.shown)
    fixed = universa()
    fixed["error_fixed"] = 0.5
    found = report.image_differences({"": fixed}, "Noise", [500], "error_fixed")
    assert found.estimate == pytest.approx(48.0, abs=0.1)


def test_columns_are_in_per_cent_by_universum():
    cells = report.image_column({"": universa()}, 500).cells
    assert cells[NO_UNIVERSUM].n == N_SPLITS and set(cells) == {NO_UNIVERSUM, *UNIVERSA}
    assert cells[NO_UNIVERSUM].estimate == pytest.approx(2.0, abs=0.1)
    cells = report.image_column({"": digits()}, 200).cells
    assert cells["none"].estimate == pytest.approx(2, abs=0.1)


def test_printed_errors_are_those_of_the_claims():
    assert report.published("mnist_universa")["Rest", 2000] == 0.75
    assert report.published("mnist_size")["Mean", 3000] == 0.60


def test_tables_have_standard_errors_and_intervals():
    frame = universa()
    mean, se = report.table(frame, TRAINING_SIZES)
    values = 100 * frame[(frame["universum"] == "Rest") & (frame["n_train"] == 500)]["error"]
    assert mean.loc["Rest", 500] == pytest.approx(values.mean())
    assert se.loc["Rest", 500] == pytest.approx(values.std() / np.sqrt(N_SPLITS))
    found = report.gains(frame, TRAINING_SIZES)
    assert found.loc[("Rest", 500), "gain"] == pytest.approx(0.4, abs=0.03)
    assert 0 < found.loc[("Rest", 500), "half"] < found.loc[("Rest", 3000), "half"] < 0.1
    assert len(report.gains(sizes(), UNIVERSUM_SIZES)) == 20


def turned(smaller, larger):
    """Errors of two sizes exchanged, of the means."""
    frame = sizes()
    means = frame["universum"] == "Mean"
    rows = [frame.index[means & (frame["n_universum"] == n)] for n in (smaller, larger)]
    values = [frame.loc[r, "error"].to_numpy() for r in rows]
    for r, value in zip(rows, values[::-1], strict=True):
        frame.loc[r, "error"] = value
    return frame


def test_more_points_help_where_they_do():
    # 0.00001 points less for each point
    found = report.size_falls(sizes())
    np.testing.assert_allclose(found.gaps[0], [0.005, 0.02, 0.02, 0.07])
    assert outcome_of(found, 6) == REPRODUCED
    # of the larger of the last two, draw by draw: what all sizes share is no part of it
    assert found.gain.mean() == pytest.approx((0.025 + 0.02) / 3)
    assert found.gain.std() < 1e-9
    assert outcome_of(report.size_falls(turned(500, 1000)), 6) == NOT_REPRODUCED
    # the last two need not fall from one to the other, but both from the third
    assert outcome_of(report.size_falls(turned(5000, 10000)), 6) == REPRODUCED
    assert outcome_of(report.size_falls(turned(3000, 10000)), 6) == NOT_REPRODUCED
    assert outcome_of(report.size_falls(sizes(), "Rest"), 6) == NOT_REPRODUCED


def test_flat_within_the_margin_only():
    found = report.size_flat(sizes())
    assert found.estimate == pytest.approx(0.05)
    assert outcome_of(found, 6, margin=0.06) == REPRODUCED
    assert outcome_of(found, 6, margin=0.03) == NOT_REPRODUCED


def test_the_last_two_are_in_the_better_order():
    straight, crossed = (report.size_column(sizes(), p).cells for p in ([0.6, 0.5], [0.5, 0.6]))
    assert straight["5000"].estimate == pytest.approx(crossed["10000"].estimate)
    assert straight["5000"].estimate > straight["10000"].estimate
    assert straight["500"].estimate == crossed["500"].estimate and len(straight) == 5
