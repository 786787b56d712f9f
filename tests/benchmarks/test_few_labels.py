"""Few labels: the draws, and the page."""

import numpy as np
import pytest


@pytest.fixture
def peers(benchmark_module):
    return benchmark_module("few_labels")


def test_each_class_is_among_the_labelled_points_and_nothing_is_drawn_twice(peers):
    y = np.repeat([0, 1, 2], [200, 8, 500])
    X = np.arange(len(y))[:, None]
    for seed in range(20):
        first, labels, others, truth = peers.draw(X, y, 10, seed)
        assert set(labels) == {0, 1, 2} and len(labels) == 10 and len(truth) == peers.WORKING
        assert len(np.unique(np.r_[first, others])) == 10 + peers.WORKING
        assert (y[first[:, 0]] == labels).all() and (y[others[:, 0]] == truth).all()
