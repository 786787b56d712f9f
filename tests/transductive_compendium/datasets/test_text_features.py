"""Stems, counts, TF-IDF."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from transductive_compendium.datasets import (
    tf_idf,
    word_counts,
)

DOCUMENTS = [
    "The banks were banking. A bank's U.S. profits: 12 mln!",
    "Connected, connecting and CONNECTION; profit.",
    "the of and",
    "Bank profits",
]


def test_stems_are_counted_and_stop_words_are_not():
    counts, stems = word_counts(DOCUMENTS, minimum=1)
    assert stems == ("bank", "connect", "mln", "profit")
    np.testing.assert_array_equal(
        counts.toarray(), [[3, 0, 1, 1], [0, 3, 0, 1], [0, 0, 0, 0], [1, 0, 0, 1]]
    )
    assert word_counts(DOCUMENTS)[1] == ("profit",)  # in three documents; "connect" in one
    assert word_counts(DOCUMENTS, minimum=2)[1] == ("bank", "profit")


def test_tf_idf_by_hand():
    """Shares 1/2, 1/4, 1/4 and 3/4 of four documents: the logarithms of 2, 4, 4 and 4/3."""
    counts, _ = word_counts(DOCUMENTS, minimum=1)
    X = tf_idf(counts).toarray()
    by_hand = np.array([3 * np.log(2), 0, np.log(4), np.log(4 / 3)])
    np.testing.assert_allclose(X[0], by_hand / np.linalg.norm(by_hand), rtol=1e-14)
    np.testing.assert_array_equal(X[2], 0)
    X = tf_idf(counts, [0.5, 0.5, 0, 1]).toarray()  # of other documents, which lack the third word
    np.testing.assert_allclose(X, np.eye(4)[[0, 1, 2, 0]] * [[1], [1], [0], [1]], atol=1e-15)


@given(
    table=st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=1, max_size=6),
    times=st.integers(1, 5),
)
def test_rows_have_unit_length_or_no_word_of_weight(table, times):
    counts = csr_array(np.array(table, dtype=float))
    X = tf_idf(counts)
    lengths = np.sqrt((X * X).sum(axis=1))
    rare = (counts.toarray() > 0).mean(axis=0) < 1
    np.testing.assert_allclose(lengths, (counts.toarray() > 0)[:, rare].any(axis=1), rtol=1e-12)
    # The length of a document does not matter, nor how often the whole collection is given.
    np.testing.assert_allclose(tf_idf(times * counts).toarray(), X.toarray(), atol=1e-12)
    several = csr_array(np.vstack([counts.toarray()] * times))
    np.testing.assert_allclose(
        tf_idf(several).toarray(), np.vstack([X.toarray()] * times), atol=1e-12
    )
