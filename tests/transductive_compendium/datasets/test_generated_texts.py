"""Generated texts, and vectors like those of texts."""

from types import SimpleNamespace

import numpy as np
from sklearn.naive_bayes import MultinomialNB

from transductive_compendium.datasets import (
    load,
    text_like,
    word_counts,
)
from transductive_compendium.datasets.generated_texts import newswire_like
from transductive_compendium.runner.execution import load_data


def test_text_like_vectors_have_the_numbers_asked_for():
    X, y = text_like(400, 5000, 60, seed=1, prevalence=0.3)
    assert X.shape == (400, 5000) and X.dtype == np.float64 and X.indices.dtype == np.int32
    assert (y == 1).sum() == 120 and set(y) == {-1, 1}
    np.testing.assert_allclose((X * X).sum(axis=1), 1)
    # The number of words of a document has variance below its mean: five standard deviations.
    assert abs(X.nnz / 400 - 60) < 5 * np.sqrt(60 / 400)
    again = text_like(400, 5000, 60, np.random.default_rng(1), prevalence=0.3)
    np.testing.assert_array_equal(again[0].toarray(), X.toarray())
    assert not np.array_equal(text_like(400, 5000, 60, seed=2, prevalence=0.3)[1], y)


def test_text_like_classes_differ_by_their_words_only_if_asked_to():
    for boost, low, high in ((20.0, 0.97, 1.0), (1.0, 0.35, 0.65)):
        X, y = text_like(1000, 3000, 50, seed=3, boost=boost)
        score = MultinomialNB().fit(X[:800], y[:800]).score(X[800:], y[800:])
        assert low <= score <= high
    # Zipf: the words of the most frequent tenth make up most of all
    frequencies = np.sort(np.diff(X.tocsc().indptr))[::-1]
    assert frequencies[:300].sum() > 0.5 * frequencies.sum()


def test_generated_texts_replace_missing_ones(empty_folders, monkeypatch):
    monkeypatch.setenv("TRANSDUCTIVE_OFFLINE", "1")
    loaded, names, notice = load_data(SimpleNamespace(datasets=("reuters21578",)))
    data = loaded["reuters21578"]
    assert names == {"reuters21578": "generated_text"} and "replaces reuters21578" in notice
    assert data.substitute and data.n_train == 600 and len(data.documents) == 900
    assert data.sha256 == load("generated_text").sha256
    assert all(word.isalpha() for word in data.documents[0].split())


def test_generated_texts_have_the_topics_of_the_collection_in_both_parts():
    documents, topics, n_train = newswire_like(600, 300, seed=5)
    assert len(documents) == len(topics) == 900 and n_train == 600
    names = "earn acq money-fx grain crude trade interest wheat ship corn".split()
    assert set(sum(topics, ())) == set(names)
    for part, size in ((topics[:600], 600), (topics[600:], 300)):
        counts = {name: sum(name in has for has in part) for name in names}
        assert min(counts.values()) >= 5 and max(counts, key=counts.get) == "earn"
        assert abs(counts["earn"] - 0.3 * size) <= 1
    assert all("grain" in has for has in topics if "wheat" in has or "corn" in has)
    words = set(" ".join(documents).split())
    assert set(word_counts(documents, minimum=1)[1]) == words  # the stemmer leaves them as they are
    counts, _ = word_counts(documents, minimum=1)
    earn = np.array(["earn" in has for has in topics])
    model = MultinomialNB().fit(counts[:600], earn[:600])
    assert model.score(counts[600:], earn[600:]) > 0.85  # 0.7 without words
