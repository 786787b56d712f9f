"""The table of Reuters under the other options of what the slides leave open.

Joachims (1999), as taught in LING 572, the table; options as in ``open_choices.yml``.
"""

from math import comb

from ...datasets.reuters_corpus import CATEGORIES, corpus
from ...runner import experiment, get
from ...runner.companions import SMOKE_UNITS
from ...runner.open_choices import open_choices
from .reuters_problem import ALL, COUNTS, FEATURES, STEMS_TFIDF, Problem, training_set
from .reuters_table import (
    AGREEMENT,
    ITEM,
    N_TRAIN,
    breakevens_by_chance,
    breakevens_by_method,
    categories_of,
    facts,
    objectives,
    variants,
)

#: Random training sets under each option, for each category and for all ten.
N_OPTION_DRAWS = 100
#: Numbers that also run other variants of Algorithm TSVM, with stems by TF-IDF.
N_VARIANT_DRAWS = {"own": 30, "shared": 15}
#: Choices that change the objective of the returned labels.
OF_THE_OBJECTIVE = ("num_plus", "pair", "test_costs", "C", "features")


def _units(params, profile):
    draws = 200 if profile == "full" else N_OPTION_DRAWS
    keys = [
        {"condition": condition, "number": i}
        for i in range(draws)
        for condition in (*CATEGORIES, ALL)
    ]
    return keys[: SMOKE_UNITS if profile == "smoke" else None]


def options_run(shared):
    """Other options with parameters, of training documents for one category or shared by all."""
    return {
        (choice, name): option
        for choice, found in open_choices("transductive_svm").items()
        for name, option in found.others.items()
        if option.run and (option.run.get("draw") == "shared") == shared
    }


def no_positive(pool, n):
    """Probability that n documents out of a pool have no positive one."""
    return comb(int((~pool).sum()), n) / comb(len(pool), n)


@experiment(
    f"{ITEM}_options",
    version=2,
    title="Reuters-21578, 17 training documents: other options",
    datasets=("reuters21578",),
    units=_units,
    agreement=AGREEMENT,
)
def breakevens_by_option(key, params, data, rng):
    """Breakevens of each method under each option, all for the same training documents.

    Its units are not those of `options`: one training set serves all options, so that they are
    compared on the same documents, and the vectors of the documents are made once.
    """
    texts = {name: corpus(data["reuters21578"], **of) for name, of in FEATURES.items()}
    condition, shared = key["condition"], key["condition"] == ALL
    pool = texts[COUNTS].positive[: texts[COUNTS].n_train]
    train, _ = training_set(condition, pool, N_TRAIN, rng)
    defaults = {name: parameter.default for name, parameter in get(ITEM).parameters.items()}
    found = options_run(shared)
    with_variants = key["number"] < N_VARIANT_DRAWS["shared" if shared else "own"]
    if shared and with_variants:
        found["features", STEMS_TFIDF] = options_run(False)["features", STEMS_TFIDF]
    # the training documents have both classes; so often, seventeen random ones have no positive one
    missing = not shared and rng.uniform() < no_positive(
        pool[:, CATEGORIES.index(condition)], N_TRAIN
    )
    rows = []
    for category in categories_of(condition):
        problems = {name: Problem(text, train, category) for name, text in texts.items()}
        for (choice, name), option in found.items():
            chosen = defaults | option.run
            problem = problems[chosen["features"]]
            row, run = breakevens_by_method(problem, chosen)
            if choice == "missing_class" and missing:
                row = breakevens_by_chance(problem)
            if choice in OF_THE_OBJECTIVE and not shared:
                row |= objectives(run, chosen["C"])
            if name == STEMS_TFIDF and with_variants:
                row |= variants(problem, chosen["C"])
            told = {"choice": choice, "option": name, "category": category}
            rows.append(told | facts(problem) | row)
    return rows
