"""Reuters-21578: naive Bayes, SVM and transductive SVM from a handful of news stories.

Joachims (1999), as taught in LING 572, the table: 17 training and 3299 test documents. One against
the rest, one classifier per category.
"""

from ...datasets.reuters_corpus import CATEGORIES, corpus
from ...runner import experiment
from .reuters_design import ALL, INTERPRETATIONS, N_TRAIN, STRATIFIED
from .reuters_problem import Problem, training_set

#: Points of breakeven, and switches: where values are all but equal, the last digit decides.
AGREEMENT = dict.fromkeys(["svm", *INTERPRETATIONS], 2.0)
AGREEMENT |= {f"{name}_switches": 20.0 for name in INTERPRETATIONS}


def _units(params, profile):
    keys = [
        {"condition": condition, "number": i}
        for i in range(100 if profile == "full" else 30)
        for condition in (*CATEGORIES, ALL, STRATIFIED)
        if i % {ALL: 2, STRATIFIED: 3}.get(condition, 1) == 0
    ]
    return keys[: 2 if profile == "smoke" else None]


@experiment(
    "transductive_svm/reuters_table",
    version=1,
    title="Reuters-21578: naive Bayes, SVM and TSVM from 17 training documents",
    datasets=("reuters21578",),
    units=_units,
    agreement=AGREEMENT,
)
def run_unit(key, params, data, rng):
    """Breakevens of each method, a row for each category."""
    text, condition = corpus(data["reuters21578"]), key["condition"]
    train, tries = training_set(condition, text.positive[: text.n_train], N_TRAIN, rng)
    rows = []
    for category in CATEGORIES if condition in (ALL, STRATIFIED) else [condition]:
        problem = Problem(text, train, category)
        n_positive = int(problem.positive.sum())
        values = {
            "bayes": problem.bayes(),
            "bayes_whole": problem.bayes(whole=True),
            "svm": problem.svm(),
        }
        row = {
            "category": category,
            "tries": tries,
            "train_positives": int(problem.labels.sum()),
            "test_positives": n_positive,
        }
        for name, (first_costs, true) in INTERPRETATIONS.items():
            values[name], found = problem.tsvm(
                n_positive=n_positive if true else None, first_costs=first_costs
            )
            row[f"{name}_switches"] = int(found.history["switch"].sum())
        rows.append(row | problem.breakevens(**values))
    return rows
