"""The table of Reuters under other interpretations of what the slides leave open.

Joachims (1999), as taught in LING 572, the table; options as in ``interpretations.yml``.
"""

from math import comb

import numpy as np

from ...companions import SMOKE_UNITS
from ...datasets.reuters_corpus import CATEGORIES, corpus
from ...runner import experiment
from .reuters_design import ALL, COUNTS, FEATURES, N_TRAIN, STEMS_TFIDF
from .reuters_problem import Problem, training_set
from .reuters_table import AGREEMENT, as_printed, categories_of, facts, variants

#: Random training sets under each interpretation, for each category and for all ten.
N_OPTION_DRAWS = 100
#: Number that also run other interpretations of Algorithm TSVM; half as many for all ten.
N_VARIANT_DRAWS = 30
#: Nearly a hard margin: C and C*.
HARD = 1000.0


def _units(params, profile):
    draws = 200 if profile == "full" else N_OPTION_DRAWS
    keys = [
        {"condition": condition, "number": i}
        for i in range(draws)
        for condition in (*CATEGORIES, ALL)
    ]
    return keys[: SMOKE_UNITS if profile == "smoke" else None]


def both_methods(problem, C=1.0, **choices):
    """Breakevens of naive Bayes, SVM and TSVM, and the results of `as_printed`."""
    row = problem.breakevens(bayes=problem.bayes(), svm=problem.svm(C))
    return row | as_printed(problem, C, **choices)


def _chance(row, problem, pool, rng):
    """The same; if the 17 documents have no positive one, the breakeven of a random order."""
    n, negative = len(pool), int((~pool).sum())
    if rng.uniform() < comb(negative, N_TRAIN) / comb(n, N_TRAIN):
        share = 100.0 * problem.positive.mean()
        return {"bayes": share, "svm": share, "tsvm": share}
    return row


def _labels(problem, found):
    """Breakeven of labels with as many positives as there are."""
    return 100.0 * problem.positive[found.signs > 0].mean()


def _own_options(plain, weighted, pool, rng, number):
    """Rows by interpretation and option, for one category and its own training documents."""
    svm, printed = plain.svm(), plain.algorithm()
    usual = plain.breakevens(bayes=plain.bayes(), svm=svm)
    default = usual | plain.breakevens(tsvm=printed.values)
    told = plain.algorithm(n_positive=int(plain.positive.sum()))
    found = {
        ("breakeven", "final_training"): usual | plain.breakevens(tsvm=printed.final_values()),
        ("breakeven", "labels"): usual | {"tsvm": _labels(plain, told)},
        ("missing_class", "chance"): _chance(default, plain, pool, rng),
        ("bayes", "all_words"): default | plain.breakevens(bayes=plain.bayes(whole=True)),
        ("bayes", "selected"): default | plain.breakevens(bayes=plain.bayes_selected()),
    }
    row = usual | plain.breakevens(tsvm=told.values) | {"objective": told.objective}
    found["num_plus", "true_number"] = row | {"objective_start": told.start_objective(1.0)}
    sign = int(np.clip((svm > 0).sum(), 1, len(svm) - 1))
    found["num_plus", "sign"] = usual | as_printed(plain, n_positive=sign)
    found["pair", "first"] = usual | as_printed(plain, first_pair=True)
    found["test_costs", "one"] = usual | as_printed(plain, one_cost=True)
    found["C", "hard"] = both_methods(plain, HARD)
    found["features", STEMS_TFIDF] = both_methods(weighted)
    if number < N_VARIANT_DRAWS:
        found["features", STEMS_TFIDF] |= variants(weighted)
    return found


def _shared_options(plain, weighted, number):
    """The same, for training documents that serve all ten categories."""
    told = weighted.algorithm(n_positive=int(weighted.positive.sum()))
    together = {"tsvm": _labels(weighted, told)}
    together |= weighted.breakevens(bayes=weighted.bayes_selected(), svm=weighted.svm())
    found = {
        ("draw", "shared"): both_methods(plain, objective=False),
        ("cited_experiment", "together"): together,
    }
    if number < N_VARIANT_DRAWS // 2:
        row = both_methods(weighted, objective=False)
        found["features", STEMS_TFIDF] = row | variants(weighted)
    return found


@experiment(
    "transductive_svm/reuters_table_options",
    version=2,
    title="Reuters-21578, 17 training documents: other interpretations",
    datasets=("reuters21578",),
    units=_units,
    agreement=AGREEMENT,
)
def run_unit(key, params, data, rng):
    """Breakevens of each method under each interpretation, for some training documents."""
    texts = {name: corpus(data["reuters21578"], **of) for name, of in FEATURES.items()}
    condition, pool = key["condition"], texts[COUNTS].positive[: texts[COUNTS].n_train]
    train, _ = training_set(condition, pool, N_TRAIN, rng)
    rows = []
    for category in categories_of(condition):
        problems = [Problem(texts[name], train, category) for name in (COUNTS, STEMS_TFIDF)]
        if condition == ALL:
            found = _shared_options(*problems, key["number"])
        else:
            own = pool[:, CATEGORIES.index(category)]
            found = _own_options(*problems, own, rng, key["number"])
        rows += [
            {"interpretation": interpretation, "option": option, "category": category}
            | facts(problems[0])
            | row
            for (interpretation, option), row in found.items()
        ]
    return rows
