"""Reuters: stories of C15 against the rest of CCAT; universa of other stories and of means.

Inference with the Universum, experiments: Reuters, universa (vi) and (vii).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.sparse import csr_array
from sklearn.preprocessing import normalize

from transductive.margin import MeanOfClosest

from ...datasets import load_rcv1_full, tf_idf, word_counts
from ...runner import Parameter, crossed, experiment
from .text_selection import (
    AGREEMENT,
    SVM,
    THROUGH_ZERO,
    by_validation,
    linear_grid,
    random_split,
)

#: Topics: of all stories, of the class +1, and of the universum; then those of the substitute.
RCV1_TOPICS = ("CCAT", "C15", "M14")
SUBSTITUTE_TOPICS = {"generated_text": ("acq", "earn", "crude")}
TRAINING_SIZES = (50, 100, 200, 500, 1000)
N_STORIES = 500
#: Number of validation stories, or a fifth of a small table.
N_VALIDATION = 500
#: Largest number of test stories; the full corpus has more than 300000.
MAX_TEST = 10_000


@dataclass(frozen=True, eq=False)
class Stories:
    """Vectors of unit length of two classes, and those of another topic."""

    X: csr_array
    y: np.ndarray
    other: csr_array

    @property
    def n_most(self):
        """Largest training subset: the published one, or half of a small table."""
        return min(max(TRAINING_SIZES), len(self.y) // 2)

    @property
    def n_validation(self):
        """500, or a fifth of a small table."""
        return min(N_VALIDATION, len(self.y) // 5)


_STORIES: dict[str, Stories] = {}


def stories(table):
    """Stories of CCAT, +1 for C15; and those of M14 that are not in CCAT. Cached between units.

    Parameters
    ----------
    table : TextVectors or TextDataset

    Returns
    -------
    Stories
    """
    if table.sha256 not in _STORIES:
        whole, positive, other = (
            table.labels(t) == 1 for t in SUBSTITUTE_TOPICS.get(table.name, RCV1_TOPICS)
        )
        whole = whole | positive
        vectors = getattr(table, "X", None)
        X = tf_idf(word_counts(table.documents)[0]) if vectors is None else normalize(vectors)
        X = csr_array(X)
        y = np.where(positive[whole], 1, -1)
        _STORIES[table.sha256] = Stories(X[whole], y, X[other & ~whole])
    return _STORIES[table.sha256]


@lru_cache(maxsize=1)
def _full():
    return load_rcv1_full()


@experiment(
    "universum/rcv1",
    version=1,
    title="Reuters: C15 against the rest of CCAT, with the universa M14 and mean of closest",
    page="winmac",
    datasets=("rcv1_k500",),
    parameters={
        "corpus": Parameter(
            "rcv1_k500",
            str,
            "6000 stories by 500 words, or all of RCV1-v2",
            choices=("rcv1_k500", "rcv1"),
        )
    },
    units=crossed(
        "n_train",
        "draw",
        draw={"smoke": 1, "paper": 40, "full": 100},
        n_train=TRAINING_SIZES,
        smoke=3,
    ),
    agreement=AGREEMENT,
)
def fit_rcv1(key, params, data, rng):
    """A row for the SVM, with and without an intercept, and for each universum."""
    table = data["rcv1_k500"] if params["corpus"] == "rcv1_k500" else _full()
    text = stories(table)
    n_train = min(key["n_train"], text.n_most)
    train, validation, test = random_split(
        text.y, n_train, text.n_most, text.n_validation, rng, MAX_TEST
    )
    points = {"validation": text.X[validation], "test": text.X[test]}
    X, y = text.X[train], text.y[train]
    others = rng.permutation(text.other.shape[0])[:N_STORIES]
    closest = MeanOfClosest(N_STORIES, random_state=int(rng.integers(2**31))).fit(X, y)
    universa = {
        SVM: None,
        THROUGH_ZERO: None,
        "M14": text.other[others],
        "MoC": closest.transform(X),
    }
    rows = []
    for method, universum in universa.items():
        fits = linear_grid(X, y, universum, points, fit_intercept=method != THROUGH_ZERO)
        rows.append(
            {"method": method, "n_universum": 0 if universum is None else universum.shape[0]}
            | by_validation(fits, text.y[validation], text.y[test])
            | {"positives": int((y > 0).sum()), "n_pool": len(text.y)}
        )
    return rows
