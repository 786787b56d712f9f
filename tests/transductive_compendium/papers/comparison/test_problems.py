"""Random splits, and the kernel that all methods have."""

import numpy as np
import pytest

from transductive_compendium.datasets import load, substitute
from transductive_compendium.papers.comparison import problems
from transductive_compendium.papers.comparison.problems import CLASS_SIZES, LABELS, n_working


@pytest.fixture(scope="module")
def data():
    return {name: load(substitute(name)) for name in problems.DATASETS}


@pytest.mark.parametrize("name", problems.PROBLEMS)
def test_splits_share_no_row_and_begin_with_both_classes(name, data):
    found = problems.table(name, data)
    for number in range(3):
        labelled, working = problems.random_split(found, problems.generator(name, number, 0))
        assert len(labelled) == max(LABELS)
        assert len(working) == n_working(len(found.to_work))
        assert not set(labelled) & set(working)
        first = found.y[labelled[: min(LABELS)]]
        assert min((first == 1).sum(), (first == -1).sum()) >= problems.MIN_OF_EACH_CLASS
        again, _ = problems.random_split(found, problems.generator(name, number, 0))
        np.testing.assert_array_equal(labelled, again)


def test_texts_come_from_both_sides_of_the_published_split(data):
    found = problems.table("reuters acq", data)
    labelled, working = problems.random_split(found, problems.generator("reuters acq", 0, 0))
    n_train = data["reuters21578"].n_train
    assert labelled.max() < n_train <= working.min()
    seen = problems.sample("reuters acq", found, labelled, working)
    lengths = np.linalg.norm(seen.X[:, :-1], axis=1)  # words that nobody has are left out
    np.testing.assert_allclose(lengths, 1.0, rtol=1e-6)
    assert (seen.X[:, -1] == 1).all() and (seen.X_working[:, -1] == 1).all()


def test_the_kernel_is_chosen_without_the_working_points():
    rng = np.random.default_rng(0)
    y = np.where(np.arange(70) % 2, 1.0, -1.0)
    X = rng.standard_normal((70, 2)) + 0.8 * y[:, None]
    seen = problems.Sample(X[:10], y[:10], X[10:], y[10:], "rbf")
    moved = problems.Sample(X[:10], y[:10], 5.0 + 3.0 * X[10:], -y[10:], "rbf")
    assert moved.kernel_options == seen.kernel_options and moved.ridge == seen.ridge


def test_every_problem_has_its_sizes():
    assert set(CLASS_SIZES) == set(problems.PROBLEMS)
    assert n_working(sum(CLASS_SIZES["banana"])) == 400
