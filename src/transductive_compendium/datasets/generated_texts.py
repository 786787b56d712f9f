"""Seeded texts of made-up words, and vectors like those of texts."""

from itertools import product

import numpy as np
from scipy.optimize import brentq
from scipy.sparse import csr_array

from .dataset_types import TextDataset
from .registry import SUBSTITUTES
from .text_features import tf_idf


def _word_laws(n_words, kinds, topical, boost, rng):
    """Return the probabilities of the words: the common ones, and how they differ by kind.

    Common words follow Zipf's law without its most frequent words, the stop words of real text.
    """
    common = 1 / (10.0 + rng.permutation(n_words))
    return common, np.where(rng.random((kinds, n_words)) < topical, boost, 1.0)


def _draw_counts(laws, kind, distinct, rng):
    """Draw word counts of documents of each kind, `distinct` different words on average."""
    laws = laws / laws.sum(axis=1, keepdims=True)
    length = brentq(
        lambda n: (1 - np.exp(-n * laws)).sum(axis=1).mean() - distinct, 0, 1e6 * laws.shape[1]
    )
    lengths = np.maximum(rng.poisson(length, len(kind)), 1)
    starts = np.append(0, np.cumsum(lengths)).astype(np.int32)
    words = np.empty(starts[-1], dtype=np.int32)  # 32 bits, as scikit-learn wants its indices
    owner = np.repeat(kind, lengths)
    for number, law in enumerate(laws):
        mine = owner == number
        words[mine] = rng.choice(len(law), mine.sum(), p=law)
    counts = csr_array((np.ones(len(words)), words, starts), shape=(len(kind), laws.shape[1]))
    counts.sum_duplicates()
    return counts


def text_like(n_samples, n_features, nonzeros, seed=0, *, prevalence=0.5, topical=0.01, boost=20.0):
    """Draw vectors like those of documents of two classes.

    Words are drawn independently, by Zipf's law, each document from the law of its class. In each
    class a few words, different ones in each, are more frequent. `tf_idf` weighs the counts.

    Parameters
    ----------
    n_samples, n_features : int
        Documents and words.
    nonzeros : int
        Number of different words in a document, on average.
    seed : int or Generator
    prevalence : float
        Share of documents in class +1.
    topical : float
        Share of words that are more frequent in a class, for each of the two.
    boost : float
        Factor by which they are more frequent, at least 1.

    Returns
    -------
    X : csr_array of float64, shape (n_samples, n_features)
        Rows of unit length; a row is zero if all its words occur in all documents.
    y : ndarray of int64, shape (n_samples,)
        Classes -1 and +1, in random order.

    Raises
    ------
    ValueError
        If a number is out of its range.
    """
    if n_samples < 1 or not 1 <= nonzeros < n_features:
        raise ValueError(
            "text_like needs n_samples >= 1 and 1 <= nonzeros < n_features; "
            f"got {n_samples}, {nonzeros}, {n_features}"
        )
    if not (0 <= prevalence <= 1 and 0 <= topical <= 1 and boost >= 1):
        raise ValueError(
            "text_like needs prevalence and topical from 0 to 1 and boost >= 1; "
            f"got {prevalence}, {topical}, {boost}"
        )
    rng = np.random.default_rng(seed)
    positive = rng.permutation(n_samples) < round(prevalence * n_samples)
    common, changes = _word_laws(n_features, 2, topical, boost, rng)
    counts = _draw_counts(common * changes, positive.astype(int), nonzeros, rng)
    return tf_idf(counts), np.where(positive, 1, -1)


#: Topics of the texts below, the first topic of a document, and their shares of all documents.
#: About those of Reuters-21578, where nearly all wheat and corn is grain as well.
_TOPIC_SHARES = {
    ("earn",): 0.30,
    ("acq",): 0.17,
    ("money-fx",): 0.056,
    ("grain",): 0.012,
    ("crude",): 0.041,
    ("trade",): 0.038,
    ("interest",): 0.036,
    ("wheat", "grain"): 0.019,
    ("ship",): 0.021,
    ("corn", "grain"): 0.017,
    (): 0.29,
}


def newswire_like(n_train, n_test, seed=0):
    """Draw texts of made-up words, on the ten most frequent topics of Reuters-21578 or on none.

    Parameters
    ----------
    n_train, n_test : int
        Documents in the two parts. Topics have the same shares in both, up to rounding.
    seed : int or Generator

    Returns
    -------
    documents : tuple of str
    topics : tuple of tuple of str
    n_train : int
    """
    rng = np.random.default_rng(seed)
    syllables = list(map("".join, product("bdfgklmnprtvz", "aou")))
    words = np.array(list(map("".join, product(syllables, repeat=2))))  # no stemmer shortens these
    kinds = list(_TOPIC_SHARES)
    common, changes = _word_laws(len(words), len(kinds), 0.01, 30.0, rng)
    changes[kinds.index(())] = 1.0
    for kind in kinds:
        for other in kind[1:]:
            changes[kinds.index(kind)] *= changes[kinds.index((other,))]
    ends = np.cumsum(list(_TOPIC_SHARES.values()))
    kind = np.concatenate(
        [
            rng.permutation(np.searchsorted(ends / ends[-1], (np.arange(n) + 0.5) / n))
            for n in (n_train, n_test)
        ]
    )
    counts = _draw_counts(common * changes, kind, 40, rng).astype(int)
    documents = tuple(
        " ".join(np.repeat(words[counts.indices[start:end]], counts.data[start:end]))
        for start, end in zip(counts.indptr[:-1], counts.indptr[1:], strict=True)
    )
    return documents, tuple(kinds[k] for k in kind), n_train


def load_generated_text():
    """Draw texts of made-up words: 600 to train on and 300 to test.

    Their topics have the names and approximate shares of the ten most frequent topics of
    Reuters-21578, which the texts replace if it is not available. The words of each topic are
    made up, too.

    Returns
    -------
    TextDataset
    """
    terms = SUBSTITUTES["generated_text"]
    what = f"Texts of made-up words, drawn from a seeded generator. Terms: {terms}."
    return TextDataset("generated_text", *newswire_like(600, 300), what, substitute=True)
