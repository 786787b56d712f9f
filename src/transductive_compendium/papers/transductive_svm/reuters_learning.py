"""Reuters-21578: learning curves over training and test documents.

Joachims (1999), as taught in LING 572, the summary: "a small number of training instances and a
large number of test instances".
"""

import numpy as np

from ...datasets.reuters_corpus import CATEGORIES, corpus
from ...runner import experiment
from .reuters_design import N_TRAIN
from .reuters_problem import Problem, training_set

#: Points of breakeven.
AGREEMENT = {
    f"{name}{end}": 2.0 for name in ("svm", "tsvm", "tsvm_even_true") for end in ("", "_all")
}
#: Numbers of training documents, with the numbers of training sets in the paper tier.
SETS_BY_N_TRAIN = {17: 10, 34: 10, 68: 10, 136: 10, 272: 10, 544: 10, 1088: 10, 2176: 5, 4352: 5}
#: The test documents are halved this often; only for the smallest number of training documents.
HALVINGS = 4


def working_sizes(n_test):
    """Numbers of test documents, the smallest first: 206, 412, 824, 1649, 3299 of 3299."""
    return [n_test >> k for k in range(HALVINGS, -1, -1)]


def order_of_test_documents(positive, sizes, rng):
    """Random order of the test documents; the first ones have a positive and a negative."""
    while True:
        order = rng.permutation(len(positive))
        if 0 < positive[order[: sizes[0]]].sum() < sizes[0]:
            return order


def _units(params, profile):
    times = 4 if profile == "full" else 1
    keys = [
        {"category": category, "n_train": n, "number": i}
        for again in range(times)
        for n, sets in SETS_BY_N_TRAIN.items()
        for i in range(again * sets, (again + 1) * sets)
        for category in CATEGORIES
    ]
    return keys[: 1 if profile == "smoke" else None]


@experiment(
    "transductive_svm/reuters_learning",
    version=1,
    title="Reuters-21578: learning curves over training and test documents",
    datasets=("reuters21578",),
    units=_units,
    agreement=AGREEMENT,
)
def run_unit(key, params, data, rng):
    """Breakevens of each method, a row for each number of test documents."""
    text, category = corpus(data["reuters21578"]), key["category"]
    n = min(key["n_train"], text.n_train)
    train, _ = training_set(category, text.positive[: text.n_train], n, rng)
    problem = Problem(text, train, category)
    sizes = working_sizes(len(problem.positive))
    order = order_of_test_documents(problem.positive, sizes, rng)
    bayes, svm, rows = problem.bayes(), problem.svm(), []
    for size in sizes if n == N_TRAIN else sizes[-1:]:
        used = np.sort(order[:size]) if size < len(order) else None
        n_positive = int(problem.positive[used].sum())
        values = {
            "bayes": bayes,
            "svm": svm,
            "tsvm": problem.tsvm(used)[0],
            "tsvm_even_true": problem.tsvm(used, n_positive=n_positive, first_costs="balanced")[0],
        }
        row = problem.breakevens(slice(None) if used is None else used, **values)
        at_all = {f"{k}_all": v for k, v in problem.breakevens(**values).items()}
        rows.append({"n_test": size} | row | at_all)
    return rows
