"""Few labels: the draws, and the page."""

import numpy as np
import pandas as pd
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


def test_a_page_has_a_row_for_each_problem_and_number_of_labels(peers, monkeypatch):
    monkeypatch.setattr(peers, "available", lambda name: name != "mnist")
    monkeypatch.setattr(
        peers, "judged", lambda name, n, seed, method: {"error": seed / 100, "seconds": 2.0}
    )
    rows = pd.DataFrame(list(peers.measure()))
    assert len(peers.HEADS) == len(peers.METHODS)
    lines = peers.page(rows, lambda value: f"{value:.3g}")
    table = [line for line in lines if line.startswith("| thyroid | 10 |")]
    assert table[0].split("|")[3].strip() == "12.5"
    assert not any(line.startswith("| MNIST") for line in lines)
    # no kernel of its own for texts
    assert not any("WinMac" in case and "Bayesian" in case for case in rows["case"])
