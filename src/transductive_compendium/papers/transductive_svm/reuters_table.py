"""Reuters-21578: naive Bayes, SVM and transductive SVM from a handful of news stories.

Joachims (1999), as taught in LING 572, the table: 17 training and 3299 test documents. One against
the rest, one classifier per category.
"""

from ...datasets.reuters_corpus import CATEGORIES, corpus
from ...runner import Parameter, experiment
from .reuters_problem import ALL, FEATURES, TRUE_NUMBER, Problem, breakeven, training_set

ITEM = "transductive_svm/reuters_table"
#: Training documents of the table.
N_TRAIN = 17
#: Random training sets of 17 for each category, or for all ten.
N_DRAWS = 100
#: Percentage points of breakeven, and switches: rounding decides between nearly equal values.
AGREEMENT = dict.fromkeys(["svm", "tsvm", "tsvm_switches"], "chaotic")
AGREEMENT |= {"objective": 0.5, "objective_start": 0.5}
#: Conditions of the training sets, by option of the open choice `draw`.
CONDITIONS = {"per_category": CATEGORIES, "shared": (ALL,)}


def _units(params, profile):
    keys = [
        {"condition": condition, "number": i}
        for i in range(2 * N_DRAWS if profile == "full" else N_DRAWS)
        for condition in CONDITIONS[params["draw"]]
    ]
    return keys[: 2 if profile == "smoke" else None]


def categories_of(condition):
    """Categories that a training set serves."""
    return CATEGORIES if condition == ALL else [condition]


def facts(problem):
    """Numbers of positive documents."""
    return {
        "train_positives": int(problem.labels.sum()),
        "test_positives": int(problem.positive.sum()),
    }


def breakevens_by_chance(problem):
    """Breakevens of a random order: the share of positive test documents."""
    return dict.fromkeys(("bayes", "svm", "tsvm"), 100.0 * problem.positive.mean())


def _of_labels(found, positive):
    return 100.0 * positive[found.signs > 0].mean()


#: Breakeven of a run of the TSVM, by option of the open choice `breakeven`.
BREAKEVENS = {
    "last_training": lambda found, positive: breakeven(found.values, positive),
    "final_training": lambda found, positive: breakeven(found.final_values(), positive),
    "labels": _of_labels,
}


def breakevens_by_method(problem, params):
    """Breakevens of each method under the options of the parameters, and the run of the TSVM."""
    C, svm, bayes = params["C"], problem.svm(params["C"]), problem.bayes(params["bayes"])
    breakeven_of_run = BREAKEVENS[params["breakeven"]]
    # labels have a breakeven if as many are positive as there are positive documents
    labels = params["breakeven"] == "labels"
    found = problem.algorithm(
        C=C,
        C_star=C,
        n_positive=problem.num_plus(TRUE_NUMBER if labels else params["num_plus"], svm),
        first_costs=params["first_costs"],
        test_costs=params["test_costs"],
        pair=params["pair"],
    )
    tsvm = breakeven_of_run(found, problem.positive)
    return problem.breakevens(bayes=bayes, svm=svm) | {"tsvm": tsvm}, found


def objectives(found, C):
    """Objective at C* of the labels that the algorithm returns, and of those it starts from."""
    return {"objective": found.objective, "objective_start": found.start_objective(C)}


@experiment(
    ITEM,
    version=3,
    title="Reuters-21578: naive Bayes, SVM and TSVM from 17 training documents",
    datasets=("reuters21578",),
    open_choices=(
        "draw",
        "missing_class",
        "num_plus",
        "breakeven",
        "pair",
        "first_costs",
        "test_costs",
        "C",
        "features",
        "idf",
        "bayes",
    ),
    parameters={
        "C": Parameter(1.0, float, "C and C*, costs of the slacks", exclusive_minimum=0),
    },
    units=_units,
    agreement=AGREEMENT,
)
def breakevens_by_category(key, params, data, rng):
    """Breakevens of each method, a row for each category that the training set serves."""
    text, condition = corpus(data["reuters21578"], **FEATURES[params["features"]]), key["condition"]
    pool = text.positive[: text.n_train]
    train, _ = training_set(condition, pool, N_TRAIN, rng, params["missing_class"])
    rows = []
    for category in categories_of(condition):
        problem = Problem(text, train, category)
        row = {"category": category} | facts(problem)
        if problem.labels.all() or not problem.labels.any():
            rows.append(row | breakevens_by_chance(problem))
            continue
        breakevens, found = breakevens_by_method(problem, params)
        row |= breakevens | {"tsvm_switches": found.switches} | objectives(found, params["C"])
        rows.append(row)
    return rows
