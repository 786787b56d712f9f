"""Reuters-21578: the table's dependence on parameters, one change at a time.

C, C*, the number of positives, the variant of Algorithm TSVM and the processing of texts.
"""

from dataclasses import replace

import numpy as np

from ...datasets import tf_idf
from ...datasets.reuters_corpus import CATEGORIES, corpus
from ...runner import experiment
from .reuters_problem import Problem, training_set
from .reuters_table import N_TRAIN

#: Changes, one at a time, to balanced first costs and the true number of positives.
#: First of the SVM; numbers of positives are multiples of the true one.
COSTS = {
    "C = 0.1": {"C": 0.1},
    "C = 10": {"C": 10.0},
    "C = 100": {"C": 100.0},
    "C* = 0.01": {"C_star": 0.01},
    "C* = 0.1": {"C_star": 0.1},
    "C* = 10": {"C_star": 10.0},
}
NUMBERS = {"half as many positives": 0.5, "twice as many positives": 2.0}
#: Back to the algorithm as printed, with the number of positives by share.
AS_PRINTED = {
    "first costs as printed": {"first_costs": "slides"},
    "number by share": {"n_positive": None},
    "both": {"first_costs": "slides", "n_positive": None},
}
#: Then of the documents' vectors.
TEXTS = {
    "words, not stems": {"stemmed": False},
    "stop words kept": {"stop_words": False},
    "rare words kept": {"minimum": 1},
    "no document frequencies": {"weighted": False},
}


def frequencies_of(text, train):
    """The same corpus, with document frequencies of the given rows and the test part only."""
    have = text.counts[np.r_[train, text.n_train : len(text.positive)]] > 0
    shares = np.asarray(have.sum(axis=0)) / have.shape[0]
    return replace(text, vectors=tf_idf(text.counts, shares))


def _units(params, profile):
    keys = [
        {"changed": changed, "category": category, "number": i}
        for i in range(20 if profile == "full" else 5)
        for changed in ("machine", "text")
        for category in CATEGORIES
    ]
    return keys[: 1 if profile == "smoke" else None]


@experiment(
    "transductive_svm/reuters_parameters",
    version=2,
    page="reuters_table",
    title="Reuters-21578: C, C*, number of positives and text processing",
    datasets=("reuters21578",),
    units=_units,
    agreement=dict.fromkeys(("svm", "tsvm"), "chaotic"),
)
def breakevens_by_change(key, params, data, rng):
    """Breakevens of each method, a row for each change of the algorithm or of the text."""
    table, category = data["reuters21578"], key["category"]
    text = corpus(table)
    train, _ = training_set(category, text.positive[: text.n_train], N_TRAIN, rng)
    usual = Problem(text, train, category)
    n_true = int(usual.positive.sum())
    settings = {"n_positive": n_true, "first_costs": "balanced"}
    cases = {"nothing": (usual, settings)}
    if key["changed"] == "machine":
        for change, new in COSTS.items():
            cases[change] = usual, settings | new
        for change, times in NUMBERS.items():
            cases[change] = usual, settings | {"n_positive": round(times * n_true)}
        for change, new in AS_PRINTED.items():
            cases[change] = usual, settings | new
        # as the author's program has it
        cases["costs in this ratio to the end"] = usual, settings | {"keep_ratio": True}
    else:
        for change, processing in TEXTS.items():
            cases[change] = Problem(corpus(table, **processing), train, category), settings
        cases["frequencies of drawn documents"] = (
            Problem(frequencies_of(text, train), train, category),
            settings,
        )
    return [
        {"change": change}
        | problem.breakevens(
            bayes=problem.bayes(),
            svm=problem.svm(new.get("C", 1.0)),
            tsvm=problem.tsvm(**new)[0],
        )
        for change, (problem, new) in cases.items()
    ]
