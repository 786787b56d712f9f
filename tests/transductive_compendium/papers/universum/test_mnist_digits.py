"""MNIST, each other digit as the universum: units, and what is counted."""

import numpy as np
import pytest
from mnist_rows import RHO, digits
from paper_rooms import outcome_of, unit_rows

from transductive_compendium.papers.universum import mnist_data
from transductive_compendium.papers.universum import mnist_digits_measures as report
from transductive_compendium.papers.universum.mnist_data import ALL_IMAGES, NO_UNIVERSUM
from transductive_compendium.verdicts.rules import (
    NOT_REPRODUCED,
    REPRODUCED,
    UNDECIDED,
    decide_numbers,
)


@pytest.mark.parametrize("n_train", [200, ALL_IMAGES])
def test_a_choice_on_the_test_set_is_the_best_of_what_is_reported(mnist, n_train):
    """With all training images it is among the refits, not among the fits on fewer images."""
    key = {"draw": 0, "n_train": n_train}
    for universum in (NO_UNIVERSUM, "3"):
        own = key | {"universum": universum}
        row = unit_rows("universum/mnist_digits", own, mnist, selection="test").iloc[0]
        assert row["error"] == row["error_oracle"]


def test_outcomes_are_counted_against_the_svm_of_the_split(mnist):
    n_test, seen = len(mnist_data.classes("digits")[1].y), []
    for draw in range(4):
        key = {"draw": draw, "n_train": 200}
        alone = unit_rows("universum/mnist_digits", key | {"universum": NO_UNIVERSUM}, mnist).iloc[
            0
        ]
        row = unit_rows("universum/mnist_digits", key | {"universum": "3"}, mnist).iloc[0]
        assert alone["both_wrong"] == round(alone["error"] * n_test)
        assert alone["only_svm_wrong"] == alone["only_universum_wrong"] == 0
        assert row["both_wrong"] + row["only_svm_wrong"] == alone["both_wrong"]
        assert row["both_wrong"] + row["only_universum_wrong"] == round(row["error"] * n_test)
        seen.append(row[["only_svm_wrong", "only_universum_wrong"]])
    assert (np.sum(seen, axis=0) > 0).all()
    assert alone["n_universum"] == 0
    assert np.isnan(alone["rho_8_pairs"]) and -1 < row["rho_5_pairs"] < 1


BEST = max(RHO, key=lambda name: RHO[name][0])


def counted(**counts):
    """Test images got wrong with all training images: four, but for those given."""
    frame = digits()
    rows = frame["n_train"] == ALL_IMAGES
    alone = rows & (frame["universum"] == "none")
    frame.loc[rows, "both_wrong"] = np.where(alone[rows], 4, 3)
    frame.loc[rows, "only_universum_wrong"] = np.where(alone[rows], 0, 1)
    for name, n in counts.items():
        frame.loc[rows & (frame["universum"] == name[1:]), "both_wrong"] = n - 1
    return frame


def test_a_column_of_counts_is_tested_by_pairs():
    frame = counted(_3=2, _0=4)
    rows = frame["n_train"] == ALL_IMAGES
    frame.loc[rows, ["only_svm_wrong", "only_universum_wrong"]] = 0
    frame.loc[rows & (frame["universum"] == "3"), ["only_svm_wrong", "both_wrong"]] = [2, 2]
    found = report.counted_column(frame)
    errors = {name: cell.sd / np.sqrt(cell.n) for name, cell in found.cells.items()}
    assert len(errors) == 9 and found.cells["3"].estimate == 2
    assert errors["3"] == pytest.approx(np.sqrt(2)) and errors["0"] == pytest.approx(1)
    assert errors["none"] == 0

    def outcome(**printed):
        cells = {name[1:]: float(n) for name, n in printed.items()}
        return decide_numbers(found, cells, 0, False).outcome

    assert outcome(_none=4) == REPRODUCED
    assert outcome(_none=4, _3=1) == outcome(_none=4, _3=4) == UNDECIDED
    assert outcome(_none=4, _3=30) == outcome(_none=6, _3=2) == NOT_REPRODUCED


def test_counts_are_compared_where_nothing_is_random():
    pairs = [["3", "none"], ["3", "7"]]
    assert outcome_of(report.counted_pairs(counted(_3=1), pairs), 0) == REPRODUCED
    assert outcome_of(report.counted_pairs(counted(_3=1, _7=1), pairs), 0) == NOT_REPRODUCED


def test_a_digit_is_the_most_alike():
    ties = {"rho_5": 0.0, "rho_8": 0.005}
    best = report.most_alike(digits(), BEST, ties)
    np.testing.assert_allclose(best.gaps, [[0.01, 0.005]])
    assert outcome_of(best, 0) == REPRODUCED
    # as correlated with 8 as the others, which is enough only with the tie
    assert outcome_of(report.most_alike(digits(), BEST, dict.fromkeys(ties, 0.0)), 0) == (
        NOT_REPRODUCED
    )
    assert outcome_of(report.most_alike(digits(), "3", ties), 0) == NOT_REPRODUCED


def test_correlations_have_the_names_of_the_printed_ones():
    cells = report.rho_column(digits()).cells
    assert len(cells) == 16 and cells["0 rho_5"].estimate == pytest.approx(RHO["0"][0])
