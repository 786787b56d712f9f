"""RCV1: stories of the topics, their universa, random splits, and the choice by validation."""

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from transductive_compendium.datasets import TextVectors
from transductive_compendium.papers.universum import rcv1_topics
from transductive_compendium.papers.universum.grid_search import Fit
from transductive_compendium.papers.universum.text_selection import by_validation, random_split


def test_stories_of_the_topics():
    topics = (("CCAT", "C15"), ("CCAT",), ("M14",), ("M14", "CCAT"), ("GCAT",), ())
    X = csr_array(np.array([[3.0, 4.0], [0, 2], [1, 0], [0, 0], [5, 5], [1, 1]]))
    found = rcv1_topics.stories(TextVectors("rcv1_k500", X, topics, ("a", "b"), ""))
    np.testing.assert_allclose(found.X.toarray(), [[0.6, 0.8], [0, 1], [0, 0]])
    assert found.y.tolist() == [1, -1, -1] and found.other.toarray().tolist() == [[1, 0]]


def test_both_universa_of_rcv1_beside_the_svm(generated, monkeypatch):
    key = {"n_train": 50, "draw": 0}
    data = {"rcv1_k500": generated}
    rows = rcv1_topics.fit_rcv1(key, {"corpus": "rcv1_k500"}, data, np.random.default_rng(0))
    methods = [row["method"] for row in rows]
    assert methods == ["svm", "svm, no intercept", "M14", "MoC"]
    assert [row["n_universum"] > 0 for row in rows] == [False, False, True, True]
    assert np.isnan(rows[0]["C_universum"]) and rows[2]["C_universum"] > 0
    monkeypatch.setattr(rcv1_topics, "_full", lambda: generated)
    again = rcv1_topics.fit_rcv1(key, {"corpus": "rcv1"}, {}, np.random.default_rng(0))
    pd.testing.assert_frame_equal(pd.DataFrame(rows), pd.DataFrame(again))


def test_the_closest_pairs_are_of_the_training_subset(generated, monkeypatch):
    seen = []

    class Closest(rcv1_topics.MeanOfClosest):
        def fit(self, X, y=None):
            seen.append((X, y))
            return super().fit(X, y)

    monkeypatch.setattr(rcv1_topics, "MeanOfClosest", Closest)
    key, data = {"n_train": 50, "draw": 0}, {"rcv1_k500": generated}
    rcv1_topics.fit_rcv1(key, {"corpus": "rcv1_k500"}, data, np.random.default_rng(0))
    whole, rng = rcv1_topics.stories(generated), np.random.default_rng(0)
    sizes = whole.n_most, whole.n_validation
    train, *_ = random_split(whole.y, 50, *sizes, rng, rcv1_topics.MAX_TEST)
    ((X, y),) = seen
    np.testing.assert_array_equal(X.toarray(), whole.X[train].toarray())
    np.testing.assert_array_equal(y, whole.y[train])


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
