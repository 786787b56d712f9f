"""Text: draws, universa, tuning; and why a mean of vectors on the margin changes nothing."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

import transductive_compendium.papers.universum.text as text
from transductive_compendium.datasets import TextDataset, TextVectors, load, tf_idf, word_counts
from transductive_compendium.papers.universum.selection import Fit


@pytest.fixture(scope="module")
def generated():
    return load("generated_text")


@pytest.fixture(scope="module")
def articles(generated):
    return text.articles(generated, "tf-idf")


@pytest.mark.parametrize("units", [text._rcv1_units, text._winmac_units])
def test_smoke_is_the_beginning_of_paper(units):
    smoke, paper, full = (units({}, tier) for tier in ("smoke", "paper", "full"))
    assert 0 < len(smoke) < len(paper) < len(full)
    assert paper[: len(smoke)] == smoke and full[: len(paper)] == paper


def test_draws_have_both_classes_and_share_no_rows():
    y = np.where(np.arange(300) % 15, -1, 1)  # rare enough to be drawn again
    for seed in range(10):
        train, validation, test = text.draw(y, 10, 50, 60, np.random.default_rng(seed))
        assert [len(train), len(validation), len(test)] == [10, 60, 190]
        assert len({*train, *validation, *test}) == 260 and set(y[train]) == {-1, 1}
    assert len(text.draw(y, 10, 50, 60, np.random.default_rng(0), n_test=7)[2]) == 7


@pytest.mark.parametrize("n_train", [10, 25])
def test_balanced_draws_have_as_many_of_either_class(n_train):
    y = np.where(np.arange(300) % 3, -1, 1)
    for seed in range(5):
        parts = text.draw_balanced(y, n_train, 50, 60, np.random.default_rng(seed))
        assert y[parts[0]].sum() == -(n_train % 2) and len(parts[0]) == n_train
        rows = np.concatenate(parts)
        assert len(parts[1]) == 60 and len(set(rows)) == len(rows) == 300


def test_folds_deal_out_the_classes():
    y = np.where(np.arange(25) < 10, 1, -1)
    number = text.folds(y, np.random.default_rng(0))
    assert np.bincount(number[y > 0]).tolist() == [2] * 5
    assert np.bincount(number).tolist() == [5] * 5


def test_validation_chooses_the_first_and_the_test_set_the_luckiest():
    y = np.array([1, 1, -1, -1])
    right, wrong = y.astype(float), -y.astype(float)
    half = np.array([1.0, 1.0, 1.0, 1.0])
    fits = [
        Fit(0, C, 0.1, 0.0, {"validation": v, "test": t})
        for C, v, t in ((1, wrong, right), (2, half, half), (3, half, right), (4, wrong, wrong))
    ]
    row = text.by_validation(fits, y, y)
    assert row["C"] == 2 and row["error_validation"] == row["error"] == 0.5
    assert row["error_oracle"] == 0.0


def test_cross_validation_keeps_the_left_out_points_from_the_universum(articles):
    y, seen = articles.y, []
    train = np.r_[np.flatnonzero(y > 0)[:3], np.flatnonzero(y < 0)[:7]]
    number = np.array([0, 1, 1, 0, 0, 1, 2, 3, 4, 4])

    def fit(rows, points):
        left = np.setdiff1d(train, rows)
        seen.append(left)
        truth = y[left].astype(float)
        assert points["left"].shape[0] == len(left)
        return [Fit(0, C, 0, 0, {"left": truth * s}) for C, s in ((1, -1), (2, 1), (3, 1))]

    assert text.cross_validated(articles, train, number, fit) == 1
    np.testing.assert_array_equal(np.sort(np.concatenate(seen)), np.sort(train))
    # a fold without which one class is left is passed over
    seen.clear()
    text.cross_validated(articles, train, np.array([0, 0, 0, 1, 1, 2, 2, 3, 3, 4]), fit)
    assert len(seen) == 4 and not set(train[:3]) & set(np.concatenate(seen))


def test_the_line_from_is_left_out():
    documents = [f"From: me@x{i}.site\nSubject: hard disk\n\ntext disk" for i in range(4)]
    groups = tuple((group,) for group in text.NEWSGROUPS * 2)
    table = TextDataset("winmac", tuple(documents), groups, None, "")
    found = text.articles(table, "counts")
    kept, _ = word_counts(["subject hard disk text disk"] * 4)
    np.testing.assert_array_equal(found.counts.toarray(), kept.toarray())
    assert found.y.tolist() == [-1, 1, -1, 1]


def test_counts_are_scaled_alone_and_tf_idf_as_everywhere(generated, articles):
    plain = text.articles(generated, "counts")
    counts = plain.counts[:5].toarray()
    lengths = np.linalg.norm(counts, axis=1, keepdims=True)
    np.testing.assert_allclose(plain.vectors(plain.counts[:5]).toarray(), counts / lengths)
    np.testing.assert_allclose(
        articles.vectors(articles.counts).toarray(), tf_idf(articles.counts).toarray()
    )


def test_readings_of_the_mean_take_the_same_pairs(articles):
    rows = np.r_[np.flatnonzero(articles.y > 0)[:4], np.flatnonzero(articles.y < 0)[:4]]
    made = {r: articles.mean_of_pairs(r, rows, seed=3).toarray() for r in text.READINGS}
    X = articles.vectors(articles.counts[rows]).toarray()
    means = [(a + b) / 2 for a in X[:4] for b in X[4:]]
    for vectors, unit, counts in zip(*made.values(), strict=True):
        assert min(np.abs(vectors - mean).max() for mean in means) < 1e-12
        np.testing.assert_allclose(unit, vectors / np.linalg.norm(vectors))
        assert np.linalg.norm(counts) == pytest.approx(1.0)
        np.testing.assert_array_equal(counts > 0, vectors > 0)
    assert np.abs(made["counts"] - made["unit length"]).max() > 0.01


def test_means_change_nothing_on_the_margin_and_at_unit_length_the_intercept(generated):
    """With f = 1 and -1 at the labels, f is 0 at their mean: the universum's loss is least."""
    key = {"features": "tf-idf", "drawn": "random", "n_train": 10, "draw": 0}
    for seed in (0, 1):
        rows = text._run_winmac(key, {}, {"winmac": generated}, np.random.default_rng(seed))
        rows = pd.DataFrame(rows).set_index("method")
        assert (rows["off_margin"] < 1e-3).all()
        assert rows.at["vectors", "moved"] < 2e-3
        assert rows.at["unit length", "moved"] > 0.02
        # the intercept is all that it moves: at most to where there is none
        most = rows.at[text.THROUGH_ZERO, "moved"]
        assert rows.at["unit length", "moved"] == pytest.approx(most, abs=0.02)
        assert rows["error_default"].notna().sum() == 2 and rows["error_cv"].notna().all()
        assert (rows["error_oracle"] <= rows["error"]).all()


def test_stories_of_the_topics():
    topics = (("CCAT", "C15"), ("CCAT",), ("M14",), ("M14", "CCAT"), ("GCAT",), ())
    X = csr_array(np.array([[3.0, 4.0], [0, 2], [1, 0], [0, 0], [5, 5], [1, 1]]))
    found = text.stories(TextVectors("rcv1_k500", X, topics, ("a", "b"), ""))
    np.testing.assert_allclose(found.X.toarray(), [[0.6, 0.8], [0, 1], [0, 0]])
    assert found.y.tolist() == [1, -1, -1] and found.other.toarray().tolist() == [[1, 0]]


def test_both_universa_of_rcv1_beside_the_svm(generated, monkeypatch):
    key = {"n_train": 50, "draw": 0}
    data = {"rcv1_k500": generated}
    rows = text._run_rcv1(key, {"corpus": "rcv1_k500"}, data, np.random.default_rng(0))
    methods = [row["method"] for row in rows]
    assert methods == ["svm", "svm, no intercept", "M14", "MoC"]
    assert [row["n_universum"] > 0 for row in rows] == [False, False, True, True]
    assert np.isnan(rows[0]["C_universum"]) and rows[2]["C_universum"] > 0
    monkeypatch.setattr(text, "_full", lambda: generated)
    again = text._run_rcv1(key, {"corpus": "rcv1"}, {}, np.random.default_rng(0))
    pd.testing.assert_frame_equal(pd.DataFrame(rows), pd.DataFrame(again))


# ---- what is seen -------------------------------------------------------------------------------


def test_cross_validation_makes_the_universum_of_what_is_left(generated, articles, monkeypatch):
    seen, made = [], text.Articles.mean_of_pairs

    def mean_of_pairs(self, reading, rows, seed):
        seen.append((reading, rows))
        return made(self, reading, rows, seed)

    monkeypatch.setattr(text.Articles, "mean_of_pairs", mean_of_pairs)
    key = {"features": "tf-idf", "drawn": "random", "n_train": 50, "draw": 0}
    text._run_winmac(key, {}, {"winmac": generated}, np.random.default_rng(0))
    for reading in text.READINGS:
        train, *parts = [set(rows) for made_as, rows in seen if made_as == reading]
        assert len(train) == 50 and len(parts) == text.N_FOLDS
        held = [train - part for part in parts]
        assert all(part < train for part in parts)
        assert set.union(*held) == train and sum(map(len, held)) == 50


def test_the_closest_pairs_are_of_the_training_subset(generated, monkeypatch):
    seen = []

    class Closest(text.MeanOfClosest):
        def fit(self, X, y=None):
            seen.append((X, y))
            return super().fit(X, y)

    monkeypatch.setattr(text, "MeanOfClosest", Closest)
    data = {"rcv1_k500": generated}
    text._run_rcv1(
        {"n_train": 50, "draw": 0}, {"corpus": "rcv1_k500"}, data, np.random.default_rng(0)
    )
    whole = text.stories(generated)
    train, *_ = text.draw(
        whole.y, 50, whole.n_most, whole.n_validation, np.random.default_rng(0), text.MOST_TEST
    )
    ((X, y),) = seen
    np.testing.assert_array_equal(X.toarray(), whole.X[train].toarray())
    np.testing.assert_array_equal(y, whole.y[train])


def test_documents_are_chosen_by_validation(generated, monkeypatch):
    """The choice stays if the labels of the test documents are others; the luckiest does not."""
    asked, choose = [], text.by_validation

    def by_validation(fits, y_validation, y_test):
        row, turned = (choose(fits, y_validation, y) for y in (y_test, -y_test))
        asked.append([row[name] == turned[name] for name in ("error_validation", "C", "error")])
        return row

    monkeypatch.setattr(text, "by_validation", by_validation)
    key = {"features": "counts", "drawn": "random", "n_train": 25, "draw": 0}
    text._run_winmac(key, {}, {"winmac": generated}, np.random.default_rng(0))
    assert asked == [[True, True, False]] * 5
