"""Reuters-21578: naive Bayes, SVM and transductive SVM from a handful of news stories.

Joachims (1999), as taught in LING 572, the table: 17 training and 3299 test documents. One against
the rest, one classifier per category.
"""

from ...datasets.reuters_corpus import CATEGORIES, corpus
from ...runner import Parameter, experiment
from .reuters_design import (
    ALL,
    COUNTS,
    FEATURES,
    INTERPRETATIONS,
    N_DRAWS,
    N_TRAIN,
    N_VARIANT_DRAWS,
    STRATIFIED,
)
from .reuters_problem import Problem, breakeven, training_set

ITEM = "transductive_svm/reuters_table"
#: Percentage points of breakeven, and switches: rounding decides between nearly equal values.
AGREEMENT = dict.fromkeys(
    ["svm", *INTERPRETATIONS, *(f"{name}_switches" for name in INTERPRETATIONS)], "chaotic"
) | {"objective": 0.5, "objective_start": 0.5}


def _units(params, profile):
    keys = [
        {"condition": condition, "number": i}
        for i in range(30)
        for condition in (*CATEGORIES, ALL, STRATIFIED)
        if i % {ALL: 2, STRATIFIED: 3}.get(condition, 1) == 0
    ]
    most = 2 * N_DRAWS if profile == "full" else N_DRAWS
    keys += [{"condition": c, "number": i} for i in range(30, most) for c in CATEGORIES]
    return keys[: 2 if profile == "smoke" else None]


def categories_of(condition):
    """Categories that a training set serves."""
    return CATEGORIES if condition in (ALL, STRATIFIED) else [condition]


def facts(problem):
    """Numbers of positive documents."""
    return {
        "train_positives": int(problem.labels.sum()),
        "test_positives": int(problem.positive.sum()),
    }


def as_printed(problem, C=1.0, objective=True, **choices):
    """Breakeven, switches and objectives of Algorithm TSVM, ordered by its last training."""
    found = problem.algorithm(C=C, C_star=C, **choices)
    row = {"tsvm": breakeven(found.values, problem.positive), "tsvm_switches": found.switches}
    if objective:
        row |= {"objective": found.objective, "objective_start": found.start_objective(C)}
    return row


def variants(problem):
    """The other interpretations of Algorithm TSVM, ordered by one more training at C*."""
    n_positive, row = int(problem.positive.sum()), {}
    for name, (first_costs, true) in list(INTERPRETATIONS.items())[1:]:
        values, found = problem.tsvm(
            n_positive=n_positive if true else None, first_costs=first_costs
        )
        row[name] = breakeven(values, problem.positive)
        row[f"{name}_switches"] = int(found.history["switch"].sum())
    return row


@experiment(
    ITEM,
    version=2,
    title="Reuters-21578: naive Bayes, SVM and TSVM from 17 training documents",
    datasets=("reuters21578",),
    parameters={
        "features": Parameter(COUNTS, str, "vectors of the documents", choices=tuple(FEATURES))
    },
    units=_units,
    agreement=AGREEMENT,
)
def run_unit(key, params, data, rng):
    """Breakevens of each method, a row for each category."""
    text, condition = corpus(data["reuters21578"], **FEATURES[params["features"]]), key["condition"]
    train, tries = training_set(condition, text.positive[: text.n_train], N_TRAIN, rng)
    rows = []
    for category in categories_of(condition):
        problem = Problem(text, train, category)
        row = {"category": category, "tries": tries} | facts(problem)
        row |= problem.breakevens(
            bayes=problem.bayes(), bayes_whole=problem.bayes(whole=True), svm=problem.svm()
        )
        row |= as_printed(problem)
        if key["number"] < N_VARIANT_DRAWS:
            row |= variants(problem)
        rows.append(row)
    return rows
