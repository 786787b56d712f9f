"""The table of Reuters without groups of its test documents: does it hold for new documents?

Joachims (1999), as taught in LING 572, the table; for a jackknife.
"""

from ...companions import N_GROUPS, SMOKE_UNITS, case_groups
from ...datasets.reuters_corpus import CATEGORIES, corpus
from ...runner import experiment
from .reuters_design import COUNTS, FEATURES, N_TRAIN
from .reuters_problem import Problem, training_set
from .reuters_table import AGREEMENT, as_printed

#: Random training sets for each group.
N_GROUP_DRAWS = 10


def _units(params, profile):
    keys = [
        {"left_out": group, "condition": condition, "number": i}
        for i in range(N_GROUP_DRAWS)
        for group in range(N_GROUPS)
        for condition in CATEGORIES
    ]
    return keys[: SMOKE_UNITS if profile == "smoke" else None]


@experiment(
    "transductive_svm/reuters_table_groups",
    version=2,
    title="Reuters-21578, 17 training documents: without groups of test documents",
    datasets=("reuters21578",),
    units=_units,
    agreement={name: AGREEMENT[name] for name in ("svm", "tsvm", "tsvm_switches")},
)
def run_unit(key, params, data, rng):
    """Breakevens of each method without a group of the test documents."""
    text, category = corpus(data["reuters21578"], **FEATURES[COUNTS]), key["condition"]
    train, _ = training_set(category, text.positive[: text.n_train], N_TRAIN, rng)
    whole = Problem(text, train, category)
    problem = whole.without(case_groups(len(whole.positive), N_GROUPS) == key["left_out"])
    row = problem.breakevens(bayes=problem.bayes(), svm=problem.svm())
    return [{"category": category} | row | as_printed(problem, objective=False)]
