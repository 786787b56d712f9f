"""The table of Reuters without groups of its test documents: does it hold for new documents?

Joachims (1999), as taught in LING 572, the table; for a jackknife.
"""

from ...datasets.reuters_corpus import CATEGORIES, corpus
from ...runner import experiment, get
from ...runner.companions import N_GROUPS, SMOKE_UNITS, case_groups
from .reuters_problem import FEATURES, Problem, training_set
from .reuters_table import AGREEMENT, ITEM, N_TRAIN, breakevens_by_method

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
    f"{ITEM}_groups",
    version=2,
    title="Reuters-21578, 17 training documents: without groups of test documents",
    datasets=("reuters21578",),
    units=_units,
    agreement={name: AGREEMENT[name] for name in ("svm", "tsvm", "tsvm_switches")},
)
def breakevens_without_group(key, params, data, rng):
    """Breakevens of each method without a group of the test documents, in one row.

    Its units are not those of `groups`: the groups are of test documents, not of rows of a table.
    """
    defaults = {name: parameter.default for name, parameter in get(ITEM).parameters.items()}
    text = corpus(data["reuters21578"], **FEATURES[defaults["features"]])
    category = key["condition"]
    train, _ = training_set(category, text.positive[: text.n_train], N_TRAIN, rng)
    whole = Problem(text, train, category)
    problem = whole.without(case_groups(len(whole.positive), N_GROUPS) == key["left_out"])
    breakevens, found = breakevens_by_method(problem, defaults)
    return [{"category": category} | breakevens | {"tsvm_switches": found.switches}]
