"""MNIST, each other digit as the universum: units, and what is counted."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import unit_rows

from transductive_compendium.datasets import load
from transductive_compendium.papers.universum import mnist_data
from transductive_compendium.papers.universum.mnist_data import ALL_IMAGES, DIGITS, NO_UNIVERSUM
from transductive_compendium.runner import get


@pytest.fixture(scope="module")
def data():
    return {"mnist": load("digits")}


def test_all_training_images_are_fitted_once_for_each_digit():
    keys = pd.DataFrame(get("universum/mnist_digits").unit_keys({}, "full"))
    everything = keys[keys["n_train"] == ALL_IMAGES]
    assert sorted(everything["universum"]) == sorted([NO_UNIVERSUM, *map(str, DIGITS)])


def test_some_options_are_run_with_all_training_images():
    keys = pd.DataFrame(get("universum/mnist_digits_options").unit_keys({}, "paper"))
    everything = keys[keys["n_train"] == ALL_IMAGES]
    found = everything.groupby(["choice", "option"])["universum"].agg(["size", "nunique"])
    assert set(found.index) == {("selection", "test"), ("epsilon", "zero")}
    assert (found == len(DIGITS) + 1).all(axis=None) and set(everything["draw"]) == {0}


@pytest.mark.parametrize("n_train", [200, ALL_IMAGES])
def test_a_choice_on_the_test_set_is_the_best_of_what_is_reported(data, n_train):
    """With all training images it is among the refits, not among the fits on fewer images."""
    key = {"draw": 0, "n_train": n_train}
    for universum in (NO_UNIVERSUM, "3"):
        own = key | {"universum": universum}
        row = unit_rows("universum/mnist_digits", own, data, selection="test").iloc[0]
        assert row["error"] == row["error_oracle"]


def test_outcomes_are_counted_against_the_svm_of_the_split(data):
    n_test, seen = len(mnist_data.classes("digits")[1].y), []
    for draw in range(4):
        key = {"draw": draw, "n_train": 200}
        alone = unit_rows("universum/mnist_digits", key | {"universum": NO_UNIVERSUM}, data).iloc[0]
        row = unit_rows("universum/mnist_digits", key | {"universum": "3"}, data).iloc[0]
        assert alone["both_wrong"] == round(alone["error"] * n_test)
        assert alone["only_svm_wrong"] == alone["only_universum_wrong"] == 0
        assert row["both_wrong"] + row["only_svm_wrong"] == alone["both_wrong"]
        assert row["both_wrong"] + row["only_universum_wrong"] == round(row["error"] * n_test)
        seen.append(row[["only_svm_wrong", "only_universum_wrong"]])
    assert (np.sum(seen, axis=0) > 0).all()
    assert alone["n_universum"] == 0
    assert np.isnan(alone["rho_8_pairs"]) and -1 < row["rho_5_pairs"] < 1
