"""RCV1: stories of the topics, and their universa."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from transductive_compendium.datasets import TextVectors, load
from transductive_compendium.papers.universum import rcv1_topics
from transductive_compendium.papers.universum.text_selection import random_split


@pytest.fixture(scope="module")
def generated():
    return load("generated_text")


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
    data = {"rcv1_k500": generated}
    rcv1_topics.fit_rcv1(
        {"n_train": 50, "draw": 0}, {"corpus": "rcv1_k500"}, data, np.random.default_rng(0)
    )
    whole, rng = rcv1_topics.stories(generated), np.random.default_rng(0)
    train, *_ = random_split(
        whole.y,
        50,
        whole.n_most,
        whole.n_validation,
        rng,
        rcv1_topics.MAX_TEST,
    )
    ((X, y),) = seen
    np.testing.assert_array_equal(X.toarray(), whole.X[train].toarray())
    np.testing.assert_array_equal(y, whole.y[train])
