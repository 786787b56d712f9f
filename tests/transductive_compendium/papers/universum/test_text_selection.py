"""Text: random splits, and the choice by validation."""

import numpy as np

from transductive_compendium.papers.universum.grid_search import Fit
from transductive_compendium.papers.universum.text_selection import by_validation, random_split


def test_splits_have_both_classes_and_share_no_rows():
    y = np.where(np.arange(300) % 15, -1, 1)  # rare enough to be drawn again
    for seed in range(10):
        train, validation, test = random_split(y, 10, 50, 60, np.random.default_rng(seed))
        assert [len(train), len(validation), len(test)] == [10, 60, 190]
        assert len({*train, *validation, *test}) == 260 and set(y[train]) == {-1, 1}
    assert len(random_split(y, 10, 50, 60, np.random.default_rng(0), n_test=7)[2]) == 7


def test_validation_chooses_the_first_and_the_test_set_the_luckiest():
    y = np.array([1, 1, -1, -1])
    right, wrong = y.astype(float), -y.astype(float)
    half = np.array([1.0, 1.0, 1.0, 1.0])
    fits = [
        Fit(0, C, 0.1, 0.0, {"validation": v, "test": t})
        for C, v, t in ((1, wrong, right), (2, half, half), (3, half, right), (4, wrong, wrong))
    ]
    row = by_validation(fits, y, y)
    assert row["C"] == 2 and row["error_validation"] == row["error"] == 0.5
    assert row["error_oracle"] == 0.0
