"""Reuters-21578: learning curves over training and test documents.

Joachims (1999), as taught in LING 572, the summary: "a small number of training instances and a
large number of test instances".
"""

import numpy as np

from ...datasets.reuters_corpus import CATEGORIES, corpus
from ...runner import experiment
from ...runner.companions import options
from .reuters_problem import FEATURES, Problem, breakeven, training_set
from .reuters_table import N_TRAIN

#: Tolerances: percentage points of breakeven.
AGREEMENT = dict.fromkeys(("svm", "tsvm", "svm_all", "tsvm_all"), "chaotic")
#: Numbers of training documents, with the numbers of training sets in the paper tier.
SETS_BY_N_TRAIN = {17: 10, 68: 10, 272: 10, 1088: 10, 4352: 5}
#: The numbers that the summary is judged at, and training sets for them.
FEW, MANY = N_TRAIN, 1088
N_DRAWS = 100
#: Training sets that also run intermediate numbers.
N_BETWEEN = 10
#: The last number of a training set under options that are only told.
N_OPTIONS = 15
#: How often the test documents are halved; only for the smallest number of training documents.
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
    def keys(again):
        return [
            {"category": category, "n_train": n, "number": i}
            for n, sets in SETS_BY_N_TRAIN.items()
            for i in range(again * sets, (again + 1) * sets)
            for category in CATEGORIES
        ]

    found = keys(0) + [
        {"category": category, "n_train": n, "number": i}
        for i in range(N_BETWEEN, N_DRAWS)
        for n in (FEW, MANY)
        for category in CATEGORIES
    ]
    if profile == "full":
        have = {tuple(key.values()) for key in found}
        found += [k for again in (1, 2, 3) for k in keys(again) if tuple(k.values()) not in have]
    return found[: 1 if profile == "smoke" else None]


@experiment(
    "transductive_svm/reuters_learning",
    version=3,
    page="reuters_table",
    title="Reuters-21578: learning curves over training and test documents",
    datasets=("reuters21578",),
    open_choices=("num_plus", "first_costs", "features"),
    units=_units,
    agreement=AGREEMENT,
)
def breakevens_by_test_size(key, params, data, rng):
    """Breakevens of each method, a row for each number of test documents."""
    text = corpus(data["reuters21578"], **FEATURES[params["features"]])
    category, n = key["category"], min(key["n_train"], text.n_train)
    train, _ = training_set(category, text.positive[: text.n_train], n, rng)
    problem = Problem(text, train, category)
    sizes = working_sizes(len(problem.positive))
    order = order_of_test_documents(problem.positive, sizes, rng)
    bayes, svm, rows = problem.bayes(), problem.svm(), []
    between = key["number"] < N_BETWEEN
    if n != FEW:
        sizes = sizes[-1:]
    for size in sizes if between else sorted({sizes[0], sizes[-1]}):
        used = np.sort(order[:size]) if size < len(order) else None
        seen = slice(None) if used is None else used
        n_positive = problem.num_plus(params["num_plus"], svm, seen)
        found = problem.algorithm(used, n_positive=n_positive, first_costs=params["first_costs"])
        rows_seen = np.arange(len(problem.gram)) if used is None else np.r_[:n, n + used]
        values = {"bayes": bayes, "svm": svm, "tsvm": problem._values(found.svm, rows_seen)}
        row = problem.breakevens(seen, **values)
        row["tsvm"] = breakeven(found.values, problem.positive[seen])
        at_all = {f"{k}_all": v for k, v in problem.breakevens(**values).items()}
        rows.append({"n_test": size} | row | at_all)
    return rows


options(
    "transductive_svm/reuters_learning",
    keep=lambda key: key["choice"] == "first_costs" or N_BETWEEN <= key["number"] < N_OPTIONS,
)
