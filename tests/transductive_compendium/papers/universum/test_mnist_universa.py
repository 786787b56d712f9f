"""MNIST, four universa and their sizes: what units have in common."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import unit_rows

from transductive.margin import UniversumSVC
from transductive_compendium.datasets import load
from transductive_compendium.papers.universum import mnist_data, mnist_validation
from transductive_compendium.papers.universum.mnist_data import NO_UNIVERSUM
from transductive_compendium.runner import get

OPTIONS = [
    ("kernel", "linear"),
    ("kernel", "poly"),
    ("subset", "balanced"),
    ("training_set", "all"),
]


@pytest.fixture(scope="module")
def data():
    return {"mnist": load("digits")}


def test_two_tables_have_one_u_svm_in_common(data):
    """3000 training images and 5000 universum points; 120 and 200 of the substitute."""
    first = unit_rows(
        "universum/mnist_universa", dict(draw=0, n_train=3000, universum="Mean"), data
    )
    second = unit_rows(
        "universum/mnist_size", dict(draw=0, n_universum=5000, universum="Mean"), data
    )
    columns = first.columns.drop(["n_universum", "error_fixed"])
    pd.testing.assert_frame_equal(first[columns], second[columns])
    alone = unit_rows(
        "universum/mnist_size", dict(draw=0, n_universum=0, universum=NO_UNIVERSUM), data
    )
    assert (alone["C_universum"] == 0).all() and (alone["method"] == "SVM").all()


def test_noise_at_a_fixed_cost_has_the_cost_of_the_labelled_images(data):
    key = dict(draw=0, n_train=500, universum="Noise")
    row = unit_rows("universum/mnist_universa", key, data).iloc[0]
    seed = (0, 0)
    svm = mnist_validation.choose_svm("digits", seed, 500, mnist_validation.Protocol())
    points = mnist_validation.points_of_unit("digits", seed, 500, "Noise", 5000)
    train, _ = mnist_data.split("digits", seed, 500)
    test = mnist_data.classes("digits")[1]
    fixed = UniversumSVC(svm.C, svm.C, epsilon=0.05, gamma=svm.gamma, tol=1e-5)
    values = fixed.fit(train.X, train.y, points).decision_function(test.X)
    assert row["error_fixed"] == pytest.approx((np.sign(values) != test.y).mean(), abs=0.005)
    other = unit_rows("universum/mnist_universa", key | {"universum": "Rest"}, data).iloc[0]
    assert np.isnan(other["error_fixed"])


def test_options_near_the_poster_have_all_draws():
    keys = pd.DataFrame(get("universum/mnist_universa_options").unit_keys({}, "paper"))
    draws = keys.groupby("option").draw.nunique()
    near = ["1000", "10000", "balanced"]
    assert (draws[near] == 100).all() and (draws.drop(near) == 20).all()


def test_options_change_what_they_name(data):
    key = dict(draw=1, n_train=1000, universum="Mean")
    name = "universum/mnist_universa"
    default = unit_rows(name, key, data).iloc[0]
    assert default["epsilon"] == 0.05 and default["n_universum"] == 200
    assert unit_rows(name, key, data, epsilon="zero").iloc[0]["epsilon"] == 0.0
    assert unit_rows(name, key, data, n_universum=1000).iloc[0]["n_universum"] == 40
    lucky = unit_rows(name, key, data, selection="test").iloc[0]
    assert lucky["error"] == lucky["error_oracle"] <= default["error"]
    others = [unit_rows(name, key, data, **{k: v}) for k, v in OPTIONS]
    assert not any(default.equals(rows.iloc[0]) for rows in others)


def test_the_size_is_fixed_or_chosen_anew(data):
    name, key = "universum/mnist_size", dict(draw=0, n_universum=10000, universum="Mean")
    small = unit_rows(name, key | {"n_universum": 500}, data).iloc[0]
    fixed = unit_rows(name, key, data, tuned_by_size="fixed").iloc[0]
    assert fixed["C_universum"] == small["C_universum"]
    rest = unit_rows(name, key, data, which_universum="Rest").iloc[0]
    own = unit_rows(name, key | {"universum": "Rest"}, data).iloc[0]
    assert rest["error"] == own["error"] and rest["C_universum"] == own["C_universum"]
