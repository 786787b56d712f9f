"""Reuters-21578 as vectors of ten categories."""

import numpy as np

from transductive_compendium.datasets import load
from transductive_compendium.datasets.reuters_corpus import CATEGORIES, corpus


def test_the_corpus_is_made_without_labels():
    table = load("generated_text")
    text = corpus(table)
    assert text.positive.shape == (len(table.documents), 10)
    for place, category in enumerate(CATEGORIES):
        np.testing.assert_array_equal(text.positive[:, place], table.labels(category) == 1)
    norms = (text.vectors**2).sum(axis=1)
    np.testing.assert_allclose(norms[norms > 0], 1.0)
    test = text.vectors[text.n_train :].toarray()
    np.testing.assert_allclose(text.test_gram, test @ test.T, atol=1e-6)
    assert corpus(table) is text
    flat = corpus(table, weighted=False)
    of_one = flat.vectors[[0]].toarray()[0]
    expected = text.counts[[0]].toarray()[0]
    np.testing.assert_allclose(of_one, expected / np.linalg.norm(expected))
