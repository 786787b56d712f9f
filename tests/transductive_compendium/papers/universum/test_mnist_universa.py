"""MNIST, four universa and their sizes: what units have in common, what measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from mnist_rows import N_SPLITS, digits, sizes, universa
from paper_rooms import outcome_of, unit_rows
from scipy.special import stdtrit

from transductive.margin import UniversumSVC
from transductive_compendium.papers.universum import mnist_data, mnist_validation
from transductive_compendium.papers.universum import mnist_universa_measures as report
from transductive_compendium.papers.universum.mnist_data import (
    NO_UNIVERSUM,
    TRAINING_SIZES,
)
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED


def universa_row(mnist, n_train, universum="Mean", **options):
    key = {"draw": 0, "n_train": n_train, "universum": universum}
    return unit_rows("universum/mnist_universa", key, mnist, **options).iloc[0]


def size_row(mnist, n_universum, universum="Mean", **options):
    key = {"draw": 0, "n_universum": n_universum, "universum": universum}
    return unit_rows("universum/mnist_size", key, mnist, **options).iloc[0]


def test_two_tables_have_one_u_svm_in_common(mnist):
    """3000 training images and 5000 universum points; 120 and 200 of the substitute."""
    first, second = universa_row(mnist, 3000), size_row(mnist, 5000)
    columns = first.index.drop(["n_universum", "error_fixed"])
    pd.testing.assert_series_equal(first[columns], second[columns])
    alone = size_row(mnist, 0, NO_UNIVERSUM)
    assert alone["C_universum"] == 0 and alone["method"] == "SVM"


def test_noise_at_a_fixed_cost_has_the_cost_of_the_labelled_images(mnist):
    row = universa_row(mnist, 500, "Noise")
    seed = (0, 0)
    svm = mnist_validation.choose_svm("digits", seed, 500, mnist_validation.Protocol())
    points = mnist_validation.points_of_unit("digits", seed, 500, "Noise", 5000)
    train, _ = mnist_data.split("digits", seed, 500)
    test = mnist_data.classes("digits")[1]
    fixed = UniversumSVC(svm.C, svm.C, epsilon=0.05, gamma=svm.gamma, tol=1e-5)
    values = fixed.fit(train.X, train.y, points).decision_function(test.X)
    assert row["error_fixed"] == pytest.approx((np.sign(values) != test.y).mean(), abs=0.005)
    assert np.isnan(universa_row(mnist, 500, "Rest")["error_fixed"])


def test_options_change_what_they_name(mnist):
    default = universa_row(mnist, 1000)
    assert default["epsilon"] == 0.05 and default["n_universum"] == 200
    assert universa_row(mnist, 1000, epsilon="zero")["epsilon"] == 0.0
    assert universa_row(mnist, 1000, n_universum=1000)["n_universum"] == 40
    # generated images of one class change no other unit, as the record of that option has it
    pd.testing.assert_series_equal(universa_row(mnist, 1000, gen_classes="separate"), default)
    lucky = universa_row(mnist, 1000, selection="test")
    assert lucky["error"] == lucky["error_oracle"] <= default["error"]


def test_the_size_is_fixed_or_chosen_anew(mnist):
    fixed = size_row(mnist, 10000, tuned_by_size="fixed")
    assert fixed["C_universum"] == size_row(mnist, 500)["C_universum"]
    rest, own = size_row(mnist, 10000, which_universum="Rest"), size_row(mnist, 10000, "Rest")
    assert rest["error"] == own["error"] and rest["C_universum"] == own["C_universum"]


def test_pairs_are_compared_split_by_split_at_every_size():
    pairs = [["Rest", NO_UNIVERSUM], ["Mean", NO_UNIVERSUM]]
    found = report.image_pairs({"": universa()}, pairs, list(TRAINING_SIZES))
    assert found.gaps.shape == (N_SPLITS, 8) and outcome_of(found, 6) == REPRODUCED
    np.testing.assert_allclose(found.gaps.mean(axis=0), 0.4, atol=0.03)
    assert found.gain.mean() == pytest.approx(0.4, abs=0.02)


@pytest.mark.parametrize(
    ("pairs", "sizes", "outcome"),
    [
        ([["Gen", NO_UNIVERSUM]], [500, 1000, 2000], REPRODUCED),
        ([["Gen", NO_UNIVERSUM]], TRAINING_SIZES, NOT_REPRODUCED),
        ([["Rest", "Gen"], ["Mean", "Gen"]], [500], REPRODUCED),
        ([["Gen", "Rest"]], [500], NOT_REPRODUCED),
        ([[NO_UNIVERSUM, "7"]], [200], REPRODUCED),  # of the digits
    ],
)
def test_every_pair_must_be_in_order_at_every_size(pairs, sizes, outcome):
    frame = digits() if sizes == [200] else universa()
    assert outcome_of(report.image_pairs({"": frame}, pairs, sizes), 6) == outcome


def test_noise_is_within_the_margin_and_other_digits_are_not():
    noise, rest = (
        report.image_differences({"": universa()}, kind, [500, 1000]) for kind in ("Noise", "Rest")
    )
    assert outcome_of(noise, 6, margin=0.1) == REPRODUCED
    assert outcome_of(rest, 6, margin=0.1) == NOT_REPRODUCED
    np.testing.assert_allclose(rest.estimate, -0.4, atol=0.03)
    fixed = universa().assign(error_fixed=0.5)
    found = report.image_differences({"": fixed}, "Noise", [500], "error_fixed")
    assert found.estimate == pytest.approx(48.0, abs=0.1)


def test_columns_are_in_per_cent_by_universum():
    for frame, n in ((universa(), 500), (digits(), 200)):
        cells = report.image_column({"": frame}, n).cells
        assert cells[NO_UNIVERSUM].n == N_SPLITS
        assert cells[NO_UNIVERSUM].estimate == pytest.approx(2.0, abs=0.1)
        assert set(cells) == set(frame["universum"])


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


def test_gains_have_the_intervals_that_decide():
    found = report.gains(universa(), TRAINING_SIZES)
    assert found.loc[("Rest", 500), "gain"] == pytest.approx(0.4, abs=0.03)
    own = report.errors(universa(), 500)
    gap = own[NO_UNIVERSUM] - own["Rest"]
    half = stdtrit(len(gap) - 1, 0.975) * gap.sem()
    assert found.loc[("Rest", 500), "half"] == pytest.approx(half)
