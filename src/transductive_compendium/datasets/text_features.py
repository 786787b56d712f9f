"""Turn documents into vectors for text classification: stems, counts, TF-IDF."""

import re
from collections import Counter

import numpy as np
import snowballstemmer
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS
from sklearn.preprocessing import normalize

_WORD = re.compile(r"[a-z]{2,}")


def word_counts(documents, minimum=3, *, stemmed=True, stop_words=True):
    """Count the stems in each document, stop words left out.

    Joachims uses Porter's stems [2]_ without stop words [1]_; in earlier work he leaves out words
    that occur less than three times in the training data [3]_. Our choices: a word is a run of two
    or more letters a to z, in lower case; the stop words are scikit-learn's list, removed before
    stemming; and a stem must occur in three documents.

    Parameters
    ----------
    documents : sequence of str
    minimum : int
        Stems in fewer documents than this are left out. Labels are not used, so the documents may
        include test documents.
    stemmed : bool, default=True
        False counts words as they are.
    stop_words : bool, default=True
        Whether stop words are taken out.

    Returns
    -------
    counts : csr_array of float64, shape (n, words)
    vocabulary : tuple of str
        The stems in alphabetical order: the columns of `counts`.

    Raises
    ------
    ValueError
        If no stem is in `minimum` documents.

    References
    ----------
    .. [1] Joachims, Transductive Inference for Text Classification using Support Vector Machines,
       ICML 1999.
    .. [2] Porter, An algorithm for suffix stripping, Program 14 (1980).
    .. [3] Joachims, Text Categorization with Support Vector Machines, ECML 1998.
    """
    stem, stems = snowballstemmer.stemmer("porter").stemWord if stemmed else str, {}
    bags = []
    for document in documents:
        bag = Counter()
        for word, count in Counter(_WORD.findall(document.lower())).items():
            if word not in stems:
                out = stop_words and word in ENGLISH_STOP_WORDS
                stems[word] = None if out else stem(word)
            if stems[word] is not None:
                bag[stems[word]] += count
        bags.append(bag)
    frequencies = Counter(word for bag in bags for word in bag)
    vocabulary = tuple(sorted(word for word, n in frequencies.items() if n >= minimum))
    if not vocabulary:
        raise ValueError(
            f"no word is in {minimum} of the {len(bags)} documents; lower `minimum`, or pass more "
            "documents"
        )
    column = {word: place for place, word in enumerate(vocabulary)}
    rows = [sorted((column[word], bag[word]) for word in bag if word in column) for bag in bags]
    # 32 bits, as scikit-learn wants its indices
    ends = np.cumsum([0] + list(map(len, rows)), dtype=np.int32)
    places, values = np.array([pair for row in rows for pair in row], dtype=np.int32).T
    counts = csr_array((values.astype(float), places, ends), shape=(len(bags), len(vocabulary)))
    return counts, vocabulary


def tf_idf(counts, document_frequencies=None):
    """Weigh word counts by the rarity of the words, and scale the documents to unit length.

    The value of a word in a document is the number of times it occurs there (TF) times the
    logarithm of one over the share of documents that contain it (IDF); each document is then
    divided by its Euclidean length. Joachims [1]_ weighs and scales in this way. It is our choice
    that the shares are by default those of all documents passed, training and test, which needs no
    labels.

    Parameters
    ----------
    counts : sparse array of shape (n, words)
        How often each word occurs in each document.
    document_frequencies : array of shape (words,), optional
        Share of documents that contain each word, from 0 to 1; by default computed from `counts`.
        A word with share 0 gets no weight.

    Returns
    -------
    csr_array of float64, shape (n, words)
        A document whose words all have weight 0 is a row of zeros.

    Raises
    ------
    ValueError
        If the frequencies are not one share per word.

    References
    ----------
    .. [1] Joachims, Transductive Inference for Text Classification using Support Vector Machines,
       ICML 1999.
    """
    counts = csr_array(counts, dtype=float)
    if document_frequencies is None:
        shares = np.asarray((counts > 0).sum(axis=0)) / counts.shape[0]
    else:
        shares = np.asarray(document_frequencies, dtype=float)
        if shares.shape != counts.shape[1:] or not ((shares >= 0) & (shares <= 1)).all():
            raise ValueError(
                f"document_frequencies must be {counts.shape[1]} shares of documents from 0 to 1; "
                "divide numbers of documents by their total"
            )
    weights = -np.log(np.where(shares > 0, shares, 1.0))
    weighted = (counts.data * weights[counts.indices], counts.indices, counts.indptr)
    return csr_array(normalize(csr_array(weighted, shape=counts.shape)))
