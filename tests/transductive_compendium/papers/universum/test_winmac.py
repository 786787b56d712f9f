"""WinMac: splits, universa, tuning; and why a mean of vectors on the margin changes nothing."""

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.datasets import TextDataset, load, tf_idf, word_counts
from transductive_compendium.papers.universum import winmac
from transductive_compendium.papers.universum.grid_search import Fit
from transductive_compendium.papers.universum.text_design import THROUGH_ZERO


@pytest.fixture(scope="module")
def generated():
    return load("generated_text")


@pytest.fixture(scope="module")
def articles(generated):
    return winmac.articles(generated, "tf-idf")


@pytest.mark.parametrize("n_train", [10, 25])
def test_balanced_splits_have_as_many_of_either_class(n_train):
    y = np.where(np.arange(300) % 3, -1, 1)
    for seed in range(5):
        parts = winmac.balanced_split(y, n_train, 50, 60, np.random.default_rng(seed))
        assert y[parts[0]].sum() == -(n_train % 2) and len(parts[0]) == n_train
        rows = np.concatenate(parts)
        assert len(parts[1]) == 60 and len(set(rows)) == len(rows) == 300


def test_folds_deal_out_the_classes():
    y = np.where(np.arange(25) < 10, 1, -1)
    number = winmac.folds(y, np.random.default_rng(0))
    assert np.bincount(number[y > 0]).tolist() == [2] * 5
    assert np.bincount(number).tolist() == [5] * 5


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

    assert winmac.cross_validated(articles, train, number, fit) == 1
    np.testing.assert_array_equal(np.sort(np.concatenate(seen)), np.sort(train))
    # a fold without which one class is left is passed over
    seen.clear()
    winmac.cross_validated(articles, train, np.array([0, 0, 0, 1, 1, 2, 2, 3, 3, 4]), fit)
    assert len(seen) == 4 and not set(train[:3]) & set(np.concatenate(seen))


def test_the_line_from_is_left_out():
    documents = [f"From: me@x{i}.site\nSubject: hard disk\n\ntext disk" for i in range(4)]
    groups = tuple((group,) for group in winmac.NEWSGROUPS * 2)
    table = TextDataset("winmac", tuple(documents), groups, None, "")
    found = winmac.articles(table, "counts")
    kept, _ = word_counts(["subject hard disk text disk"] * 4)
    np.testing.assert_array_equal(found.counts.toarray(), kept.toarray())
    assert found.y.tolist() == [-1, 1, -1, 1]


def test_counts_are_scaled_alone_and_tf_idf_as_everywhere(generated, articles):
    plain = winmac.articles(generated, "counts")
    counts = plain.counts[:5].toarray()
    lengths = np.linalg.norm(counts, axis=1, keepdims=True)
    np.testing.assert_allclose(plain.vectors(plain.counts[:5]).toarray(), counts / lengths)
    np.testing.assert_allclose(
        articles.vectors(articles.counts).toarray(), tf_idf(articles.counts).toarray()
    )


def test_interpretations_of_the_mean_take_the_same_pairs(articles):
    rows = np.r_[np.flatnonzero(articles.y > 0)[:4], np.flatnonzero(articles.y < 0)[:4]]
    made = {r: articles.mean_of_pairs(r, rows, seed=3).toarray() for r in winmac.INTERPRETATIONS}
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
        rows = winmac.run_winmac(key, {}, {"winmac": generated}, np.random.default_rng(seed))
        rows = pd.DataFrame(rows).set_index("method")
        assert (rows["off_margin"] < 1e-3).all()
        assert rows.at["vectors", "moved"] < 2e-3
        assert rows.at["unit length", "moved"] > 0.02
        # the intercept is all that it moves: at most to where there is none
        most = rows.at[THROUGH_ZERO, "moved"]
        assert rows.at["unit length", "moved"] == pytest.approx(most, abs=0.02)
        assert rows["error_default"].notna().sum() == 2 and rows["error_cv"].notna().all()
        assert (rows["error_oracle"] <= rows["error"]).all()


def test_cross_validation_makes_the_universum_of_what_is_left(generated, articles, monkeypatch):
    seen, made = [], winmac.Articles.mean_of_pairs

    def mean_of_pairs(self, interpretation, rows, seed):
        seen.append((interpretation, rows))
        return made(self, interpretation, rows, seed)

    monkeypatch.setattr(winmac.Articles, "mean_of_pairs", mean_of_pairs)
    key = {"features": "tf-idf", "drawn": "random", "n_train": 50, "draw": 0}
    winmac.run_winmac(key, {}, {"winmac": generated}, np.random.default_rng(0))
    for interpretation in winmac.INTERPRETATIONS:
        train, *parts = [set(rows) for made_as, rows in seen if made_as == interpretation]
        assert len(train) == 50 and len(parts) == winmac.N_FOLDS
        held = [train - part for part in parts]
        assert all(part < train for part in parts)
        assert set.union(*held) == train and sum(map(len, held)) == 50


def test_documents_are_chosen_by_validation(generated, monkeypatch):
    """The choice stays if the labels of the test documents are others; the luckiest does not."""
    asked, choose = [], winmac.by_validation

    def by_validation(fits, y_validation, y_test):
        row, turned = (choose(fits, y_validation, y) for y in (y_test, -y_test))
        asked.append([row[name] == turned[name] for name in ("error_validation", "C", "error")])
        return row

    monkeypatch.setattr(winmac, "by_validation", by_validation)
    key = {"features": "counts", "drawn": "random", "n_train": 25, "draw": 0}
    winmac.run_winmac(key, {}, {"winmac": generated}, np.random.default_rng(0))
    assert asked == [[True, True, False]] * 5
