"""MNIST on disjoint training sets."""

import numpy as np
import pytest
from paper_rooms import unit_rows

from transductive.margin import UniversumSVC
from transductive_compendium.datasets import load
from transductive_compendium.papers.universum import mnist_groups
from transductive_compendium.papers.universum.mnist_data import (
    ALL_IMAGES,
    NO_UNIVERSUM,
    UNIVERSA,
)
from transductive_compendium.runner import get
from transductive_compendium.runner.companions import N_GROUPS, case_groups

NAME = "universum/mnist_universa_groups"


@pytest.fixture(scope="module")
def data():
    return {"mnist": load("digits")}


def test_sets_share_no_image_and_validation_is_outside_the_set():
    sets = [mnist_groups.DisjointSet("digits", 0, 1000, i) for i in range(5)]
    train = np.concatenate([s.train.X for s in sets])
    assert len(np.unique(train, axis=0)) == len(train) == 5 * 40
    for found in sets:
        both = np.concatenate([found.train.X, found.validation.X])
        assert len(np.unique(both, axis=0)) == len(both) == 40 + 80


def test_as_many_sets_as_the_training_images_allow():
    keys = get(NAME).unit_keys({}, "paper")
    number = {n: sum(key["n_train"] == n for key in keys) for n in (500, 1000, 2000, 3000)}
    assert number == {500: 22, 1000: 11, 2000: 5, 3000: 3}
    assert all((key["draw"] + 1) * key["n_train"] <= ALL_IMAGES for key in keys)


def test_errors_by_group_are_those_of_the_u_svm(data):
    key = dict(n_train=1000, draw=1)
    rows = unit_rows(NAME, key, data)
    assert set(rows["universum"]) == {NO_UNIVERSUM, *UNIVERSA}
    found = mnist_groups.DisjointSet("digits", 0, 1000, 1)
    points = found.points("Rest", 5000)
    fit = found.u_svm(points)
    model = UniversumSVC(fit.C, fit.C_universum, epsilon=0.05, gamma=fit.gamma, tol=1e-5)
    values = model.fit(found.train.X, found.train.y, points).decision_function(found.test.X)
    wrong, group = np.sign(values) != found.test.y, case_groups(len(found.test.y))
    rest = rows[rows["universum"] == "Rest"].set_index("test_group")["error"]
    assert len(rest) == N_GROUPS
    for g in range(N_GROUPS):
        assert rest[g] == pytest.approx(wrong[group == g].mean(), abs=1e-9)
    assert rows["error_fixed"].notna().sum() == N_GROUPS  # of noise alone
