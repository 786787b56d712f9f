"""MNIST, four universa and their sizes: what units have in common."""

import pandas as pd
import pytest
from paper_rooms import unit_rows

from transductive_compendium.datasets import load
from transductive_compendium.papers.universum.mnist_design import NO_UNIVERSUM


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
    columns = first.columns.drop("n_universum")
    pd.testing.assert_frame_equal(first[columns], second[columns])
    alone = unit_rows(
        "universum/mnist_size", dict(draw=0, n_universum=0, universum=NO_UNIVERSUM), data
    )
    assert (alone["C_universum"] == 0).all() and (alone["method"] == "SVM").all()
