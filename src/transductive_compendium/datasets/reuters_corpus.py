"""Reuters-21578 as vectors with ten categories, which several papers' experiments share.

Measures import the categories from here, so SciPy and scikit-learn are loaded only with the first
corpus.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_array

#: In the order of the table in LING 572.
CATEGORIES = (
    "earn",
    "acq",
    "money-fx",
    "grain",
    "crude",
    "trade",
    "interest",
    "ship",
    "wheat",
    "corn",
)


@dataclass(frozen=True, eq=False)
class Corpus:
    """Word counts, vectors and labels of all documents, those of the training part first."""

    counts: "csr_array"
    vectors: "csr_array"
    positive: np.ndarray
    n_train: int

    @cached_property
    def test_gram(self):
        """Gram matrix of the test part."""
        test = self.vectors[self.n_train :]
        return (test @ test.T).toarray().astype(np.float32)

    def joint_gram(self, train):
        """Gram matrix of training rows and then the test part."""
        sample = self.vectors[train]
        cross = (self.vectors[self.n_train :] @ sample.T).toarray().astype(np.float32)
        own = (sample @ sample.T).toarray().astype(np.float32)
        return np.block([[own, cross.T], [cross, self.test_gram]])


_CORPORA: dict[tuple, Corpus] = {}


def corpus(table, **processing):
    """Vectors and labels of the documents; cached, because many units share them.

    Parameters
    ----------
    table : TextDataset
    **processing
        Passed to `word_counts`; ``weighted=False`` omits the inverse document frequencies.

    Returns
    -------
    Corpus
        Document frequencies are those of all documents; labels are not used.
    """
    from .text_features import tf_idf, word_counts

    key = table.sha256, *processing.items()
    if key not in _CORPORA:
        weighted = processing.pop("weighted", True)
        counts = word_counts(table.documents, **processing)[0]
        vectors = tf_idf(counts) if weighted else tf_idf(counts, np.full(counts.shape[1], 0.5))
        positive = np.column_stack([table.labels(topic) == 1 for topic in CATEGORIES])
        _CORPORA[key] = Corpus(counts, vectors, positive, table.n_train)
    return _CORPORA[key]
